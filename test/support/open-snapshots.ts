// Whether a service has database snapshots open.
import { DatabaseSync } from 'node:sqlite'
import { query } from '../postgres/cluster.ts'

/** An open snapshot blocks the SQLite checkpoint after a write, or shows as a transaction in PostgreSQL. */
export async function hasOpenSnapshots(url: string): Promise<boolean> {
  if (!url.startsWith('sqlite:')) {
    const open = `SELECT 1 FROM pg_stat_activity WHERE datname = current_database() AND application_name = 'assay' AND xact_start IS NOT NULL`
    return (await query(url, open)).length > 0
  }
  const database = new DatabaseSync(url.replace('sqlite:', ''))
  const row = database.prepare('PRAGMA wal_checkpoint(TRUNCATE)').get() as { busy: number }
  database.close()
  return row.busy > 0
}
