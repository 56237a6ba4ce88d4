// Sends every method to every path of openapi.json with ids of another project: no response can contain a byte of its data.
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import { createTestKey, createTestStore, startTestService } from '../../support/harness.ts'
import { type HttpResponse, sendRequest } from '../../support/http.ts'
import { reportMeasurements } from '../../support/measurements.ts'
import { testOptions } from '../../support/options.ts'

const METHODS = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS', 'PROPFIND']
/** Every text of the other project contains this word, except ids that a response repeats from its request. */
const SECRET_WORD = 'zebra'
const FOREIGN_ID = 'theirs'
const UNKNOWN_ID = 'nobody'
const UNKNOWN_SHARE = 'aaaaaaaaaaaa'

const { paths } = JSON.parse(readFileSync(new URL('../../../openapi.json', import.meta.url), 'utf8')) as {
  paths: Record<string, Record<string, unknown>>
}

const store = await createTestStore()
const { key: theirKey } = await createTestKey(store, { project: 'other', scopes: ['read', 'write'] })
const { key } = await createTestKey(store, { scopes: ['read', 'write'] })

interface Request {
  method: string
  path: string
  body: string | undefined
  type: string
}

async function fillOtherProject(baseUrl: string): Promise<string[]> {
  const secret = (name: string) => `${SECRET_WORD}-${name}`
  const scenario = {
    id: 's-1',
    inputs: [{ name: secret('input'), type: 'text', value: secret('value') }],
    outputs: [{ result: { type: 'text', value: secret('output') } }],
    correct_answers: [{ key: secret('key'), value: secret('answer') }],
    note: secret('note'),
    results: [{ evaluator_config: secret('evaluator'), result: { type: 'number', value: 0.5 } }],
    extra: { name: secret('extra') },
  }
  const writes: [path: string, body: unknown][] = [
    ['/api/variants', { id: FOREIGN_ID, name: secret('variant') }],
    ...[1, 2].map((revision): [string, unknown] => [
      `/api/variants/${FOREIGN_ID}/revisions`,
      {
        revision,
        modified_by: secret('author'),
        config: { config_name: secret(`config-${revision}`), parameters: { p: secret(`p${revision}`) } },
      },
    ]),
    [
      '/api/evaluations',
      { id: FOREIGN_ID, name: secret('evaluation'), variant_id: FOREIGN_ID, source: secret('source') },
    ],
    [`/api/evaluations/${FOREIGN_ID}/evaluation_scenarios`, [scenario]],
    ['/api/shares', { confined_to: { evaluation_id: FOREIGN_ID }, name: secret('share') }],
  ]
  const texts: string[] = []
  for (const [path, body] of writes) {
    const headers = { authorization: theirKey, 'content-type': 'application/json' }
    const { status, text } = await sendRequest(baseUrl, path, headers, 'POST', JSON.stringify(body))
    assert.equal(status, 201, `${path}: ${text}`)
    texts.push(text)
  }
  return texts
}

/** Requests to all paths with all methods and with this id wherever an id can be. */
function createRequests(id: string, shareId: string): Request[] {
  const QUERIES: Record<string, string[]> = {
    '/api/comparisons': [`?evaluation=${id}&evaluation=mine`, `?evaluation=mine&evaluation=${id}`],
    '/api/comparisons/rows': [`?evaluation=${id}&evaluation=mine`, `?evaluation=mine&evaluation=${id}`],
    '/api/imports': [
      `?evaluation=${id}&format=scenarios&dry_run=true`,
      `?variant=${id}&evaluation=new&format=scenarios&dry_run=true`,
    ],
    '/api/evaluations': ['', `?variant_id=eq.${id}`, `?q=contains.${SECRET_WORD}`, '?include=scores'],
    '/api/evaluations/{evaluation_id}/rows': ['', '?base=mine'],
    '/api/evaluations/{evaluation_id}/summary': ['', '?base=mine'],
    '/api/evaluations/{evaluation_id}/agreement': ['?evaluator=a&with=b', '?evaluator=a&with=b&base=mine'],
    '/api/evaluations/{evaluation_id}/breakdown': ['?by=error', '?by=error&base=mine'],
    '/api/evaluations/{evaluation_id}/evaluation_scenarios': [
      '',
      '?format=csv',
      '?format=ndjson&include=extra',
      '?limit=1',
    ],
    '/api/variants/{variant_id}/revisions': ['', '?format=csv', '?include=changes,message'],
  }
  const bodies = [
    `{"baseline_id":"${id}","variant_id":"${id}"}`,
    '{}',
    '[]',
    `{"id":"s-1","note":"x"}`,
  ].slice(0, testOptions.profile === 'full' ? undefined : 1)
  const mine = [
    `/api/evaluations/mine/rows?base=${id}`,
    `/api/evaluations/mine/summary?base=${id}`,
    `/api/evaluations/mine/agreement?evaluator=a&with=b&base=${id}`,
    `/api/evaluations/mine/breakdown?by=error&base=${id}`,
    `/api/evaluations/mine/evaluation_scenarios?base=${id}`,
  ]
  const targets = Object.keys(paths).flatMap((pattern) => {
    const path = pattern
      .replace('{public_id}', shareId)
      .replace('{scenario_id}', 's-1')
      .replace('{from}', '1')
      .replace('{to}', '2')
      .replace('{revision}', '1')
      .replace(/\{\w+\}/, id)
    return (QUERIES[pattern] ?? ['']).map((query) => path + query)
  })
  return [...targets, ...mine].flatMap((path) =>
    METHODS.flatMap((method): Request[] => {
      const hasBody = ['POST', 'PUT', 'PATCH'].includes(method)
      return (hasBody ? bodies : [undefined]).map((body) => ({
        method,
        path,
        body,
        type: 'application/json',
      }))
    }),
  )
}

