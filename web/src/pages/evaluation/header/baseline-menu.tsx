// Selects the evaluation to compare with, on this page only or as the stored baseline.
import { useMutation, useQueryClient } from '@tanstack/react-query'
import type { Evaluation, EvaluationSummary } from 'assay-client'
import { assay } from '../../../api/client.ts'
import { useCanWrite } from '../../../api/key.ts'
import { useRestriction } from '../../../api/restriction.ts'
import type { EvaluationState } from '../../../evaluation-state/page-state.ts'
import { NO_BASELINE } from '../../../evaluation-state/search-params.ts'
import { EvaluationPicker } from '../../../navigation/evaluation-picker.tsx'
import { useChangeSearchParams } from '../../../state/search-params.ts'
import { Menu, MenuItem, MenuSeparator } from '../../../ui/menus/menu.tsx'
import { toast } from '../../../ui/messages/toasts.tsx'
import styles from './header.module.css'

/** Why the API chose a baseline for an evaluation without its own one. */
const BASELINE_REASONS: Record<string, { label: string; detail: string } | undefined> = {
  marked: {
    label: 'Marked baseline',
    detail: 'This evaluation has no baseline of its own, and this one is the baseline of another evaluation.',
  },
  previous: {
    label: 'Previous run',
    detail: 'This evaluation has no baseline, so it is compared with the previous one of its variant.',
  },
}

export function BaselineMenu({ pageState, evaluation }: BaselineChoicesProps) {
  const { baselineId, totalSummary } = pageState
  const base = totalSummary?.base
  const isDeclared = baselineId === evaluation.baseline_id
  const chosen = base && BASELINE_REASONS[base.chosen ?? '']
  const prefix = isDeclared ? 'Baseline' : (chosen?.label ?? 'Compared with')
  const name = base ? baselineLabel(evaluation, base) : '…'
  const label = baselineId === undefined ? 'Select a baseline' : `${prefix} ${name}`
  // A restricted key cannot list other evaluations.
  if (useRestriction() !== null) return baselineId === undefined ? null : <span>{label}</span>
  return (
    <Menu
      className={styles.baseline}
      variant="plain"
      size="small"
      title={
        base
          ? [`Compared with ${base.name ?? base.id}.`, chosen?.detail].filter(Boolean).join(' ')
          : 'Evaluation to compare with'
      }
      label={<span className="ellipsis">{label}</span>}
    >
      <BaselineChoices pageState={pageState} evaluation={evaluation} />
    </Menu>
  )
}

interface BaselineChoicesProps {
  pageState: EvaluationState
  evaluation: Evaluation
}

/** The other evaluations, and buttons that remove the baseline from the page or store it. */
function BaselineChoices({ pageState: { baselineId }, evaluation }: BaselineChoicesProps) {
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

/** "r4" for another revision of the same variant, else the name. */
export function baselineLabel(
  { variant_id, revision }: Evaluation,
  base: NonNullable<EvaluationSummary['base']>,
): string {
  const isOtherRevision = variant_id !== null && base.variant_id === variant_id && base.revision !== revision
  return isOtherRevision && base.revision !== null ? `r${base.revision}` : (base.name ?? base.id)
}
