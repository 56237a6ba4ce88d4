// What is asked of the API about one scenario and those beside it.
import { queryOptions } from '@tanstack/react-query'
import type { EvaluationScenario } from 'assay-client'
import { assay } from '../api.ts'
import { queryOf, type RowQuestion } from '../evaluation/questions.ts'
import { numberOf, parseExactly } from '../format/exact.ts'

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

/** Figures of outputs are numbers; whatever somebody reads digit by digit stays as it was written. */
function readScenario(text: string): EvaluationScenario {
  const scenario = parseExactly(text) as EvaluationScenario
  for (const output of scenario.outputs) {
    output.cost = numberOf(output.cost) ?? null
    output.latency = numberOf(output.latency) ?? null
  }
  return scenario
}
