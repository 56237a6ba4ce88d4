// How the numbers of all rows in view are spread, in one line: bars that filter, and the same as tables.
import { count, counted } from '../format/numbers.ts'
import { Histogram, HistogramTable } from '../parts/histogram.tsx'
import { Menu } from '../parts/menu.tsx'
import { useIsStripShown } from './filter-bar.tsx'
import { barsOf, usePickFilter } from './metric-bars.ts'
import styles from './metric-strip.module.css'
import { type Metric, metricsOf } from './metrics.ts'
import type { Shown } from './shown.ts'
import type { Filter } from './view.ts'

export function MetricStrip({ shown }: { shown: Shown }) {
  const isShown = useIsStripShown()
  const { summary } = shown
  const pick = usePickFilter(shown)
  if (!isShown) return null
  const metrics = summary ? metricsOf(summary) : []
  return (
    <section aria-label="Figures" className={styles.strip}>
      {metrics.map((metric) => (
        <div key={metric.filter} className={styles.metric}>
          <Bars metric={metric} onPick={pick} />
          <Menu
            className={styles.figure}
            title={`${metric.name} as a table`}
            label={
              <span>
                <span>{metric.name}</span> <span className="soft">{metric.figures}</span>
              </span>
            }
          >
            <Numbers metric={metric} onPick={pick} />
          </Menu>
        </div>
      ))}
      {summary && metrics.length === 0 && <p className="soft">No numbers to show.</p>}
    </section>
  )
}

interface PickedMetric {
  metric: Metric
  onPick: (filter: Filter) => void
}

function Bars({ metric, onPick }: PickedMetric) {
  const { name, filter, verdicts } = metric
  if (verdicts) return <Verdicts name={name} {...verdicts} onPick={(value) => onPick([filter, value])} />
  return (
    <div className={styles.bars}>
      <Histogram {...barsOf(metric, onPick)} />
    </div>
  )
}

function Numbers({ metric, onPick }: PickedMetric) {
  const { name, verdicts } = metric
  if (!verdicts) return <HistogramTable {...barsOf(metric, onPick)} />
  return (
    <table className={styles.table}>
      <caption>{name}</caption>
      <tbody>
        <tr>
          <th scope="row">Passed</th>
          <td className="number">{count(verdicts.passed)}</td>
        </tr>
        <tr>
          <th scope="row">Failed</th>
          <td className="number">{count(verdicts.failed)}</td>
        </tr>
      </tbody>
    </table>
  )
}

interface VerdictsProps {
  name: string
  passed: number
  failed: number
  onPick: (value: string) => void
}

function Verdicts({ name, passed, failed, onPick }: VerdictsProps) {
  const most = Math.max(passed, failed)
  const bars = [
    { words: 'failed', value: 'is.false', rows: failed, colour: styles.failed },
    { words: 'passed', value: 'is.true', rows: passed, colour: styles.passed },
  ]
  return (
    <div role="group" aria-label={`${name}: passed and failed`} className={styles.verdicts}>
      {bars.map(({ words, value, rows, colour }) => (
        <button
          key={value}
          type="button"
          disabled={rows === 0}
          aria-label={`${name} ${words}, ${counted(rows, 'row')}: filter`}
          title={`${name} ${words}, ${counted(rows, 'row')}`}
          onClick={() => onPick(value)}
        >
          <span
            className={colour}
            ref={(element) => element?.style.setProperty('height', `${(rows / most) * 100}%`)}
          />
        </button>
      ))}
    </div>
  )
}
