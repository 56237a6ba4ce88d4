// The items of the baseline menu.
import { useMutation, useQueryClient } from '@tanstack/react-query'
import type { Evaluation } from 'assay-client'
import { assay } from '../../../api/client.ts'
import { useCanWrite } from '../../../api/key.ts'
import type { EvaluationState } from '../../../evaluation-state/page-state.ts'
import { NO_BASELINE } from '../../../evaluation-state/search-params.ts'
import { EvaluationPicker } from '../../../navigation/evaluation-picker.tsx'
import { useChangeSearchParams } from '../../../state/search-params.ts'
import { MenuItem, MenuSeparator } from '../../../ui/menus/menu.tsx'
import { toast } from '../../../ui/messages/toasts.tsx'

export interface BaselineChoicesProps {
  pageState: EvaluationState
  evaluation: Evaluation
}

/** The other evaluations, and buttons that remove the baseline from the page or store it. */
export function BaselineChoices({ pageState: { baselineId }, evaluation }: BaselineChoicesProps) {
  const { id, baseline_id, variant_id } = evaluation
  const changeParams = useChangeSearchParams()
  const mayWrite = useCanWrite()
  const queryClient = useQueryClient()
  const saveBaseline = useMutation({
    mutationFn: (newId: string) => assay.changeEvaluation(id, { baseline_id: newId }),
    onSuccess: async () => {
      await queryClient.invalidateQueries()
      changeParams({ base: undefined }, { replace: true })
      toast('Baseline set.')
    },
    onError: (error) => toast(`Baseline not set. ${error.message}`),
  })
  return (
    <>
      <EvaluationPicker
        excludedIds={[id]}
        variantId={variant_id}
        selectedId={baselineId}
        baselineId={baseline_id}
        onPick={(picked) => changeParams({ base: picked.id === baseline_id ? undefined : picked.id })}
      />
      {baselineId !== undefined && (
        <>
          <MenuSeparator />
          <MenuItem onClick={() => changeParams({ base: NO_BASELINE })}>No baseline</MenuItem>
          {mayWrite && baselineId !== baseline_id && (
            <MenuItem onClick={() => saveBaseline.mutate(baselineId)}>Set as baseline</MenuItem>
          )}
        </>
      )}
    </>
  )
}
