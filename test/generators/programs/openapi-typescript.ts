// Uses the types of openapi-typescript with openapi-fetch.
import assert from 'node:assert/strict'
import createClient from 'openapi-fetch'
import type { components, paths } from './api.js'

const [origin = '', key = '', id = ''] = process.argv.slice(2)
const { GET, POST } = createClient<paths>({ baseUrl: origin, headers: { Authorization: key } })

const created = await POST('/api/evaluations', {
  body: { id, evaluators: [{ name: 'score', higher_is_better: true }] },
})
assert.equal(created.data?.id, id)

const appended = await POST('/api/evaluations/{evaluation_id}/evaluation_scenarios', {
  params: { path: { evaluation_id: id } },
  body: [
    {
      id: 's1',
      inputs: [{ name: 'question', type: 'text', value: 'One?' }],
      outputs: [{ result: { type: 'json', value: { answer: ['no', 2.5, null] } }, cost: 0.5, latency: 2 }],
      correct_answers: null,
      results: [{ evaluator_config: 'score', result: { type: 'number', value: 0.75 } }],
    },
    {
      id: 's2',
      inputs: [{ name: 'question', type: 'json', value: { text: 'Two?' } }],
      outputs: [{ result: { type: 'error', error: { message: 'Timeout' } } }],
      correct_answers: [{ key: 'answer', value: 'two' }],
      results: [{ evaluator_config: 'score', result: { type: 'number', value: 1 } }],
    },
  ],
})
assert.deepEqual(appended.data, { accepted: 2, unchanged: 0 })

const read = await GET('/api/evaluations/{evaluation_id}/evaluation_scenarios', {
  params: { path: { evaluation_id: 'baseline' } },
})
// The annotations fail to compile if the generated type is a union with text.
const scenarios: components['schemas']['EvaluationScenario'][] = read.data ?? []
const [first, second] = scenarios
assert.deepEqual(first?.outputs[0], {
  result: { type: 'json', value: { answer: ['yes', 1.5, null] } },
  cost: 0.25,
  latency: 1.5,
})
assert.equal(first?.correct_answers, null)
assert.equal(second?.correct_answers?.[0]?.value, 'two')
assert.equal(second?.outputs[0]?.result.error?.message, 'Timeout')
assert.deepEqual([second?.is_pinned, second?.note], [true, 'Look again.'])

const history = await GET('/api/variants/{variant_id}/revisions', {
  params: { path: { variant_id: 'variant' } },
})
const revisions: components['schemas']['VariantRevision'][] = history.data ?? []
assert.deepEqual(
  revisions.map(({ revision, config }) => [revision, config.config_name, config.parameters?.temperature]),
  [
    [1, 'first', 0.5],
    [2, 'second', undefined],
  ],
)

const { data: comparison } = await GET('/api/comparisons', {
  params: { query: { evaluation: ['baseline', id] } },
})
assert.deepEqual(
  comparison?.evaluations.map((evaluation) => evaluation.id),
  ['baseline', id],
)
const candidate = comparison?.candidates[0]
const score = candidate?.evaluators[0]
assert.deepEqual([score?.base_mean, score?.mean, score?.delta], [0.375, 0.875, 0.5])
assert.deepEqual(
  [candidate?.cost.base_mean, candidate?.cost.mean, candidate?.cost.interval],
  [0.25, 0.5, null],
)

const missing = await GET('/api/evaluations/{evaluation_id}/evaluation_scenarios', {
  params: { path: { evaluation_id: 'missing' } },
})
assert.equal(missing.error?.code, 'evaluation-not-found')
