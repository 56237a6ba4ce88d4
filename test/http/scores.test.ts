// Scores in the list of evaluations and beside the revisions that were evaluated.
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { Evaluation } from '../../src/schema/evaluations.ts'
import { fillCorpus, SCENARIO_COUNT } from '../corpus.ts'
import { freshStore, mint, serveStore } from '../harness.ts'
import { type Answer, ask, checkDocumented, checkProblem, schemaErrors } from '../wire.ts'
import { JSON_TYPE, revision, revisionsOf, scenariosOf } from '../writes.ts'

const store = await freshStore()
await fillCorpus(store)
const { key } = await mint(store, { scopes: ['read', 'write'] })
const { base } = await serveStore(store)

async function get(path: string, headers: Record<string, string> = {}) {
  const answer = await ask(base, path, { authorization: key, ...headers })
  checkDocumented(path, answer)
  return answer
}

async function write(method: string, path: string, body?: string) {
  const type = body === undefined ? {} : { 'content-type': JSON_TYPE }
  const answer = await ask(base, path, { authorization: key, ...type }, method, body)
  assert.ok(answer.status < 300, answer.text)
}

/** What the corpus says of an evaluation with scenarios. */
const FULL_SCORES = {
  output_errors: 2,
  cost: { n: 23, total: 0.023, mean: 0.001 },
  latency: { n: 23, mean: 1.5, p50: 1.5 },
  evaluators: [
    { name: 'exact', higher_is_better: true, n: 25, errors: 0, mean: 0.52, pass_rate: 0.52 },
    { name: 'similarity', higher_is_better: true, n: 25, errors: 0, mean: 0.12, pass_rate: null },
  ],
}

function rounded(value: unknown): unknown {
  return JSON.parse(JSON.stringify(value), (_, one) =>
    typeof one === 'number' ? Number(one.toPrecision(12)) : one,
  )
}

describe('the list of evaluations', () => {
  test('has scores as the last member with include=scores, and is as it was without', async () => {
    const plain: Evaluation[] = JSON.parse((await get('/api/evaluations')).text)
    const answer = await get('/api/evaluations?include=scores')
    assert.equal(answer.headers.etag, undefined)
    const scored: Evaluation[] = JSON.parse(answer.text)
    for (const one of scored) assert.deepEqual(schemaErrors('Evaluation', one), [])
    assert.deepEqual(
      scored.map(({ scores: _, ...rest }) => rest),
      plain,
    )
    const full = scored.find(({ id }) => id === 'full')
    assert.equal(full?.scenario_count, SCENARIO_COUNT)
    assert.deepEqual(rounded(full?.scores), FULL_SCORES)
    assert.equal(Object.keys(full ?? {}).at(-1), 'scores')
    assert.deepEqual(scored.find(({ id }) => id === 'empty')?.scores?.evaluators, [])
  })

  test('has them in pages and with filters', async () => {
    const whole = JSON.parse((await get('/api/evaluations?include=scores')).text)
    const pages: unknown[] = []
    let next: string | undefined = '/api/evaluations?limit=2&include=scores'
    while (next) {
      const answer: Answer = await get(next)
      pages.push(...JSON.parse(answer.text))
      next = /^<([^>]+)>; rel="next"$/.exec(String(answer.headers.link))?.[1]
    }
    assert.deepEqual(pages, whole)
    const [one] = JSON.parse((await get('/api/evaluations?include=scores&variant_id=eq.full')).text)
    assert.deepEqual(rounded(one.scores), FULL_SCORES)
  })

  test('answers HEAD without the body, and nothing but JSON', async () => {
    const path = '/api/evaluations?include=scores&limit=1'
    const head = await ask(base, path, { authorization: key }, 'HEAD')
    assert.deepEqual([head.status, head.bytes.length], [200, 0])
    assert.equal(head.headers.link, (await get(path)).headers.link)
    checkProblem(await get(path, { accept: 'text/csv' }), 406, 'not-acceptable')
    const zipped = await get(path, { 'accept-encoding': 'br' })
    assert.equal(zipped.text, (await get(path)).text)
  })

  test('refuses to include anything else', async () => {
    for (const include of ['', 'score', 'scores,scores'])
      checkProblem(await get(`/api/evaluations?include=${include}`), 400, 'invalid-request')
    checkProblem(await get('/api/variants?include=scores'), 400, 'invalid-request')
  })

  test('has new scores as soon as something was written', async () => {
    const scores = async () => {
      const [one] = JSON.parse((await get('/api/evaluations?include=scores&name=eq.growing')).text)
      return one.scores
    }
    const row = (value: string) =>
      `{"results":[{"evaluator_config":"judge","result":{"type":"number","value":${value}}}]}`
    await write('POST', '/api/evaluations', '{"id":"growing","name":"growing"}')
    assert.deepEqual((await scores()).evaluators, [])
    await write(
      'POST',
      scenariosOf('growing'),
      `[${row('0.25')},${row('0.75')},${row('1e400')},${row('null')}]`,
    )
    const judge = { name: 'judge', higher_is_better: true, n: 2, errors: 0, mean: 0.5, pass_rate: null }
    assert.deepEqual((await scores()).evaluators, [judge])
    await write('PATCH', '/api/evaluations/growing', '{"evaluators":[{"name":"judge","threshold":0.7}]}')
    assert.deepEqual((await scores()).evaluators, [{ ...judge, pass_rate: 0.5 }])
    await write(
      'PATCH',
      '/api/evaluations/growing',
      '{"evaluators":[{"name":"judge","threshold":0.1,"higher_is_better":false}]}',
    )
    assert.deepEqual((await scores()).evaluators, [{ ...judge, higher_is_better: false, pass_rate: 0 }])
    await write('PATCH', '/api/evaluations/growing', '{"evaluators":null}')
    assert.deepEqual((await scores()).evaluators, [judge])
  })
})

