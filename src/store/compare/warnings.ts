// Warnings about a comparison: unmatched or repeated rows, different inputs, answers, evaluators or settings.
import type { ComparedCandidate, Warning } from '../../schema/comparisons.ts'
import type { Connection } from '../dialect/dialect.ts'
import { countGeneratedIds } from '../scenarios/generated-ids.ts'
import type { JoinedColumns } from './joined-columns.ts'
import { type CandidateJoin, countMatchesByText, type Join } from './joins.ts'
import type { Side, Sides } from './sides.ts'

/** Warnings about the whole comparison first, then about each candidate. */
export async function findWarnings(
  columns: JoinedColumns,
  compared: ComparedCandidate[],
): Promise<Warning[]> {
  const { connection, sides, join } = columns
  const [baseline, ...candidates] = sides
  const warnings = [
    ...sides.flatMap(warnUnfinishedRun),
    ...warnJoinedByPosition(join),
    ...(await warnGeneratedIds(connection, sides, join)),
    ...(await warnEqualRows(columns)),
    ...warnRepeatedKeys(baseline, join.joins[0]?.repeatedKeys.baseline ?? 0),
  ]
  for (const [index, candidate] of candidates.entries()) {
    const candidateJoin = join.joins[index] as CandidateJoin
    const statistics = compared[index] as ComparedCandidate
    warnings.push(
      ...warnDifferentInputs(candidate, join, statistics),
      ...warnMissingRows(candidate, statistics),
      ...(await warnDifferentTypes(columns, candidate, join, candidateJoin)),
      ...warnRepeatedKeys(candidate, candidateJoin.repeatedKeys.candidate),
      ...warnDifferentAnswers(candidate, statistics),
      ...warnDifferentEvaluators(baseline, candidate),
      ...warnDifferentSettings(baseline, candidate),
    )
  }
  return warnings
}

type WarningMembers = Partial<Pick<Warning, 'evaluator' | 'rows'>>

function createWarning(
  code: Warning['code'],
  side: Side | null,
  detail: string,
  members: WarningMembers = {},
): Warning {
  return { code, evaluation: side?.info.id ?? null, evaluator: null, rows: null, ...members, detail }
}

function warnUnfinishedRun(side: Side): Warning[] {
  if (side.unfinishedStatus === undefined) return []
  return [
    createWarning(
      'unfinished',
      side,
      `The run of '${side.info.id}' ended with the status '${side.unfinishedStatus}'. Its results can be incomplete.`,
    ),
  ]
}

function warnJoinedByPosition({ by, tried }: Join): Warning[] {
  if (by !== 'position' || tried.length === 1) return []
  const detail =
    'Rows are paired by position, because too few ids and inputs match. Check that the evaluations use the same dataset.'
  return [createWarning('joined-by-position', null, detail)]
}

/** Only if rows are paired by id. Otherwise it does not matter whether ids were generated. */
async function warnGeneratedIds(connection: Connection, sides: Sides, { by }: Join): Promise<Warning[]> {
  if (by !== 'id') return []
  const warnings: Warning[] = []
  for (const side of sides) {
    const rows = await countGeneratedIds(connection, side.key)
    const detail = `In '${side.info.id}', ${rowsHave(rows)} a generated id. Rows are not paired by generated ids. Pair by inputs instead.`
    if (rows > 0) warnings.push(createWarning('ids-generated', side, detail, { rows }))
  }
  return warnings
}

/** Paired by another key, rows can have different inputs. */
function warnDifferentInputs(
  side: Side,
  { by }: Join,
  { inputs_differ: rows, matched, has_different_rows }: ComparedCandidate,
): Warning[] {
  if (rows === 0 || by !== 'id') return []
  const detail = has_different_rows
    ? `These runs do not have the same rows: ${rows} of ${matched} rows with the same id have different inputs in '${side.info.id}' than in the baseline. There is no verdict. Pair by inputs instead.`
    : `${rowsHave(rows)} different inputs in '${side.info.id}' than in the baseline, although the ids are the same. Check that the same id means the same row, or pair by inputs.`
  return [createWarning('inputs-differ', side, detail, { rows })]
}

