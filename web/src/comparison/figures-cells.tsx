// The cells of one figure: of the base its mean, of a candidate the mean, the change with its interval, and rows that changed.
import { Link } from '@tanstack/react-router'
import { count, counted } from '../format/numbers.ts'
import type { Search } from '../search.ts'
import { nameOf } from './compared.ts'
import { type FigureRow, intervalWords, rangeWords } from './figure-rows.ts'
import styles from './figures.module.css'
import { outcomeOf } from './outcomes.ts'
import { rowsOfClass } from './rows-of-class.ts'
import type { Shown } from './shown.ts'

/** The rows of the base that have a partner are others for each candidate: where that shows, from the least to the most. */
export function BaseCell({ row, ownTitle }: { row: FigureRow; ownTitle: string }) {
  const means = row.cells.flatMap(({ base_mean }) => base_mean ?? []).toSorted((a, b) => a - b)
  const [least, most] = [means[0], means.at(-1)]
  if (least === undefined || most === undefined) return <td className={styles.base}>–</td>
  const [from, to] = [row.format(least), row.format(most)]
  const why = from === to ? '' : 'Over the rows that each candidate has. '
  return (
    <td className={styles.base} title={why + ownTitle}>
      {rangeWords(from, to, '–')}
    </td>
  )
}

interface CandidateCellsProps {
  shown: Shown
  id: string
  row: FigureRow
  cell: FigureRow['cells'][number]
  ownTitle: string
}

export function CandidateCells({ shown, id, row, cell, ownTitle }: CandidateCellsProps) {
  const { mean, n } = cell
  return (
    <>
      <td className={`${styles.candidate} ${styles.mean}`} title={ownTitle}>
        {mean === null ? '–' : row.format(mean)}
      </td>
      <td>
        <Change row={row} cell={cell} />
      </td>
      <td className={styles.interval}>{intervalWords(cell, row)}</td>
      <td>{cell.classes && n > 0 && <Counts shown={shown} id={id} row={row} classes={cell.classes} />}</td>
      <td className={styles.n}>{count(n)}</td>
    </>
  )
}

function Change({ row, cell }: Pick<CandidateCellsProps, 'row' | 'cell'>) {
  const { delta, base_mean } = cell
  const outcome = outcomeOf(cell)
  if (outcome === 'none' || delta === null) return <span className="soft">nothing to compare</span>
  const amount = row.formatDelta(delta, base_mean)
  if (outcome === 'better' || outcome === 'worse') {
    return (
      <span className={outcome}>
        <span aria-hidden="true">{outcome === 'better' ? '▲' : '▼'}</span> {amount}{' '}
        {row.words?.[outcome] ?? outcome}
      </span>
    )
  }
  const sign = delta === 0 ? '' : delta < 0 ? '−' : '+'
  return (
    <span className="soft">
      <span aria-hidden="true">=</span> {sign}
      {amount} {outcome === 'tied' ? 'tied' : 'not enough to tell'}
    </span>
  )
}

interface CountsProps extends Pick<CandidateCellsProps, 'shown' | 'id' | 'row'> {
  classes: NonNullable<CandidateCellsProps['cell']['classes']>
}

/** Each number is the way to its rows. */
function Counts({ shown, id, row, classes }: CountsProps) {
  const { view, comparison, on } = shown
  const sides = [
    ['regressed', 'worse', '▼'],
    ['improved', 'better', '▲'],
  ] as const
  const base = nameOf(comparison, view.evaluations[0] ?? '')
  const isFollowed = row.evaluator === on && view.evaluations[1] === id
  return (
    <span className={styles.counts}>
      {sides.map(([show, word, arrow]) => (
        <Link
          key={show}
          to="/compare"
          search={(old: Search) => rowsOfClass(old, view, { show, on: row.evaluator, candidate: id })}
          className={classes[show] === 0 ? styles.none : word}
          aria-current={isFollowed && view.show === show ? 'true' : undefined}
          aria-label={`${counted(classes[show], 'row')} ${word} than ${base} on ${row.name}: show them`}
          title={`Show the rows that are ${word} than ${base} on ${row.name}`}
        >
          {arrow}
          {count(classes[show])}
        </Link>
      ))}
    </span>
  )
}