describe('revisions with include=evaluations', () => {
  interface Ran {
    revision: number
    evaluations: { id: string; scores: object }[]
  }

  test('have the evaluations that ran them, newest first, with their scores and without a validator', async () => {
    await write(
      'POST',
      '/api/evaluations',
      '{"id":"again","variant_id":"full","revision":1,"created_at":"2030-01-01T00:00:00Z"}',
    )
    await write(
      'POST',
      '/api/evaluations',
      '{"id":"before","variant_id":"full","revision":1,"created_at":"2020-01-01T00:00:00Z"}',
    )
    await write('POST', '/api/evaluations', '{"id":"of none","variant_id":"full"}')
    const answer = await get(`${revisionsOf('full')}?include=evaluations`, { 'if-none-match': '*' })
    assert.equal(answer.status, 200)
    assert.equal(answer.headers.etag, undefined)
    const revisions: Ran[] = JSON.parse(answer.text)
    for (const one of revisions) assert.deepEqual(schemaErrors('VariantRevision', one), [])
    assert.deepEqual(
      revisions.map(({ evaluations }) => evaluations.map(({ id }) => id)),
      [[], ['again', 'full', 'before'], [], []],
    )
    assert.deepEqual(rounded(revisions[1]?.evaluations[1]), {
      id: 'full',
      name: 'Evaluation full',
      created_at: '2026-10-01T08:00:00.000Z',
      scenario_count: SCENARIO_COUNT,
      scores: FULL_SCORES,
    })
  })

  test('may have changes too, asked for in any order, in pages and lines', async () => {
    const path = `${revisionsOf('full')}?include=`
    const both = await get(`${path}evaluations,changes`)
    assert.equal((await get(`${path}changes,evaluations`)).text, both.text)
    const revisions = JSON.parse(both.text)
    assert.deepEqual(Object.keys(revisions[1]).slice(-2), ['evaluations', 'changes'])
    assert.equal((await get(`${path}evaluations,changes&format=ndjson`)).text.split('\n').length, 5)
    const { headers } = await get(`${path}evaluations,changes&limit=1`)
    const next = /^<([^>]+)>/.exec(String(headers.link))?.[1] ?? ''
    assert.deepEqual(JSON.parse((await get(next)).text), [revisions[1]])
    const table = await get(`${path}evaluations&format=csv`)
    assert.equal(table.text, (await get(`${revisionsOf('full')}?format=csv`)).text)
  })

  test("have none of another project's, whatever its ids", async () => {
    const revisions: Ran[] = JSON.parse((await get(`${revisionsOf('shared')}?include=evaluations`)).text)
    assert.deepEqual(
      revisions.map(({ evaluations }) => evaluations.length),
      [0, 1, 0, 0],
    )
  })

  test('of a variant that is not there answer 404, of another project 403', async () => {
    checkProblem(await get(`${revisionsOf('none')}?include=evaluations`), 404, 'variant-not-found')
    checkProblem(await get(`${revisionsOf('foreign')}?include=evaluations`), 403, 'access-denied')
  })

  test('have each evaluation where there are many of them', async () => {
    await write('POST', revisionsOf('busy'), revision())
    for (let number = 0; number < 45; number += 1)
      await write('POST', '/api/evaluations', `{"id":"busy-${number}","variant_id":"busy","revision":1}`)
    const [one]: Ran[] = JSON.parse((await get(`${revisionsOf('busy')}?include=evaluations`)).text)
    assert.equal(new Set(one?.evaluations.map(({ id }) => id)).size, 45)
  })
})
