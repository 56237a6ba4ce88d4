// Every migration of the schema, in order. Migrations are only added; a released migration never changes.
import type { Dialect } from '../dialect/dialect.ts'

export interface Migration {
  name: string
  /** The SQL for each engine. */
  sql: Record<Dialect['engine'], string>
  /**
   * Whether derived tables are rebuilt after it, in the same transaction. Only stores of versions before 0.1 need it. Later
   * migrations must not set it: data is derived by a background task.
   */
  rebuildsDerived?: true
}

/** COLLATE "C" compares texts as bytes, whatever the locale of the database. */
const POSTGRES_TYPES: [sqlite: RegExp, postgres: string][] = [
  [/\bINTEGER PRIMARY KEY AUTOINCREMENT\b/g, 'bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY'],
  [/\bINTEGER\b/g, 'bigint'],
  [/\bTEXT\b/g, 'text COLLATE "C"'],
  [/\bREAL\b/g, 'double precision'],
  [/\bBLOB\b/g, 'bytea'],
  [/\) STRICT(, WITHOUT ROWID)?;/g, ');'],
]

/** Translates SQL for SQLite to PostgreSQL. `sqliteOnly` is removed from the SQL for PostgreSQL. */
function forBothEngines(sqlite: string, sqliteOnly = ''): Migration['sql'] {
  let postgres = sqlite.replace(sqliteOnly, '')
  for (const [pattern, type] of POSTGRES_TYPES) postgres = postgres.replace(pattern, type)
  return { sqlite, postgres }
}

/**
 * The first schema. `body` columns contain the exact JSON text of a response element. measure, result, search,
 * evaluation_column, the counts and body_bytes are derived from it on write and can be rebuilt.
 */
const TABLES = `
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
const UNIQUE_COLUMN_NAMES = ',\n  UNIQUE (evaluation, kind, name)'

/** Digests that detect a repeated creation, and stored responses for repeated requests (Idempotency-Key). */
const WRITING = `
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
const READING = `
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
const INPUT_INDEX = 'CREATE INDEX measure_by_input ON measure (evaluation, input_hash, position);\n'

/** The key that created a share link. Revoking that key also revokes the share link. */
const SHARES = 'ALTER TABLE api_key ADD COLUMN made_by TEXT;'

/** The ETag of a stored response. */
const ETAGS = 'ALTER TABLE idempotency ADD COLUMN etag TEXT;'

/** UUIDs of version 7, which Assay generates. */
const UUID_PATTERN = '________-____-7___-____-____________'
/** Texts of these characters are positions, with the suffixes that make them unique. */
const POSITION_CHARACTERS = '0123456789 #:'

/**
 * The rows whose id was generated by Assay or made from a position by an importer. Existing rows are classified by
 * source and form of their id. An id that several evaluations have was given by a client, even if it is a UUID.
 */
const GENERATED_IDS = `
CREATE TABLE generated_id (
  evaluation INTEGER NOT NULL REFERENCES evaluation (key) ON DELETE CASCADE,
  position INTEGER NOT NULL,
  PRIMARY KEY (evaluation, position)
) STRICT, WITHOUT ROWID;

INSERT INTO generated_id (evaluation, position)
SELECT min(evaluation), min(position) FROM scenario WHERE id LIKE '${UUID_PATTERN}' GROUP BY id HAVING count(*) = 1;

INSERT INTO generated_id (evaluation, position)
SELECT scenario.evaluation, scenario.position
FROM evaluation JOIN scenario ON scenario.evaluation = evaluation.key
WHERE (source = 'table' AND scenario.id = CAST(scenario.position + 1 AS text))
  OR ((source = 'phoenix' OR source LIKE 'promptfoo%') AND ltrim(scenario.id, '${POSITION_CHARACTERS}') = '')
  OR (source LIKE 'lm-evaluation-harness%' AND scenario.id LIKE 'record %')
  OR (source = 'DeepEval' AND scenario.id LIKE '%test_case_%'
    AND ltrim(replace(replace(scenario.id, 'conversational_', ''), 'test_case_', ''), '${POSITION_CHARACTERS}') = '');
