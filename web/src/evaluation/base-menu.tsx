// Chooses the evaluation to compare with: for this view, or for everybody as the baseline.
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import type { Evaluation } from 'assay-client'
import { useState } from 'react'
import { assay } from '../api.ts'
import { useChangeSearch } from '../change-search.ts'
import { count } from '../format/numbers.ts'
import { Ago } from '../parts/ago.tsx'
import { focused } from '../parts/focus.ts'
import { Menu } from '../parts/menu.tsx'
import { Waiting } from '../parts/waiting.tsx'
import { useConfinement } from '../shell/confinement.ts'
import { useMayWrite } from '../shell/key.ts'
import { toast } from '../shell/toasts.tsx'
import styles from './head.module.css'
import type { Shown } from './shown.ts'

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

/** As many as the API answers at once. */
const MOST = 1000
/** As many as one looks through. */
const LISTED = 50

function Choices({ shown, evaluation }: BaseMenuProps) {
  const change = useChangeSearch()
  const [text, setText] = useState('')
  const { data, error } = useQuery({
    queryKey: ['evaluations', 'newest', MOST],
    queryFn: ({ signal }) => assay.listEvaluations({ limit: MOST }, { signal }),
  })
  const found = fitting(data?.items ?? [], evaluation, text)
  const listed = found.slice(0, LISTED)
  return (
    <div className={styles.choices}>
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
        {listed.map(({ id, name, variant_id, revision, created_at }) => (
          <button
            key={id}
            type="button"
            className="plain"
            aria-pressed={id === shown.base}
            onClick={() => change({ base: id === evaluation.baseline_id ? undefined : id })}
          >
            <span>
              {id === evaluation.baseline_id && '★ '}
              {name ?? id}
            </span>
            <span className="soft">
              {variant_id !== null && `${variant_id}${revision === null ? '' : ` r${revision}`} · `}
              <Ago time={created_at} />
            </span>
          </button>
        ))}
        {data && listed.length === 0 && <p className="soft">No other evaluation has this name.</p>}
      </div>
      {found.length > listed.length && (
        <p className="soft">{count(found.length - LISTED)} more: type to find</p>
      )}
      {data?.cursor !== undefined && <p className="soft">Out of the newest {count(MOST)}.</p>}
      <Ends shown={shown} evaluation={evaluation} />
    </div>
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

/** All others, newest first, those of the same variant before the rest. */
function fitting(evaluations: Evaluation[], { id, variant_id }: Evaluation, text: string): Evaluation[] {
  const words = text.trim().toLowerCase()
  const found = evaluations.filter(
    (one) => one.id !== id && `${one.name ?? ''} ${one.id}`.toLowerCase().includes(words),
  )
  const isKin = (one: Evaluation) => variant_id !== null && one.variant_id === variant_id
  return [...found.filter(isKin), ...found.filter((one) => !isKin(one))]
}
