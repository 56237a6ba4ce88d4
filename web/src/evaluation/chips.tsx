// How many rows are in each state, and the way to see just those.
import type { EvaluationSummary } from 'assay-client'
import type { ReactNode } from 'react'
import { useChangeSearch } from '../change-search.ts'
import { Chip } from '../filters/chip.tsx'
import styles from '../filters/filters.module.css'
import { Follow } from '../filters/follow.tsx'
import { count, counted } from '../format/numbers.ts'
import { stateChange } from './chosen-state.ts'
import type { Shown } from './shown.ts'
import { type FilterState, STATE_NAMES, type State, stateCounts } from './states.ts'

export function Chips({ shown }: { shown: Shown }) {
  const { summary, on, state, question, view } = shown
  const change = useChangeSearch()
  if (!summary) return <div className={styles.chips} />
  const evaluator = summary.evaluators.find(({ name }) => name === on)
  const choose = (next: FilterState | undefined) =>
    change(stateChange({ filters: question.filters, from: on, to: on, state: next }))
  const toggle = (name: string, value: string) => change({ [name]: has(name, value) ? undefined : value })
  const has = (name: string, value: string) =>
    question.filters.some((filter) => filter[0] === name && filter[1] === value)
  const errors = errorCount(summary)
  return (
    <div role="group" aria-label="States" className={styles.chips}>
      <Chip name="All" rows={summary.matched} isChosen={!state} onChoose={() => choose(undefined)} />
      {evaluator && (
        <>
          <Evaluator shown={shown} evaluators={summary.evaluators} />
          {stateCounts(evaluator).map(([name, rows]) =>
            name === 'scored' || name === 'labelled' ? (
              <span key={name} className={styles.count}>
                {STATE_NAMES[name]} <span className={styles.rows}>{count(rows)}</span>
              </span>
            ) : (
              <Chip
                key={name}
                name={STATE_NAMES[name]}
                sign={SIGNS[name]}
                rows={rows}
                isChosen={state === name}
                onChoose={() => choose(state === name ? undefined : name)}
              />
            ),
          )}
        </>
      )}
      <span className={styles.rule} />
      <Chip
        name="Pinned"
        rows={summary.pinned}
        isChosen={has('is_pinned', 'is.true')}
        onChoose={() => toggle('is_pinned', 'is.true')}
      />
      <Chip
        name="Notes"
        rows={summary.noted}
        isChosen={has('note', 'is.present')}
        onChoose={() => toggle('note', 'is.present')}
      />
      {errors > 0 && view.group !== 'error' && (
        <button type="button" className={styles.errors} onClick={() => change({ group: 'error' })}>
          {counted(errors, 'error')} <span aria-hidden="true">▸</span>
        </button>
      )}
    </div>
  )
}

const SIGNS: Partial<Record<State, ReactNode>> = {
  fail: <span className="worse">✗</span>,
  pass: <span className="better">✓</span>,
}

/** Which evaluator the states are of. The chosen one stays, where the other evaluator has it too. */
function Evaluator({ shown, evaluators }: { shown: Shown; evaluators: EvaluationSummary['evaluators'] }) {
  const { on, state, question } = shown
  const change = useChangeSearch()
  if (evaluators.length === 1) return <span className={styles.count}>of {on}:</span>
  function follow(to: string) {
    const next = evaluators.find(({ name }) => name === to)
    const isThere = next && stateCounts(next).some(([name]) => name === state)
    change({
      ...stateChange({ filters: question.filters, from: on, to, state: isThere ? state : undefined }),
      on: to,
    })
  }
  return (
    <Follow
      word="of"
      label="Evaluator that the states are of"
      chosen={on}
      choices={evaluators.map(({ name }) => ({ value: name, name }))}
      onChoose={follow}
    />
  )
}

/** Of outputs and evaluators together: a row may have several. */
function errorCount({ output_errors, evaluators }: EvaluationSummary): number {
  return evaluators.reduce((sum, { errors }) => sum + errors, output_errors)
}
