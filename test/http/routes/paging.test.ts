// Model-based test: reads evaluations page by page while rows are deleted and appended. No row that stays is skipped or
// returned twice.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { sizes } from '../../sizes.ts'
import { checkProblem } from '../../support/http.ts'
import { testOptions } from '../../support/options.ts'
import { EVALUATIONS, scenariosPath } from '../../support/write-requests.ts'
import { startWriteService } from '../../support/write-service.ts'

const { send, sendOk } = await startWriteService()

/** Longer than what a cursor contains. */
const LONG = 'x'.repeat(300)

interface Row {
  latency: number | null
  /** The result of the evaluator x. */
  score: number | string | null
}

const row: fc.Arbitrary<Row> = fc.record({
  // Few values, so that many rows are equal.
  latency: fc.constantFrom(null, 0, 0.1, 0.30000000000000004, 2, 1e300),
  score: fc.constantFrom(null, -1, 0, 0.1, 1e-7, 'a', 'b', 'ü💡', `${LONG}a`, `${LONG}b`),
})

/** What happens between two pages. */
interface Interruption {
  /** Rows to delete, by their index in the list of existing rows. */
  deleted: number[]
  /** Whether the last row that was returned is deleted, too. */
  deletesLast: boolean
  /** Whether all rows with a result are deleted, so that the column disappears. */
  deletesResults: boolean
  appended: Row[]
}

const interruption: fc.Arbitrary<Interruption> = fc.record({
  deleted: fc.array(fc.nat(30), { maxLength: 3 }),
  deletesLast: fc.boolean(),
  deletesResults: fc.nat(11).map((number) => number === 0),
  appended: fc.array(row, { maxLength: 2 }),
})

const ORDERS = ['', 'position', 'position.desc'].concat(
  ['latency', 'result.x', 'delta.x'].flatMap((name) => [`${name}.asc`, `${name}.desc`]),
)
const FILTERS = ['', 'latency=gte.0.1', 'result.x=gt.-1', 'q=row']

const reading = fc.record({
  rows: fc.array(row, { minLength: 4, maxLength: 12 }),
  order: fc.constantFrom(...ORDERS),
  filter: fc.constantFrom(...FILTERS),
  limit: fc.integer({ min: 1, max: 4 }),
  interruptions: fc.array(interruption, { minLength: 1, maxLength: 6 }),
})

interface StoredRow extends Row {
  id: string
  position: number
}

/** The score of every row of the baseline. */
const BASE_SCORE = 0.5

/** The place of a row in the order: group and value. Rows without a value come last. */
function placeOf({ latency, score }: StoredRow, order: string): [group: number, value: number | string] {
  if (order.startsWith('latency')) return latency === null ? [1, 0] : [0, latency]
  if (order.startsWith('delta')) return typeof score === 'number' ? [0, score - BASE_SCORE] : [1, 0]
  if (!order.startsWith('result')) return [0, 0]
  if (typeof score === 'number') return [0, score]
  return score === null ? [2, 0] : [1, [...score].slice(0, 200).join('')]
}

function compareRows(order: string) {
  const sign = order.endsWith('.desc') ? -1 : 1
  return (a: StoredRow, b: StoredRow): number => {
    const [firstGroup, first] = placeOf(a, order)
    const [secondGroup, second] = placeOf(b, order)
    if (firstGroup !== secondGroup) return firstGroup - secondGroup
    if (first !== second) return sign * compareValues(first, second)
    return (order === 'position.desc' ? -1 : 1) * (a.position - b.position)
  }
}

function compareValues(a: number | string, b: number | string): number {
  if (typeof a === 'string') return Buffer.compare(Buffer.from(a), Buffer.from(String(b)))
  return a - Number(b)
}

function matches({ latency, score }: StoredRow, filter: string): boolean {
  if (filter.startsWith('latency')) return latency !== null && latency >= 0.1
  return filter.startsWith('result') ? typeof score === 'number' && score > -1 : true
}

const toScenario = ({ id, latency, score }: StoredRow) => ({
  id,
  inputs: [{ name: 'q', type: 'text', value: `row ${id}` }],
  outputs: [{ result: { type: 'text', value: 'y' }, latency }],
  results: score === null ? [] : [{ evaluator_config: 'x', result: { type: 'number', value: score } }],
})

let evaluationCount = 0

