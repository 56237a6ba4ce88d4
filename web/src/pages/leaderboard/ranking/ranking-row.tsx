// One row of the ranking. Its link compares the evaluation with the best one.
import { Link } from '@tanstack/react-router'
import type { Leaderboard } from 'assay-client'
import { formatChange } from '../../../results/measures.ts'
import { Triangle } from '../../../ui/icon.tsx'
import tableStyles from '../../../ui/table.module.css'
import { type RankedEvaluation, rankLabel, scoreUnit } from '../scores.ts'
import { IntervalBar, type IntervalScale } from './interval-bar.tsx'
import styles from './ranking.module.css'

interface RankingRowProps {
  leaderboard: Leaderboard
  evaluation: RankedEvaluation
  formats: Record<'score' | 'cost' | 'latency', (value: number) => string>
  scale: IntervalScale
  hasCost: boolean
  hasLatency: boolean
  isSelected: boolean
  onToggle: () => void
}

export function RankingRow(props: RankingRowProps) {
  const { leaderboard, evaluation, formats, scale, hasCost, hasLatency, isSelected, onToggle } = props
  const { id, rank, mean, interval, cost, latency } = evaluation
  const description = runDescription(evaluation)
  return (
    <tr data-row={id} aria-selected={isSelected}>
      <td className={styles.select}>
        <input
          type="checkbox"
          aria-label={`Select ${evaluation.name ?? id}`}
          checked={isSelected}
          onChange={onToggle}
        />
      </td>
      <td className={styles.rank}>{rankLabel(rank)}</td>
      <th scope="row" className={styles.name}>
        <EvaluationName leaderboard={leaderboard} evaluation={evaluation} />
        {description !== '' && <span className={styles.description}>{description}</span>}
      </th>
      <td className={tableStyles.numeric}>{mean !== null && <strong>{formats.score(mean)}</strong>}</td>
      <td className={styles.chart}>
        <IntervalBar mean={mean} interval={interval} scale={scale} format={formats.score} />
      </td>
      <Change leaderboard={leaderboard} evaluation={evaluation} />
      {hasCost && (
        <td className={`${tableStyles.numeric} ${styles.cost}`}>
          {cost.mean !== null && formats.cost(cost.mean)}
        </td>
      )}
      {hasLatency && (
        <td className={`${tableStyles.numeric} ${styles.latency}`}>
          {latency.p50 !== null && formats.latency(latency.p50)}
        </td>
      )}
    </tr>
  )
}

/** The best evaluation has no other to be compared with, so its link opens it. */
function EvaluationName({
  leaderboard: { evaluations, on },
  evaluation: { id, name },
}: Pick<RankingRowProps, 'leaderboard' | 'evaluation'>) {
  const best = evaluations[0]?.id ?? id
  const content = <bdi>{name ?? id}</bdi>
  if (id === best) {
    return (
      <Link
        to="/evaluations/$evaluationId"
        params={{ evaluationId: id }}
        className={styles.link}
        data-tooltip="Open this evaluation"
      >
        {content}
      </Link>
    )
  }
  return (
    <Link
      to="/compare"
      search={{ evaluation: [best, id], on }}
      className={styles.link}
      data-tooltip="Compare with the best"
    >
      {content}
    </Link>
  )
}

const OUTCOMES = { better: 'better', worse: 'worse', tied: 'tied', 'too-few': 'too few rows' }

/** The paired change to the best evaluation, its outcome and its interval. */
function Change({
  leaderboard,
  evaluation: { change },
}: Pick<RankingRowProps, 'leaderboard' | 'evaluation'>) {
  const unit = scoreUnit(leaderboard)
  if (!change) {
    return (
      <>
        <td className={`quiet ${tableStyles.numeric}`}>–</td>
        <td className={styles.outcome}>
          <strong>best</strong>
        </td>
        <td className={styles.interval} />
      </>
    )
  }
  const { delta, interval, outcome } = change
  const color = outcome === 'better' || outcome === 'worse' ? outcome : undefined
  return (
    <>
      <td className={`${color ?? 'muted'} ${tableStyles.numeric}`}>
        {color && <Triangle direction={color} />} {delta !== null && formatChange(unit, delta)}
      </td>
      <td className={`${color ?? 'muted'} ${styles.outcome}`}>
        {outcome === null ? 'no verdict' : OUTCOMES[outcome]}
      </td>
      <td className={styles.interval}>{interval?.map((end) => formatChange(unit, end)).join(' to ')}</td>
    </>
  )
}

/** What ran, below the name of an evaluation: "support-answer r5 · gpt-5-mini". */
function runDescription({ name, id, variant_id, revision, label, provider }: RankedEvaluation): string {
  const variant = variant_id !== null && (revision === null ? variant_id : `${variant_id} r${revision}`)
  return [variant, label, provider].filter((part) => part && part !== (name ?? id)).join(' · ')
}
