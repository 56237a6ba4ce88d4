// What is asked of the API about one scenario and those beside it.
import { queryOptions } from '@tanstack/react-query'
import { assay } from '../api.ts'
import { queryOf, type RowQuestion } from '../evaluation/questions.ts'
import { readScenario } from './exact.ts'

/** The text as the service has it, and the same as values. */
export function exactScenarioQuestion(id: string, scenario: string) {
  return queryOptions({
    queryKey: ['evaluation', id, 'exact', scenario],
    queryFn: async ({ signal }) => {
      const text = await assay.getEvaluationScenarioText(id, scenario, { include: 'extra' }, { signal })
      return { text, scenario: readScenario(text) }
    },
    // Sharing copies values, and a copy of an exact number is none.
    structuralSharing: false,
  })
}

/** The row at one place of a view. */
export function rowQuestion(id: string, question: RowQuestion, offset: number) {
  return queryOptions({
    queryKey: ['evaluation', id, 'row', question, offset],
    queryFn: ({ signal }) =>
      assay.listEvaluationRows(id, { ...queryOf(question), offset, limit: 1, preview: 1 }, { signal }),
  })
}