`

/** Lists sorted by name. A name can exceed the size limit of an index entry in PostgreSQL. */
const LIST_ORDERS = `
CREATE INDEX evaluation_by_name ON evaluation (project, substr(coalesce(name, id), 1, 200), key);
CREATE INDEX variant_by_name ON variant (project, substr(coalesce(name, id), 1, 200), key);
`

/**
 * The change log. `sequence` has no gaps in a project. `token` is random: it shows whether a cursor belongs to an entry of
 * this store, and not to one that a restored backup has replaced.
 */
const CHANGES = `
CREATE TABLE change (
  project INTEGER NOT NULL,
  sequence INTEGER NOT NULL,
  token TEXT NOT NULL,
  time TEXT NOT NULL,
  action TEXT NOT NULL,
  subject TEXT NOT NULL,
  element TEXT,
  counts TEXT,
  version TEXT,
  key_id TEXT,
  key_name TEXT,
  address TEXT,
  PRIMARY KEY (project, sequence)
) STRICT, WITHOUT ROWID;
`

/**
 * Locks the log and inserts an entry. The plan of the INSERT is cached by the server. It has a newer snapshot than the
 * lock, so that it sees the entries of the previous lock owner.
 */
const APPEND_CHANGE_FUNCTION = `
CREATE FUNCTION append_change(bigint, text, text, text, text, text, text, text, text, text, text)
RETURNS void LANGUAGE plpgsql AS $$
BEGIN
  PERFORM pg_advisory_xact_lock(hashtextextended('change log', $1));
  INSERT INTO change
    (project, sequence, token, time, key_id, key_name, address, action, subject, element, counts, version)
  VALUES ($1, coalesce((SELECT max(sequence) FROM change WHERE project = $1), 0) + 1, $2, $3, $4, $5, $6, $7, $8, $9,
    $10, $11);
END $$;
`

/** Status, progress, tags and update time. Nothing is known about updates before, so they count as the creation. */
const EVALUATION_FIELDS = `
ALTER TABLE evaluation ADD COLUMN updated_at TEXT NOT NULL DEFAULT '';
ALTER TABLE evaluation ADD COLUMN status TEXT NOT NULL DEFAULT 'finished';
ALTER TABLE evaluation ADD COLUMN expected_count INTEGER;
ALTER TABLE evaluation ADD COLUMN tags TEXT NOT NULL DEFAULT '[]';
ALTER TABLE variant ADD COLUMN updated_at TEXT NOT NULL DEFAULT '';
UPDATE evaluation SET updated_at = created_at;
UPDATE variant SET updated_at = created_at;
CREATE INDEX evaluation_by_update ON evaluation (project, updated_at, key);
CREATE INDEX variant_by_update ON variant (project, updated_at, key);
`

/**
 * For changes of stored scenarios. The positions of deleted scenarios are not used again. `first_digest` is the digest of a
 * scenario as it was first written; null if it has not changed. A column is deleted when no row has it; its row count is
 * unknown (null) in evaluations that were written before.
 */
const CORRECTIONS = `
ALTER TABLE evaluation ADD COLUMN next_position INTEGER NOT NULL DEFAULT 0;
UPDATE evaluation SET next_position =
  coalesce((SELECT max(position) FROM scenario WHERE scenario.evaluation = evaluation.key), -1) + 1;