/** Repeats that a tool has named are not mentioned. */
async function warnEqualRows(columns: JoinedColumns): Promise<Warning[]> {
  const warnings: Warning[] = []
  for (const side of columns.sides) {
    const { equalCount } = await columns.rows(side)
    const have = equalCount === 1 ? '1 scenario has' : `${equalCount} scenarios have`
    const detail = `In '${side.info.id}', ${have} the same inputs and expected answers as an earlier one. They count as repeats of the same row.`
    if (equalCount > 0) warnings.push(createWarning('rows-grouped', side, detail, { rows: equalCount }))
  }
  return warnings
}

function warnRepeatedKeys(side: Side, rows: number): Warning[] {
  if (rows === 0) return []
  const detail = `In '${side.info.id}', ${rowsHave(rows)} the same join key as an earlier row. Rows with the same key are paired in order.`
  return [createWarning('rows-repeated', side, detail, { rows })]
}

function warnMissingRows(side: Side, { only_in_base, only_in_candidate }: ComparedCandidate): Warning[] {
  const rows = only_in_base + only_in_candidate
  if (rows === 0) return []
  const detail = `${rowsHave(only_in_base, 'baseline row')} no match in '${side.info.id}', and ${rowsHave(only_in_candidate, 'candidate row')} no match in the baseline.`
  return [createWarning('rows-missing', side, detail, { rows })]
}

/** Checked only if rows are joined by inputs, or `auto` tried inputs without success. */
async function warnDifferentTypes(
  columns: JoinedColumns,
  side: Side,
  { by, tried }: Join,
  candidateJoin: CandidateJoin,
): Promise<Warning[]> {
  if (by === 'id' || (by === 'position' && tried.length === 1)) return []
  const rows = await countMatchesByText(columns, candidateJoin)
  if (rows === 0) return []
  const detail = `${rowsHave(rows)} inputs in '${side.info.id}' that differ from the baseline only in type, such as 1 and "1". Values of different types do not match.`
  return [createWarning('types-differ', side, detail, { rows })]
}

function warnDifferentAnswers(side: Side, { answers_differ: rows }: ComparedCandidate): Warning[] {
  if (rows === 0) return []
  const detail = `${rowsHave(rows)} a different expected answer in '${side.info.id}' than in the baseline.`
  return [createWarning('answers-differ', side, detail, { rows })]
}

function warnDifferentEvaluators(baseline: Side, candidate: Side): Warning[] {
  return [
    ...evaluatorsOnlyIn(baseline, candidate).map((evaluator) =>
      warnMissingEvaluator(candidate, candidate, evaluator),
    ),
    ...evaluatorsOnlyIn(candidate, baseline).map((evaluator) =>
      warnMissingEvaluator(candidate, baseline, evaluator),
    ),
  ]
}

function evaluatorsOnlyIn(side: Side, otherSide: Side): string[] {
  const names = new Set(otherSide.evaluators)
  return side.evaluators.filter((name) => !names.has(name))
}

function warnMissingEvaluator(candidate: Side, sideWithout: Side, evaluator: string): Warning {
  const detail = `'${sideWithout.info.id}' has no results for the evaluator '${evaluator}'.`
  return createWarning('evaluator-missing', candidate, detail, { evaluator })
}

/** An evaluator that only one side declares is not a difference. */
function warnDifferentSettings(baseline: Side, candidate: Side): Warning[] {
  return baseline.evaluators.flatMap((evaluator) => {
    const [baselineSettings, candidateSettings] = [
      baseline.declared.get(evaluator),
      candidate.declared.get(evaluator),
    ]
    if (!baselineSettings || !candidateSettings || !candidate.ordinals.has(evaluator)) return []
    const { higher_is_better, threshold } = candidateSettings
    if (baselineSettings.higher_is_better === higher_is_better && baselineSettings.threshold === threshold)
      return []
    const detail = `'${candidate.info.id}' declares the evaluator '${evaluator}' with a different direction or threshold than the baseline. The direction of the baseline is used.`
    return [createWarning('evaluator-differs', candidate, detail, { evaluator })]
  })
}

function rowsHave(rows: number, noun = 'row'): string {
  return rows === 1 ? `1 ${noun} has` : `${rows} ${noun}s have`
}
