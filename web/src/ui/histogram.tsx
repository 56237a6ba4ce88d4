// A histogram of small bars that filter rows by mouse, and the same bins as a table with larger buttons for keyboard and
// touch.
import { formatCount, pluralize } from '../format/numbers.ts'
import styles from './histogram.module.css'

export interface Bin {
  from: number
  to: number
  count: number
}

interface HistogramProps {
  /** What is measured: "similarity". */
  name: string
  bins: Bin[]
  format: (value: number) => string
  /** Filters the rows of a bin. Without it, bars are not buttons. */
  onPick?: ((bin: Bin) => void) | undefined
  /** Describes what picking a bin does. */
  pickLabel?: ((bin: Bin) => string) | undefined
}

export function Histogram({ name, bins, format, onPick, pickLabel = () => 'filter' }: HistogramProps) {
  const largestCount = Math.max(...bins.map((bin) => bin.count))
  const total = bins.reduce((sum, bin) => sum + bin.count, 0)
  const firstBin = bins[0]
  const lastBin = bins.at(-1)
  if (!firstBin || !lastBin) return null
  const summary = `${name}: ${pluralize(total, 'row')} from ${format(firstBin.from)} to ${format(lastBin.to)}`
  const binLabel = (bin: Bin) =>
    `${name} ${bin.from === bin.to ? format(bin.from) : `${format(bin.from)}–${format(bin.to)}`}, ${pluralize(bin.count, 'row')}`
  return (
    <div role="group" aria-label={summary} className={styles.histogram}>
      {bins.map((bin) => {
        const height = bin.count === 0 ? 0 : Math.max(6, (bin.count / largestCount) * 100)
        const bar = <span ref={(element) => element?.style.setProperty('height', `${height}%`)} />
        if (!onPick || bin.count === 0) {
          return (
            <span key={bin.from} className={styles.bar} title={binLabel(bin)}>
              {bar}
            </span>
          )
        }
        return (
          <button
            key={bin.from}
            type="button"
            className={styles.bar}
            tabIndex={-1}
            aria-label={`${binLabel(bin)}: ${pickLabel(bin)}`}
            title={`${binLabel(bin)}: ${pickLabel(bin)}`}
            onClick={() => onPick(bin)}
          >
            {bar}
          </button>
        )
      })}
    </div>
  )
}

export function HistogramTable({ name, bins, format, onPick, pickLabel = () => 'filter' }: HistogramProps) {
  return (
    <table className={styles.table}>
      <caption>{name}</caption>
      <thead>
        <tr>
          <th scope="col">From</th>
          <th scope="col">To</th>
          <th scope="col">Rows</th>
        </tr>
      </thead>
      <tbody>
        {bins.map((bin) => (
          <tr key={bin.from}>
            <td className="number">{format(bin.from)}</td>
            <td className="number">{format(bin.to)}</td>
            <td className="number">
              {onPick && bin.count > 0 ? (
                <button type="button" className="plain" title={pickLabel(bin)} onClick={() => onPick(bin)}>
                  {formatCount(bin.count)}
                  <span className="sr-only">: {pickLabel(bin)}</span>
                </button>
              ) : (
                formatCount(bin.count)
              )}
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  )
}
