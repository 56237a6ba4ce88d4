import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { formatCsvLine, jsonToCell } from '../../src/serialize/csv.ts'
import { type CsvTable, serialize } from '../../src/serialize/format.ts'

/** A strict RFC 4180 parser for one line. */
function readLine(line: string): string[] {
  assert.ok(line.endsWith('\r\n'))
  const cells: string[] = []
  const cell = /("(?:[^"]|"")*"|[^",\r\n]*)(,|\r\n)/gy
  for (let match = cell.exec(line); match; match = cell.exec(line)) {
    const [, text = '', end] = match
    cells.push(text.startsWith('"') ? text.slice(1, -1).replaceAll('""', '"') : text)
    if (end === '\r\n') assert.equal(cell.lastIndex, line.length)
  }
  return cells
}

test('writes lines that a CSV parser reads back unchanged', () => {
  const text = fc.string({ unit: fc.constantFrom('a', '"', ',', '\r', '\n', ' ', 'é', '=') })
  fc.assert(
    fc.property(fc.array(text, { minLength: 1 }), (cells) => {
      assert.deepEqual(readLine(formatCsvLine(cells)), cells)
    }),
  )
})

test('joins lines of any length to chunks without changing a byte', async () => {
  const cell = (length: number) => ['a', 'é', '字', '\u{1f600}'][length % 4]?.repeat(length) ?? ''
  const elements = [0, 1, 70_000, 3, 20_000, 21_000, 21_845, 2, 65_536].map((length) =>
    JSON.stringify(cell(length)),
  )
  for (const header of [['name'], [cell(90_001)]]) {
    const table: CsvTable = { header, cells: (element) => [jsonToCell(element)] }
    // Each of the two chunks has several elements.
    const chunks = async function* () {
      yield Buffer.from(elements.slice(0, 4).join('\n'))
      yield Buffer.from(elements.slice(4).join('\n'))
    }
    const parts = await Array.fromAsync(serialize('csv', chunks, table))
    const expected = [header, ...elements.map((element) => [jsonToCell(element)])].map(formatCsvLine).join('')
    assert.ok(Buffer.concat(parts).equals(Buffer.from(expected)))
    assert.ok(parts.every(({ length }) => length > 0))
  }
})

const CELLS: [json: string | undefined, cell: string][] = [
  [undefined, ''],
  ['null', ''],
  ['""', ''],
  ['"null"', 'null'],
  [String.raw`"a\n\"b\" \u00e9"`, 'a\n"b" é'],
  ['true', 'true'],
  ['1.0', '1.0'],
  ['-0', '-0'],
  ['{"b":1,"a":[]}', '{"b":1,"a":[]}'],
]
for (const [json, cell] of CELLS) {
  test(`converts ${json} to the cell ${JSON.stringify(cell)}`, () => {
    assert.equal(jsonToCell(json), cell)
  })
}
