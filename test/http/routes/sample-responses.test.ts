// Tests that the example responses in the docs and in the OpenAPI document match the service with the sample data.
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import { EXAMPLES } from '../../../openapi/examples.ts'
import { createSampleStore, createTestKey, startTestService } from '../../support/harness.ts'
import { checkDocumented, sendRequest } from '../../support/http.ts'

const store = await createSampleStore()
const { baseUrl } = await startTestService(store)
const { key } = await createTestKey(store)
const docsPage = readPage('reference/reading.md')

function readPage(path: string): string {
  return readFileSync(new URL(`../../../docs/${path}`, import.meta.url), 'utf8')
}

async function read(path: string) {
  const response = await sendRequest(baseUrl, path, { authorization: key })
  assert.equal(response.status, 200, response.text)
  checkDocumented(path, response)
  return JSON.parse(response.text)
}

/** Rounds numbers, because the database engines add in different orders. */
function roundNumbers(document: unknown): unknown {
  return JSON.parse(JSON.stringify(document), (_name, value) =>
    typeof value === 'number' ? Number(value.toPrecision(12)) : value,
  )
}

const EVALUATION_PAIR = 'evaluation=support-answer-r4&evaluation=support-answer-r5'

test('the example of a comparison is a part of the response', async () => {
  assert.partialDeepStrictEqual(
    roundNumbers(await read(`/api/comparisons?${EVALUATION_PAIR}`)),
    roundNumbers(EXAMPLES.Comparison),
  )
})

test('the example of comparison rows is a part of the response', async () => {
  const query = 'show=regressed&on=answer_correct&limit=1&preview=60'
  assert.partialDeepStrictEqual(
    await read(`/api/comparisons/rows?${EVALUATION_PAIR}&${query}`),
    EXAMPLES.ComparisonRows,
  )
})

test('the example of a breakdown is a part of the response', async () => {
  const path = '/api/evaluations/support-answer-r5/breakdown?by=input.topic&base=support-answer-r4'
  assert.partialDeepStrictEqual(roundNumbers(await read(path)), roundNumbers(EXAMPLES.Breakdown))
})

test('the example of a revision diff in the docs matches the response, except for truncated texts', async () => {
  const [, exampleText = ''] = /## Compare two revisions.*?```json\n(.*?)```/s.exec(docsPage) ?? []
  const example = JSON.parse(exampleText)
  const response = await read(
    `/api/variants/${example.variant_id}/revisions/${example.from}/diff/${example.to}`,
  )
  for (const [index, change] of example.changes.entries()) {
    for (const side of ['old', 'new']) {
      const [start, rest] = String(change[side]).split('…')
      if (rest === '' && response.changes[index][side].startsWith(start))
        change[side] = response.changes[index][side]
    }
  }
  assert.deepEqual(response, example)
})

test('every list filter in the docs matches an evaluation', async () => {
  const [, exampleText = ''] = /Lists accept \[filters and an order\][^:]*:(.*?)\n\n/s.exec(docsPage) ?? []
  const filters = [...exampleText.matchAll(/`([^`]+)`/g)].map(([, filter = '']) => filter)
  assert.equal(filters.length, 6)
  for (const filter of filters) assert.notDeepEqual(await read(`/api/evaluations?${filter}`), [], filter)
})

/** A JSON block shows a part of the response to the request in the block before it. */
for (const page of ['reference/analysis.md', 'how-to/explain-a-change.md', 'how-to/check-a-judge.md']) {
  test(`the examples in docs/${page} are parts of the responses`, async () => {
    const examples = readPage(page).matchAll(
      /^```sh\ncurl -H [^\n]*\n {2}'http:\/\/127\.0\.0\.1:8080([^'\n]+)'\n```\n(?:(?!```)[^\n]*\n)*```json\n(.*?)^```$/gms,
    )
    let count = 0
    for (const [, path = '', example = ''] of examples) {
      assert.partialDeepStrictEqual(await read(path), JSON.parse(example), `${page}: ${path}`)
      count += 1
    }
    assert.equal(count, readPage(page).match(/^```json$/gm)?.length, page)
  })
}
