// What PostgreSQL says in words of its own, and our statements in its form: `$1` where the store writes `?`.
import type { SqlWords, Value } from './dialect.ts'

export const SQL: SqlWords = {
  // A value that is bound as bytes is the text whose UTF-8 they are.
  text: '?',
  tables: 'SELECT tablename AS name FROM pg_tables WHERE schemaname = current_schema()',
}

const numbered = new Map<string, string>()

/** The statements of the store are few and never hold a question mark of their own. */
export function numberedStatement(statement: string): string {
  let text = numbered.get(statement)
  if (text === undefined) {
    text = numberPlaceholders(statement)
    numbered.set(statement, text)
  }
  return text
}

function numberPlaceholders(statement: string): string {
  let count = 0
  return statement.replaceAll('?', () => {
    count += 1
    return `$${count}`
  })
}

/** The elements of a statement's rows in order. COPY takes no values: whole numbers stand in its text. */
export function elementsQuery(statement: string, values: number[]): string {
  let next = 0
  const filled = statement.replaceAll('?', () => {
    next += 1
    return BigInt(values[next - 1] ?? 0).toString()
  })
  return `SELECT element FROM (${filled}) AS piece ORDER BY place`
}

/** The protocol counts the values of a statement in 16 bits. */
const MOST_VALUES = 60_000

/** An INSERT of one row becomes one of many: a statement a row would be a round trip a row. */
export function* insertStatements(
  statement: string,
  rows: Value[][],
): Generator<{ text: string; values: Value[] }> {
  const [, head = '', row = '', tail = ''] = /^(.*\bVALUES\s*)(\([^()]*\))(.*)$/s.exec(statement) ?? []
  const atOnce = Math.floor(MOST_VALUES / (rows[0]?.length || 1))
  for (let at = 0; at < rows.length; at += atOnce) {
    const some = rows.slice(at, at + atOnce)
    const text = numberPlaceholders(`${head}${some.map(() => row).join(', ')}${tail}`)
    yield { text, values: some.flat() }
  }
}
