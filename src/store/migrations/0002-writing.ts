// For writes over HTTP: digests that detect a repeated creation, and stored responses for repeated requests
// (Idempotency-Key).

export const sqlite = `
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

export const postgres = `
ALTER TABLE evaluation ADD COLUMN digest bytea;
ALTER TABLE variant ADD COLUMN digest bytea;

CREATE TABLE idempotency (
  api_key text COLLATE "C" NOT NULL,
  operation text COLLATE "C" NOT NULL,
  token text COLLATE "C" NOT NULL,
  digest bytea NOT NULL,
  status bigint NOT NULL,
  location text COLLATE "C",
  body text COLLATE "C",
  created_at text COLLATE "C" NOT NULL,
  PRIMARY KEY (api_key, operation, token)
);
CREATE INDEX idempotency_by_time ON idempotency (created_at);
`
