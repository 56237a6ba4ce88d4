// The scores of one evaluator over time: one bar per evaluation, which links to it. The table has the same numbers.
import { Link } from '@tanstack/react-router'
import type { Evaluation } from 'assay-client'
import { type KeyboardEvent, useEffect, useMemo, useRef, useState } from 'react'
import { pluralize } from '../../format/numbers.ts'
import { formatTimeAgo } from '../../format/times.ts'
import { setPreference, usePreference } from '../../state/preferences.ts'
import styles from './score-chart.module.css'
import { type Baselines, evaluatorStatistic, FORMATS } from './table/statistics.ts'

/** Fits on a wide screen at 24 pixels per bar. */
const MAX_BARS = 48
const PREFERENCE = 'evaluations.bars'

interface ScoreChartProps {
  rows: readonly Evaluation[]
  baselines: Baselines
  evaluator: string | undefined
}

export function ScoreChart({ rows, baselines, evaluator }: ScoreChartProps) {
  const isHidden = usePreference(PREFERENCE) === 'off'
  const bars = useMemo(
    () => (evaluator === undefined ? [] : barsOf(rows, baselines, evaluator)),
    [rows, baselines, evaluator],
  )
  const runs = bars.slice(-MAX_BARS)
  const latestRun = runs.at(-1)
  if (evaluator === undefined || !latestRun || bars.length < 2) return null
  return (
    <section className={styles.strip} aria-label={`${evaluator} by run`}>
      <div className={styles.label}>
        <strong title={evaluator}>{evaluator}</strong>
        {!isHidden && (
          <span className="muted">
            {bars.length > MAX_BARS ? `newest ${MAX_BARS} runs` : pluralize(bars.length, 'run')}, oldest →
            newest
          </span>
        )}
      </div>
      {isHidden ? <span className={styles.spacer} /> : <Bars runs={runs} evaluator={evaluator} />}
      <button
        type="button"
        className="plain"
        aria-expanded={!isHidden}
        onClick={() => setPreference(PREFERENCE, isHidden ? undefined : 'off')}
      >
        {isHidden ? 'Show chart' : 'Hide'}
      </button>
    </section>
  )
}

type Bar = ReturnType<typeof barsOf>[number]

/** From the oldest to the newest, independent of the order of the table. */
function barsOf(rows: readonly Evaluation[], baselines: Baselines, evaluator: string) {
  return rows
    .flatMap((evaluation) => {
      const statistic = evaluatorStatistic(evaluation, evaluator, baselines)
      return statistic ? [{ evaluation, statistic }] : []
    })
    .sort(({ evaluation: a }, { evaluation: b }) => (a.created_at < b.created_at ? -1 : 1))
}

function Bars({ runs, evaluator }: { runs: Bar[]; evaluator: string }) {
  const list = useRef<HTMLUListElement>(null)
  // Roving tab index: arrow keys move between bars, starting at the newest.
  const [focusedId, setFocusedId] = useState<string>()
  const isFocusedPresent = runs.some(({ evaluation }) => evaluation.id === focusedId)
  const tabStopId = isFocusedPresent ? focusedId : runs.at(-1)?.evaluation.id
  const values = runs.map(({ statistic }) => statistic.value)
  const min = Math.min(0, ...values)
  // Pass rates fill the chart at 100 %.
  const max = Math.max(...values, ...(runs.some(({ statistic }) => statistic.unit === 'share') ? [1] : []))
  // Scroll to the newest bars if not all fit.
  const length = runs.length
  // biome-ignore lint/correctness/useExhaustiveDependencies: scroll again when bars are added
  useEffect(() => {
    if (list.current) list.current.scrollLeft = list.current.scrollWidth
  }, [length])
  function moveFocus(event: KeyboardEvent<HTMLElement>) {
    const item = (event.target as Element).closest('li')
    const adjacentItem = { ArrowLeft: item?.previousElementSibling, ArrowRight: item?.nextElementSibling }[
      event.key
    ]
    if (!adjacentItem) return
    event.preventDefault()
    adjacentItem.querySelector('a')?.focus()
  }
  return (
    <ul ref={list} className={styles.runs} onKeyDown={moveFocus}>
      {runs.map(({ evaluation, statistic }) => {
        const share = max === min ? 0 : (statistic.value - min) / (max - min)
        const label = `${evaluation.name ?? evaluation.id}: ${evaluator} ${FORMATS[statistic.unit][0](statistic.value)}, ${formatTimeAgo(evaluation.created_at)}`
        return (
          <li key={evaluation.id}>
            <Link
              to="/evaluations/$evaluationId"
              params={{ evaluationId: evaluation.id }}
              preload={false}
              aria-label={label}
              title={label}
              tabIndex={evaluation.id === tabStopId ? 0 : -1}
              onFocus={() => setFocusedId(evaluation.id)}
            >
              <span style={{ height: `${Math.max(4, share * 100)}%` }} />
            </Link>
          </li>
        )
      })}
    </ul>
  )
}
