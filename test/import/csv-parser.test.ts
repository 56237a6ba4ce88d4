// Tests the CSV parser: its rows and faults must equal those of csv-parse, however the text is split into chunks.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type CsvError, parse } from 'csv-parse/sync'
import fc from 'fast-check'
import { type CsvFault, CsvParser, CsvProblem, type CsvRow } from '../../src/import/csv-parser.ts'

interface Parsed {
  rows: CsvRow[]
  problem?: { fault: CsvFault; line: number; cell: number }
}

const NO_LIMIT = Number.MAX_SAFE_INTEGER

function parseChunks(chunks: Iterable<string>, delimiter: string, maxRowBytes = NO_LIMIT): Parsed {
  const parser = new CsvParser(delimiter, maxRowBytes)
  const rows: CsvRow[] = []
  const readRows = () => {
    for (let row = parser.next(); row; row = parser.next()) rows.push(row)
  }
  try {
    for (const chunk of chunks) {
      parser.push(chunk)
      readRows()
    }
    parser.end()
    readRows()
    return { rows }
  } catch (error) {
    if (!(error instanceof CsvProblem)) throw error
    const { fault, line, cell } = error
    return { rows, problem: { fault, line, cell } }
  }
}

const FAULTS: Record<string, CsvFault> = {
  CSV_QUOTE_NOT_CLOSED: 'openQuote',
  CSV_INVALID_CLOSING_QUOTE: 'textAfterQuote',
  INVALID_OPENING_QUOTE: 'innerQuote',
}

/** csv-parse counts the cells of a faulty row, and the blank lines before a row. The lines of the row are counted here. */
function parseWithLibrary(text: string, delimiter: string): Parsed {
  const rows: CsvRow[] = []
  let [nextLine, blankLines] = [1, 0]
  const skipBlank = (count: number) => {
    nextLine += count - blankLines
    blankLines = count
  }
  try {
    parse(text, {
      delimiter,
      record_delimiter: ['\r\n', '\n', '\r'],
      relax_column_count: true,
      skip_empty_lines: true,
      on_record(cells: string[], { empty_lines }) {
        skipBlank(empty_lines)
        rows.push({ line: nextLine, cells })
        for (const cell of cells) nextLine += cell.match(/\r\n|\n|\r/g)?.length ?? 0
        nextLine += 1
        return null
      },
    })
    return { rows }
  } catch (error) {
    const { code, column, empty_lines } = error as CsvError
    skipBlank(Number(empty_lines))
    const fault = FAULTS[code]
    assert.ok(fault, code)
    return { rows, problem: { fault, line: nextLine, cell: Number(column) } }
  }
}

/** Splits between characters, like decoded chunks of a file. */
function split(text: string, lengths: readonly number[]): string[] {
  const characters = [...text]
  const chunks = lengths.map((length) => characters.splice(0, length).join(''))
  return [...chunks, characters.join('')]
}

const delimiters = fc.constantFrom(',', '\t', ';', '|')
const chunkLengths = fc.array(fc.nat({ max: 9 }))
const pieces = ['"', '""', ',', '\t', '\n', '\r', '\r\n', 'a', 'bc', ' ', 'é', '\u{1f600}']
const quotedCells = fc
  .array(fc.constantFrom(...pieces))
  .map((parts) => `"${parts.join('').replaceAll('"', '""')}"`)
const cells = fc.oneof(fc.constantFrom('', 'a', '10.5', 'two words', 'é'), quotedCells)
const rowTexts = fc.tuple(
  fc.array(cells, { minLength: 1, maxLength: 5 }),
  fc.constantFrom('\n', '\r\n', '\r', '\n\n', ''),
)

/** Valid cells with any line breaks, or any sequence of characters with a meaning. */
function texts(delimiter: string): fc.Arbitrary<string> {
  const tables = fc
    .array(rowTexts)
    .map((rows) => rows.map(([row, end]) => `${row.join(delimiter)}${end}`).join(''))
  return fc.oneof(
    tables,
    fc.array(fc.constantFrom(...pieces, delimiter)).map((parts) => parts.join('')),
  )
}

test('reads the same rows and faults as csv-parse, in any chunks', () => {
  fc.assert(
    fc.property(
      delimiters.chain((delimiter) => fc.tuple(fc.constant(delimiter), texts(delimiter))),
      chunkLengths,
      ([delimiter, text], lengths) => {
        assert.deepEqual(
          parseChunks(split(text, lengths), delimiter),
          parseWithLibrary(text, delimiter),
          JSON.stringify(text),
        )
      },
    ),
    { numRuns: 2000 },
  )
})

test('rejects a row by its bytes, with a position, in any chunks', () => {
  const cases = fc.tuple(
    fc.array(fc.constantFrom('a', 'é', '€', '\u{1f600}')),
    fc.nat({ max: 30 }),
    fc.boolean(),
  )
  fc.assert(
    fc.property(cases, chunkLengths, ([characters, limit, isQuoted], lengths) => {
      const content = characters.join('')
      const row = `x,${isQuoted ? `"${content}"` : content}`
      const { rows, problem } = parseChunks(split(`h\n\n${row}\n`, lengths), ',', limit + 1)
      const isTooLarge = Buffer.byteLength(row) > limit + 1
      assert.deepEqual(rows.length, isTooLarge ? 1 : 2)
      assert.deepEqual(problem && [problem.fault, problem.line], isTooLarge ? ['size', 3] : undefined)
    }),
  )
})

test('rejects a row that never ends as soon as it is too large', () => {
  function* endlessText() {
    yield 'a,b\n"'
    for (;;) yield 'x,\n'.repeat(100)
  }
  const { rows, problem } = parseChunks(endlessText(), ',', 1000)
  assert.deepEqual(rows, [{ line: 1, cells: ['a', 'b'] }])
  assert.deepEqual(problem, { fault: 'size', line: 2, cell: 0 })
})
