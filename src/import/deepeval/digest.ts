// A digest of the test cases of a DeepEval run, which DeepEval writes to several files with different wrappers and totals.
import { createHash } from 'node:crypto'
import type { Json } from '../../json/value.ts'
import { field, metricsOf } from './test-case.ts'

const CASE_MEMBERS = [
  'name',
  'input',
  'scenario',
  'turns',
  'actualOutput',
  'expectedOutput',
  'expectedOutcome',
  'completionTime',
]
const METRIC_MEMBERS = ['score', 'success', 'reason', 'error']

/** Undefined for a run without test cases: all of those would be equal. */
export async function digestCases(rows: AsyncIterable<{ row: Json }>): Promise<string | undefined> {
  const hash = createHash('sha256')
  let isEmpty = true
  for await (const { row } of rows) {
    const metrics = metricsOf(row).map(({ evaluator, data }) => [
      evaluator,
      ...METRIC_MEMBERS.map((name) => comparableValue(data.get(name))),
    ])
    hash.update(JSON.stringify([CASE_MEMBERS.map((name) => comparableValue(field(row, name))), metrics]))
    isEmpty = false
  }
  return isEmpty ? undefined : hash.digest('hex')
}

/** 1 and 1.0 are the same score. */
function comparableValue(value: Json | undefined): string | number | undefined {
  return value?.number ?? value?.plain
}
