// Tests that a file of scenarios that is parsed on threads is imported like one that is parsed on the main thread.
import assert from 'node:assert/strict'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { scenarios } from '../../src/import/assay/scenarios.ts'
import {
  type ImportOptions,
  importEventsOf,
  NO_COLUMN_OPTIONS,
  NO_STORED_DATA,
} from '../../src/import/importer.ts'
import { Source } from '../../src/import/source.ts'
import { createParseScenarios } from '../../src/parse/parse-import.ts'
import { ParseThreads } from '../../src/parse/threads.ts'
import type { ImportEvent } from '../../src/schema/import-events.ts'
import { decodeRows } from '../../src/store/buffer/row-buffer.ts'
import { RowEncoder } from '../../src/store/buffer/row-codec.ts'
import { SCENARIO_ROW_CODEC, type ScenarioRow, scenarioRow } from '../../src/store/scenarios/row.ts'
import { createTempFolder } from '../support/harness.ts'

const threads = new ParseThreads()
after(() => threads.terminate())

const OPTIONS: ImportOptions = {
  evaluation: undefined,
  variant: undefined,
  columns: NO_COLUMN_OPTIONS,
  on_conflict: 'error',
  stored: NO_STORED_DATA,
  limits: { depth: 20, members: 100, record_bytes: 1_100_000 },
  onRead: () => undefined,
}

interface Outcome {
  rows: ScenarioRow[]
  others: ImportEvent[]
  usesThreads: boolean
}

async function importText(text: string, options: Partial<ImportOptions>): Promise<Outcome> {
  const folder = createTempFolder()
  const file = join(folder, 'file.ndjson')
  writeFileSync(file, text)
  const source = await Source.open(file, folder)
  const outcome: Outcome = { rows: [], others: [], usesThreads: false }
  let id = ''
  for await (const event of importEventsOf(scenarios, source, { ...OPTIONS, ...options })) {
    if (event.kind === 'scenario') {
      const encoder = new RowEncoder(1000)
      const { content, place, hasGeneratedId } = event
      SCENARIO_ROW_CODEC.encode(encoder, scenarioRow(id, content, place, hasGeneratedId))
      outcome.rows.push(...decodeRows(SCENARIO_ROW_CODEC, Buffer.from(encoder.bytes)))
    } else if (event.kind === 'rows') {
      const { bytes, rowEnds } = event
      const rows = decodeRows(SCENARIO_ROW_CODEC, bytes)
      assert.equal(rowEnds.length, rows.length)
      assert.equal(rowEnds.at(-1), bytes.length)
      outcome.rows.push(...rows)
      outcome.usesThreads = true
    } else {
      if (event.kind === 'evaluation') id = event.id
      outcome.others.push(event)
    }
  }
  await source.close()
  // Rejections before the first valid scenario come after its evaluation if the file is parsed on threads.
  outcome.others.sort((a, b) => Number(a.kind === 'rejection') - Number(b.kind === 'rejection'))
  return outcome
}

const EXTRA = `{"trace":"${'x'.repeat(5000)}"}`
const scenario = (index: number, more = '') => `{"id":"s${index}","extra":${EXTRA}${more}}`
const HEADER =
  '{"evaluation":{"id":"exported","name":"n"},"variant":{"id":"v","name":"v"},"revision":{"revision":1,"config":{"config_name":"c"}}}'

/** About 1.5 MB of lines, some of which are replaced. */
function lines(replaced: Record<number, string> = {}): string[] {
  return Array.from({ length: 300 }, (_, index) => replaced[index] ?? scenario(index))
}

const FILES: [what: string, lines: string[], options?: Partial<ImportOptions>][] = [
  ['valid scenarios without an evaluation', lines()],
  ['scenarios that name their evaluation', lines({ 0: scenario(0, ',"evaluation_id":"e"') })],
  [
    'scenarios of two evaluations',
    lines({ 0: scenario(0, ',"evaluation_id":"e"'), 200: scenario(200, ',"evaluation_id":"f"') }),
  ],
  [
    'scenarios of two evaluations, imported into a third one',
    lines({ 0: scenario(0, ',"evaluation_id":"e"'), 200: scenario(200, ',"evaluation_id":"f"') }),
    { evaluation: 'g', variant: 'v' },
  ],
  ['a full export', lines({ 0: HEADER, 150: scenario(150, ',"has_generated_id":true') })],
  ['a full export with an invalid header', lines({ 0: '{"evaluation":{"id":""}}' })],
  ['invalid records', lines({ 0: '{"id":5}', 1: '{]', 160: '{"id":""}', 280: 'x', 299: '{"id":1,"id":2}' })],
  ['a record that is too large', lines({ 200: scenario(200, `,"note":"${'x'.repeat(1_200_000)}"`) })],
]

for (const [what, records, options] of FILES)
  for (const shape of ['lines', 'array'] as const)
    test(`imports ${what} in ${shape} as on the main thread`, async () => {
      // An array of a full export is not a full export, but a list with an invalid scenario.
      const text = shape === 'lines' ? `${records.join('\n')}\n` : `[${records.join(',\n')}]`
      const expected = await importText(text, { ...options })
      const parseScenarios = createParseScenarios({ threads })
      const actual = await importText(text, { ...options, parseScenarios })
      assert.deepEqual(actual, { ...expected, usesThreads: expected.rows.length > 0 })
    })

test('parses a small file, and one without any valid record, on the main thread', async () => {
  const parseScenarios = createParseScenarios({ threads })
  for (const text of [scenario(1), `${'{"id":5}\n'.repeat(200)}{"id":5,"note":"${'x'.repeat(1_000_000)}"}`]) {
    const expected = await importText(text, {})
    assert.deepEqual(await importText(text, { parseScenarios }), expected)
    assert.equal(expected.usesThreads, false)
  }
})
