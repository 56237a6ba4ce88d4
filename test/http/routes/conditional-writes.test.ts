// Tests If-Match on writes: which ETags match, that a failed precondition changes nothing, and its place among the checks.
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { describe, test } from 'node:test'
import { createTestKey, startTestService } from '../../support/harness.ts'
import { checkProblem, type HttpResponse } from '../../support/http.ts'
import { testOptions } from '../../support/options.ts'
import {
  EVALUATIONS,
  resultsPath,
  revisionBody,
  revisionsPath,
  scenariosPath,
  VARIANTS,
} from '../../support/write-requests.ts'
import { startWriteService } from '../../support/write-service.ts'

const { store, dump, send, sendOk } = await startWriteService()
const otherProjectKey = await createTestKey(store, { project: 'other', scopes: ['read', 'write'] })

/** A slow machine rejects more filters of one key at the same time, those of a deletion too. */
const CONCURRENT = 6

type Headers = Record<string, string | string[]>

const ifMatch = (value: string | string[]) => ({ 'if-match': value })
const etagOf = ({ headers }: HttpResponse) => String(headers.etag)
const readEtag = async (path: string, headers: Headers = {}) =>
  etagOf(await sendOk('GET', path, undefined, headers))

let createdCount = 0

/** Creates an evaluation and a variant with the same new id. */
async function createResources() {
  createdCount += 1
  const id = `n${createdCount}`
  const rows =
    '[{"id":"a","extra":{"source":1},"results":[{"evaluator_config":"e","result":{"type":"text"}}]},{"id":"b"}]'
  await sendOk('POST', scenariosPath(id), rows)
  await sendOk('POST', revisionsPath(id), revisionBody())
  await sendOk('POST', `${EVALUATIONS}/${id}/reviews`, reviewBody(id, 'human'))
  return {
    evaluation: `${EVALUATIONS}/${id}`,
    scenarios: scenariosPath(id),
    scenario: `${scenariosPath(id)}/a`,
    results: resultsPath(id),
    result: `${scenariosPath(id)}/a/results/e`,
    reviews: `${EVALUATIONS}/${id}/reviews`,
    review: `/api/reviews/${id}`,
    variant: `${VARIANTS}/${id}`,
    revisions: revisionsPath(id),
    revision: `${revisionsPath(id)}/1`,
  }
}

const reviewBody = (id: string, evaluator: string) => ({ id, questions: [{ evaluator, type: 'verdict' }] })

type Paths = Awaited<ReturnType<typeof createResources>>

/** A write, and the path whose ETag it compares. */
interface ConditionalWrite {
  name: string
  method: string
  path: keyof Paths
  query?: string
  body?: string
}

/** What contains an object without an ETag. */
const PARENTS: Partial<Record<keyof Paths, keyof Paths>> = {
  results: 'evaluation',
  result: 'scenario',
  reviews: 'evaluation',
}

/** The path of the request, and a path with the ETag that it compares. */
function pathsOf(paths: Paths, { path, query = '' }: ConditionalWrite) {
  return { target: `${paths[path]}${query}`, readable: paths[PARENTS[path] ?? path] }
}

const RESULT = { scenario_id: 'b', evaluator_config: 'new', result: { type: 'text' } }

const CONDITIONAL_WRITES: ConditionalWrite[] = [
  { name: 'changing an evaluation', method: 'PATCH', path: 'evaluation', body: '{"name":"new"}' },
  { name: 'deleting an evaluation', method: 'DELETE', path: 'evaluation' },
  { name: 'adding scenarios', method: 'POST', path: 'scenarios', body: '[{"id":"c"}]' },
  { name: 'annotating a scenario', method: 'PATCH', path: 'scenario', body: '{"note":"new"}' },
  {
    name: 'creating a review',
    method: 'POST',
    path: 'reviews',
    body: JSON.stringify({ questions: [{ evaluator: 'tone', type: 'verdict' }] }),
  },
  { name: 'changing a review', method: 'PATCH', path: 'review', body: '{"name":"new"}' },
  { name: 'deleting a review', method: 'DELETE', path: 'review' },
  { name: 'changing a variant', method: 'PATCH', path: 'variant', body: '{"name":"new"}' },
  { name: 'replacing a scenario', method: 'PUT', path: 'scenario', body: '{"note":"new"}' },
  { name: 'deleting a scenario', method: 'DELETE', path: 'scenario' },
  { name: 'deleting scenarios', method: 'DELETE', path: 'scenarios', query: '?note=is.null' },
  { name: 'adding results', method: 'POST', path: 'results', body: JSON.stringify([RESULT]) },
  { name: 'deleting results', method: 'DELETE', path: 'results', query: '?evaluator=e' },
  { name: 'deleting a result', method: 'DELETE', path: 'result' },
  { name: 'deleting a variant', method: 'DELETE', path: 'variant' },
  { name: 'deleting a revision', method: 'DELETE', path: 'revision' },
  { name: 'adding a revision', method: 'POST', path: 'revisions', body: revisionBody('{"config_name":"d"}') },
]

