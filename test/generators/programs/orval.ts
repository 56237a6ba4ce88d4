// Uses the fetch client of orval.
import assert from 'node:assert/strict'
import {
  addEvaluation,
  appendEvaluationScenarios,
  compareEvaluations,
  type EvaluationScenario,
  listEvaluationScenarios,
  listVariantRevisions,
  type VariantRevision,
} from './api.js'

const [origin = '', key = '', id = ''] = process.argv.slice(2)
// The generated functions call fetch with the path of the document; a base URL would be in orval's configuration.
const originalFetch = globalThis.fetch
globalThis.fetch = (path, init) => originalFetch(`${origin}${path}`, init)
const headers = { Authorization: key }

const created = await addEvaluation(
  { id, evaluators: [{ name: 'score', higher_is_better: true }] },
  { headers },
)
assert.ok(created.status === 201)
assert.equal(created.data.id, id)

const appended = await appendEvaluationScenarios(
  id,
  [
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
  { headers },
)
assert.deepEqual(appended.data, { accepted: 2, unchanged: 0 })

const read = await listEvaluationScenarios('baseline', undefined, { headers })
assert.ok(read.status === 200)
// The annotations fail to compile if the generated type is a union with text or has no data.
const scenarios: EvaluationScenario[] = read.data
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

const history = await listVariantRevisions('variant', undefined, { headers })
assert.ok(history.status === 200)
const revisions: VariantRevision[] = history.data
assert.deepEqual(
  revisions.map(({ revision, config }) => [revision, config.config_name, config.parameters?.temperature]),
  [
    [1, 'first', 0.5],
    [2, 'second', undefined],
  ],
)

const compared = await compareEvaluations({ evaluation: ['baseline', id] }, { headers })
assert.ok(compared.status === 200)
assert.deepEqual(
  compared.data.evaluations.map((evaluation) => evaluation.id),
  ['baseline', id],
)
const candidate = compared.data.candidates[0]
const score = candidate?.evaluators[0]
assert.deepEqual([score?.base_mean, score?.mean, score?.delta], [0.375, 0.875, 0.5])
assert.deepEqual(
  [candidate?.cost.base_mean, candidate?.cost.mean, candidate?.cost.interval],
  [0.25, 0.5, null],
)

const missing = await listEvaluationScenarios('missing', undefined, { headers })
assert.ok(missing.status === 404)
assert.equal(missing.data.code, 'evaluation-not-found')
