// What PostgreSQL says in words of its own, and our statements in its form: `$1` where the store writes `?`.
import type { SqlWords, Value } from './dialect.ts'

export const SQL: SqlWords = {
  // A value that is bound as bytes is the text whose UTF-8 they are.
  text: '?',
  contains: (text, part) => `strpos(${text}, ${part}) > 0`,
  quantile: (values, fraction) => `percentile_cont(${fraction}) WITHIN GROUP (ORDER BY ${values})`,
  tables: 'SELECT tablename AS name FROM pg_tables WHERE schemaname = current_schema()',
}

const numbered = new Map<string, string>()
const MOST_NUMBERED = 500

/** The statements of the store never hold a question mark of their own. */
export function numberedStatement(statement: string): string {
  let text = numbered.get(statement)
  if (text === undefined) {
    text = numberPlaceholders(statement)
    // Filters make statements of many forms; the few that are asked all the time are soon there again.
    if (numbered.size >= MOST_NUMBERED) numbered.clear()
    numbered.set(statement, text)
  }
  return text
}

/** The numbers of a statement's only column as one text, as `numbers`. */
export function numbersStatement(statement: string): string {
  return `SELECT array_to_string(ARRAY(${statement}), ',') AS numbers`
}

export function readNumbers(text: string): Float64Array {
  return text === '' ? new Float64Array() : Float64Array.from(text.split(','), Number)
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