describe('If-Match', () => {
  for (const write of CONDITIONAL_WRITES) {
    const { name, method, path, body } = write
    test(`${name} returns 412 and changes nothing unless an ETag matches`, async () => {
      const { target, readable } = pathsOf(await createResources(), write)
      const etag = await readEtag(readable)
      const before = await dump()
      for (const value of [
        '"other"',
        `W/${etag}`,
        `"other", W/${etag}, "${etag.slice(1, -8)}-json1"`,
        '""',
      ]) {
        const response = await send(method, target, body, ifMatch(value))
        checkProblem(response, 412, 'precondition-failed')
        assert.equal(response.headers.etag, undefined)
      }
      assert.equal(await dump(), before)
      const response = await sendOk(method, target, body, ifMatch(`"a,b" ,, "other",${etag}`))
      assert.equal(etagOf(response) === 'undefined', response.status === 204)
      assert.notEqual(await dump(), before)
    })

    test(`${name} accepts * and ETags of every format, encoding and method`, async () => {
      const conditions: ((target: string) => string | string[] | Promise<string | string[]>)[] = [
        () => '*',
        () => [' * '],
        async (target) => ['"other"', await readEtag(target)],
        async (target) => etagOf(await send('HEAD', target)),
        async (target) =>
          etagOf(await send('GET', target, undefined, { 'if-none-match': await readEtag(target) })),
      ]
      for (const encoding of testOptions.profile === 'full' ? ['gzip', 'br', 'zstd'] : ['zstd'])
        conditions.push((target) => readEtag(target, { 'accept-encoding': encoding }))
      const formats = ['scenarios', 'revisions'].includes(path) ? ['ndjson', 'csv'] : []
      for (const format of formats) conditions.push((target) => readEtag(`${target}?format=${format}`))
      for (const condition of conditions) {
        const { target, readable } = pathsOf(await createResources(), write)
        await sendOk(method, target, body, ifMatch(await condition(readable)))
      }
    })

    test(`${name} returns 400 for a malformed If-Match`, async () => {
      const { target, readable } = pathsOf(await createResources(), write)
      const before = await dump()
      const etag = await readEtag(readable)
      for (const value of [
        '',
        ' ',
        ',',
        'abc',
        etag.slice(1, -1),
        `${etag} ${etag}`,
        `*, ${etag}`,
        '"a',
        'w/"a"',
        '"a b"',
      ]) {
        const { detail } = checkProblem(
          await send(method, target, body, ifMatch(value)),
          400,
          'invalid-request',
        )
        assert.match(detail, /If-Match/)
      }
      assert.equal(await dump(), before)
    })
  }

  test('is rejected with 400 by operations on a path without an ETag', async () => {
    const requests: [method: string, path: string, body?: string][] = [
      ['POST', EVALUATIONS, '{}'],
      ['POST', VARIANTS, '{}'],
      ['POST', '/api/imports?evaluation=x', 'id,output\n1,a\n'],
      ['POST', '/api/shares', '{"evaluation_id":"n1"}'],
      ['DELETE', '/api/shares/0123456789ab'],
    ]
    const before = await dump()
    for (const [method, path, body] of requests) {
      const { detail } = checkProblem(await send(method, path, body, ifMatch('*')), 400, 'invalid-request')
      assert.match(detail, /does not support If-Match/)
    }
    assert.equal(await dump(), before)
  })

  test('is documented for exactly the operations that support it', () => {
    const { paths } = JSON.parse(readFileSync(new URL('../../../openapi.json', import.meta.url), 'utf8'))
    const documented = Object.entries<Record<string, { parameters: object[] }>>(paths).flatMap(
      ([path, item]) =>
        Object.entries(item).flatMap(([method, { parameters }]) =>
          JSON.stringify(parameters).includes('IfMatch') ? [`${method.toUpperCase()} ${path}`] : [],
        ),
    )
    const documentedPaths: Paths = {
      evaluation: '/api/evaluations/{evaluation_id}',
      scenarios: '/api/evaluations/{evaluation_id}/evaluation_scenarios',
      scenario: '/api/evaluations/{evaluation_id}/evaluation_scenarios/{scenario_id}',
      results: '/api/evaluations/{evaluation_id}/results',
      result: '/api/evaluations/{evaluation_id}/evaluation_scenarios/{scenario_id}/results/{evaluator}',
      reviews: '/api/evaluations/{evaluation_id}/reviews',
      review: '/api/reviews/{review_id}',
      variant: '/api/variants/{variant_id}',
      revisions: '/api/variants/{variant_id}/revisions',
      revision: '/api/variants/{variant_id}/revisions/{revision}',
    }
    assert.deepEqual(
      documented.sort(),
      CONDITIONAL_WRITES.map(({ method, path }) => `${method} ${documentedPaths[path]}`).sort(),
    )
  })

  test('accepts the ETag of any read that identifies the version of the same resource', async () => {
    const cases: [method: string, path: keyof Paths, readPath: (paths: Paths) => string][] = [
      ['DELETE', 'evaluation', ({ scenarios }) => scenarios],
      ['DELETE', 'evaluation', ({ scenarios }) => `${scenarios}?format=csv`],
      ['DELETE', 'evaluation', ({ scenarios }) => `${scenarios}?limit=1&include=extra`],
      ['PATCH', 'evaluation', ({ scenarios }) => `${scenarios}?is_pinned=is.false`],
      ['PATCH', 'evaluation', ({ evaluation }) => `${evaluation}/summary`],
      ['PATCH', 'scenario', ({ scenario }) => `${scenario}?include=extra`],
      ['PATCH', 'scenario', ({ scenarios }) => scenarios],
      ['PATCH', 'scenario', ({ evaluation }) => evaluation],
      ['PATCH', 'variant', ({ revisions }) => revisions],
      ['DELETE', 'variant', ({ revisions }) => `${revisions}?format=ndjson`],
      ['DELETE', 'variant', ({ revisions }) => `${revisions}/1`],
    ]
    for (const [method, path, readPath] of cases) {
      const paths = await createResources()
      const etag = await readEtag(readPath(paths), { 'accept-encoding': 'gzip' })
      await sendOk(method, paths[path], method === 'PATCH' ? '{}' : undefined, ifMatch(etag))
    }
  })

  test('does not accept the ETag of a scenario for its evaluation, or of another object', async () => {
    const paths = await createResources()
    const others = await createResources()
    const cases: [method: string, path: keyof Paths, etag: string][] = [
      ['DELETE', 'evaluation', await readEtag(paths.scenario)],
      ['DELETE', 'evaluation', await readEtag(paths.variant)],
      ['DELETE', 'evaluation', await readEtag(others.evaluation)],
      ['PATCH', 'scenario', await readEtag(`${paths.scenarios}/b`)],
      ['PATCH', 'scenario', await readEtag(others.scenario)],
      ['DELETE', 'variant', await readEtag(others.variant)],
    ]
    for (const [method, path, etag] of cases) {
      const response = await send(method, paths[path], method === 'PATCH' ? '{}' : undefined, ifMatch(etag))
      checkProblem(response, 412, 'precondition-failed')
    }
  })

  test('lets exactly one of several concurrent writes with the same ETag succeed', async () => {
    for (const write of CONDITIONAL_WRITES) {
      const { method, path, body } = write
      const { target, readable } = pathsOf(await createResources(), write)
      const etag = await readEtag(readable)
      const responses = await Promise.all(
        Array.from({ length: CONCURRENT }, (_, index) =>
          send(method, target, body?.replace(/"(new|c|d)"/, `"$1-${index}"`), ifMatch(etag)),
        ),
      )
      const [success, ...more] = responses.filter(({ status }) => status < 300)
      assert.ok(success, target)
      assert.deepEqual(more, [])
      // After a deletion of the object itself, the others find nothing.
      const isOwn = !(path in PARENTS) && path !== 'scenarios'
      const failed = method === 'DELETE' && isOwn ? 404 : 412
      const others = responses.filter((response) => response !== success).map(({ status }) => status)
      assert.deepEqual(others, Array(CONCURRENT - 1).fill(failed), target)
      if (method !== 'PATCH') continue
      const read = await sendOk('GET', target)
      assert.deepEqual([read.text, etagOf(read)], [success.text, etagOf(success)])
    }
  })

  test('is checked after the existence of the resource and its body, and before conflicts', async () => {
    const { evaluation, scenarios, variant } = await createResources()
    const stale = ifMatch('"stale"')
    const requests: [method: string, path: string, body: string | undefined, status: number, code: string][] =
      [
        ['DELETE', `${EVALUATIONS}/none`, undefined, 404, 'evaluation-not-found'],
        ['PATCH', `${EVALUATIONS}/none`, '{}', 404, 'evaluation-not-found'],
        ['PATCH', `${scenarios}/none`, '{}', 404, 'scenario-not-found'],
        ['PATCH', `${VARIANTS}/none`, '{}', 404, 'variant-not-found'],
        ['DELETE', `${VARIANTS}/none`, undefined, 404, 'variant-not-found'],
        ['PATCH', evaluation, '{', 400, 'invalid-json'],
        ['PATCH', evaluation, '{"unknown":1}', 422, 'invalid-content'],
        ['PATCH', variant, '{"id":"x"}', 422, 'invalid-content'],
        ['PATCH', evaluation, '{"variant_id":"none","revision":1}', 412, 'precondition-failed'],
        [
          'POST',
          scenarios,
          '[{"id":"a","note":"different","inputs":[]}, {"id":"a"}]',
          412,
          'precondition-failed',
        ],
        ['POST', scenariosPath('none'), '[]', 412, 'precondition-failed'],
        ['POST', revisionsPath('none'), revisionBody(), 412, 'precondition-failed'],
      ]
    const before = await dump()
    for (const [method, path, body, status, code] of requests) {
      checkProblem(await send(method, path, body, stale), status, code)
      if (status === 404) checkProblem(await send(method, path, body, ifMatch('*')), status, code)
    }
    checkProblem(await send('POST', scenariosPath('none'), '[]', ifMatch('*')), 412, 'precondition-failed')
    assert.equal(await dump(), before)
  })

  test('does not reveal objects of another project', async () => {
    const { evaluation, scenario, variant } = await createResources()
    const etag = await readEtag(evaluation)
    const concealing = await startTestService(store, { conceal: true })
    for (const [method, path, body] of [
      ['PATCH', evaluation, '{}'],
      ['DELETE', evaluation],
      ['PATCH', scenario, '{}'],
      ['PATCH', variant, '{}'],
      ['DELETE', variant],
    ] as const) {
      for (const value of [etag, '*', '"stale"']) {
        const headers = { authorization: otherProjectKey.key, ...ifMatch(value) }
        checkProblem(await send(method, path, body, headers), 403, 'access-denied')
        const concealed = await send(method, path, body, headers, concealing.baseUrl)
        checkProblem(concealed, 404, path === variant ? 'variant-not-found' : 'evaluation-not-found')
      }
    }
  })

  test('is not checked again when an Idempotency-Key returns the stored response', async () => {
    const { evaluation, scenario, variant } = await createResources()
    for (const [path, body] of [
      [variant, '{"name":"once"}'],
      [evaluation, '{"name":"once"}'],
      [scenario, '{"note":"once"}'],
    ] as const) {
      const headers = { 'idempotency-key': 'k', ...ifMatch(await readEtag(path)) }
      const first = await sendOk('PATCH', path, body, headers)
      await sendOk('PATCH', path, body.replace('once', 'twice'))
      const repeated = await sendOk('PATCH', path, body, headers)
      assert.deepEqual([repeated.text, etagOf(repeated)], [first.text, etagOf(first)])
      checkProblem(await send('PATCH', path, body, ifMatch(etagOf(repeated))), 412, 'precondition-failed')
    }
    const headers = { 'idempotency-key': 'd', ...ifMatch(await readEtag(evaluation)) }
    assert.equal((await sendOk('DELETE', evaluation, undefined, headers)).status, 204)
    assert.equal((await sendOk('DELETE', evaluation, undefined, headers)).status, 204)
  })

  test('a failed precondition does not use up an Idempotency-Key', async () => {
    const { evaluation } = await createResources()
    const headers = { 'idempotency-key': 'retry' }
    const stale = await send('PATCH', evaluation, '{"name":"x"}', { ...headers, ...ifMatch('"stale"') })
    checkProblem(stale, 412, 'precondition-failed')
    const current = ifMatch(await readEtag(evaluation))
    assert.equal((await sendOk('PATCH', evaluation, '{"name":"x"}', { ...headers, ...current })).status, 200)
  })
})

