// Warnings about a comparison: unmatched or repeated rows, different answers, evaluators or settings.
import type { ComparedCandidate, Warning } from '../../schema/comparisons.ts'
import type { Connection } from '../dialect/dialect.ts'
import { type CandidateJoin, countMatchesByText, type Join } from './joins.ts'
import type { Side, Sides } from './sides.ts'

/** Warnings about the whole comparison first, then about each candidate. */
export async function findWarnings(
  connection: Connection,
  sides: Sides,
  join: Join,
  compared: ComparedCandidate[],
): Promise<Warning[]> {
  const [baseline, ...candidates] = sides
  const warnings = [
    ...sides.flatMap(unfinishedRun),
    ...joinedByPosition(join),
    ...repeatedInBaseline(baseline, join),
  ]
  for (const [index, candidate] of candidates.entries()) {
    const candidateJoin = join.joins[index] as CandidateJoin
    const statistics = compared[index] as ComparedCandidate
    warnings.push(
      ...missingRows(candidate, statistics),
      ...(await differentTypes(connection, candidate, join, candidateJoin)),
      ...repeatedRows(candidate, candidateJoin.repeats.candidate),
      ...differentAnswers(candidate, statistics),
      ...differentEvaluators(baseline, candidate),
      ...differentSettings(baseline, candidate),
    )
  }
  return warnings
}

type WarningMembers = Partial<Pick<Warning, 'evaluator' | 'rows'>>

function warning(
  code: Warning['code'],
  side: Side | null,
  detail: string,
  members: WarningMembers = {},
): Warning {
  return { code, evaluation: side?.info.id ?? null, evaluator: null, rows: null, ...members, detail }
}

function unfinishedRun(side: Side): Warning[] {
  if (side.unfinishedStatus === undefined) return []
  return [
    warning(
      'unfinished',
      side,
      `The run of '${side.info.id}' ended with the status '${side.unfinishedStatus}'. Its results can be incomplete.`,
    ),
  ]
}

function joinedByPosition({ by, tried }: Join): Warning[] {
  if (by !== 'position' || tried.length === 1) return []
  const detail =
    'Rows are paired by position, because too few ids and inputs match. Check that the evaluations use the same dataset.'
  return [warning('joined-by-position', null, detail)]
}

function repeatedInBaseline(baseline: Side, { joins }: Join): Warning[] {
  return repeatedRows(baseline, joins[0]?.repeats.baseline ?? 0)
}

function repeatedRows(side: Side, rows: number): Warning[] {
  if (rows === 0) return []
  const detail = `In '${side.info.id}', ${rowsHave(rows)} the same join key as an earlier row. Rows with the same key are paired in order.`
  return [warning('rows-repeated', side, detail, { rows })]
}

function missingRows(side: Side, { only_in_base, only_in_candidate }: ComparedCandidate): Warning[] {
  const rows = only_in_base + only_in_candidate
  if (rows === 0) return []
  const detail = `${rowsHave(only_in_base, 'baseline row')} no match in '${side.info.id}', and ${rowsHave(only_in_candidate, 'candidate row')} no match in the baseline.`
  return [warning('rows-missing', side, detail, { rows })]
}

/** Checked only if rows are joined by inputs, or `auto` tried inputs without success. */
async function differentTypes(
  connection: Connection,
  side: Side,
  { by, tried }: Join,
  candidateJoin: CandidateJoin,
): Promise<Warning[]> {
  if (by === 'id' || (by === 'position' && tried.length === 1)) return []
  const rows = await countMatchesByText(connection, candidateJoin)
  if (rows === 0) return []
  const detail = `${rowsHave(rows)} inputs in '${side.info.id}' that differ from the baseline only in type, such as 1 and "1". Values of different types do not match.`
  return [warning('types-differ', side, detail, { rows })]
}

function differentAnswers(side: Side, { answers_differ: rows }: ComparedCandidate): Warning[] {
  if (rows === 0) return []
  const detail = `${rowsHave(rows)} a different expected answer in '${side.info.id}' than in the baseline.`
  return [warning('answers-differ', side, detail, { rows })]
}

function differentEvaluators(baseline: Side, candidate: Side): Warning[] {
  return [
    ...onlyIn(baseline, candidate).map((evaluator) => missingEvaluator(candidate, candidate, evaluator)),
    ...onlyIn(candidate, baseline).map((evaluator) => missingEvaluator(candidate, baseline, evaluator)),
  ]
}

function onlyIn(one: Side, other: Side): string[] {
  const names = new Set(other.evaluators)
  return one.evaluators.filter((name) => !names.has(name))
}

function missingEvaluator(candidate: Side, without: Side, evaluator: string): Warning {
  const detail = `'${without.info.id}' has no results for the evaluator '${evaluator}'.`
  return warning('evaluator-missing', candidate, detail, { evaluator })
}

/** An evaluator that only one side declares is not a difference. */
function differentSettings(baseline: Side, candidate: Side): Warning[] {
  return baseline.evaluators.flatMap((evaluator) => {
    const [one, other] = [baseline.declared.get(evaluator), candidate.declared.get(evaluator)]
    if (!one || !other || !candidate.ordinals.has(evaluator)) return []
    if (one.higher_is_better === other.higher_is_better && one.threshold === other.threshold) return []
    const detail = `'${candidate.info.id}' declares the evaluator '${evaluator}' with a different direction or threshold than the baseline. The direction of the baseline is used.`
    return [warning('evaluator-differs', candidate, detail, { evaluator })]
  })
}

function rowsHave(rows: number, noun = 'row'): string {
  return rows === 1 ? `1 ${noun} has` : `${rows} ${noun}s have`
}