ALTER TABLE evaluation_column ADD COLUMN row_count INTEGER;
ALTER TABLE scenario ADD COLUMN first_digest BLOB;
`

/**
 * The scores of an evaluation, as JSON texts: as in responses, and the statistics that they are computed from. An evaluation
 * that never had scenarios has no row. The scores of existing evaluations are unknown, and are stored one by one later.
 */
const SCORES = `
CREATE TABLE evaluation_scores (
  evaluation INTEGER NOT NULL PRIMARY KEY REFERENCES evaluation (key) ON DELETE CASCADE,
  is_unknown INTEGER NOT NULL,
  scores TEXT,
  statistics TEXT
) STRICT;
CREATE INDEX evaluation_scores_unknown ON evaluation_scores (evaluation) WHERE is_unknown = 1;
INSERT INTO evaluation_scores (evaluation, is_unknown) SELECT key, 1 FROM evaluation WHERE next_position > 0;
`

/**
 * Lists with filters, newest first. Most evaluations are finished and have no tags, so that the indexes of other statuses
 * and of tags are small. A source can exceed the size limit of an index entry in PostgreSQL.
 */
const LIST_INDEXES = `
CREATE INDEX evaluation_by_variant ON evaluation (project, variant_id, created_at, key);
CREATE INDEX evaluation_by_source ON evaluation (project, substr(source, 1, 200), created_at, key);
CREATE INDEX evaluation_by_status ON evaluation (project, status, created_at, key) WHERE status <> 'finished';
CREATE INDEX evaluation_by_tag ON evaluation (project, created_at, key) WHERE tags <> '[]';
`

/**
 * Deleted evaluations whose rows have yet to be removed belong to project 0. No request can contain their ids, because
 * they contain a control character. `background_task` has the tasks in progress: the process that runs one, and until when.
 */
const DELETIONS = `
INSERT INTO project (key, name, created_at) VALUES (0, '\tdeleted', '');

CREATE TABLE background_task (
  name TEXT NOT NULL PRIMARY KEY,
  owner TEXT NOT NULL,
  leased_until TEXT NOT NULL
) STRICT, WITHOUT ROWID;
`

/**
 * PostgreSQL generates the keys of projects, unless the statement says otherwise. Its foreign keys would search for the rows
 * of an evaluation again when its own row is deleted, and read the index entries of all removed rows. `assay check` finds
 * rows without an evaluation.
 */
function forDeletions({ sqlite, postgres }: Migration['sql']): Migration['sql'] {
  const withKey = postgres.replace(') VALUES', ') OVERRIDING SYSTEM VALUE VALUES')
  const withoutForeignKeys = ['scenario', 'search', 'measure', 'result', 'input', 'generated_id'].map(
    (table) => `ALTER TABLE ${table} DROP CONSTRAINT IF EXISTS ${table}_evaluation_fkey;\n`,
  )
  return { sqlite, postgres: withKey + withoutForeignKeys.join('') }
}

function withPostgresFunction(sql: Migration['sql'], postgresFunction: string): Migration['sql'] {
  return { ...sql, postgres: sql.postgres + postgresFunction }
}

export const MIGRATIONS: Migration[] = [
  { name: '0001-tables', sql: forBothEngines(TABLES, UNIQUE_COLUMN_NAMES) },
  { name: '0002-writing', sql: forBothEngines(WRITING) },
  { name: '0003-reading', sql: forBothEngines(READING, INPUT_INDEX), rebuildsDerived: true },
  { name: '0004-shares', sql: forBothEngines(SHARES) },
  { name: '0005-etags', sql: forBothEngines(ETAGS) },
  { name: '0006-generated-ids', sql: forBothEngines(GENERATED_IDS) },
  { name: '0007-list-orders', sql: forBothEngines(LIST_ORDERS) },
  { name: '0008-changes', sql: withPostgresFunction(forBothEngines(CHANGES), APPEND_CHANGE_FUNCTION) },
  { name: '0009-evaluation-fields', sql: forBothEngines(EVALUATION_FIELDS) },
  { name: '0010-corrections', sql: forBothEngines(CORRECTIONS) },
  { name: '0011-scores', sql: forBothEngines(SCORES) },
  { name: '0012-list-indexes', sql: forBothEngines(LIST_INDEXES) },
  { name: '0013-deletions', sql: forDeletions(forBothEngines(DELETIONS)) },
]
