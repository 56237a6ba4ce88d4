// How one evaluator went from run to run: a bar for each, which opens it. The table below has the same numbers.
import { Link } from '@tanstack/react-router'
import type { Evaluation } from 'assay-client'
import { type KeyboardEvent, useEffect, useMemo, useRef, useState } from 'react'
import { counted } from '../format/numbers.ts'
import { ago } from '../format/times.ts'
import { setPreference, usePreference } from '../preferences.ts'
import styles from './bars.module.css'
import { type Baselines, evaluatorFigure, FORMATS } from './figures.ts'

/** As many as a wide screen has room for at 24 pixels each. */
const MOST = 48
const PLACE = 'evaluations.bars'

interface BarsProps {
  rows: readonly Evaluation[]
  baselines: Baselines
  evaluator: string | undefined
}

export function Bars({ rows, baselines, evaluator }: BarsProps) {
  const isHidden = usePreference(PLACE) === 'off'
  const bars = useMemo(
    () => (evaluator === undefined ? [] : barsOf(rows, baselines, evaluator)),
    [rows, baselines, evaluator],
  )
  const runs = bars.slice(-MOST)
  const latest = runs.at(-1)
  if (evaluator === undefined || !latest || bars.length < 2) return null
  return (
    <section className={styles.strip} aria-label={`${evaluator}, run by run`}>
      <div className={styles.about}>
        <strong title={evaluator}>{evaluator}</strong>
        {!isHidden && (
          <span className="soft">
            {bars.length > MOST ? `newest ${MOST} runs` : counted(bars.length, 'run')}, oldest → newest
          </span>
        )}
      </div>
      {isHidden ? <span className={styles.fill} /> : <Runs runs={runs} evaluator={evaluator} />}
      <button
        type="button"
        className="plain"
        aria-expanded={!isHidden}
        onClick={() => setPreference(PLACE, isHidden ? undefined : 'off')}
      >
        {isHidden ? 'Show bars' : 'Hide'}
      </button>
    </section>
  )
}

type Bar = ReturnType<typeof barsOf>[number]

/** From the oldest to the newest, whatever the order of the table. */
function barsOf(rows: readonly Evaluation[], baselines: Baselines, evaluator: string) {
  return rows
    .flatMap((evaluation) => {
      const figure = evaluatorFigure(evaluation, evaluator, baselines)
      return figure ? [{ evaluation, figure }] : []
    })
    .sort(({ evaluation: one }, { evaluation: other }) => (one.created_at < other.created_at ? -1 : 1))
}

function Runs({ runs, evaluator }: { runs: Bar[]; evaluator: string }) {
  const list = useRef<HTMLUListElement>(null)
  // One stop for Tab; arrows go from bar to bar. It begins with the newest.
  const [stop, setStop] = useState<string>()
  const current = runs.some(({ evaluation }) => evaluation.id === stop) ? stop : runs.at(-1)?.evaluation.id
  const values = runs.map(({ figure }) => figure.value)
  const least = Math.min(0, ...values)
  // Shares fill the strip at 100 %.
  const most = Math.max(...values, ...(runs.some(({ figure }) => figure.unit === 'share') ? [1] : []))
  // Where they do not all fit, the newest are in sight.
  const length = runs.length
  // biome-ignore lint/correctness/useExhaustiveDependencies: again when there are more of them
  useEffect(() => list.current?.scrollTo({ left: list.current.scrollWidth }), [length])
  function step(event: KeyboardEvent<HTMLElement>) {
    const item = (event.target as Element).closest('li')
    const next = { ArrowLeft: item?.previousElementSibling, ArrowRight: item?.nextElementSibling }[event.key]
    if (!next) return
    event.preventDefault()
    next.querySelector('a')?.focus()
  }
  return (
    <ul ref={list} className={styles.runs} onKeyDown={step}>
      {runs.map(({ evaluation, figure }) => {
        const share = most === least ? 0 : (figure.value - least) / (most - least)
        const words = `${evaluation.name ?? evaluation.id}: ${evaluator} ${FORMATS[figure.unit][0](figure.value)}, ${ago(evaluation.created_at)}`
        return (
          <li key={evaluation.id}>
            <Link
              to="/evaluations/$evaluationId"
              params={{ evaluationId: evaluation.id }}
              preload={false}
              aria-label={words}
              title={words}
              tabIndex={evaluation.id === current ? 0 : -1}
              onFocus={() => setStop(evaluation.id)}
            >
              <span style={{ height: `${Math.max(4, share * 100)}%` }} />
            </Link>
          </li>
        )
      })}
    </ul>
  )
}
