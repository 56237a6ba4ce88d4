// Tests that the sample and the repetition of scenarios are derived from their extra data on every path that writes scenarios.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { checkStore } from '../../../src/store/check.ts'
import { EVALUATIONS, NDJSON, scenariosPath } from '../../support/write-requests.ts'
import { startWriteService } from '../../support/write-service.ts'

const { store, sendOk } = await startWriteService()

type Entry = [id: string, sample: string | null, number: number | null]

/** The entries of an evaluation, in the order of its scenarios. Checks that no scenario lacks one. */
async function readEntries(id: string): Promise<Entry[]> {
  assert.deepEqual((await checkStore(store, () => undefined)).faults, [])
  const rows = await store.reader.all<{ id: string; sample: string | null; number: number | null }>(
    `SELECT scenario.id AS id, sample, number FROM evaluation
     JOIN scenario ON scenario.evaluation = evaluation.key
     JOIN repetition ON repetition.evaluation = evaluation.key AND repetition.position = scenario.position
     WHERE evaluation.id = ? ORDER BY scenario.position`,
    id,
  )
  return rows.map(({ id, sample, number }) => [id, sample, number])
}

const scenario = (id: string, extra?: unknown) => ({ id, ...(extra !== undefined && { extra }) })

test('stores sample and repetition when scenarios are written, corrected and deleted', async () => {
  const id = 'written'
  await sendOk('POST', EVALUATIONS, { id, evaluators: [{ name: 'review', kind: 'human' }] })
  const scenarios = [
    scenario('a1', { sample: 'a', repetition: 1 }),
    scenario('a2', { repetition: 2, sample: 'a', other: [1] }),
    scenario('b', { sample: 'b' }),
    scenario('c', { repetition: 3 }),
    scenario('free', { sample: 5, repetition: 'x' }),
    scenario('none'),
  ]
  await sendOk('POST', scenariosPath(id), scenarios)
  const entries: Entry[] = [
    ['a1', 'a', 1],
    ['a2', 'a', 2],
    ['b', 'b', null],
    ['c', null, 3],
  ]
  assert.deepEqual(await readEntries(id), entries)

  await sendOk('POST', scenariosPath(id), scenarios)
  const reviews = ['a1', 'b', 'none'].map((scenario_id) => ({
    scenario_id,
    evaluator_config: 'review',
    result: { type: 'bool', value: true },
    reason: 'because',
  }))
  await sendOk('POST', `${EVALUATIONS}/${id}/results`, reviews)
  await sendOk('PATCH', `${scenariosPath(id)}/a2`, { note: 'n' })
  assert.deepEqual(await readEntries(id), entries)

  await sendOk('PUT', `${scenariosPath(id)}/b`, scenario('b', { results: [], repetition: 4 }))
  await sendOk('PUT', `${scenariosPath(id)}/none`, scenario('none', { results: [], sample: 'n' }))
  const replaced = [
    scenario('a2', {}),
    scenario('c', { sample: 'c', repetition: 1 }),
    scenario('d', { sample: 'd' }),
  ]
  await sendOk('POST', `${scenariosPath(id)}?on_conflict=replace`, replaced)
  await sendOk('DELETE', `${scenariosPath(id)}/a1`)
  assert.deepEqual(await readEntries(id), [
    ['b', null, 4],
    ['c', 'c', 1],
    ['none', 'n', null],
    ['d', 'd', null],
  ])
})

test('keeps sample and repetition in a full export that is imported again', async () => {
  const path = `${scenariosPath('written')}?include=extra&format=ndjson`
  const { text } = await sendOk('GET', path)
  const imported = text.replaceAll('"evaluation_id":"written"', '"evaluation_id":"again"')
  await sendOk('POST', '/api/imports?format=scenarios&evaluation=again', imported, {
    'content-type': 'application/octet-stream',
  })
  assert.deepEqual(await readEntries('again'), await readEntries('written'))
})

const FILTERS: [query: string, ids: string[]][] = [
  ['sample=eq.a', ['a1', 'a2']],
  ['sample=ne.a', ['b', 'sum']],
  ['sample=in.(b,"a,b",A%2BB)', ['b', 'sum']],
  ['sample=contains.a', ['a1', 'a2', 'sum']],
  ['sample=is.present', ['a1', 'a2', 'b', 'sum']],
  ['sample=is.null', ['c', 'free', 'none']],
  ['repetition=eq.2', ['a2']],
  ['repetition=gte.2', ['a2', 'c']],
  ['repetition=in.(1,3)', ['a1', 'c']],
  ['repetition=ne.1.0', ['a2', 'c']],
  ['repetition=gt.1.5', ['a2', 'c']],
  ['repetition=in.(1.5,2)', ['a2']],
  ['repetition=lt.1e99', ['a1', 'a2', 'c']],
  ['repetition=is.present', ['a1', 'a2', 'c']],
  ['repetition=is.null', ['b', 'sum', 'free', 'none']],
  ['sample=eq.a&repetition=lt.2', ['a1']],
  ['sample=eq.%00', []],
]

test('filters scenarios, rows, summaries and comparisons by sample and repetition', async () => {
  const scenarios = [
    scenario('a1', { sample: 'a', repetition: 1 }),
    scenario('a2', { sample: 'a', repetition: 2 }),
    scenario('b', { sample: 'b' }),
    scenario('sum', { sample: 'A+B' }),
    scenario('c', { repetition: 3 }),
    scenario('free', { sample: ['a'], repetition: 2.5 }),
    scenario('none'),
  ]
  for (const id of ['base', 'filtered']) {
    await sendOk('POST', EVALUATIONS, { id })
    await sendOk('POST', scenariosPath(id), scenarios)
  }
  const read = async (path: string) => JSON.parse((await sendOk('GET', path)).text)
  const idsOf = (rows: { id: string }[]) => rows.map(({ id }) => id)
  for (const [query, ids] of FILTERS) {
    assert.deepEqual(idsOf(await read(`${scenariosPath('filtered')}?${query}`)), ids, query)
    assert.deepEqual(idsOf((await read(`${EVALUATIONS}/filtered/rows?${query}`)).rows), ids)
    assert.equal((await read(`${EVALUATIONS}/filtered/summary?${query}`)).matched, ids.length)
    // The scenarios of the sample are repeats of one row.
    const rows = new Set(ids.map((id) => (id === 'a2' ? 'a1' : id)))
    const path = `/api/comparisons/rows?evaluation=base&evaluation=filtered&by=id&${query}`
    assert.equal((await read(path)).total, rows.size, query)
  }
})

test('stores sample and repetition of uploads and imports that are parsed and stored on threads', async () => {
  const count = 2000
  const lines = Array.from({ length: count }, (_, index) => {
    const extra = { sample: `s-${index % 500}`, repetition: Math.floor(index / 500) + 1 }
    return `${JSON.stringify({ ...scenario(`r-${index}`, extra), note: 'x'.repeat(1000) })}\n`
  })
  await sendOk('POST', EVALUATIONS, { id: 'uploaded' })
  await sendOk('POST', scenariosPath('uploaded'), lines.join(''), { 'content-type': NDJSON })
  const path = '/api/imports?format=scenarios&name=scenarios.jsonl&evaluation=imported'
  await sendOk('POST', path, lines.join(''), { 'content-type': 'application/octet-stream' })
  for (const id of ['uploaded', 'imported']) {
    const entries = await readEntries(id)
    assert.equal(entries.length, count)
    assert.deepEqual(entries[1234], ['r-1234', 's-234', 3])
  }
})
