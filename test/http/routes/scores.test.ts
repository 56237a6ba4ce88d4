// Tests the scores in the list of evaluations (include=scores) and of revisions (include=evaluations).
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { Evaluation } from '../../../src/schema/evaluations.ts'
import { fillCorpus, SCENARIO_COUNT } from '../../support/corpus.ts'
import { checkProblem, type HttpResponse, schemaErrors } from '../../support/http.ts'
import { revisionBody, revisionsPath, scenariosPath } from '../../support/write-requests.ts'
import { startWriteService } from '../../support/write-service.ts'

const { store, sendOk, get } = await startWriteService(fillCorpus)

/** The scores of the corpus evaluation `full`. */
const FULL_SCORES = {
  output_errors: 2,
  cost: { n: 23, total: 0.023, mean: 0.001 },
  latency: { n: 23, mean: 1.5, p50: 1.5 },
  evaluators: [
    { name: 'exact', higher_is_better: true, n: 25, errors: 0, mean: 0.52, pass_rate: 0.52 },
    { name: 'similarity', higher_is_better: true, n: 25, errors: 0, mean: 0.12, pass_rate: null },
  ],
}

/** Rounds all numbers, because the database engines add in different orders. */
function roundNumbers(value: unknown): unknown {
  return JSON.parse(JSON.stringify(value), (_, member) =>
    typeof member === 'number' ? Number(member.toPrecision(12)) : member,
  )
}

describe('GET /evaluations?include=scores', () => {
  test('adds scores as the last member and changes nothing else', async () => {
    const evaluations: Evaluation[] = JSON.parse((await get('/api/evaluations')).text)
    const response = await get('/api/evaluations?include=scores')
    const evaluationsWithScores: Evaluation[] = JSON.parse(response.text)
    for (const evaluation of evaluationsWithScores)
      assert.deepEqual(schemaErrors('Evaluation', evaluation), [])
    assert.deepEqual(
      evaluationsWithScores.map(({ scores: _, ...rest }) => rest),
      evaluations,
    )
    const full = evaluationsWithScores.find(({ id }) => id === 'full')
    assert.equal(full?.scenario_count, SCENARIO_COUNT)
    assert.deepEqual(roundNumbers(full?.scores), FULL_SCORES)
    assert.equal(Object.keys(full ?? {}).at(-1), 'scores')
    assert.deepEqual(evaluationsWithScores.find(({ id }) => id === 'empty')?.scores?.evaluators, [])
  })

  test('adds scores to pages and filtered lists', async () => {
    const evaluations = JSON.parse((await get('/api/evaluations?include=scores')).text)
    const pages: unknown[] = []
    let nextPath: string | undefined = '/api/evaluations?limit=2&include=scores'
    while (nextPath) {
      const response: HttpResponse = await get(nextPath)
      pages.push(...JSON.parse(response.text))
      nextPath = /^<([^>]+)>; rel="next"$/.exec(String(response.headers.link))?.[1]
    }
    assert.deepEqual(pages, evaluations)
    const [evaluation] = JSON.parse((await get('/api/evaluations?include=scores&variant_id=eq.full')).text)
    assert.deepEqual(roundNumbers(evaluation.scores), FULL_SCORES)
  })

  test('returns 400 for other values of include', async () => {
    for (const include of ['', 'score', 'scores,scores'])
      checkProblem(await get(`/api/evaluations?include=${include}`), 400, 'invalid-request')
    checkProblem(await get('/api/variants?include=scores'), 400, 'invalid-request')
  })

  test('returns new scores after every write', async () => {
    const readScores = async () => {
      const [evaluation] = JSON.parse((await get('/api/evaluations?include=scores&name=eq.growing')).text)
      return evaluation.scores
    }
    const createScenario = (value: string) =>
      `{"results":[{"evaluator_config":"judge","result":{"type":"number","value":${value}}}]}`
    await sendOk('POST', '/api/evaluations', '{"id":"growing","name":"growing"}')
    assert.deepEqual((await readScores()).evaluators, [])
    await sendOk(
      'POST',
      scenariosPath('growing'),
      `[${createScenario('0.25')},${createScenario('0.75')},${createScenario('1e400')},${createScenario('null')}]`,
    )
    const judge = { name: 'judge', higher_is_better: true, n: 2, errors: 0, mean: 0.5, pass_rate: null }
    assert.deepEqual((await readScores()).evaluators, [judge])
    await sendOk('PATCH', '/api/evaluations/growing', '{"evaluators":[{"name":"judge","threshold":0.7}]}')
    assert.deepEqual((await readScores()).evaluators, [{ ...judge, pass_rate: 0.5 }])
    await sendOk(
      'PATCH',
      '/api/evaluations/growing',
      '{"evaluators":[{"name":"judge","threshold":0.1,"higher_is_better":false}]}',
    )
    assert.deepEqual((await readScores()).evaluators, [{ ...judge, higher_is_better: false, pass_rate: 0 }])
    await sendOk('PATCH', '/api/evaluations/growing', '{"evaluators":null}')
    assert.deepEqual((await readScores()).evaluators, [judge])
  })
})

