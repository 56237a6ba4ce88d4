// The bins of a figure as small bars, each a button for the mouse that keeps the rows in it; the same as a table, whose buttons
// are large enough for everybody and reached by keys.
import { count, counted } from '../format/numbers.ts'
import styles from './histogram.module.css'

export interface Bin {
  from: number
  to: number
  count: number
}

interface HistogramProps {
  /** What the numbers are: "similarity". */
  name: string
  bins: Bin[]
  format: (value: number) => string
  /** Keeps the rows of a bin; without it bars are only to look at. */
  onPick?: ((bin: Bin) => void) | undefined
  /** What picking a bin does, in words. */
  picks?: ((bin: Bin) => string) | undefined
}

export function Histogram({ name, bins, format, onPick, picks = () => 'filter' }: HistogramProps) {
  const most = Math.max(...bins.map((bin) => bin.count))
  const total = bins.reduce((sum, bin) => sum + bin.count, 0)
  const first = bins[0]
  const last = bins.at(-1)
  if (!first || !last) return null
  const summary = `${name}: ${counted(total, 'row')} from ${format(first.from)} to ${format(last.to)}`
  const words = (bin: Bin) =>
    `${name} ${bin.from === bin.to ? format(bin.from) : `${format(bin.from)}–${format(bin.to)}`}, ${counted(bin.count, 'row')}`
  return (
    <div role="group" aria-label={summary} className={styles.histogram}>
      {bins.map((bin) => {
        const height = bin.count === 0 ? 0 : Math.max(6, (bin.count / most) * 100)
        const bar = <span ref={(element) => element?.style.setProperty('height', `${height}%`)} />
        if (!onPick || bin.count === 0) {
          return (
            <span key={bin.from} className={styles.bar} title={words(bin)}>
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
            aria-label={`${words(bin)}: ${picks(bin)}`}
            title={`${words(bin)}: ${picks(bin)}`}
            onClick={() => onPick(bin)}
          >
            {bar}
          </button>
        )
      })}
    </div>
  )
}

export function HistogramTable({ name, bins, format, onPick, picks = () => 'filter' }: HistogramProps) {
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
                <button type="button" className="plain" title={picks(bin)} onClick={() => onPick(bin)}>
                  {count(bin.count)}
                  <span className="unseen">: {picks(bin)}</span>
                </button>
              ) : (
                count(bin.count)
              )}
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  )
}
