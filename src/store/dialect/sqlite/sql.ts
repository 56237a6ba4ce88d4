// SQL fragments of SQLite.
import { DatabaseSync } from 'node:sqlite'
import type { SqlFragments } from '../dialect.ts'

export const SQL_FRAGMENTS: SqlFragments = {
  // No other request is served while SQLite joins a chunk.
  chunkBytes: 256 * 1024,
  // Node 24 cannot set limits of SQLite.
  canLimitElements: 'limits' in new DatabaseSync(':memory:', { open: false }),
  contains: (text, part) => `instr(${text}, ${part}) > 0`,
  storesSearchText: false,
  searchPositions: 'SELECT value FROM json_each(search_positions(?, ?))',
  hasElement: (array, text) => `EXISTS (SELECT 1 FROM json_each(${array}) WHERE value = ${text})`,
  integers: 'SELECT value FROM json_each(?)',
  // No lock is needed, because SQLite has only one write transaction at a time.
  appendChange: `INSERT INTO change
      (project, sequence, token, time, key_id, key_name, address, action, subject, element, counts, version)
    VALUES (?1, coalesce((SELECT max(sequence) FROM change WHERE project = ?1), 0) + 1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9,
      ?10, ?11)`,
  // The keys 1, 2, … take fewer bytes in the rows of every table than keys from a clock.
  newKey: () => null,
  indexHint: (index) => ` INDEXED BY ${index}`,
  // Calls the function for every 1024th position, because a call takes longer than most conditions.
  cancelable: (position) => `(${position} & 1023 OR is_running())`,
  joinLines: (statement) => statement,
  hex: (bytes) => `hex(${bytes})`,
  sha256: (text) => `sha256(${text})`,
  tables: `SELECT name FROM sqlite_schema WHERE type = 'table'`,
}
