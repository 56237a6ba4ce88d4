// What counts as better for an evaluator, and from where on its numbers pass: saved with the evaluation, for everybody.
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { AssayError, type Evaluation, type EvaluationSummary } from 'assay-client'
import { useId, useState } from 'react'
import { assay } from '../api.ts'
import { toast } from '../shell/toasts.tsx'
import styles from './column-menu.module.css'
import type { Shown } from './shown.ts'

type Declared = NonNullable<Evaluation['evaluators']>[number]

interface EvaluatorSettingsProps {
  evaluator: string
  shown: Shown
  summary: EvaluationSummary
}

export function EvaluatorSettings({ evaluator, shown, summary }: EvaluatorSettingsProps) {
  const queries = useQueryClient()
  const id = useId()
  const known = summary.evaluators.find(({ name }) => name === evaluator)
  const [threshold, setThreshold] = useState(known?.threshold?.toString() ?? '')
  const save = useMutation({
    mutationFn: (declared: Declared) =>
      assay.changeEvaluation(shown.id, { evaluators: withDeclared(shown.evaluation?.evaluators, declared) }),
    onSuccess: () => {
      toast(`Saved for ${evaluator}.`)
      return queries.invalidateQueries()
    },
    onError: (error) => toast(error instanceof AssayError ? error.detail : 'It could not be saved.'),
  })
  if (!known) return null
  const number = threshold.trim() === '' ? undefined : Number(threshold)
  const declare = (higher: boolean, limit: number | undefined) =>
    save.mutate({
      name: evaluator,
      higher_is_better: higher,
      ...(limit !== undefined && { threshold: limit }),
    })
  return (
    <>
      <fieldset className={styles.direction}>
        <legend className="unseen">What is better</legend>
        {[true, false].map((higher) => (
          <label key={String(higher)}>
            <input
              type="radio"
              name={id}
              checked={known.higher_is_better === higher}
              disabled={save.isPending}
              onChange={() => declare(higher, known.threshold ?? undefined)}
            />{' '}
            {higher ? 'Higher is better' : 'Lower is better'}
          </label>
        ))}
      </fieldset>
      <form
        className={styles.setting}
        onSubmit={(event) => {
          event.preventDefault()
          declare(known.higher_is_better, number)
        }}
      >
        <label htmlFor={`${id}-threshold`}>{known.higher_is_better ? 'Passes from' : 'Passes up to'}</label>
        <input
          id={`${id}-threshold`}
          inputMode="decimal"
          placeholder="no threshold"
          value={threshold}
          onChange={(event) => setThreshold(event.target.value)}
        />
        <button
          type="submit"
          data-stay=""
          disabled={save.isPending || (number !== undefined && !Number.isFinite(number))}
        >
          Save
        </button>
      </form>
    </>
  )
}

/** All evaluators that are declared, with this one as it is now. */
function withDeclared(all: readonly Declared[] | null | undefined, declared: Declared): Declared[] {
  const others = all ?? []
  const isKnown = others.some(({ name }) => name === declared.name)
  return isKnown ? others.map((one) => (one.name === declared.name ? declared : one)) : [...others, declared]
}
