// Compares candidates with a baseline over their paired rows.
import type {
  ComparedCandidate,
  ComparedEvaluator,
  Comparison,
  PairedStatistics,
} from '../../schema/comparisons.ts'
import type { GateRules } from '../../schema/gate.ts'
import { decideGate } from './gate.ts'
import type { JoinedColumns } from './joined-columns.ts'
import { type CandidateJoin, countChanges, type Join } from './joins.ts'
import {
  countChangedRows,
  NO_STATISTICS,
  type RowStatistics,
  readPairedStatistics,
  toDifference,
} from './paired-statistics.ts'
import { countLabels } from './rows/labels.ts'
import { isHigherBetter, listEvaluators, type Side } from './sides.ts'
import { findWarnings } from './warnings.ts'

/** Throws invalid-request if a rule of the gate is wrong. */
export async function compareEvaluations(
  columns: JoinedColumns,
  requestedKey: string,
  rules: GateRules,
): Promise<Comparison> {
  const { join } = columns
  const candidates: ComparedCandidate[] = []
  for (const candidate of join.joins.keys())
    candidates.push(await compareCandidate(columns, candidate, rules))
  return {
    evaluations: await describeEvaluations(columns),
    join: describeJoin(join, requestedKey),
    candidates,
    warnings: await findWarnings(columns, candidates),
  }
}

async function describeEvaluations(columns: JoinedColumns): Promise<Comparison['evaluations']> {
  const evaluations: Comparison['evaluations'] = []
  for (const side of columns.sides)
    evaluations.push({ ...side.info, row_count: (await columns.rows(side)).count })
  return evaluations
}

export function describeJoin({ by, tried }: Join, requestedKey: string): Comparison['join'] {
  return { by, asked: requestedKey, tried }
}

async function compareCandidate(
  columns: JoinedColumns,
  index: number,
  rules: GateRules,
): Promise<ComparedCandidate> {
  const { connection, baseline, sides, join } = columns
  const candidate = sides[index + 1] as Side
  const candidateJoin = join.joins[index] as CandidateJoin
  const { matched, rate } = candidateJoin
  const names = listEvaluators(sides)
  const { evaluators, cost, latency } = await readPairedStatistics(columns, index, names)
  const labels: ComparedEvaluator['labels'][] = []
  for (const name of names) labels.push(await countLabels(columns, index, name))
  const only_in_base = candidateJoin.baseline.rowCount - matched
  const only_in_candidate = candidateJoin.candidate.rowCount - matched
  const compared = {
    id: candidate.info.id,
    matched,
    match_rate: rate,
    only_in_base,
    only_in_candidate,
    ...(await countChanges(connection, candidateJoin)),
    has_different_rows: await columns.hasDifferentRows(index),
    evaluators: names.map((name, evaluator) => {
      const higherIsBetter = isHigherBetter(baseline, candidate, name)
      const statistics = evaluators.get(name) ?? NO_STATISTICS
      const { regressed, improved, unclear } = countChangedRows(statistics, higherIsBetter)
      const { n, p_value } = statistics
      return {
        name,
        higher_is_better: higherIsBetter,
        ...toPairedStatistics(statistics, higherIsBetter),
        is_verdict: n > 0 && statistics.verdicts === n,
        p_value,
        labels: labels[evaluator] ?? null,
        classes: {
          regressed,
          improved,
          same: n - regressed - improved - unclear,
          unclear,
          incomparable: matched - n,
          missing: only_in_base + only_in_candidate,
        },
      }
    }),
    cost: toPairedStatistics(cost, false),
    latency: toPairedStatistics(latency, false),
    preferences: [],
  }
  return { ...compared, gate: await decideGate(columns, index, compared, evaluators, rules) }
}

function toPairedStatistics(statistics: RowStatistics, higherIsBetter: boolean): PairedStatistics {
  const { n, base_mean, mean } = statistics
  return { n, base_mean, mean, ...toDifference(statistics, higherIsBetter) }
}
