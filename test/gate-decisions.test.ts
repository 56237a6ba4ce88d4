// The command line, the Python client and the page give the decision and the reasons of the API, for generated pairs of evaluations.
import assert from 'node:assert/strict'
import { join } from 'node:path'
import { describe, test } from 'node:test'
import fc from 'fast-check'
import { Assay } from '../client/client.ts'
import type { GateDecision } from '../src/schema/gate.ts'
import { run } from './python/environments.ts'
import { findInterpreters, selectInterpreters } from './python/interpreters.ts'
import { sizes } from './sizes.ts'
import { runAssayCommand } from './support/command-runner/run.ts'
import { createTestKey, createTestStore } from './support/harness.ts'
import { testOptions } from './support/options.ts'
import { ROOT } from './support/test-run.ts'
import { openPage, openPath, servePage, WITHOUT_BROWSER } from './web/browser.ts'

const EXIT_CODES: Record<GateDecision, number> = { passed: 0, failed: 1, invalid: 3 }
const PAGE_WORDS: Record<GateDecision, string> = {
  passed: 'would pass',
  failed: 'would fail',
  invalid: 'cannot be decided',
}

const share = fc.double({ min: 0, max: 1, noNaN: true })
/** What a run stores for one row: nothing, or one number for each of its evaluators. */
const row = fc.oneof({ weight: 30, arbitrary: fc.tuple(share, share, share) }, fc.constant(null))
const evaluation = fc.record({
  /** The probability of a pass. */
  quality: fc.constantFrom(0.4, 0.8, 0.95),
  rows: fc.array(row, { minLength: 40, maxLength: 40 }),
  repeats: fc.constantFrom(1, 1, 3),
  status: fc.oneof(
    { weight: 8, arbitrary: fc.constant('finished' as const) },
    fc.constantFrom('running' as const, 'failed' as const),
  ),
  expected: fc.oneof({ weight: 8, arbitrary: fc.constant(0) }, fc.constant(1)),
  declared: fc.constantFrom(undefined, true, false),
})
const pair = fc.record({
  rowCount: fc.constantFrom(3, 10, 40),
  base: evaluation,
  candidate: evaluation,
  /** Many comparisons are of the same application, and of complete runs. */
  isComplete: fc.constantFrom(true, true, false),
})
type Evaluation = (typeof evaluation extends fc.Arbitrary<infer Value> ? Value : never) & { id: string }

const store = await createTestStore()
const { baseUrl } = await servePage(store)
const { key } = await createTestKey(store, { scopes: ['read', 'write'] })
const assay = new Assay({ baseUrl: `${baseUrl}/api`, key })

async function addEvaluation(evaluation: Evaluation, rowCount: number, isComplete: boolean): Promise<void> {
  const { id, quality, rows, repeats, declared } = evaluation
  const scenarios = rows.slice(0, rowCount).flatMap((numbers, index) => {
    if (numbers === null && !isComplete) return []
    const [correct, polite, length] = numbers ?? [0, 0, 0]
    const results = [
      { evaluator_config: 'correct', result: { type: 'bool', value: correct < quality } },
      { evaluator_config: "is 'polite'", result: { type: 'bool', value: polite < 0.9 } },
      { evaluator_config: 'length', result: { type: 'number', value: length - quality / 4 } },
    ]
    return Array.from({ length: repeats }, (_, repeat) => ({
      id: `s${index}-${repeat}`,
      inputs: [{ name: 'question', type: 'text', value: `Question ${index}` }],
      outputs: [{ result: { type: 'text', value: 'x' } }],
      results,
      extra: { sample: `s${index}` },
    }))
  })
  await assay.addEvaluation({
    id,
    ...(declared !== undefined && { evaluators: [{ name: 'length', higher_is_better: declared }] }),
    ...(!isComplete && { status: evaluation.status, expected_count: scenarios.length + evaluation.expected }),
  })
  await assay.appendScenarios(id, scenarios)
}

interface Decided {
  decision: GateDecision
  reasons: string[]
}

/** What the API decides about each generated pair. The ids are base-0, candidate-0 and so on. */
const expected: Decided[] = []
const generated = fc.sample(pair, { numRuns: sizes.gate_pairs, seed: testOptions.seed })
for (const [index, { base, candidate, rowCount, isComplete }] of generated.entries()) {
  await addEvaluation({ ...base, id: `base-${index}` }, rowCount, isComplete)
  await addEvaluation({ ...candidate, id: `candidate-${index}` }, rowCount, isComplete)
  const comparison = await assay.compareEvaluations({ evaluation: [`base-${index}`, `candidate-${index}`] })
  for (const { gate } of comparison.candidates)
    expected.push({ decision: gate.decision, reasons: gate.reasons.map(({ detail }) => detail) })
}

const isSmall = expected.length < 40 && 'a few pairs can lack a decision'
test('the generated pairs have every decision', { skip: isSmall }, () => {
  const decisions = new Set(expected.map(({ decision }) => decision))
  assert.deepEqual([...decisions].sort(), ['failed', 'invalid', 'passed'])
})

test('the command line gives the same decisions', async () => {
  for (const [index, { decision, reasons }] of expected.entries()) {
    const ids = [`base-${index}`, `candidate-${index}`]
    const flags = ['--fail-on-regression', '--json', '--url', baseUrl, '--key', key]
    const { code, stdout, stderr } = await runAssayCommand(['compare', ...ids, ...flags])
    assert.equal(code, EXIT_CODES[decision], stderr)
    const { gate } = JSON.parse(stdout) as { gate: Decided }
    assert.deepEqual([gate.decision, gate.reasons], [decision, reasons])
  }
})

const PROGRAM = `import json, sys
from assay_client import Client

client = Client(sys.argv[1], sys.argv[2])
gates = [client.compare(f"base-{n}", f"candidate-{n}").gate() for n in range(int(sys.argv[3]))]
print(json.dumps([[gate.decision, gate.exit_code, gate.reasons] for gate in gates]))
`
const [interpreter] = selectInterpreters(await findInterpreters(), 1)

test('Python gives the same decisions', { skip: !interpreter && 'Python is not installed' }, async () => {
  const args = ['-c', PROGRAM, baseUrl, key, String(expected.length)]
  const env = { PYTHONPATH: join(ROOT, 'python/src') }
  const { code, output } = await run(interpreter?.path ?? '', args, { cwd: ROOT, env })
  assert.equal(code, 0, output)
  assert.deepEqual(
    JSON.parse(output),
    expected.map(({ decision, reasons }) => [decision, EXIT_CODES[decision], reasons]),
  )
})

describe('the page', { skip: WITHOUT_BROWSER }, () => {
  test('gives the same decisions', async () => {
    const { page } = await openPage({ baseUrl, key, path: '/variants' })
    for (const [index, { decision, reasons }] of expected.entries()) {
      await openPath(page, `/compare?evaluation=base-${index}&evaluation=candidate-${index}`)
      await page.getByRole('button', { name: `Gate: ${PAGE_WORDS[decision]}`, exact: true }).click()
      const items = page.locator(':popover-open').getByRole('listitem')
      await items.first().waitFor()
      assert.deepEqual(await items.allTextContents(), reasons)
      await page.keyboard.press('Escape')
    }
  })
})
