// The SQL of the first migrations, which created the tables. A released migration never changes.

/**
 * The first schema. `body` columns contain the exact JSON text of a response element. measure, result, search,
 * evaluation_column, the counts and body_bytes are derived from it on write and can be rebuilt.
 */
export const TABLES = `
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

/** A name can exceed the size limit of an index entry in PostgreSQL. Appending ensures that names are unique. */
export const UNIQUE_COLUMN_NAMES = ',\n  UNIQUE (evaluation, kind, name)'

/** Digests that detect a repeated creation, and stored responses for repeated requests (Idempotency-Key). */
export const WRITING = `
ALTER TABLE evaluation ADD COLUMN digest BLOB;
ALTER TABLE variant ADD COLUMN digest BLOB;

CREATE TABLE idempotency (
  api_key TEXT NOT NULL,
  operation TEXT NOT NULL,
  token TEXT NOT NULL,
  digest BLOB NOT NULL,
  status INTEGER NOT NULL,
  location TEXT,
  body TEXT,
  created_at TEXT NOT NULL,
  PRIMARY KEY (api_key, operation, token)
) STRICT, WITHOUT ROWID;
CREATE INDEX idempotency_by_time ON idempotency (created_at);
`

/**
 * Results and inputs stored by column, so that one evaluator or input can be read alone, and hashes that show whether
 * two rows are equal.
 */
export const READING = `
DELETE FROM search;
DROP TABLE measure;
DROP TABLE result;

CREATE TABLE measure (
  evaluation INTEGER NOT NULL REFERENCES evaluation (key) ON DELETE CASCADE,
  position INTEGER NOT NULL,
  input_hash BLOB,
  input_text_hash BLOB,
  expected_hash BLOB NOT NULL,
  output_hash BLOB NOT NULL,
  cost REAL,
  latency REAL,
  has_error INTEGER NOT NULL,
  error_group TEXT,
  is_pinned INTEGER NOT NULL,
  has_note INTEGER NOT NULL,
  PRIMARY KEY (evaluation, position)
) STRICT, WITHOUT ROWID;
CREATE INDEX measure_by_input ON measure (evaluation, input_hash, position);

CREATE TABLE result (
  evaluation INTEGER NOT NULL REFERENCES evaluation (key) ON DELETE CASCADE,
  evaluator INTEGER NOT NULL,
  position INTEGER NOT NULL,
  type TEXT NOT NULL,
  number REAL,
  text TEXT,
  is_verdict INTEGER NOT NULL,
  is_error INTEGER NOT NULL,
  error_group TEXT,
  PRIMARY KEY (evaluation, evaluator, position)
) STRICT, WITHOUT ROWID;

CREATE TABLE input (
  evaluation INTEGER NOT NULL REFERENCES evaluation (key) ON DELETE CASCADE,
  input INTEGER NOT NULL,
  position INTEGER NOT NULL,
  hash BLOB NOT NULL,
  text_hash BLOB NOT NULL,
  PRIMARY KEY (evaluation, input, position)
) STRICT, WITHOUT ROWID;

CREATE INDEX evaluation_by_revision ON evaluation (project, variant_id, revision);
`

/** PostgreSQL uses hash joins for comparisons. A later migration creates the index for histories. */
export const INPUT_INDEX = 'CREATE INDEX measure_by_input ON measure (evaluation, input_hash, position);\n'
