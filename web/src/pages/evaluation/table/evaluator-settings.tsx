// The direction and the pass threshold of an evaluator, saved with the evaluation, and its decimals, saved in this browser.
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { AssayError, type EvaluatorChange } from 'assay-client'
import { useId, useState } from 'react'
import { assay } from '../../../api/client.ts'
import { useCanWrite } from '../../../api/key.ts'
import { DEFAULT_DISPLAY, MAX_DECIMALS, setDecimals } from '../../../results/evaluator-display.ts'
import { hasOnlyZeroAndOne } from '../../../results/result-states.ts'
import { Button } from '../../../ui/button.tsx'
import { toast } from '../../../ui/messages/toasts.tsx'
import styles from './column-menu.module.css'
import type { EvaluationContext } from './context.ts'

interface EvaluatorSettingsProps {
  evaluator: string
  context: EvaluationContext
}

export function EvaluatorSettings(props: EvaluatorSettingsProps) {
  const { evaluator, context } = props
  return (
    <>
      <ScoringSettings {...props} />
      <label className={styles.setting}>
        <span>Decimals</span>
        <input
          type="number"
          min={0}
          max={MAX_DECIMALS}
          value={(context.displays[evaluator] ?? DEFAULT_DISPLAY).decimals}
          onChange={(event) => setDecimals(evaluator, event.target.valueAsNumber || 0)}
        />
      </label>
    </>
  )
}

function ScoringSettings({ evaluator, context }: EvaluatorSettingsProps) {
  const { id: evaluationId, summary } = context
  const mayWrite = useCanWrite()
  const queryClient = useQueryClient()
  const id = useId()
  const settings = summary?.evaluators.find(({ name }) => name === evaluator)
  const [threshold, setThreshold] = useState(settings?.threshold?.toString() ?? '')
  const save = useMutation({
    mutationFn: (declared: EvaluatorChange) =>
      assay.changeEvaluation(evaluationId, {
        evaluators: [declared],
      }),
    onSuccess: () => {
      toast(`Saved ${evaluator}.`)
      return queryClient.invalidateQueries()
    },
    onError: (error) => toast(error instanceof AssayError ? error.detail : 'Not saved.'),
  })
  if (!settings || !mayWrite) return null
  const number = threshold.trim() === '' ? null : Number(threshold)
  const declare = (higher_is_better: boolean, limit: number | null) =>
    save.mutate({ name: evaluator, higher_is_better, threshold: limit })
  const passingValue = settings.higher_is_better ? 1 : 0
  return (
    <>
      {hasOnlyZeroAndOne(settings) && (
        <p className={styles.suggestion}>
          Only 0 and 1.
          <Button
            size="small"
            disabled={save.isPending}
            onClick={() => declare(settings.higher_is_better, passingValue)}
          >
            Treat {passingValue} as pass
          </Button>
        </p>
      )}
      <fieldset className={styles.direction}>
        <legend className="sr-only">Direction</legend>
        {[true, false].map((higher) => (
          <label key={String(higher)}>
            <input
              type="radio"
              name={id}
              checked={settings.higher_is_better === higher}
              disabled={save.isPending}
              onChange={() => declare(higher, settings.threshold)}
            />{' '}
            {higher ? 'Higher is better' : 'Lower is better'}
          </label>
        ))}
      </fieldset>
      <form
        className={styles.setting}
        onSubmit={(event) => {
          event.preventDefault()
          declare(settings.higher_is_better, number)
        }}
      >
        <label htmlFor={`${id}-threshold`}>{settings.higher_is_better ? 'Passes at ≥' : 'Passes at ≤'}</label>
        <input
          id={`${id}-threshold`}
          inputMode="decimal"
          placeholder="no threshold"
          value={threshold}
          onChange={(event) => setThreshold(event.target.value)}
        />
        <Button
          type="submit"
          size="small"
          data-keep-open=""
          disabled={save.isPending || (number !== null && !Number.isFinite(number))}
        >
          Save
        </Button>
      </form>
    </>
  )
}