describe('ETags of write responses', () => {
  test('equal the ETag of the next read, also when the write had no effect', async () => {
    const { evaluation, scenarios, scenario, variant, revisions } = await createResources()
    const writes: [method: string, path: string, body: string, readPath: string][] = [
      ['POST', EVALUATIONS, '{"id":"tagged"}', `${EVALUATIONS}/tagged`],
      ['PATCH', evaluation, '{"name":"tagged"}', evaluation],
      ['PATCH', evaluation, '{}', evaluation],
      ['POST', scenarios, '[{"id":"c"}]', scenarios],
      ['PATCH', scenario, '{"note":"tagged"}', scenario],
      ['POST', VARIANTS, '{"id":"tagged"}', `${VARIANTS}/tagged`],
      ['PATCH', variant, '{"name":"tagged"}', variant],
      ['POST', revisions, revisionBody('{"config_name":"e"}', ',"revision":9'), `${revisions}/9`],
    ]
    for (const [method, path, body, readPath] of writes) {
      const first = await sendOk(method, path, body)
      assert.equal(etagOf(first), await readEtag(readPath), `${method} ${path}`)
      const repeated = await sendOk(method, path, body)
      assert.equal(etagOf(repeated), await readEtag(readPath), `${method} ${path}`)
      if (path !== evaluation || body === '{}') assert.equal(etagOf(repeated), etagOf(first))
    }
  })

  test('allow a chain of conditional writes without reads', async () => {
    const { scenario, scenarios } = await createResources()
    let etag = await readEtag(scenario)
    for (const note of ['one', 'two', 'three'])
      etag = etagOf(await sendOk('PATCH', scenario, JSON.stringify({ note }), ifMatch(etag)))
    assert.ok((await sendOk('GET', scenarios)).text.includes('"three"'))
  })
})

