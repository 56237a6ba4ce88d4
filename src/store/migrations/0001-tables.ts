// The first schema. `body` columns contain the exact JSON text of a response element. measure, result, search,
// evaluation_column, the counts and body_bytes are derived from it on write and can be rebuilt.

export const sqlite = `
CREATE TABLE project (
  key INTEGER PRIMARY KEY AUTOINCREMENT,
  name TEXT NOT NULL UNIQUE,
  created_at TEXT NOT NULL
) STRICT;

CREATE TABLE api_key (
  public_id TEXT NOT NULL PRIMARY KEY,
  project INTEGER NOT NULL REFERENCES project (key),
  name TEXT,
  hash BLOB NOT NULL,
  last_four TEXT NOT NULL,
  scopes TEXT NOT NULL,
  confined_to TEXT,
  created_at TEXT NOT NULL,
  expires_at TEXT,
  revoked_at TEXT,
  last_used_at TEXT
) STRICT;

CREATE TABLE evaluation (
  key INTEGER PRIMARY KEY AUTOINCREMENT,
  project INTEGER NOT NULL REFERENCES project (key),
  id TEXT NOT NULL,
  name TEXT,
  variant_id TEXT,
  revision INTEGER,
  baseline_id TEXT,
  source TEXT,
  created_at TEXT NOT NULL,
  version TEXT NOT NULL,
  scenario_count INTEGER NOT NULL DEFAULT 0,
  body_bytes INTEGER NOT NULL DEFAULT 0,
  evaluators TEXT,
  metadata TEXT,
  UNIQUE (project, id)
) STRICT;
CREATE INDEX evaluation_by_id ON evaluation (id);
CREATE INDEX evaluation_by_time ON evaluation (project, created_at, key);

CREATE TABLE evaluation_column (
  evaluation INTEGER NOT NULL REFERENCES evaluation (key) ON DELETE CASCADE,
  kind TEXT NOT NULL CHECK (kind IN ('input', 'expected', 'score')),
  ordinal INTEGER NOT NULL,
  name TEXT NOT NULL,
  PRIMARY KEY (evaluation, kind, ordinal),
  UNIQUE (evaluation, kind, name)
) STRICT, WITHOUT ROWID;

CREATE TABLE scenario (
  evaluation INTEGER NOT NULL REFERENCES evaluation (key) ON DELETE CASCADE,
  position INTEGER NOT NULL,
  id TEXT NOT NULL,
  body TEXT NOT NULL,
  extra TEXT,
  digest BLOB NOT NULL,
  PRIMARY KEY (evaluation, position),
  UNIQUE (evaluation, id)
) STRICT;

CREATE TABLE search (
  evaluation INTEGER NOT NULL REFERENCES evaluation (key) ON DELETE CASCADE,
  position INTEGER NOT NULL,
  text TEXT NOT NULL,
  PRIMARY KEY (evaluation, position)
) STRICT;

CREATE TABLE measure (
  evaluation INTEGER NOT NULL REFERENCES evaluation (key) ON DELETE CASCADE,
  position INTEGER NOT NULL,
  input_hash BLOB NOT NULL,
  cost REAL,
  latency REAL,
  has_error INTEGER NOT NULL,
  is_pinned INTEGER NOT NULL,
  has_note INTEGER NOT NULL,
  PRIMARY KEY (evaluation, position)
) STRICT, WITHOUT ROWID;

CREATE TABLE result (
  evaluation INTEGER NOT NULL REFERENCES evaluation (key) ON DELETE CASCADE,
  position INTEGER NOT NULL,
  ordinal INTEGER NOT NULL,
  evaluator TEXT NOT NULL,
  type TEXT NOT NULL,
  number REAL,
  text TEXT,
  is_error INTEGER NOT NULL,
  PRIMARY KEY (evaluation, position, ordinal)
) STRICT, WITHOUT ROWID;

CREATE TABLE variant (
  key INTEGER PRIMARY KEY AUTOINCREMENT,
  project INTEGER NOT NULL REFERENCES project (key),
  id TEXT NOT NULL,
  name TEXT,
  created_at TEXT NOT NULL,
  version TEXT NOT NULL,
  revision_count INTEGER NOT NULL DEFAULT 0,
  body_bytes INTEGER NOT NULL DEFAULT 0,
  UNIQUE (project, id)
) STRICT;
CREATE INDEX variant_by_id ON variant (id);
CREATE INDEX variant_by_time ON variant (project, created_at, key);

CREATE TABLE revision (
  variant INTEGER NOT NULL REFERENCES variant (key) ON DELETE CASCADE,
  revision INTEGER NOT NULL,
  body TEXT NOT NULL,
  message TEXT,
  digest BLOB NOT NULL,
  created_at TEXT NOT NULL,
  PRIMARY KEY (variant, revision)
) STRICT;
`

