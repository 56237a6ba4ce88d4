// Computes the statistics of the cases that compare_statistics.py writes to standard input, and prints them as JSON.
import { text } from 'node:stream/consumers'
import type { VerdictCounts } from '../../src/store/statistics/agreement.ts'
import { correctRate } from '../../src/store/statistics/corrected-rate.ts'
import { fisherExact } from '../../src/store/statistics/fisher-test.ts'
import { meanInterval, rateInterval } from '../../src/store/statistics/mean-interval.ts'
import { summarizeDifferences } from '../../src/store/statistics/paired-differences.ts'

interface Case {
  confidence: number
  /** The scores of each row, without missing ones, in rows with a score on both sides. */
  baseline: number[][]
  candidate: number[][]
}

/** Passes and runs of two sides. */
type Table = [passesA: number, countA: number, passesB: number, countB: number]

/** All rows, those that pass with the judge, and the judged rows. */
type JudgedRows = [rows: number, passed: number, counts: VerdictCounts]

interface Input {
  cases: Case[]
  tables: Table[]
  judged: JudgedRows[]
}

const { cases, tables, judged }: Input = JSON.parse(await text(process.stdin))
const results = {
  cases: cases.map(evaluate),
  tables: tables.map((table) => fisherExact(...table)),
  judged: judged.map((rows) => correctRate(...rows)),
}
process.stdout.write(JSON.stringify(results))

function evaluate({ confidence, baseline, candidate }: Case) {
  const rows = [...baseline, ...candidate]
  const isVerdict = (_: unknown, row: number) =>
    [...(baseline[row] ?? []), ...(candidate[row] ?? [])].every((score) => score === 0 || score === 1)
  const verdicts = baseline.filter(isVerdict).length
  const hasRepeats = rows.some((scores) => scores.length > 1)
  const [base, means] = [baseline.map(meanOf), candidate.map(meanOf)].map((numbers) =>
    Float64Array.from(numbers),
  ) as [Float64Array, Float64Array]
  const runs = candidate.flat().length
  return {
    ...summarizeDifferences({ baseline: base, candidate: means, verdicts, hasRepeats }, confidence),
    mean_interval: meanInterval(means, confidence),
    rate_interval:
      verdicts === baseline.length
        ? rateInterval({ means, hasRepeats: runs > means.length, runs }, confidence)
        : null,
  }
}

function meanOf(scores: number[]): number {
  return scores.reduce((sum, score) => sum + score, 0) / scores.length
}
