// What SQLite says in words of its own.
import type { SqlWords } from './dialect.ts'

export const SQL: SqlWords = {
  joinedBytes: (column, separator) =>
    `CAST(group_concat(${column}, char(${separator.charCodeAt(0)})) AS BLOB)`,
  text: 'CAST(? AS TEXT)',
  tables: `SELECT name FROM sqlite_schema WHERE type = 'table'`,
}
