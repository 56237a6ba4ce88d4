// Tests of the text report of a breakdown.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { breakdownText } from '../../../src/cli/analysis/breakdown-text.ts'
import type { Breakdown, GroupStatistics } from '../../../src/schema/analysis/breakdowns.ts'

function statistics(rows: number, evaluators: [name: string, mean: number | null, rate: number | null][]) {
  return {
    rows,
    output_errors: rows > 20 ? 1 : 0,
    evaluators: evaluators.map(([name, mean, pass_rate]) => ({
      name,
      n: mean === null ? 0 : rows,
      mean,
      pass_rate,
    })),
    cost: { n: 0, total: null, mean: null },
    latency: { n: rows, mean: rows / 8 },
  } satisfies GroupStatistics
}

function breakdown(evaluators: string[]): Breakdown {
  const values = (verdict: number, score: number) =>
    evaluators.map((name, index): [string, number | null, number | null] =>
      index === 0 ? [name, verdict, verdict] : name === 'label' ? [name, null, null] : [name, score, null],
    )
  return {
    id: 'nightly',
    by: 'input.topic',
    evaluators: evaluators.map((name) => ({ name, higher_is_better: true, threshold: null })),
    total: statistics(1234, values(0.5, 3.25)),
    group_count: 202,
    groups: [
      { kind: 'value', value: 'returns', first: 'a', ...statistics(20, values(0.25, 0.5)) },
      { kind: 'missing', first: 'b', ...statistics(10, values(1, 12.5)) },
    ],
    rest: statistics(1204, values(0.75, 4)),
  }
}

test('prints a row per group, with the mean or pass rate of each evaluator', () => {
  assert.equal(
    breakdownText(breakdown(['exact', 'score', 'label'])),
    `nightly by input.topic: 1,234 rows in 202 groups.

input.topic            rows  failed    exact  score  latency
returns                  20       0   25.0 %   0.50    2.5 s
(no value)               10       0  100.0 %  12.50    1.3 s
(200 smaller groups)  1,204       1   75.0 %   4.00  150.5 s
(all rows)            1,234       1   50.0 %   3.25  154.3 s
`,
  )
})

test('shows as many evaluators as fit in 100 characters', () => {
  const names = Array.from({ length: 9 }, (_, index) => `evaluator ${index} with a long name`)
  const report = breakdownText(breakdown(names))
  for (const line of report.split('\n')) assert.ok(line.length <= 100, line)
  assert.match(report, /^input\.topic +rows +failed +evaluator 0 with a … +evaluator 1 with a … +latency$/m)
  assert.match(report, /^7 evaluators did not fit\. Use --json for all\.$/m)
})

test('replaces control characters', () => {
  const document = { ...breakdown(['\u001b[2J']), id: 'a\u202eb', by: 'input.\nx' }
  assert.doesNotMatch(breakdownText(document).replaceAll('\n', ''), /\p{Cc}|\u202e/u)
})
