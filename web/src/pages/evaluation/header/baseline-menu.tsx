// Selects the evaluation to compare with, on this page only or as the stored baseline.
import { useMutation, useQueryClient } from '@tanstack/react-query'
import type { Evaluation } from 'assay-client'
import { Suspense } from 'react'
import { assay } from '../../../api/client.ts'
import { useCanWrite } from '../../../api/key.ts'
import { lazyComponent } from '../../../api/lazy-modules.ts'
import { useRestriction } from '../../../api/restriction.ts'
import type { EvaluationState } from '../../../evaluation-state/page-state.ts'
import { useChangeSearchParams } from '../../../state/search-params.ts'
import { Menu, MenuItem, MenuSeparator } from '../../../ui/menus/menu.tsx'
import { Loading } from '../../../ui/messages/loading.tsx'
import { toast } from '../../../ui/messages/toasts.tsx'
import { baselineLabel } from './baseline-label.ts'
import styles from './header.module.css'

const EvaluationPicker = lazyComponent(
  async () => (await import('../../../navigation/evaluation-picker.tsx')).EvaluationPicker,
)

interface BaselineMenuProps {
  pageState: EvaluationState
  evaluation: Evaluation
}

export function BaselineMenu({ pageState, evaluation }: BaselineMenuProps) {
  const { baselineId, totalSummary } = pageState
  const base = totalSummary?.base
  const prefix = baselineId === evaluation.baseline_id ? 'Baseline' : 'Compared with'
  const name = base ? baselineLabel(evaluation, base) : '…'
  const label = baselineId === undefined ? 'Select a baseline' : `${prefix} ${name}`
  // A restricted key cannot list other evaluations.
  if (useRestriction() !== null) return baselineId === undefined ? null : <span>{label}</span>
  return (
    <Menu
      className={styles.baseline}
      variant="plain"
      size="small"
      title={base ? `Compared with ${base.name ?? base.id}` : 'Evaluation to compare with'}
      label={<span className="ellipsis">{label}</span>}
    >
      <Choices pageState={pageState} evaluation={evaluation} />
    </Menu>
  )
}

/** The other evaluations, and buttons that remove the baseline from the page or store it. */
function Choices({ pageState: { baselineId }, evaluation }: BaselineMenuProps) {
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
      <Suspense fallback={<Loading />}>
        <EvaluationPicker
          excludedIds={[id]}
          variantId={variant_id}
          selectedId={baselineId}
          baselineId={baseline_id}
          onPick={(picked) => changeParams({ base: picked.id === baseline_id ? undefined : picked.id })}
        />
      </Suspense>
      {baselineId !== undefined && (
        <>
          <MenuSeparator />
          <MenuItem onClick={() => changeParams({ base: '' })}>No baseline</MenuItem>
          {mayWrite && baselineId !== baseline_id && (
            <MenuItem onClick={() => saveBaseline.mutate(baselineId)}>Set as baseline</MenuItem>
          )}
        </>
      )}
    </>
  )
}
