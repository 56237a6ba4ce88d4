// The ranking next to the plot of its trade-off, and what the ranks refer to.
import type { Leaderboard } from 'assay-client'
import { Info, TriangleAlert } from 'lucide'
import { formatCount, pluralize } from '../../../format/numbers.ts'
import { Icon } from '../../../ui/icon.tsx'
import { TradeOff } from '../plot/trade-off.tsx'
import type { LeaderboardParams } from '../search-params.ts'
import type { Selection } from '../selection.ts'
import styles from './ranking.module.css'
import { RankingTable } from './ranking-table.tsx'

const EQUAL_RANKS = 'Equal ranges of ranks mean that the data cannot tell the evaluations apart.'

interface RankingViewProps {
  params: LeaderboardParams
  leaderboard: Leaderboard
  selection: Selection
}

export function RankingView({ params, leaderboard, selection }: RankingViewProps) {
  return (
    <>
      <div className={styles.view}>
        <RankingTable leaderboard={leaderboard} selection={selection} />
        <TradeOff params={params} leaderboard={leaderboard} />
      </div>
      <Notes leaderboard={leaderboard} />
    </>
  )
}

/** Which rows the ranks refer to, and the warnings of the service. The one about missing rows says the same in more detail. */
function Notes({ leaderboard: { evaluations, shared_rows, warnings } }: { leaderboard: Leaderboard }) {
  const rowCount = Math.max(...evaluations.map(({ row_count }) => row_count))
  const all = `all ${formatCount(evaluations.length)} evaluations`
  const hasMissingRows = warnings.some(({ code }) => code === 'rows-missing')
  return (
    <ul className={styles.notes}>
      {!hasMissingRows && (
        <li>
          <Icon icon={Info} />
          <span>
            <strong>
              {shared_rows === rowCount
                ? `All ${pluralize(rowCount, 'row')} have a score in ${all}.`
                : `${formatCount(shared_rows)} of ${pluralize(rowCount, 'row')} have a score in ${all}.`}
            </strong>{' '}
            Ranks, scores and changes use only these rows. {EQUAL_RANKS}
          </span>
        </li>
      )}
      {warnings.map(({ code, evaluation, detail }) => (
        <li key={`${code} ${evaluation}`} className={styles.warning}>
          <Icon icon={TriangleAlert} />
          <span>
            <bdi>{withNames(detail, evaluations)}</bdi> {code === 'rows-missing' && EQUAL_RANKS}
          </span>
        </li>
      ))}
    </ul>
  )
}

/** The service names evaluations by their ids, which the page does not show. */
function withNames(detail: string, evaluations: Leaderboard['evaluations']): string {
  return evaluations.reduce(
    (text, { id, name }) => text.replaceAll(`'${id}'`, () => `'${name ?? id}'`),
    detail,
  )
}
