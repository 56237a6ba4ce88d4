// The first schema. `body` columns hold the exact JSON text of an answer's element; measure, result,
// search, evaluation_column, counts and body_bytes are derived from it when it is written and can be rebuilt.

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
