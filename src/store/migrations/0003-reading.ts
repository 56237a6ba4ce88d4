// For queries over many rows: results and inputs stored by column, so that one evaluator or input can be read alone, and
// hashes that show whether two rows are equal. All derived tables are rebuilt after it.

export const sqlite = `
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

/** PostgreSQL uses hash joins, so it needs no index on input hashes. */
export const postgres = `
DELETE FROM search;
DROP TABLE measure;
DROP TABLE result;

CREATE TABLE measure (
  evaluation bigint NOT NULL REFERENCES evaluation (key) ON DELETE CASCADE,
  position bigint NOT NULL,
  input_hash bytea,
  input_text_hash bytea,
  expected_hash bytea NOT NULL,
  output_hash bytea NOT NULL,
  cost double precision,
  latency double precision,
  has_error bigint NOT NULL,
  error_group text COLLATE "C",
  is_pinned bigint NOT NULL,
  has_note bigint NOT NULL,
  PRIMARY KEY (evaluation, position)
);

CREATE TABLE result (
  evaluation bigint NOT NULL REFERENCES evaluation (key) ON DELETE CASCADE,
  evaluator bigint NOT NULL,
  position bigint NOT NULL,
  type text COLLATE "C" NOT NULL,
  number double precision,
  text text COLLATE "C",
  is_verdict bigint NOT NULL,
  is_error bigint NOT NULL,
  error_group text COLLATE "C",
  PRIMARY KEY (evaluation, evaluator, position)
);

CREATE TABLE input (
  evaluation bigint NOT NULL REFERENCES evaluation (key) ON DELETE CASCADE,
  input bigint NOT NULL,
  position bigint NOT NULL,
  hash bytea NOT NULL,
  text_hash bytea NOT NULL,
  PRIMARY KEY (evaluation, input, position)
);

CREATE INDEX evaluation_by_revision ON evaluation (project, variant_id, revision);
`
