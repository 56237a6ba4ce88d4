// SQL fragments and statements that only PostgreSQL uses, and the translation of `?` placeholders to `$1`.
import type { SqlFragments, Value } from '../dialect.ts'

export const SQL: SqlFragments = {
  // PostgreSQL reads bytes that are bound as text as UTF-8.
  text: '?',
  contains: (text, part) => `strpos(${text}, ${part}) > 0`,
  quantile: (values, fraction) => `percentile_cont(${fraction}) WITHIN GROUP (ORDER BY ${values})`,
  tables: 'SELECT tablename AS name FROM pg_tables WHERE schemaname = current_schema()',
}

const numbered = new Map<string, string>()
const MAX_NUMBERED = 500

/** Replaces each `?` by `$1`, `$2`, …. No statement contains a question mark that is not a placeholder. */
export function numberedStatement(statement: string): string {
  let text = numbered.get(statement)
  if (text === undefined) {
    text = numberPlaceholders(statement)
    // Filters produce many different statements; the frequent ones are soon cached again.
    if (numbered.size >= MAX_NUMBERED) numbered.clear()
    numbered.set(statement, text)
  }
  return text
}

/** Returns the values of a statement's only column as one comma-separated text, as column `numbers`. */
export function numbersStatement(statement: string): string {
  return `SELECT array_to_string(ARRAY(${statement}), ',') AS numbers`
}

export function parseNumbers(text: string): Float64Array {
  return text === '' ? new Float64Array() : Float64Array.from(text.split(','), Number)
}

function numberPlaceholders(statement: string): string {
  let count = 0
  return statement.replaceAll('?', () => {
    count += 1
    return `$${count}`
  })
}

/** The column `element` of a statement's rows in order. COPY has no parameters, so integers are inlined. */
export function elementsQuery(statement: string, values: number[]): string {
  let next = 0
  const filled = statement.replaceAll('?', () => {
    next += 1
    return BigInt(values[next - 1] ?? 0).toString()
  })
  return `SELECT element FROM (${filled}) AS piece ORDER BY ordinal`
}

/** The protocol limits a statement to 65,535 parameters. */
const MAX_VALUES = 60_000

/** Turns an INSERT of one row into multi-row INSERTs: one statement per row would need one round trip per row. */
export function* insertStatements(
  statement: string,
  rows: Value[][],
): Generator<{ text: string; values: Value[] }> {
  const [, head = '', row = '', tail = ''] = /^(.*\bVALUES\s*)(\([^()]*\))(.*)$/s.exec(statement) ?? []
  const rowsPerStatement = Math.floor(MAX_VALUES / (rows[0]?.length || 1))
  for (let at = 0; at < rows.length; at += rowsPerStatement) {
    const batch = rows.slice(at, at + rowsPerStatement)
    const text = numberPlaceholders(`${head}${batch.map(() => row).join(', ')}${tail}`)
    yield { text, values: batch.flat() }
  }
}
