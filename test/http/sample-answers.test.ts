// The answers that the docs and the OpenAPI document show of the sample are those that the service gives.
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import { loadSample } from '../../src/cli/sample.ts'
import { COMPARISON_EXAMPLE, COMPARISON_ROWS_EXAMPLE } from '../../src/http/routes/comparison-examples.ts'
import { freshStore, mint, serveStore } from '../harness.ts'
import { ask, checkDocumented } from '../wire.ts'

const store = await freshStore()
await loadSample(store)
const { base } = await serveStore(store)
const { key } = await mint(store)
const page = readFileSync(new URL('../../docs/reference/reading.md', import.meta.url), 'utf8')

async function get(path: string) {
  const answer = await ask(base, path, { authorization: key })
  assert.equal(answer.status, 200, answer.text)
  checkDocumented(path, answer)
  return JSON.parse(answer.text)
}

/** The engines add up in another order, which shows in the last digits. */
function rounded(document: unknown): unknown {
  return JSON.parse(JSON.stringify(document), (_name, value) =>
    typeof value === 'number' ? Number(value.toPrecision(12)) : value,
  )
}

const PAIR = 'evaluation=support-answer-r4&evaluation=support-answer-r5'

test('the example of a comparison', async () => {
  assert.deepEqual(rounded(await get(`/api/comparisons?${PAIR}`)), rounded(COMPARISON_EXAMPLE))
})

test('the example of compared rows', async () => {
  const query = 'show=regressed&on=answer_correct&limit=1&preview=60'
  assert.deepEqual(await get(`/api/comparisons/rows?${PAIR}&${query}`), COMPARISON_ROWS_EXAMPLE)
})

test('the difference of two revisions in the reference, but for what is cut', async () => {
  const [, shown = ''] = /## What changed between.*?```json\n(.*?)```/s.exec(page) ?? []
  const example = JSON.parse(shown)
  const answer = await get(`/api/variants/${example.variant_id}/revisions/${example.from}/diff/${example.to}`)
  for (const [place, change] of example.changes.entries()) {
    for (const side of ['old', 'new']) {
      const [start, rest] = String(change[side]).split('…')
      if (rest === '' && answer.changes[place][side].startsWith(start))
        change[side] = answer.changes[place][side]
    }
  }
  assert.deepEqual(answer, example)
})

test('every filter of a list in the reference finds something', async () => {
  const [, shown = ''] = /They take \[filters\][^:]*:(.*?)\n\n/s.exec(page) ?? []
  const filters = [...shown.matchAll(/`([^`]+)`/g)].map(([, filter = '']) => filter)
  assert.equal(filters.length, 4)
  for (const filter of filters) assert.notDeepEqual(await get(`/api/evaluations?${filter}`), [], filter)
})
