// A histogram of small bars that filter rows, and the same bins as a table. A constant is a labeled value, not a bar.
import type { KeyboardEvent } from 'react'
import { formatCount, pluralize } from '../../format/numbers.ts'
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

/** "0.05–0.1, 12 rows". */
function binLabel({ from, to, count }: Bin, format: HistogramProps['format']): string {
  return `${from === to ? format(from) : `${format(from)}–${format(to)}`}, ${pluralize(count, 'row')}`
}

/** "120 rows from 0 to 1". */
export function histogramLabel({ bins, format }: Pick<HistogramProps, 'bins' | 'format'>): string {
  const total = bins.reduce((sum, bin) => sum + bin.count, 0)
  const [first, last] = [bins[0], bins.at(-1)]
  if (!first || !last) return 'no values'
  return first.from === last.to
    ? `${pluralize(total, 'row')}, all ${format(first.from)}`
    : `${pluralize(total, 'row')} from ${format(first.from)} to ${format(last.to)}`
}

export function Histogram({ name, bins, format, onPick, pickLabel = () => 'filter' }: HistogramProps) {
  const largestCount = Math.max(...bins.map((bin) => bin.count))
  const [first, last] = [bins[0], bins.at(-1)]
  if (!first || !last) return null
  const label = histogramLabel({ bins, format })
  if (first.from === last.to) return <p className={styles.constant}>{label}</p>
  const stopIndex = bins.findIndex(({ count }) => count > 0)
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: arrow keys move between the bars inside
    <div className={styles.chart} onKeyDown={moveFocus}>
      <div role="group" aria-label={`${name}: ${label}`} className={styles.histogram}>
        {bins.map((bin, index) => {
          const height = bin.count === 0 ? 0 : Math.max(6, (bin.count / largestCount) * 100)
          const bar = <span ref={(element) => element?.style.setProperty('height', `${height}%`)} />
          const tooltip = binLabel(bin, format)
          if (!onPick || bin.count === 0) {
            return (
              <span key={bin.from} className={styles.bar} data-tooltip={`${name} ${tooltip}`}>
                {bar}
              </span>
            )
          }
          return (
            <button
              key={bin.from}
              type="button"
              className={styles.bar}
              tabIndex={index === stopIndex ? 0 : -1}
              aria-label={`${name} ${tooltip}: ${pickLabel(bin)}`}
              data-tooltip={`${name} ${tooltip}: ${pickLabel(bin)}`}
              onClick={() => onPick(bin)}
            >
              {bar}
            </button>
          )
        })}
      </div>
      <div className={styles.axis} aria-hidden="true">
        <span>{format(first.from)}</span>
        <span>{format(last.to)}</span>
      </div>
    </div>
  )
}

/** The bars are one tab stop. */
function moveFocus(event: KeyboardEvent<HTMLElement>): void {
  const step = { ArrowRight: 1, ArrowLeft: -1 }[event.key]
  if (step === undefined) return
  const bars = [...event.currentTarget.querySelectorAll('button')]
  const next = bars[bars.indexOf(document.activeElement as HTMLButtonElement) + step]
  event.preventDefault()
  event.stopPropagation()
  next?.focus()
}

export function HistogramTable({ name, bins, format, onPick, pickLabel = () => 'filter' }: HistogramProps) {
  return (
    <table className={styles.table}>
      <caption className="sr-only">{name}</caption>
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
                <button
                  type="button"
                  className="plain"
                  data-tooltip={pickLabel(bin)}
                  onClick={() => onPick(bin)}
                >
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
