// Searches evaluations and picks one, or several with checkboxes. Evaluations of the same variant come first, then the newest.
import { useQuery } from '@tanstack/react-query'
import type { Evaluation } from 'assay-client'
import { useState } from 'react'
import { assay } from '../api/client.ts'
import { formatCount } from '../format/numbers.ts'
import { Badge } from '../ui/chip.tsx'
import { focusOnMount } from '../ui/focus.ts'
import { Loading } from '../ui/messages/loading.tsx'
import { TimeAgo } from '../ui/time-ago.tsx'
import styles from './evaluation-picker.module.css'

interface EvaluationPickerProps {
  /** Evaluations that cannot be picked. */
  excludedIds: readonly string[]
  variantId: string | null | undefined
  onPick: (evaluation: Evaluation) => void
  /** The current selection. */
  selectedId?: string | undefined
  /** With checkboxes: the checked evaluations, and whether others can be added. */
  checked?: { ids: readonly string[]; isFull: boolean }
  /** The stored baseline, which gets a badge. */
  baselineId?: string | null | undefined
}

/** The largest page of the API. */
const MAX_EVALUATIONS = 1000
/** Enough to scan by eye. */
const MAX_LISTED = 50

export function EvaluationPicker({
  excludedIds,
  variantId,
  onPick,
  selectedId,
  checked,
  baselineId,
}: EvaluationPickerProps) {
  const [text, setText] = useState('')
  const { data, error } = useQuery({
    queryKey: ['evaluations', 'newest', MAX_EVALUATIONS],
    queryFn: ({ signal }) => assay.listEvaluations({ limit: MAX_EVALUATIONS }, { signal }),
  })
  const searchText = text.trim().toLowerCase()
  const matches = sameVariantFirst(
    (data?.items ?? []).filter(
      ({ id, name }) => !excludedIds.includes(id) && `${name ?? ''} ${id}`.toLowerCase().includes(searchText),
    ),
    variantId,
  )
  const listedEvaluations = matches.slice(0, MAX_LISTED)
  return (
    <div className={styles.picker}>
      <input
        ref={focusOnMount}
        type="search"
        aria-label="Find an evaluation"
        placeholder="Find an evaluation"
        value={text}
        onChange={(event) => setText(event.target.value)}
      />
      {error ? <p className="muted">{error.message}</p> : !data && <Loading />}
      <div className={checked ? styles.choices : 'options'}>
        {listedEvaluations.map((evaluation) => {
          const { id } = evaluation
          const text = <EvaluationText evaluation={evaluation} isBaseline={id === baselineId} />
          if (checked) {
            const isChecked = checked.ids.includes(id)
            return (
              <label key={id}>
                <input
                  type="checkbox"
                  checked={isChecked}
                  disabled={checked.isFull && !isChecked}
                  onChange={() => onPick(evaluation)}
                />
                {text}
              </label>
            )
          }
          return (
            <button
              key={id}
              type="button"
              className="plain"
              aria-pressed={selectedId === undefined ? undefined : id === selectedId}
              onClick={() => onPick(evaluation)}
            >
              {text}
            </button>
          )
        })}
        {data && listedEvaluations.length === 0 && <p className="muted">No evaluation matches.</p>}
      </div>
      {matches.length > listedEvaluations.length && (
        <p className="muted">{formatCount(matches.length - MAX_LISTED)} more. Type to search.</p>
      )}
      {data?.cursor !== undefined && (
        <p className="muted">Searched the newest {formatCount(MAX_EVALUATIONS)}.</p>
      )}
    </div>
  )
}

function EvaluationText({ evaluation, isBaseline }: { evaluation: Evaluation; isBaseline: boolean }) {
  const { id, name, variant_id, revision, created_at } = evaluation
  return (
    <>
      <span>
        {name ?? id} {isBaseline && <Badge>baseline</Badge>}
      </span>
      <span className="muted">
        {variant_id !== null && `${variant_id}${revision === null ? '' : ` r${revision}`} · `}
        <TimeAgo time={created_at} />
      </span>
    </>
  )
}

function sameVariantFirst(evaluations: Evaluation[], variantId: string | null | undefined): Evaluation[] {
  const isSameVariant = ({ variant_id }: Evaluation) => variant_id !== null && variant_id === variantId
  return [
    ...evaluations.filter(isSameVariant),
    ...evaluations.filter((evaluation) => !isSameVariant(evaluation)),
  ]
}
