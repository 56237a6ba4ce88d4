// What SQLite says in words of its own.
import type { SqlWords } from './dialect.ts'

export const SQL: SqlWords = {
  text: 'CAST(? AS TEXT)',
  contains: (text, part) => `instr(${text}, ${part}) > 0`,
  quantile: (values, fraction) => `percentile(${values}, ${100 * fraction})`,
  tables: `SELECT name FROM sqlite_schema WHERE type = 'table'`,
}

/** Gives the texts of a statement's rows joined, as `bytes`. They are joined in the order they come in. */
export function joinStatement(statement: string, separator: string): string {
  const joined = `CAST(group_concat(element, char(${separator.charCodeAt(0)})) AS BLOB)`
  return `SELECT ${joined} AS bytes FROM (${statement})`
}

/** Gives the numbers of a statement's only column, one after the other, to the function `gathered`. */
export function gatherStatement(statement: string): string {
  return `WITH every (number) AS (${statement}) SELECT gathered(number) AS count FROM every`
}
