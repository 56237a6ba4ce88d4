// Compares the labels of two evaluations over their matched rows with answers to the same question.
import { Problem } from '../../errors.ts'
import type { AnswerType, ReviewAnswer } from '../../schema/reviews/answers.ts'
import type { ComparedLabel, LabelComparison } from '../../schema/reviews/label-comparisons.ts'
import type { JoinedColumns } from '../compare/joined-columns.ts'
import type { Side } from '../compare/sides.ts'
import type { Connection } from '../dialect/dialect.ts'
import { MIN_ROWS } from '../statistics/paired-differences.ts'
import { roundRate, roundStatistic } from '../statistics/rounding.ts'
import { verdictInterval } from '../statistics/verdict-interval.ts'
import { labelsOf } from './outcomes.ts'
import { listReviews } from './reviews.ts'

/** Throws invalid-request if neither evaluation has a review with a question for this evaluator. */
export async function compareLabels(
  columns: JoinedColumns,
  project: number,
  evaluator: string,
): Promise<LabelComparison> {
  const { connection, baseline, first } = columns
  const base = await readLabels(connection, project, baseline, evaluator)
  const candidate = await readLabels(connection, project, first, evaluator)
  if (!base && !candidate)
    throw new Problem(
      'invalid-request',
      `Neither evaluation has a review with a question for '${evaluator}'.`,
    )
  const { candidatePositions } = columns.pairIndex(0)
  const common = [...(base ?? [])].flatMap(([position, before]) => {
    const after = candidate?.get(candidatePositions[position] ?? -1)
    return after ? [{ before, after }] : []
  })
  const names = new Set(common.flatMap(({ before, after }) => [...before, ...after]))
  return {
    evaluator,
    base_id: baseline.info.id,
    candidate_id: first.info.id,
    common_rows: common.length,
    labels: [...names]
      .map((label) => compareLabel(label, common))
      .sort((a, b) => b.rows - a.rows || b.base_rows - a.base_rows || (a.label < b.label ? -1 : 1)),
  }
}

function compareLabel(
  label: string,
  common: readonly { before: Set<string>; after: Set<string> }[],
): ComparedLabel {
  const n = common.length
  const base_rows = common.filter(({ before }) => before.has(label)).length
  const rows = common.filter(({ after }) => after.has(label)).length
  const both = common.filter(({ before, after }) => before.has(label) && after.has(label)).length
  const [low, high] =
    n < MIN_ROWS ? [null, null] : verdictInterval({ n, higher: rows - both, lower: base_rows - both }, 0.95)
  const interval: ComparedLabel['interval'] =
    low === null ? null : [roundStatistic(low) as number, roundStatistic(high) as number]
  const delta = roundRate(rows - base_rows, n) as number
  return { label, state: stateOf(base_rows, rows, interval), base_rows, rows, delta, interval }
}

function stateOf(before: number, after: number, interval: ComparedLabel['interval']): ComparedLabel['state'] {
  if (before === 0) return 'new'
  if (after === 0) return 'gone'
  const [low = 0, high = 0] = interval ?? []
  if (low > 0) return 'more'
  return high < 0 ? 'less' : 'unclear'
}

/** The labels of rows with a definite answer, by position. Undefined if no review asks for the evaluator. */
async function readLabels(
  connection: Connection,
  project: number,
  { key, info }: Side,
  evaluator: string,
): Promise<Map<number, Set<string>> | undefined> {
  const type = await findType(connection, project, info.id, evaluator)
  if (type === undefined) return undefined
  const rows = await connection.all<{ position: number; answers: string }>(
    'SELECT position, answers FROM answer WHERE evaluation = ?',
    key,
  )
  return new Map(
    rows.flatMap(({ position, answers }): [number, Set<string>][] => {
      const own = (JSON.parse(answers) as ReviewAnswer[]).filter((answer) => answer.evaluator === evaluator)
      const labels = labelsOf(type, own)
      return labels ? [[position, labels]] : []
    }),
  )
}

async function findType(
  connection: Connection,
  project: number,
  evaluation_id: string,
  evaluator: string,
): Promise<AnswerType | undefined> {
  const reviews = await listReviews(connection, project, evaluation_id)
  return reviews.flatMap(({ questions }) => questions).find((question) => question.evaluator === evaluator)
    ?.type
}
