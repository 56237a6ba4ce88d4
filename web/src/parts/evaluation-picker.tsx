// Finds one evaluation among all: the newest first, those of the same variant before the rest.
import { useQuery } from '@tanstack/react-query'
import type { Evaluation } from 'assay-client'
import { useState } from 'react'
import { assay } from '../api.ts'
import { count } from '../format/numbers.ts'
import { Ago } from './ago.tsx'
import styles from './evaluation-picker.module.css'
import { focused } from './focus.ts'
import { Waiting } from './waiting.tsx'

export interface EvaluationPickerProps {
  /** Ids that are no choice. */
  without: readonly string[]
  variantId: string | null | undefined
  onPick: (evaluation: Evaluation) => void
  /** The choice as it is. */
  picked?: string | undefined
  /** The one that is marked with a star. */
  starred?: string | null | undefined
}

/** As many as the API answers at once. */
const MOST = 1000
/** As many as one looks through. */
const LISTED = 50

export function EvaluationPicker({ without, variantId, onPick, picked, starred }: EvaluationPickerProps) {
  const [text, setText] = useState('')
  const { data, error } = useQuery({
    queryKey: ['evaluations', 'newest', MOST],
    queryFn: ({ signal }) => assay.listEvaluations({ limit: MOST }, { signal }),
  })
  const words = text.trim().toLowerCase()
  const found = kinFirst(
    (data?.items ?? []).filter(
      ({ id, name }) => !without.includes(id) && `${name ?? ''} ${id}`.toLowerCase().includes(words),
    ),
    variantId,
  )
  const listed = found.slice(0, LISTED)
  return (
    <div className={styles.picker}>
      <input
        ref={focused}
        type="search"
        aria-label="Find an evaluation"
        placeholder="Find an evaluation"
        value={text}
        onChange={(event) => setText(event.target.value)}
      />
      {error ? <p className="soft">{error.message}</p> : !data && <Waiting />}
      <div className="options">
        {listed.map((evaluation) => (
          <Choice
            key={evaluation.id}
            evaluation={evaluation}
            isStarred={evaluation.id === starred}
            isPicked={picked === undefined ? undefined : evaluation.id === picked}
            onPick={onPick}
          />
        ))}
        {data && listed.length === 0 && <p className="soft">No other evaluation has this name.</p>}
      </div>
      {found.length > listed.length && (
        <p className="soft">{count(found.length - LISTED)} more: type to find</p>
      )}
      {data?.cursor !== undefined && <p className="soft">Out of the newest {count(MOST)}.</p>}
    </div>
  )
}

interface ChoiceProps {
  evaluation: Evaluation
  isStarred: boolean
  isPicked: boolean | undefined
  onPick: (evaluation: Evaluation) => void
}

function Choice({ evaluation, isStarred, isPicked, onPick }: ChoiceProps) {
  const { id, name, variant_id, revision, created_at } = evaluation
  return (
    <button type="button" className="plain" aria-pressed={isPicked} onClick={() => onPick(evaluation)}>
      <span>
        {isStarred && '★ '}
        {name ?? id}
      </span>
      <span className="soft">
        {variant_id !== null && `${variant_id}${revision === null ? '' : ` r${revision}`} · `}
        <Ago time={created_at} />
      </span>
    </button>
  )
}

function kinFirst(evaluations: Evaluation[], variantId: string | null | undefined): Evaluation[] {
  const isKin = ({ variant_id }: Evaluation) => variant_id !== null && variant_id === variantId
  return [...evaluations.filter(isKin), ...evaluations.filter((one) => !isKin(one))]
}