describe('GET /variants/{id}/revisions?include=evaluations', () => {
  interface RevisionWithEvaluations {
    revision: number
    evaluations: { id: string; scores: object }[]
  }

  test('lists the evaluations of each revision, newest first, with scores and without an ETag', async () => {
    await sendOk(
      'POST',
      '/api/evaluations',
      '{"id":"again","variant_id":"full","revision":1,"created_at":"2030-01-01T00:00:00Z"}',
    )
    await sendOk(
      'POST',
      '/api/evaluations',
      '{"id":"before","variant_id":"full","revision":1,"created_at":"2020-01-01T00:00:00Z"}',
    )
    await sendOk('POST', '/api/evaluations', '{"id":"no revision","variant_id":"full"}')
    const response = await get(`${revisionsPath('full')}?include=evaluations`, { 'if-none-match': '*' })
    assert.equal(response.status, 200)
    assert.equal(response.headers.etag, undefined)
    const revisions: RevisionWithEvaluations[] = JSON.parse(response.text)
    for (const revision of revisions) assert.deepEqual(schemaErrors('VariantRevision', revision), [])
    assert.deepEqual(
      revisions.map(({ evaluations }) => evaluations.map(({ id }) => id)),
      [[], ['again', 'full', 'before'], [], []],
    )
    assert.deepEqual(roundNumbers(revisions[1]?.evaluations[1]), {
      id: 'full',
      name: 'Evaluation full',
      created_at: '2026-10-01T08:00:00.000Z',
      scenario_count: SCENARIO_COUNT,
      scores: FULL_SCORES,
    })
  })

  test('combines with changes in any order, in pages and as NDJSON', async () => {
    const path = `${revisionsPath('full')}?include=`
    const response = await get(`${path}evaluations,changes`)
    assert.equal((await get(`${path}changes,evaluations`)).text, response.text)
    const revisions = JSON.parse(response.text)
    assert.deepEqual(Object.keys(revisions[1]).slice(-2), ['evaluations', 'changes'])
    assert.equal((await get(`${path}evaluations,changes&format=ndjson`)).text.split('\n').length, 5)
    const { headers } = await get(`${path}evaluations,changes&limit=1`)
    const nextPath = /^<([^>]+)>/.exec(String(headers.link))?.[1] ?? ''
    assert.deepEqual(JSON.parse((await get(nextPath)).text), [revisions[1]])
    const csvResponse = await get(`${path}evaluations&format=csv`)
    assert.equal(csvResponse.text, (await get(`${revisionsPath('full')}?format=csv`)).text)
  })

  test('omits evaluations of other projects with the same ids', async () => {
    const revisions: RevisionWithEvaluations[] = JSON.parse(
      (await get(`${revisionsPath('shared')}?include=evaluations`)).text,
    )
    assert.deepEqual(
      revisions.map(({ evaluations }) => evaluations.length),
      [0, 1, 0, 0],
    )
  })

  test('returns 404 when the variant does not exist and 403 for another project', async () => {
    checkProblem(await get(`${revisionsPath('none')}?include=evaluations`), 404, 'variant-not-found')
    checkProblem(await get(`${revisionsPath('foreign')}?include=evaluations`), 403, 'access-denied')
  })

  test('lists every evaluation of a revision with many evaluations', async () => {
    await sendOk('POST', revisionsPath('busy'), revisionBody())
    for (let number = 0; number < 45; number += 1)
      await sendOk('POST', '/api/evaluations', `{"id":"busy-${number}","variant_id":"busy","revision":1}`)
    const [revision]: RevisionWithEvaluations[] = JSON.parse(
      (await get(`${revisionsPath('busy')}?include=evaluations`)).text,
    )
    assert.equal(new Set(revision?.evaluations.map(({ id }) => id)).size, 45)
  })
})

test('lists and histories read no derived row of a scenario', async () => {
  const paths = ['/api/evaluations?include=scores', `${revisionsPath('full')}?include=evaluations`]
  const texts = await Promise.all(paths.map(async (path) => (await get(path)).text))
  // Nothing is cached by the old version.
  await store.writer.transaction(async (transaction) => {
    for (const table of ['measure', 'result']) await transaction.run(`DELETE FROM ${table}`)
    await transaction.run(`UPDATE evaluation SET version = 'another'`)
  })
  for (const [index, path] of paths.entries()) assert.equal((await get(path)).text, texts[index])
})