/**
 * COLLATE "C" compares texts as bytes, whatever the locale of the database. evaluation_column.name has no unique index,
 * because a name can exceed the size limit of an index entry; appending ensures that names are unique.
 */
export const postgres = `
CREATE TABLE project (
  key bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  name text COLLATE "C" NOT NULL UNIQUE,
  created_at text COLLATE "C" NOT NULL
);

CREATE TABLE api_key (
  public_id text COLLATE "C" NOT NULL PRIMARY KEY,
  project bigint NOT NULL REFERENCES project (key),
  name text COLLATE "C",
  hash bytea NOT NULL,
  last_four text COLLATE "C" NOT NULL,
  scopes text COLLATE "C" NOT NULL,
  confined_to text COLLATE "C",
  created_at text COLLATE "C" NOT NULL,
  expires_at text COLLATE "C",
  revoked_at text COLLATE "C",
  last_used_at text COLLATE "C"
);

CREATE TABLE evaluation (
  key bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  project bigint NOT NULL REFERENCES project (key),
  id text COLLATE "C" NOT NULL,
  name text COLLATE "C",
  variant_id text COLLATE "C",
  revision bigint,
  baseline_id text COLLATE "C",
  source text COLLATE "C",
  created_at text COLLATE "C" NOT NULL,
  version text COLLATE "C" NOT NULL,
  scenario_count bigint NOT NULL DEFAULT 0,
  body_bytes bigint NOT NULL DEFAULT 0,
  evaluators text COLLATE "C",
  metadata text COLLATE "C",
  UNIQUE (project, id)
);
CREATE INDEX evaluation_by_id ON evaluation (id);
CREATE INDEX evaluation_by_time ON evaluation (project, created_at, key);

CREATE TABLE evaluation_column (
  evaluation bigint NOT NULL REFERENCES evaluation (key) ON DELETE CASCADE,
  kind text COLLATE "C" NOT NULL CHECK (kind IN ('input', 'expected', 'score')),
  ordinal bigint NOT NULL,
  name text COLLATE "C" NOT NULL,
  PRIMARY KEY (evaluation, kind, ordinal)
);

CREATE TABLE scenario (
  evaluation bigint NOT NULL REFERENCES evaluation (key) ON DELETE CASCADE,
  position bigint NOT NULL,
  id text COLLATE "C" NOT NULL,
  body text COLLATE "C" NOT NULL,
  extra text COLLATE "C",
  digest bytea NOT NULL,
  PRIMARY KEY (evaluation, position),
  UNIQUE (evaluation, id)
);

CREATE TABLE search (
  evaluation bigint NOT NULL REFERENCES evaluation (key) ON DELETE CASCADE,
  position bigint NOT NULL,
  text text COLLATE "C" NOT NULL,
  PRIMARY KEY (evaluation, position)
);

CREATE TABLE measure (
  evaluation bigint NOT NULL REFERENCES evaluation (key) ON DELETE CASCADE,
  position bigint NOT NULL,
  input_hash bytea NOT NULL,
  cost double precision,
  latency double precision,
  has_error bigint NOT NULL,
  is_pinned bigint NOT NULL,
  has_note bigint NOT NULL,
  PRIMARY KEY (evaluation, position)
);

CREATE TABLE result (
  evaluation bigint NOT NULL REFERENCES evaluation (key) ON DELETE CASCADE,
  position bigint NOT NULL,
  ordinal bigint NOT NULL,
  evaluator text COLLATE "C" NOT NULL,
  type text COLLATE "C" NOT NULL,
  number double precision,
  text text COLLATE "C",
  is_error bigint NOT NULL,
  PRIMARY KEY (evaluation, position, ordinal)
);

CREATE TABLE variant (
  key bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  project bigint NOT NULL REFERENCES project (key),
  id text COLLATE "C" NOT NULL,
  name text COLLATE "C",
  created_at text COLLATE "C" NOT NULL,
  version text COLLATE "C" NOT NULL,
  revision_count bigint NOT NULL DEFAULT 0,
  body_bytes bigint NOT NULL DEFAULT 0,
  UNIQUE (project, id)
);
CREATE INDEX variant_by_id ON variant (id);
CREATE INDEX variant_by_time ON variant (project, created_at, key);

CREATE TABLE revision (
  variant bigint NOT NULL REFERENCES variant (key) ON DELETE CASCADE,
  revision bigint NOT NULL,
  body text COLLATE "C" NOT NULL,
  message text COLLATE "C",
  digest bytea NOT NULL,
  created_at text COLLATE "C" NOT NULL,
  PRIMARY KEY (variant, revision)
);
`
