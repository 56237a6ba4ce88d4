// The distributions of all filtered rows in one line: bars that filter, and the same numbers as tables.
import type { EvaluationState } from '../../../evaluation-state/page-state.ts'
import { filterLabel } from '../../../filters/filter-labels.ts'
import { formatCount, pluralize } from '../../../format/numbers.ts'
import { usePreference } from '../../../state/preferences.ts'
import type { Filter } from '../../../state/row-params.ts'
import { useChangeSearchParams } from '../../../state/search-params.ts'
import { type Bin, Histogram, HistogramTable } from '../../../ui/charts/histogram.tsx'
import { Menu } from '../../../ui/menus/menu.tsx'
import { stateChange } from '../filters/state-filter.ts'
import styles from './metric-strip.module.css'
import { binFilter, type Metric, metricsOf } from './metrics.ts'

export function MetricStrip({ pageState }: { pageState: EvaluationState }) {
  const { summary } = pageState
  const applyFilter = useApplyFilter(pageState)
  const metrics = summary ? metricsOf(summary) : []
  return (
    <section aria-label="Statistics" className={styles.strip}>
      {metrics.map((metric) => (
        <div key={metric.filter} className={styles.metric}>
          <Menu
            variant="plain"
            size="small"
            className={styles.metricButton}
            title={`${metric.name} as a table`}
            label={
              <span className="ellipsis">
                {metric.name} <span className="quiet">{metric.summary}</span>
              </span>
            }
          >
            <MetricTable metric={metric} onPick={applyFilter} />
          </Menu>
          {metric.verdicts ? (
            <VerdictBar metric={metric} onPick={applyFilter} />
          ) : (
            <Histogram {...histogramProps(metric, applyFilter)} />
          )}
        </div>
      ))}
      {summary && metrics.length === 0 && <p className="quiet">No numbers in these rows.</p>}
    </section>
  )
}

interface MetricProps {
  metric: Metric
  onPick: (filter: Filter) => void
}

function MetricTable({ metric, onPick }: MetricProps) {
  const { name, verdicts } = metric
  if (!verdicts) return <HistogramTable {...histogramProps(metric, onPick)} />
  return (
    <table className={styles.table}>
      <caption className="sr-only">{name}</caption>
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

/** Failed and passed rows as parts of one bar. A part without rows is absent. */
function VerdictBar({ metric: { name, filter, verdicts }, onPick }: MetricProps) {
  const { passed = 0, failed = 0 } = verdicts ?? {}
  const parts = [
    { label: 'failed', value: 'is.false', rows: failed, className: styles.failed },
    { label: 'passed', value: 'is.true', rows: passed, className: styles.passed },
  ].filter(({ rows }) => rows > 0)
  return (
    <div role="group" aria-label={`${name}: passed and failed`} className={styles.verdicts}>
      {parts.map(({ label, value, rows, className }) => (
        <button
          key={value}
          type="button"
          aria-label={`${name}: ${formatCount(rows)} ${label}, filter`}
          data-tooltip={`${name}: ${pluralize(rows, 'row')} ${label}`}
          ref={(element) => element?.style.setProperty('flex-grow', String(rows))}
          onClick={() => onPick([filter, value])}
        >
          <span className={className} />
          <span>
            {formatCount(rows)} {label}
          </span>
        </button>
      ))}
    </div>
  )
}

export function useApplyFilter(
  pageState: Pick<EvaluationState, 'query' | 'activeEvaluator'>,
): (filter: Filter) => void {
  const changeParams = useChangeSearchParams()
  return ([name, value]) => {
    const replacesState = name === `result.${pageState.activeEvaluator}`
    changeParams({ ...(replacesState && stateChange(pageState)), [name]: value })
  }
}

/** The props of Histogram and HistogramTable for a metric. */
export function histogramProps(metric: Metric, onPick: (filter: Filter) => void) {
  const { name, bins, format } = metric
  return {
    name,
    bins,
    format,
    pickLabel: (bin: Bin) => `show rows with ${filterLabel(binFilter(metric, bin))}`,
    onPick: (bin: Bin) => onPick(binFilter(metric, bin)),
  }
}

/** Whether this browser shows the statistics above the table. */
export function useAreStatisticsVisible(): boolean {
  return usePreference('statistics') === 'on'
}
