// The regression gate: decides whether a candidate is worse than the baseline, or why that cannot be decided.
import { Problem } from '../../errors.ts'
import type { ComparedEvaluator } from '../../schema/comparisons.ts'
import {
  DEFAULT_MIN_MATCHED,
  type Gate,
  type GateCheck,
  type GateReason,
  type GateRules,
} from '../../schema/gate.ts'
import { confidenceOf, judgeLoss, measureLoss, type Selected } from './gate-losses.ts'
import * as reason from './gate-reasons.ts'
import type { JoinedColumns } from './joined-columns.ts'
import type { CandidateJoin } from './joins.ts'
import { NO_STATISTICS, type RowStatistics } from './paired-statistics.ts'
import type { Side } from './sides.ts'

/** `index` is that of the candidate, `statistics` are those of its evaluators. Throws invalid-request if a rule has the wrong unit. */
export async function decideGate(
  columns: JoinedColumns,
  index: number,
  compared: { evaluators: ComparedEvaluator[]; has_different_rows: boolean },
  statistics: ReadonlyMap<string, RowStatistics>,
  rules: GateRules,
): Promise<Gate> {
  const candidate = columns.sides[index + 1] as Side
  const scored = await countScores(columns)
  const selected = selectEvaluators(columns, candidate, scored, rules.on)
  checkUnits(selected, rules)
  const confidence = confidenceOf(selected.length)
  const checks: GateCheck[] = []
  const reasons: EvaluatorReasons = { failed: [], missing: [], passed: [] }
  for (const evaluator of selected) {
    const { name } = evaluator
    const { classes, higher_is_better } = compared.evaluators.find(
      (one) => one.name === name,
    ) as ComparedEvaluator
    const { pairs } = statistics.get(name) ?? NO_STATISTICS
    const check = measureLoss(evaluator, pairs, higher_is_better, confidence)
    checks.push(check)
    const failed = judgeLoss(check, classes, rules, confidence)
    if (isMissingScores(check, rules)) reasons.missing.push(reason.scoresMissing(check, candidate.info.id))
    else if (failed.length > 0) reasons.failed.push(...failed)
    else reasons.passed.push(check.interval ? reason.notWorse(check) : reason.notExcluded(check))
  }
  const obstacles = [
    ...[columns.baseline, candidate].flatMap(judgeRun),
    ...judgeRows(columns.join.joins[index] as CandidateJoin, compared.has_different_rows, rules),
    ...(checks.length === 0 ? [reason.nothingChecked([...scored.keys()])] : []),
  ]
  const checkedNames = new Set(checks.map(({ name }) => name))
  const names = new Set([...columns.baseline.evaluators, ...candidate.evaluators])
  return {
    ...decide(obstacles, reasons),
    checks,
    unchecked: [...names].filter((name) => !checkedNames.has(name)),
  }
}

/** The reasons of evaluators that are worse, that have too few scores, and of the others. */
type EvaluatorReasons = Record<'failed' | 'missing' | 'passed', GateReason[]>

/** `obstacles` prevent any decision. Scores that one evaluator misses do not prevent the decision that another one is worse. */
function decide(
  obstacles: GateReason[],
  { failed, missing, passed }: EvaluatorReasons,
): Pick<Gate, 'decision' | 'reasons'> {
  if (obstacles.length > 0) return { decision: 'invalid', reasons: [...obstacles, ...missing] }
  const isCertain = ({ code }: GateReason) => code === 'certain'
  const mostCertainFirst = [...failed.filter(isCertain), ...failed.filter((each) => !isCertain(each))]
  if (failed.length > 0) return { decision: 'failed', reasons: [...mostCertainFirst, ...missing] }
  return missing.length > 0
    ? { decision: 'invalid', reasons: missing }
    : { decision: 'passed', reasons: passed }
}

/** The evaluators of the baseline that have scored rows. */
async function countScores(columns: JoinedColumns): Promise<Map<string, Selected>> {
  const counts = new Map<string, Selected>()
  for (const name of columns.baseline.evaluators) {
    const scores = await columns.rowScores(columns.baseline, name)
    let [scored, verdicts] = [0, 0]
    for (const [row, number] of scores?.numbers.entries() ?? [])
      if (!Number.isNaN(number)) {
        scored += 1
        verdicts += scores?.verdicts[row] as number
      }
    if (scored > 0) counts.set(name, { name, scored, is_verdict: verdicts === scored })
  }
  return counts
}

/** Those of `on`, else all that can tell better from worse. People judge later, so their evaluators are not expected. */
function selectEvaluators(
  { baseline, sides }: JoinedColumns,
  candidate: Side,
  scored: ReadonlyMap<string, Selected>,
  on: string | undefined,
): Selected[] {
  if (on !== undefined) {
    const known = new Set(sides.flatMap(({ evaluators }) => evaluators))
    return splitNames(on, known).map((name) => scored.get(name) ?? { name, scored: 0, is_verdict: false })
  }
  const isHuman = (name: string) =>
    (baseline.declared.get(name) ?? candidate.declared.get(name))?.kind === 'human'
  const isDirected = (name: string) => baseline.directed.has(name) || candidate.directed.has(name)
  return [...scored.values()].filter(
    ({ name, is_verdict }) => !isHuman(name) && (is_verdict || isDirected(name)),
  )
}

/** The name of one evaluator can contain commas. */
function splitNames(text: string, known: ReadonlySet<string>): string[] {
  const names = known.has(text) ? [text] : [...new Set(text.split(',').map((name) => name.trim()))]
  const unknown = names.find((name) => !known.has(name))
  if (unknown === undefined) return names
  throw new Problem('invalid-request', reason.unknownEvaluator(unknown, [...known]))
}

/** A limit of 1 or more allows every loss of a pass rate, so it was meant in another unit. */
function checkUnits(selected: Selected[], rules: GateRules): void {
  if (!selected.some(({ is_verdict }) => is_verdict)) return
  for (const name of ['tolerance', 'max_loss'] as const) {
    const value = rules[name] ?? 0
    if (value >= 1) throw new Problem('invalid-request', reason.wrongUnit(name, value))
  }
}

function judgeRun({ info, run }: Side): GateReason[] {
  const { id, scenario_count } = info
  const { status, expected_count } = run
  if (status === 'running') return [reason.running(id)]
  if (status === 'failed') return [reason.runFailed(id)]
  if (expected_count === null || expected_count === scenario_count) return []
  return [reason.countDiffers(id, scenario_count, expected_count)]
}

function judgeRows(
  { matched, baseline }: CandidateJoin,
  hasDifferentRows: boolean,
  { min_matched = DEFAULT_MIN_MATCHED }: GateRules,
): GateReason[] {
  if (hasDifferentRows) return [reason.rowsDiffer()]
  const { rowCount } = baseline
  return rowCount > 0 && matched / rowCount < min_matched
    ? [reason.rowsMissing(matched, rowCount, min_matched)]
    : []
}

/** Unmatched rows have no score either, so a lower share of matched rows also allows fewer scores. */
function isMissingScores(
  { n, scored }: GateCheck,
  { min_matched = DEFAULT_MIN_MATCHED }: GateRules,
): boolean {
  return n === 0 || n / scored < Math.min(DEFAULT_MIN_MATCHED, min_matched)
}
