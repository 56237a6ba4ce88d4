// Sets pin and note of a scenario. Everything that was read of its evaluation is asked for anew.
import { useMutation, useQueryClient } from '@tanstack/react-query'
import type { ScenarioPatch } from 'assay-client'
import { assay } from '../api.ts'

export function useMark(evaluationId: string, scenarioId: string) {
  const queries = useQueryClient()
  return useMutation({
    mutationFn: (patch: ScenarioPatch) => assay.markEvaluationScenario(evaluationId, scenarioId, patch),
    onSuccess: () => queries.invalidateQueries({ queryKey: ['evaluation', evaluationId] }),
  })
}
