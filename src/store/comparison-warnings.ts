// What whoever reads a comparison should know before believing it.
import type { ComparedCandidate, Warning } from '../schema/comparisons.ts'
import type { Side, Sides } from './compared-sides.ts'
import type { Connection } from './dialect/dialect.ts'
import { countMatchesByText, type Join, type Joined } from './joins.ts'

/** Those about all of them first, then candidate by candidate. */
export async function findWarnings(
  connection: Connection,
  sides: Sides,
  join: Join,
  compared: ComparedCandidate[],
): Promise<Warning[]> {
  const [base, ...candidates] = sides
  const warnings = [...sides.flatMap(unfinished), ...joinedByPosition(join), ...repeatedInBase(base, join)]
  for (const [place, candidate] of candidates.entries()) {
    const joined = join.joined[place] as Joined
    const found = compared[place] as ComparedCandidate
    warnings.push(
      ...missingRows(candidate, found),
      ...(await otherTypes(connection, candidate, join, joined)),
      ...repeatedRows(candidate, joined.repeats.candidate),
      ...otherAnswers(candidate, found),
      ...otherEvaluators(base, candidate),
      ...otherSettings(base, candidate),
    )
  }
  return warnings
}

type Part = Partial<Pick<Warning, 'evaluator' | 'rows'>>

function warning(code: Warning['code'], side: Side | null, detail: string, about: Part = {}): Warning {
  return { code, evaluation: side?.about.id ?? null, evaluator: null, rows: null, ...about, detail }
}

function unfinished(side: Side): Warning[] {
  if (side.unfinished === undefined) return []
  return [warning('unfinished', side, `The run of '${side.about.id}' ended with '${side.unfinished}'.`)]
}

function joinedByPosition({ by, tried }: Join): Warning[] {
  if (by !== 'position' || tried.length === 1) return []
  const detail = 'Rows are paired by their place alone, for neither ids nor inputs match in enough of them.'
  return [warning('joined-by-position', null, detail)]
}

function repeatedInBase(base: Side, { joined }: Join): Warning[] {
  return repeatedRows(base, joined[0]?.repeats.base ?? 0)
}

function repeatedRows(side: Side, rows: number): Warning[] {
  if (rows === 0) return []
  const detail = `In '${side.about.id}', ${rowsHave(rows)} the key of a row before. Rows with one key are paired in their order.`
  return [warning('rows-repeated', side, detail, { rows })]
}

function missingRows(side: Side, { only_in_base, only_in_candidate }: ComparedCandidate): Warning[] {
  const rows = only_in_base + only_in_candidate
  if (rows === 0) return []
  const detail = `${only_in_base} of the base's rows have no partner in '${side.about.id}', and ${only_in_candidate} of its own have none in the base.`
  return [warning('rows-missing', side, detail, { rows })]
}

/** Asked for only where inputs were to tell rows apart and did not. */
async function otherTypes(
  connection: Connection,
  side: Side,
  { by, tried }: Join,
  joined: Joined,
): Promise<Warning[]> {
  if (by === 'id' || (by === 'position' && tried.length === 1)) return []
  const rows = await countMatchesByText(connection, joined)
  if (rows === 0) return []
  const detail = `${rowsHave(rows)} inputs in '${side.about.id}' that differ from the base's only in type, as 1 and "1" do. They are not taken for the same.`
  return [warning('types-differ', side, detail, { rows })]
}

function otherAnswers(side: Side, { answers_differ: rows }: ComparedCandidate): Warning[] {
  if (rows === 0) return []
  const detail = `${rowsHave(rows)} another expected answer in '${side.about.id}' than in the base.`
  return [warning('answers-differ', side, detail, { rows })]
}

function otherEvaluators(base: Side, candidate: Side): Warning[] {
  return [
    ...onlyIn(base, candidate).map((evaluator) => lacks(candidate, candidate, evaluator)),
    ...onlyIn(candidate, base).map((evaluator) => lacks(candidate, base, evaluator)),
  ]
}

function onlyIn(one: Side, other: Side): string[] {
  const there = new Set(other.evaluators)
  return one.evaluators.filter((name) => !there.has(name))
}

function lacks(candidate: Side, without: Side, evaluator: string): Warning {
  const detail = `'${without.about.id}' has no results of the evaluator '${evaluator}'.`
  return warning('evaluator-missing', candidate, detail, { evaluator })
}

/** What only one of them declares is no contradiction. */
function otherSettings(base: Side, candidate: Side): Warning[] {
  return base.evaluators.flatMap((evaluator) => {
    const [one, other] = [base.declared.get(evaluator), candidate.declared.get(evaluator)]
    if (!one || !other || !candidate.ordinals.has(evaluator)) return []
    if (one.higher_is_better === other.higher_is_better && one.threshold === other.threshold) return []
    const detail = `'${candidate.about.id}' declares the evaluator '${evaluator}' with another direction or threshold than the base. The base's direction is used.`
    return [warning('evaluator-differs', candidate, detail, { evaluator })]
  })
}

function rowsHave(rows: number): string {
  return rows === 1 ? '1 row has' : `${rows} rows have`
}
