// The conclusion of a leaderboard in words: which evaluation is the best, which ones the data cannot tell from it, and which of
// those costs less.
import type { Leaderboard } from 'assay-client'
import { formatCount, formatPercent } from '../../../format/numbers.ts'
import { shortNames } from '../../../navigation/short-names.ts'
import { scoreFormat, tiedForFirst } from '../scores.ts'
import styles from './header.module.css'

/** Smaller savings are not worth a sentence. */
const MIN_SAVING = 0.1

export function Conclusion({ leaderboard }: { leaderboard: Leaderboard }) {
  const { evaluations, on, higher_is_better } = leaderboard
  const [best] = evaluations
  if (!best) return null
  const names = shortNames(evaluations)
  const tied = tiedForFirst(leaderboard)
  const cheaper = cheapestOf(tied)
  const score = best.mean === null ? '' : scoreFormat(leaderboard).formatWithUnit(best.mean)
  return (
    <p role="status" className={styles.conclusion}>
      <bdi>
        <strong>{names.get(best.id)}</strong>
      </bdi>{' '}
      has the {higher_is_better ? 'highest' : 'lowest'} <strong>{on}</strong>
      {tied.length === 1 ? (
        <>, {score}, and is certainly better than all others.</>
      ) : (
        <>
          , but{' '}
          <strong>
            {tied.length === evaluations.length ? 'all' : formatCount(tied.length)} evaluations are tied for
            first
          </strong>
          .
        </>
      )}
      {cheaper && (
        <>
          {' '}
          <bdi>
            <strong>{names.get(cheaper.id)}</strong>
          </bdi>{' '}
          is one of them and costs <span className={styles.value}>{formatPercent(cheaper.saving)}</span> less.
        </>
      )}
    </p>
  )
}

/** The cheapest of the tied evaluations, if it costs clearly less than the first of them. */
function cheapestOf(tied: Leaderboard['evaluations']): { id: string; saving: number } | undefined {
  const firstCost = tied[0]?.cost.mean
  if (!firstCost) return undefined
  const savings = tied.flatMap(({ id, cost: { mean } }) =>
    mean === null ? [] : { id, saving: 1 - mean / firstCost },
  )
  const cheapest = savings.toSorted((a, b) => b.saving - a.saving)[0]
  return cheapest && cheapest.saving >= MIN_SAVING ? cheapest : undefined
}
