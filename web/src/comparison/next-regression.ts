// The next regression before or behind a row, wherever in the view it is: the server looks for it.
import { queryClient } from '../api.ts'
import { offsetBeside, type Step } from '../parts/turns.ts'
import { type JoinedRow, nameOfRow } from './opened-row.ts'
import { placeQuestion, type RowQuestion, rowQuestion } from './questions.ts'
import type { OpenRow } from './view.ts'

/** What the table seeks in a view. */
export function regressionsIn(question: RowQuestion) {
  return {
    noun: 'regression',
    isSought: ({ candidates }: JoinedRow) => candidates[0]?.class === 'regressed',
    find: async (from: JoinedRow, isForward: boolean): Promise<number | undefined> => {
      const name = nameOfRow(from)
      const found = name && (await findRegression(question, name, isForward ? 1 : -1))
      const place = found && (await queryClient.fetchQuery(placeQuestion(question, found)))
      return place?.located ?? undefined
    },
  }
}

/** Undefined where there is no more of them that way, or the view is about another class. */
export async function findRegression(
  question: RowQuestion,
  from: OpenRow,
  step: Step,
): Promise<OpenRow | undefined> {
  const { show, order } = question
  if (show !== 'regressed' && show !== 'all') return undefined
  // By themselves regressions come in an order of their own; among all rows they keep that of the view.
  const asked = {
    ...question,
    show: 'regressed' as const,
    order: show === 'all' ? (order ?? 'position') : order,
  }
  const offset = offsetBeside(await queryClient.fetchQuery(placeQuestion(asked, from)), step)
  if (offset === undefined) return undefined
  const { rows } = await queryClient.fetchQuery(rowQuestion(asked, offset))
  return rows[0] && nameOfRow(rows[0])
}
