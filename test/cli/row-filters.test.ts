// Tests of --filter: the same rows as brute force over all exported scenarios.
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { readRowSelection } from '../../src/cli/target/row-selection.ts'
import type { EvaluationScenario } from '../../src/schema/scenarios.ts'
import { readSettings } from '../../src/settings/settings.ts'
import { runAssayCommand as runAssay } from '../support/command-runner/run.ts'
import { createSampleStore } from '../support/harness.ts'

const { flags } = await createSampleStore()
const EVALUATION = 'support-answer-r5'

async function runJson<T>(...args: string[]): Promise<T> {
  const { code, stdout, stderr } = await runAssay([...args, ...flags])
  assert.equal(code, 0, stderr)
  return JSON.parse(stdout) as T
}

const hasFailed = ({ results }: EvaluationScenario) =>
  results.some(
    ({ evaluator_config, result }) => evaluator_config === 'answer_correct' && result.value === false,
  )

test('exports and counts the rows that match all filters', async () => {
  const all = await runJson<EvaluationScenario[]>('export', EVALUATION)
  const failed = all.filter(hasFailed)
  assert.ok(failed.length > 0 && failed.length < all.length)
  const filter = ['--filter', 'result.answer_correct=is.false']
  assert.deepEqual(await runJson('export', EVALUATION, ...filter), failed)

  const [first] = failed[0]?.inputs ?? []
  const value = typeof first?.value === 'string' ? first.value : JSON.stringify(first?.value)
  const both = [...filter, '--filter', `input.${first?.name}=eq.${value}`]
  const expected = failed.filter(({ inputs }) => inputs[0]?.value === first?.value)
  assert.deepEqual(await runJson('export', EVALUATION, ...both), expected)

  const properties = await runJson<object>('show', EVALUATION, '--json')
  const counted = await runJson('show', EVALUATION, '--json', ...filter)
  assert.deepEqual(counted, { ...properties, matching_count: failed.length })
  const { stdout } = await runAssay(['show', EVALUATION, ...filter, ...flags])
  assert.match(stdout, new RegExp(`^matching_count +${failed.length}$`, 'm'))
})

describe('splits a filter into name and value', () => {
  const cases: [text: string, name: string, value: string][] = [
    ['latency=gt.2', 'latency', 'gt.2'],
    ['q=a=b', 'q', 'a=b'],
    ['q=', 'q', ''],
    ['input.q=eq.a,b\n=is.c', 'input.q', 'eq.a,b\n=is.c'],
    ['result.equals: x=1=is.true', 'result.equals: x=1', 'is.true'],
    ['input.x=in.("a, b",c)', 'input.x', 'in.("a, b",c)'],
  ]
  for (const [text, name, value] of cases)
    test(JSON.stringify(text), () => {
      const { settings } = readSettings('export', ['e', '--filter', text], {})
      assert.deepEqual(readRowSelection(settings)?.parameters, { [name]: [value] })
    })
})