async function readWithInterruptions(reading: {
  rows: Row[]
  order: string
  filter: string
  limit: number
  interruptions: Interruption[]
}): Promise<void> {
  const { rows, order, filter, limit, interruptions } = reading
  evaluationCount += 1
  const [id, base] = [`paged-${evaluationCount}`, `base-${evaluationCount}`]
  let nextPosition = 0
  const store = (row: Row): StoredRow => {
    nextPosition += 1
    return { ...row, id: `s-${nextPosition}`, position: nextPosition }
  }
  let existing = rows.map(store)
  const append = async (added: StoredRow[]) => {
    if (added.length > 0) await sendOk('POST', scenariosPath(id), added.map(toScenario))
  }
  // One row has a result that no filter matches, so that the column exists at the start.
  existing.push(store({ latency: null, score: -1 }))
  await append(existing)
  if (order.startsWith('delta')) {
    const baseRows = Array.from({ length: 40 }, (_, index) =>
      toScenario({ id: `s-${index + 1}`, latency: null, score: BASE_SCORE, position: 0 }),
    )
    await sendOk('POST', scenariosPath(base), baseRows)
  }
  const params = [
    filter,
    order && `order=${order}`,
    order.startsWith('delta') && `base=${base}`,
    `limit=${limit}`,
  ]
  const isPlain = filter === '' && order === ''
  let matching = existing.filter((row) => matches(row, filter))
  const everyRow = new Map(existing.map((row) => [row.id, row]))
  const returned: string[] = []
  let path: string | undefined = `${scenariosPath(id)}?${params.filter(Boolean).join('&')}`
  for (let page = 0; path !== undefined; page += 1) {
    const { text, headers } = await sendOk('GET', path)
    returned.push(...(JSON.parse(text) as { id: string }[]).map((scenario) => scenario.id))
    const [, next] = /^<([^>]*)>/.exec(String(headers.link ?? '')) ?? []
    path = next
    const change = interruptions[page]
    if (!change) continue
    const deletedIds = new Set(change.deleted.map((index) => existing[index % existing.length]?.id))
    if (change.deletesLast) deletedIds.add(returned.at(-1))
    if (change.deletesResults) for (const row of existing) if (row.score !== null) deletedIds.add(row.id)
    for (const row of existing)
      if (deletedIds.has(row.id)) await sendOk('DELETE', `${scenariosPath(id)}/${row.id}`)
    existing = existing.filter((row) => !deletedIds.has(row.id))
    matching = matching.filter((row) => !deletedIds.has(row.id))
    const added = change.appended.map(store)
    await append(added)
    existing.push(...added)
    for (const row of added) everyRow.set(row.id, row)
    // Without filters and order, the pages continue to the end of the evaluation.
    if (isPlain && path !== undefined) matching.push(...added)
  }
  assert.equal(new Set(returned).size, returned.length, `repeated: ${returned}`)
  const compare = compareRows(order)
  const expected = matching.toSorted(compare).map((row) => row.id)
  const survivors = new Set(expected)
  assert.deepEqual(
    returned.filter((id) => survivors.has(id)),
    expected,
  )
  const returnedRows = returned.map((id) => everyRow.get(id) as StoredRow)
  assert.deepEqual(returnedRows, returnedRows.toSorted(compare))
  await sendOk('DELETE', `${EVALUATIONS}/${id}`)
}

test(`pages contain each row that stays exactly once, in ${sizes.paged_reads} generated reads`, {
  timeout: sizes.file_minutes * 60_000,
}, async () => {
  await fc.assert(fc.asyncProperty(fc.noBias(reading), readWithInterruptions), {
    numRuns: sizes.paged_reads,
    seed: testOptions.seed,
    endOnFailure: true,
  })
})

test('a cursor with another position returns 400', async () => {
  const rows = [0, 1, 2].map((score) => toScenario({ id: `s-${score}`, latency: score, score, position: 0 }))
  await sendOk('POST', scenariosPath('cursors'), rows)
  for (const order of ['latency.asc', 'result.x.desc', 'position.desc']) {
    const path = `${scenariosPath('cursors')}?order=${order}&limit=1`
    const [, cursor = ''] = /cursor=([^>&]+)/.exec(String((await sendOk('GET', path)).headers.link)) ?? []
    const [hash, group, value, position, through] = JSON.parse(Buffer.from(cursor, 'base64url').toString())
    const invalidPositions = [
      [group, 'text', position, through],
      [group, {}, position, through],
      [group, true, position, through],
      [9, value, position, through],
      [-1, value, position, through],
      [0.5, value, position, through],
      [group, value, '1', through],
      [group, value, position],
      [position, through],
    ]
    for (const invalid of invalidPositions) {
      const text = Buffer.from(JSON.stringify([hash, ...invalid])).toString('base64url')
      checkProblem(await send('GET', `${path}&cursor=${text}`), 400, 'invalid-request')
    }
    const same = Buffer.from(JSON.stringify([hash, group, value, position, through])).toString('base64url')
    await sendOk('GET', `${path}&cursor=${same}`)
  }
})
