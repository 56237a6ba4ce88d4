// Requests for every read of the API, and the data that they read.
import assert from 'node:assert/strict'
import { EXACT_VALUES } from './corpus.ts'
import { sendRequest } from './http.ts'

/** Numbers are sums of powers of two, so that statistics do not depend on the order of additions. */
function scenarioText(position: number, offset: number): string {
  const value = EXACT_VALUES[position]
  const latency = (position + offset) / 4
  return `{"id":"s-${position}","inputs":[{"name":"question","type":"text","value":"Question ${position}, \\"quoted\\""},{"name":"value","type":"json","value":${value}}],
"outputs":[{"result":${position === 4 ? '{"type":"error","value":null,"error":{"message":"HTTP 429","stacktrace":"at f\\nat g"}}' : `{"type":"text","value":"Answer ${position + offset}\\nsecond line"}`},"cost":${position / 8},"latency":${latency}}],
"correct_answers":[{"key":"answer","value":"Answer ${position}"}],"is_pinned":${position % 3 === 0},"note":${position % 4 === 0 ? '"check, again"' : 'null'},
"results":[{"evaluator_config":"exact","result":{"type":"bool","value":${(position + offset) % 2 === 0}}},{"evaluator_config":"similarity","result":{"type":"number","value":${(position + offset) / 32}}}],
"extra":{"position":${position}}}`.replaceAll('\n', '')
}

const WRITES: [path: string, body: string][] = [
  ...[0, 1, 2].map((revision): [string, string] => [
    '/api/variants/prompt/revisions',
    `{"revision":${revision},"modified_by":"Ana","config":{"config_name":"r${revision}","parameters":{"temperature":${revision / 4},"prompt":"Line 1\\nLine ${revision}, \\"quoted\\""}},"created_at":"2026-09-1${revision}T08:00:00.000Z","message":"Change ${revision}"}`,
  ]),
  ...['base', 'candidate'].flatMap((id, offset): [string, string][] => [
    [
      '/api/evaluations',
      `{"id":"${id}","name":"Evaluation ${id}","variant_id":"prompt","revision":${offset},"source":"test","created_at":"2026-10-0${offset + 1}T08:00:00.000Z","evaluators":[{"name":"exact","higher_is_better":true}],"metadata":{"n":1.0}}`,
    ],
    [
      `/api/evaluations/${id}/evaluation_scenarios`,
      `[${EXACT_VALUES.map((_, position) => scenarioText(position, offset)).join(',')}]`,
    ],
  ]),
  [
    '/api/evaluations/candidate/reviews',
    '{"id":"review","questions":[{"evaluator":"people","type":"verdict","labels":["late"]}],"overlap":0.5}',
  ],
]

/** The read that this change affects is compared after all others, so that it changes none of them. */
export const BASELINE_CHANGE: [path: string, body: string] = [
  '/api/evaluations/candidate',
  '{"baseline_id":"base"}',
]
export const READ_WITH_BASELINE = '/api/evaluations?include=scores,base'

const SCENARIOS = '/api/evaluations/candidate/evaluation_scenarios'
const REVISIONS = '/api/variants/prompt/revisions'
const PAIR = 'evaluation=base&evaluation=candidate'
const FILTER = 'result.exact=is.true&order=latency.desc'

/** Every read with an ETag whose bytes are derived from stored data. */
export const VERSIONED_READS: Record<string, string[]> = {
  '/api/changes': ['/api/changes', '/api/changes?format=ndjson'],
  '/api/evaluations': ['/api/evaluations', '/api/evaluations?include=scores&order=name.asc'],
  '/api/evaluations/{evaluation_id}': ['/api/evaluations/candidate'],
  '/api/evaluations/{evaluation_id}/agreement': [
    '/api/evaluations/candidate/agreement?evaluator=similarity&with=exact',
  ],
  '/api/evaluations/{evaluation_id}/breakdown': [
    '/api/evaluations/candidate/breakdown?by=input.value',
    '/api/evaluations/candidate/breakdown?by=result.exact&base=base&order=delta.similarity.asc',
  ],
  '/api/evaluations/{evaluation_id}/evaluation_scenarios': [
    ...['json', 'ndjson', 'csv', 'csv&csv=excel'].map((format) => `${SCENARIOS}?format=${format}`),
    `${SCENARIOS}?include=extra`,
    `${SCENARIOS}?include=extra,has_generated_id&format=ndjson`,
    `${SCENARIOS}?limit=3`,
    `${SCENARIOS}?${FILTER}`,
    `${SCENARIOS}?${FILTER}&format=csv`,
  ],
  '/api/evaluations/{evaluation_id}/evaluation_scenarios/{scenario_id}': [
    `${SCENARIOS}/s-3`,
    `${SCENARIOS}/s-3?include=extra`,
  ],
  '/api/evaluations/{evaluation_id}/evaluation_scenarios/{scenario_id}/history': [`${SCENARIOS}/s-3/history`],
  '/api/evaluations/{evaluation_id}/rows': [
    '/api/evaluations/candidate/rows?preview=10',
    `/api/evaluations/candidate/rows?base=base&${FILTER}`,
  ],
  '/api/evaluations/{evaluation_id}/summary': [
    '/api/evaluations/candidate/summary',
    '/api/evaluations/candidate/summary?base=base',
  ],
  '/api/comparisons': [`/api/comparisons?${PAIR}`],
  '/api/comparisons/rows': [`/api/comparisons/rows?${PAIR}&preview=10`],
  '/api/leaderboards': ['json', 'csv'].map((format) => `/api/leaderboards?${PAIR}&format=${format}`),
  '/api/leaderboards/rows': ['json', 'csv'].map(
    (format) => `/api/leaderboards/rows?${PAIR}&preview=10&format=${format}`,
  ),
  '/api/reviews/{review_id}': ['/api/reviews/review'],
  '/api/variants': ['/api/variants'],
  '/api/variants/{variant_id}': ['/api/variants/prompt'],
  '/api/variants/{variant_id}/revisions': [
    ...['json', 'ndjson', 'csv'].map((format) => `${REVISIONS}?format=${format}`),
    `${REVISIONS}?include=changes,message`,
  ],
  '/api/variants/{variant_id}/revisions/{revision}': [`${REVISIONS}/1`],
  '/api/variants/{variant_id}/revisions/{from}/diff/{to}': [`${REVISIONS}/0/diff/2`],
}

export async function writeJson(
  baseUrl: string,
  authorization: string,
  method: string,
  path: string,
  body: string,
): Promise<void> {
  const headers = { authorization, 'content-type': 'application/json' }
  const { status, text } = await sendRequest(baseUrl, path, headers, method, body)
  assert.ok(status < 300, text)
}

/** Writes what the reads above return. */
export async function writeReadData(baseUrl: string, authorization: string): Promise<void> {
  for (const [path, body] of WRITES) await writeJson(baseUrl, authorization, 'POST', path, body)
}
