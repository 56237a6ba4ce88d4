// The plot of score against cost or latency: each evaluation with its interval, and the ones that no other beats on both axes
// on a dashed line.
import { Link } from '@tanstack/react-router'
import type { Leaderboard } from 'assay-client'
import { useMemo, useRef } from 'react'
import { formatList } from '../../../format/list.ts'
import { shortNames } from '../../../navigation/short-names.ts'
import { formatWithUnit } from '../../../results/measures.ts'
import { useChangeSearchParams } from '../../../state/search-params.ts'
import { useWidth } from '../../../ui/charts/use-width.ts'
import tableStyles from '../../../ui/table.module.css'
import { Segments } from '../../../ui/tabs.tsx'
import { scoreFormat, scoreUnit } from '../scores.ts'
import type { LeaderboardParams } from '../search-params.ts'
import { Drawing } from './drawing.tsx'
import styles from './trade-off.module.css'
import { type TradeOffPoint, tradeOffLayout } from './trade-off-layout.ts'

const HEIGHT = 376

const AXES = {
  cost: { unit: 'dollars', label: 'mean cost of a row' },
  latency: { unit: 'seconds', label: 'median latency of a row' },
} as const
type Axis = keyof typeof AXES

interface TradeOffProps {
  params: LeaderboardParams
  leaderboard: Leaderboard
}

/** Nothing if fewer than two evaluations have a cost or a latency. */
export function TradeOff({ params, leaderboard }: TradeOffProps) {
  const changeParams = useChangeSearchParams<'/leaderboard'>()
  const axes = (Object.keys(AXES) as Axis[]).filter((axis) => pointsOf(leaderboard, axis).length > 1)
  const axis = axes.find((axis) => axis === params.axis) ?? axes[0]
  if (axis === undefined) return null
  return (
    <section aria-label="Trade-off" className={tableStyles.card}>
      <div className={styles.header}>
        <h2>Trade-off</h2>
        <span className={`quiet ${styles.name}`}>{leaderboard.on} against</span>
        {axes.length > 1 ? (
          <Segments
            label="Horizontal axis"
            options={[
              { value: 'cost', label: 'Cost' },
              { value: 'latency', label: 'Latency' },
            ]}
            value={axis}
            onChange={(value) => changeParams({ axis: value === 'latency' ? value : undefined })}
          />
        ) : (
          <span className="quiet">{axis}</span>
        )}
      </div>
      <Plot key={axis} leaderboard={leaderboard} axis={axis} />
    </section>
  )
}

/** The evaluations that have a score and this measure. */
function pointsOf({ evaluations, is_verdict }: Leaderboard, axis: Axis): TradeOffPoint[] {
  const factor = is_verdict ? 100 : 1
  const names = shortNames(evaluations)
  return evaluations.flatMap(({ id, mean, interval, cost, latency }) => {
    const [measure, isOnFrontier] =
      axis === 'cost' ? [cost.mean, cost.on_frontier] : [latency.p50, latency.on_frontier]
    if (mean === null || measure === null) return []
    const name = names.get(id) ?? id
    const [low, high] = (interval ?? [mean, mean]).map((end) => end * factor) as [number, number]
    return { id, name, measure, score: mean * factor, low, high, isOnFrontier: isOnFrontier === true }
  })
}

function Plot({ leaderboard, axis }: { leaderboard: Leaderboard; axis: Axis }) {
  const frame = useRef<HTMLDivElement>(null)
  const width = useWidth(frame)
  const points = useMemo(() => pointsOf(leaderboard, axis), [leaderboard, axis])
  const { unit, label } = AXES[axis]
  const layout = useMemo(
    () =>
      tradeOffLayout(points, {
        width,
        height: HEIGHT,
        maximum: scoreUnit(leaderboard) === 'percent' ? 100 : undefined,
        format: (value) => formatWithUnit(unit, value),
      }),
    [points, width, leaderboard, unit],
  )
  const faded = points.filter(({ isOnFrontier }) => !isOnFrontier).map(({ name }) => name)
  const { formatWithUnit: formatScore } = scoreFormat(leaderboard)
  const best = leaderboard.evaluations[0]?.id ?? ''
  return (
    <>
      <div ref={frame} className={styles.plot} style={{ height: HEIGHT }}>
        {width > 0 && (
          <>
            <Drawing
              layout={layout}
              width={width}
              height={HEIGHT}
              title={`${leaderboard.on} against ${axis}`}
            />
            {layout.points.map(({ id, name, measure, x, y }) => {
              const evaluation = leaderboard.evaluations.find((one) => one.id === id)
              const tooltip = [
                name,
                evaluation?.mean != null && formatScore(evaluation.mean),
                formatWithUnit(unit, measure),
              ]
                .filter(Boolean)
                .join(', ')
              const shared = {
                className: styles.target,
                style: { left: x, top: y },
                'aria-label': tooltip,
                'data-tooltip': id === best ? tooltip : `${tooltip}\nCompare with the best`,
              }
              return id === best ? (
                <Link key={id} to="/evaluations/$evaluationId" params={{ evaluationId: id }} {...shared} />
              ) : (
                <Link
                  key={id}
                  to="/compare"
                  search={{ evaluation: [best, id], on: leaderboard.on }}
                  {...shared}
                />
              )
            })}
          </>
        )}
      </div>
      <p className={styles.axisTitle}>
        {label}, {layout.isLogarithmic && 'log scale; '}left is better
      </p>
      <p className={styles.caption}>
        The dashed line joins evaluations that no other one beats on both axes.
        {faded.length > 0 && (
          <>
            {' '}
            <strong>
              <bdi>{formatList(faded)}</bdi>
            </strong>{' '}
            {faded.length === 1 ? 'is' : 'are'} faded: another one is better on one axis and no worse on the
            other.
          </>
        )}
      </p>
    </>
  )
}
