// The distributions of all filtered rows in one line: bars that filter, and the same numbers as tables.

import type { EvaluationState } from '../../../evaluation-state/page-state.ts'
import { formatCount, pluralize } from '../../../format/numbers.ts'
import type { Filter } from '../../../state/row-params.ts'
import { Histogram, HistogramTable } from '../../../ui/histogram.tsx'
import { Menu } from '../../../ui/menu.tsx'
import { useIsStripVisible } from '../filters/filter-bar.tsx'
import { histogramProps, useApplyFilter } from './metric-bars.ts'
import styles from './metric-strip.module.css'
import { type Metric, metricsOf } from './metrics.ts'

export function MetricStrip({ pageState }: { pageState: EvaluationState }) {
  const isVisible = useIsStripVisible()
  const { summary } = pageState
  const applyFilter = useApplyFilter(pageState)
  if (!isVisible) return null
  const metrics = summary ? metricsOf(summary) : []
  return (
    <section aria-label="Statistics" className={styles.strip}>
      {metrics.map((metric) => (
        <div key={metric.filter} className={styles.metric}>
          <Bars metric={metric} onPick={applyFilter} />
          <Menu
            className={styles.metricButton}
            title={`${metric.name} as a table`}
            label={
              <span>
                <span>{metric.name}</span> <span className="muted">{metric.summary}</span>
              </span>
            }
          >
            <MetricTable metric={metric} onPick={applyFilter} />
          </Menu>
        </div>
      ))}
      {summary && metrics.length === 0 && <p className="muted">No numbers to show.</p>}
    </section>
  )
}

interface MetricProps {
  metric: Metric
  onPick: (filter: Filter) => void
}

function Bars({ metric, onPick }: MetricProps) {
  if (metric.verdicts) return <VerdictBars metric={metric} onPick={onPick} />
  return (
    <div className={styles.bars}>
      <Histogram {...histogramProps(metric, onPick)} />
    </div>
  )
}

function MetricTable({ metric, onPick }: MetricProps) {
  const { name, verdicts } = metric
  if (!verdicts) return <HistogramTable {...histogramProps(metric, onPick)} />
  return (
    <table className={styles.table}>
      <caption>{name}</caption>
      <tbody>
        <tr>
          <th scope="row">Passed</th>
          <td className="number">{formatCount(verdicts.passed)}</td>
        </tr>
        <tr>
          <th scope="row">Failed</th>
          <td className="number">{formatCount(verdicts.failed)}</td>
        </tr>
      </tbody>
    </table>
  )
}

function VerdictBars({ metric: { name, filter, verdicts }, onPick }: MetricProps) {
  const { passed = 0, failed = 0 } = verdicts ?? {}
  const max = Math.max(passed, failed)
  const bars = [
    { label: 'failed', value: 'is.false', rows: failed, className: styles.failed },
    { label: 'passed', value: 'is.true', rows: passed, className: styles.passed },
  ]
  return (
    <div role="group" aria-label={`${name}: passed and failed`} className={styles.verdicts}>
      {bars.map(({ label, value, rows, className }) => (
        <button
          key={value}
          type="button"
          disabled={rows === 0}
          aria-label={`${name} ${label}, ${pluralize(rows, 'row')}: filter`}
          title={`${name} ${label}, ${pluralize(rows, 'row')}`}
          onClick={() => onPick([filter, value])}
        >
          <span
            className={className}
            ref={(element) => element?.style.setProperty('height', `${(rows / max) * 100}%`)}
          />
        </button>
      ))}
    </div>
  )
}
