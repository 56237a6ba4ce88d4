// Queries about one scenario, and the mutation that pins it or edits its note.
import { type QueryClient, queryOptions, useMutation, useQueryClient } from '@tanstack/react-query'
import type { EvaluationRows, EvaluationScenario, ScenarioPatch } from 'assay-client'
import { parseExactly } from '../../../src/json/exact-values.ts'
import { assay } from '../api/client.ts'
import { numberOf } from '../format/exact-json.ts'
import { refetchFollowed } from './following.ts'

/** The JSON text as stored, and its parsed value. */
export function scenarioTextQuery(id: string, scenario: string) {
  return queryOptions({
    queryKey: ['evaluation', id, 'exact', scenario],
    queryFn: async ({ signal }) => {
      const text = await assay.getEvaluationScenarioText(id, scenario, { include: 'extra' }, { signal })
      return { text, scenario: readScenario(text) }
    },
    // The default would copy raw JSON numbers, and the copies lose their digits.
    structuralSharing: (previous, next) => (isSameText(previous, next) ? previous : next),
  })
}

function isSameText(previous: unknown, next: unknown): boolean {
  return (previous as { text: string } | undefined)?.text === (next as { text: string }).text
}

/** The same row in other evaluations of the variant, the newest first. */
export function scenarioHistoryQuery(id: string, scenario: string) {
  return queryOptions({
    queryKey: ['evaluation', id, 'history', scenario],
    queryFn: ({ signal }) => assay.getScenarioHistory(id, scenario, { signal }),
  })
}

/** Characters of a text that a hint shows. */
const START_LENGTH = 300

/** The start of each text of a row; null if the row was deleted. */
export function rowStartQuery(id: string, scenario: string) {
  return queryOptions({
    queryKey: ['evaluation', id, 'start', scenario],
    queryFn: async ({ signal }) => {
      const params = { locate: scenario, limit: 1, preview: START_LENGTH }
      const { rows } = await assay.listEvaluationRows(id, params, { signal })
      return rows.find((row) => row.id === scenario) ?? null
    },
  })
}

/** Converts cost and latency to numbers. All other values keep their exact digits. */
function readScenario(text: string): EvaluationScenario {
  const scenario = parseExactly(text) as EvaluationScenario
  for (const output of scenario.outputs) {
    output.cost = numberOf(output.cost) ?? null
    output.latency = numberOf(output.latency) ?? null
  }
  return scenario
}

export function useMarkScenario(evaluationId: string, scenarioId: string) {
  const queryClient = useQueryClient()
  return useMutation({
    mutationFn: (patch: ScenarioPatch) => markScenario(queryClient, evaluationId, scenarioId, patch),
  })
}

/** Pins a scenario or changes its note, and updates everything that shows it. */
export async function markScenario(
  queryClient: QueryClient,
  evaluationId: string,
  scenarioId: string,
  patch: ScenarioPatch,
): Promise<void> {
  await assay.markEvaluationScenario(evaluationId, scenarioId, patch)
  // The displayed rows can be of an earlier version.
  const queryKey = ['evaluation', evaluationId, 'rows']
  queryClient.setQueriesData({ queryKey }, (data: EvaluationRows | undefined) =>
    data?.rows
      ? { ...data, rows: data.rows.map((row) => (row.id === scenarioId ? { ...row, ...patch } : row)) }
      : data,
  )
  await refetchFollowed(queryClient, ['evaluation', evaluationId])
}
