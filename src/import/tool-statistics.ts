// Compares what was imported with the counts and means that the tool wrote into the same file.
import type { ImportEvent } from '../schema/import-events.ts'

interface Scores {
  count: number
  sum: number
  texts: number
}

const NO_SCORES: Readonly<Scores> = { count: 0, sum: 0, texts: 0 }

/** Tools add in another order, and some with single precision. */
const RELATIVE_TOLERANCE = 1e-6

/** What was imported into one evaluation. */
export class ImportedStatistics {
  scenarios = 0
  /** Scenarios whose output is an error. */
  failedScenarios = 0
  /** Scenarios without a value of any evaluator. */
  unscoredScenarios = 0
  readonly #scores = new Map<string, Scores>()

  add(event: ImportEvent): void {
    if (event.kind !== 'scenario') return
    const { outputs = [], results = [] } = event.content.value
    this.scenarios += 1
    if (outputs?.some(({ result }) => result?.type === 'error')) this.failedScenarios += 1
    let isScored = false
    for (const { evaluator_config, result } of results ?? []) {
      const value = result?.value
      if (value === null || value === undefined || evaluator_config == null) continue
      isScored = true
      const scores = this.#scores.get(evaluator_config) ?? { ...NO_SCORES }
      this.#scores.set(evaluator_config, scores)
      if (typeof value === 'number' || typeof value === 'boolean') {
        scores.count += 1
        scores.sum += Number(value)
      } else scores.texts += 1
    }
    if (!isScored) this.unscoredScenarios += 1
  }

  /** Numbers, booleans as 0 and 1, and the number of other values. */
  scoresOf(evaluator: string): Readonly<Scores> {
    return this.#scores.get(evaluator) ?? NO_SCORES
  }

  /** Describes how the mean of an evaluator differs from that of the tool. Undefined if it does not. */
  describeMean(evaluator: string, tool: string, metric: string, mean: number): string | undefined {
    const { count, sum, texts } = this.scoresOf(evaluator)
    const imported = sum / count
    const scale = Math.max(1, Math.abs(mean), Math.abs(imported))
    if (count + texts === 0 || Math.abs(imported - mean) <= RELATIVE_TOLERANCE * scale) return undefined
    const numbers = texts === 0 ? '' : ` (${count} of ${count + texts} values are numbers)`
    const importedText =
      count === 0
        ? `none of the ${texts} imported values is a number`
        : `the mean of the imported values is ${formatMean(imported)}${numbers}`
    return `${tool} reports ${formatMean(mean)} as the ${metric} of ${evaluator}, but ${importedText}.`
  }
}

/** Six significant digits. */
function formatMean(mean: number): string {
  return String(Number(mean.toPrecision(6)))
}

/** A note about a difference. Nothing is changed. */
export function differenceNote(pointer: string, detail: string): ImportEvent {
  return { kind: 'note', record: null, line: 1, pointer, detail }
}