describe('the ETag of a scenario', () => {
  test('changes with its own pin and note only', async () => {
    const { evaluation, scenario, scenarios } = await createResources()
    const etag = await readEtag(scenario)
    const listEtag = await readEtag(scenarios)
    await sendOk('PATCH', `${scenarios}/b`, '{"note":"another row"}')
    await sendOk('PATCH', evaluation, '{"name":"renamed"}')
    await sendOk('POST', scenarios, '[{"id":"c"}]')
    assert.notEqual(await readEtag(scenarios), listEtag)
    assert.equal(await readEtag(scenario), etag)
    assert.equal((await send('GET', scenario, undefined, { 'if-none-match': etag })).status, 304)
    await sendOk('PATCH', scenario, '{}', ifMatch(etag))
    assert.equal(await readEtag(scenario), etag)
    const etags = [etag]
    for (const patch of ['{"note":"x"}', '{"is_pinned":true}', '{"note":null}', '{"is_pinned":false}']) {
      await sendOk('PATCH', scenario, patch)
      etags.push(await readEtag(scenario))
    }
    assert.equal(new Set(etags).size, 5)
  })

  test('depends on its extra data, also when a read does not include it', async () => {
    const bodies = ['[{"id":"a"}]', '[{"id":"a","extra":{}}]', '[{"id":"a","extra":{"x":1}}]']
    const etags = new Set<string>()
    for (const body of bodies) {
      await sendOk('POST', scenariosPath('extra'), body)
      etags.add(await readEtag(`${scenariosPath('extra')}/a`))
      await sendOk('DELETE', `${EVALUATIONS}/extra`)
    }
    assert.equal(etags.size, 3)
  })
})