/** What a client can distinguish, without what differs between any two requests and without the ids themselves. */
function describeResponse({ status, headers, text }: HttpResponse, ids: string[]): string {
  const {
    'x-request-id': requestId = '',
    date,
    'content-length': length,
    etag,
    location,
    ...others
  } = headers
  const members = /\\"(created_at|updated_at|version|cursor|time)\\":\\"[^"]*"/g
  const description = JSON.stringify([status, others, etag !== undefined, text]).replaceAll(
    String(requestId),
    '',
  )
  return ids
    .reduce((described, id) => described.replaceAll(id, 'ID'), description)
    .replaceAll(members, '')
    .replaceAll(/[\da-f]{8}-[\da-f]{4}-7[\da-f]{3}-[\da-f]{4}-[\da-f]{12}/g, '')
}

/** They contain what the requests of this test do. */
const CHANGING_PATHS = ['/api/changes', '/metrics']

test('no method of any path returns or changes data of another project, or reveals an id with conceal', async (t) => {
  const service = await startTestService(store, { conceal: false })
  const concealing = await startTestService(store, { conceal: true })
  const texts = await fillOtherProject(service.baseUrl)
  const shareId = /"public_id":"(\w+)"/.exec(texts.at(-1) ?? '')?.[1] ?? assert.fail(texts.at(-1))
  const json = { authorization: key, 'content-type': 'application/json' }
  await sendRequest(
    service.baseUrl,
    '/api/evaluations/mine/evaluation_scenarios',
    json,
    'POST',
    '[{"id":"s-1"}]',
  )

  const theirs = async () => {
    const paths = [
      `/api/evaluations/${FOREIGN_ID}`,
      `/api/evaluations/${FOREIGN_ID}/evaluation_scenarios?include=extra`,
      `/api/variants/${FOREIGN_ID}`,
      `/api/variants/${FOREIGN_ID}/revisions`,
      '/api/shares',
      '/api/changes',
    ]
    const responses = await Promise.all(
      paths.map((path) => sendRequest(service.baseUrl, path, { authorization: theirKey })),
    )
    return responses.map(({ text }) => text)
  }
  const before = await theirs()
  assert.ok(before.every((text) => text.includes(SECRET_WORD) || text.includes(FOREIGN_ID)))

  const leaked: string[] = []
  const wrong: string[] = []
  let requestCount = 0
  const foreign = createRequests(FOREIGN_ID, shareId)
  const unknown = createRequests(UNKNOWN_ID, UNKNOWN_SHARE)
  for (const [index, request] of foreign.entries()) {
    const name = `${request.method} ${request.path} ${request.body ?? ''}`
    const send = async ({ baseUrl }: { baseUrl: string }, { method, path, body, type }: Request) => {
      requestCount += 1
      const headers = { authorization: key, ...(body !== undefined && { 'content-type': type }) }
      const response = await sendRequest(baseUrl, path, headers, method, body)
      if (
        JSON.stringify(response.headers).includes(SECRET_WORD) ||
        response.text.replaceAll(`contains.${SECRET_WORD}`, '').includes(SECRET_WORD)
      )
        leaked.push(`${name}: ${response.text}`)
      assert.ok(response.status < 500, `${name}: ${response.text}`)
      // A write can create an object with this id in its own project, which later requests would find.
      if (body !== undefined && response.status < 300)
        for (const id of [FOREIGN_ID, UNKNOWN_ID])
          for (const list of ['evaluations', 'variants'])
            await sendRequest(baseUrl, `/api/${list}/${id}`, { authorization: key }, 'DELETE')
      return response
    }
    await send(service, request)
    const concealed = describeResponse(await send(concealing, request), [FOREIGN_ID, shareId])
    const expected = describeResponse(await send(concealing, unknown[index] ?? request), [
      UNKNOWN_ID,
      UNKNOWN_SHARE,
    ])
    if (concealed !== expected && !CHANGING_PATHS.includes(request.path))
      wrong.push(`${name}: ${concealed} differs from ${expected}`)
  }
  reportMeasurements(t, { cases: requestCount, leaked: leaked.length, wrong: wrong.length })
  assert.deepEqual(leaked, [])
  assert.deepEqual(wrong, [])
  assert.deepEqual(await theirs(), before, 'a request has changed the other project')
})
