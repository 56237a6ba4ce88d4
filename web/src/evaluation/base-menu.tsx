// Chooses the evaluation to compare with: for this view, or for everybody as the baseline.
import { useMutation, useQueryClient } from '@tanstack/react-query'
import type { Evaluation } from 'assay-client'
import { lazy, Suspense } from 'react'
import { assay } from '../api.ts'
import { useChangeSearch } from '../change-search.ts'
import { Menu } from '../parts/menu.tsx'
import { Waiting } from '../parts/waiting.tsx'
import { loadDetailPages } from '../read-ahead.ts'
import { useConfinement } from '../shell/confinement.ts'
import { useMayWrite } from '../shell/key.ts'
import { toast } from '../shell/toasts.tsx'
import styles from './head.module.css'
import type { Shown } from './shown.ts'

const EvaluationPicker = lazy(async () => ({ default: (await loadDetailPages()).EvaluationPicker }))

interface BaseMenuProps {
  shown: Shown
  evaluation: Evaluation
}

export function BaseMenu({ shown, evaluation }: BaseMenuProps) {
  const { base, summary } = shown
  const name = summary?.base?.name ?? base
  const star = base === evaluation.baseline_id ? '★ ' : ''
  // There is nothing to choose from where no list of evaluations can be read.
  if (useConfinement() !== null) return base === undefined ? null : <span>{`vs ${star}${name}`}</span>
  return (
    <Menu
      className={styles.base}
      title="The evaluation to compare with"
      label={<span>{name === undefined ? 'Compare with' : `vs ${star}${name}`}</span>}
    >
      <Choices shown={shown} evaluation={evaluation} />
    </Menu>
  )
}

function Choices({ shown, evaluation }: BaseMenuProps) {
  const change = useChangeSearch()
  const { id, baseline_id, variant_id } = evaluation
  return (
    <>
      <Suspense fallback={<Waiting />}>
        <EvaluationPicker
          without={[id]}
          variantId={variant_id}
          picked={shown.base}
          starred={baseline_id}
          onPick={(one) => change({ base: one.id === baseline_id ? undefined : one.id })}
        />
      </Suspense>
      <Ends shown={shown} evaluation={evaluation} />
    </>
  )
}

/** What is no evaluation: none at all, and keeping the choice. */
function Ends({ shown: { base }, evaluation }: BaseMenuProps) {
  const change = useChangeSearch()
  const mayWrite = useMayWrite()
  const queries = useQueryClient()
  const keep = useMutation({
    mutationFn: (id: string) => assay.changeEvaluation(evaluation.id, { baseline_id: id }),
    onSuccess: async () => {
      await queries.invalidateQueries()
      change({ base: undefined }, { replace: true })
      toast('The baseline of this evaluation is set.')
    },
    onError: (error) => toast(`The baseline was not set. ${error.message}`),
  })
  if (base === undefined) return null
  return (
    <div className={`options ${styles.ends}`}>
      <button type="button" className="plain" onClick={() => change({ base: '' })}>
        Compare with none
      </button>
      {mayWrite && base !== evaluation.baseline_id && (
        <button type="button" className="plain" onClick={() => keep.mutate(base)}>
          Make it this evaluation’s baseline
        </button>
      )}
    </div>
  )
}
