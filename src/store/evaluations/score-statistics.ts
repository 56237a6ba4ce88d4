// The counts, exact sums and median that the scores of an evaluation are computed from. They are updated row by row, without
// reading other rows.
import type { EvaluatorScores, Scores } from '../../schema/scores.ts'
import { ExactSum } from '../statistics/exact-sum.ts'
import { roundRate } from '../statistics/rounding.ts'
import { MedianCounter, type StoredMedian } from '../statistics/stored-median.ts'
import { DEFAULT_EVALUATOR, type DeclaredEvaluator, type DeclaredEvaluators, passes } from './evaluators.ts'

/** The result of one evaluator in one scenario. It has a score if it has a number and no error. */
export interface ResultScore {
  evaluator: string
  number: number | null
  isVerdict: boolean
  isError: boolean
}

/** What the scores of an evaluation depend on in one scenario. */
export interface RowScores {
  cost: number | null
  latency: number | null
  hasError: boolean
  /** At most one result per evaluator. */
  results: ResultScore[]
}

/** The results of one evaluator. */
interface EvaluatorStatistics {
  /** The number of results, with or without a score. */
  results: number
  n: number
  errors: number
  /** The number of scores that are true or false. */
  verdicts: number
  /** The number of scores that are true. */
  passed: number
  /** The number of other scores that reach the threshold. */
  passed_numbers: number
  /** Of the scores that are not verdicts. */
  sum: ExactSum
}

type StoredEvaluator = Omit<EvaluatorStatistics, 'sum'> & { name: string; sum: string }

interface StoredStatistics {
  output_errors: number
  cost: { n: number; sum: string }
  latency: { sum: string; median: StoredMedian }
  evaluators: StoredEvaluator[]
}

export class ScoreStatistics {
  readonly #declared: DeclaredEvaluators
  #outputErrors = 0
  #costCount = 0
  #costSum = new ExactSum()
  #latencySum = new ExactSum()
  #latencyMedian = new MedianCounter()
  /** By name. */
  #evaluators = new Map<string, EvaluatorStatistics>()

  constructor(declared: DeclaredEvaluators) {
    this.#declared = declared
  }

  /** `text` is the result of toText. */
  static parse(text: string, declared: DeclaredEvaluators): ScoreStatistics {
    const stored = JSON.parse(text) as StoredStatistics
    const statistics = new ScoreStatistics(declared)
    statistics.#outputErrors = stored.output_errors
    statistics.#costCount = stored.cost.n
    statistics.#costSum = new ExactSum(stored.cost.sum)
    statistics.#latencySum = new ExactSum(stored.latency.sum)
    statistics.#latencyMedian = new MedianCounter(stored.latency.median)
    for (const { name, sum, ...counts } of stored.evaluators)
      statistics.#evaluators.set(name, { ...counts, sum: new ExactSum(sum) })
    return statistics
  }

  /** The same content has the same text, whatever the order of the changes. */
  toText(): string {
    const stored: StoredStatistics = {
      output_errors: this.#outputErrors,
      cost: { n: this.#costCount, sum: this.#costSum.toText() },
      latency: { sum: this.#latencySum.toText(), median: this.#latencyMedian.toJSON() },
      evaluators: [...this.#evaluators].map(([name, { sum, ...counts }]) => ({
        name,
        ...counts,
        sum: sum.toText(),
      })),
    }
    return JSON.stringify(stored)
  }

  addRow({ cost, latency, hasError, results }: RowScores): void {
    this.#outputErrors += Number(hasError)
    if (cost !== null) {
      this.#costCount += 1
      this.#costSum.add(cost)
    }
    if (latency !== null) {
      this.#latencySum.add(latency)
      this.#latencyMedian.add(latency)
    }
    for (const result of results) this.addResult(result)
  }

  removeRow({ cost, latency, hasError, results }: RowScores): void {
    this.#outputErrors -= Number(hasError)
    if (cost !== null) {
      this.#costCount -= 1
      this.#costSum.remove(cost)
    }
    if (latency !== null) {
      this.#latencySum.remove(latency)
      this.#latencyMedian.remove(latency)
    }
    for (const result of results) this.removeResult(result)
  }

  addResult(result: ResultScore): void {
    this.#countResult(result, 1)
    if (isNumber(result)) this.#evaluator(result.evaluator).sum.add(result.number)
  }

  removeResult(result: ResultScore): void {
    this.#countResult(result, -1)
    if (isNumber(result)) this.#evaluator(result.evaluator).sum.remove(result.number)
  }

  deleteEvaluator(name: string): void {
    this.#evaluators.delete(name)
  }

  setPassedNumbers(name: string, count: number): void {
    this.#evaluator(name).passed_numbers = count
  }

  /** Sorts the evaluators, and removes those without results. */
  orderEvaluators(names: Iterable<string>): void {
    const evaluators = new Map<string, EvaluatorStatistics>()
    for (const name of names) {
      const evaluator = this.#evaluators.get(name)
      if (evaluator && evaluator.results > 0) evaluators.set(name, evaluator)
    }
    this.#evaluators = evaluators
  }

  declarationOf(name: string): DeclaredEvaluator {
    return this.#declared.get(name) ?? DEFAULT_EVALUATOR
  }

  /** Whether the median of the latencies needs all of them again: see MedianCounter. */
  get needsLatencies(): boolean {
    return this.#latencyMedian.needsNumbers
  }

  setLatencies(latencies: Iterable<number>): void {
    this.#latencyMedian = new MedianCounter()
    for (const latency of latencies) this.#latencyMedian.add(latency)
  }

  get scores(): Scores {
    const latencyCount = this.#latencyMedian.count
    return {
      output_errors: this.#outputErrors,
      cost: { n: this.#costCount, ...this.#costSum.totals(this.#costCount) },
      latency: {
        n: latencyCount,
        mean: this.#latencySum.totals(latencyCount).mean,
        p50: this.#latencyMedian.median,
      },
      evaluators: [...this.#evaluators].map(([name, evaluator]) =>
        toEvaluatorScores(name, this.declarationOf(name), evaluator),
      ),
    }
  }

  #countResult(result: ResultScore, sign: 1 | -1): void {
    const { evaluator: name, number, isVerdict, isError } = result
    const evaluator = this.#evaluator(name)
    evaluator.results += sign
    if (isError) evaluator.errors += sign
    if (isError || number === null) return
    evaluator.n += sign
    if (isVerdict) {
      evaluator.verdicts += sign
      evaluator.passed += sign * number
    } else if (passes(this.declarationOf(name), number)) evaluator.passed_numbers += sign
  }

  #evaluator(name: string): EvaluatorStatistics {
    let evaluator = this.#evaluators.get(name)
    if (!evaluator) {
      evaluator = {
        results: 0,
        n: 0,
        errors: 0,
        verdicts: 0,
        passed: 0,
        passed_numbers: 0,
        sum: new ExactSum(),
      }
      this.#evaluators.set(name, evaluator)
    }
    return evaluator
  }
}

function isNumber(result: ResultScore): result is ResultScore & { number: number } {
  return result.number !== null && !result.isError && !result.isVerdict
}

function toEvaluatorScores(
  name: string,
  { higher_is_better, threshold }: DeclaredEvaluator,
  { n, errors, verdicts, passed, passed_numbers, sum }: EvaluatorStatistics,
): EvaluatorScores {
  const { mean } = sum.totals(n, passed)
  const pass_rate = roundRate(passed + passed_numbers, threshold === null ? verdicts : n)
  return { name, higher_is_better, n, errors, mean, pass_rate }
}
