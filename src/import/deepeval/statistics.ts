// Compares the test cases of a DeepEval file with the counts of the run.
import type { Json } from '../../json/value.ts'
import type { ImportEvent } from '../../schema/import-events.ts'
import { differenceNote } from '../tool-statistics.ts'
import { field } from './test-case.ts'

/** Test cases without a verdict are in none of the counts. */
export class Verdicts {
  #passed = 0
  #failed = 0

  add(row: Json): void {
    const success = row.get('success')?.boolean
    if (success === true) this.#passed += 1
    else if (success === false) this.#failed += 1
  }

  *notes(run: Json): Generator<ImportEvent> {
    const { passed, failed } = countsOf(run)
    if (passed + failed === 0 || (passed === this.#passed && failed === this.#failed)) return
    const detail =
      `DeepEval counts ${passed} passed and ${failed} failed test cases, ` +
      `but the file has ${this.#passed} passed and ${this.#failed} failed ones.`
    yield differenceNote('/testPassed', detail)
  }
}

/** The number of test cases that the run counts. */
export function countCases(run: Json): number {
  const { passed, failed } = countsOf(run)
  return passed + failed
}

function countsOf(run: Json): { passed: number; failed: number } {
  return { passed: field(run, 'testPassed')?.number ?? 0, failed: field(run, 'testFailed')?.number ?? 0 }
}
