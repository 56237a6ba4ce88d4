// Plot of scores by revision: a dot per evaluation, and a line through the newest evaluation of each revision.
import { useRouter } from '@tanstack/react-router'
import { type KeyboardEvent, type MouseEvent, useId, useLayoutEffect, useMemo, useRef, useState } from 'react'
import { useCanRead } from '../../api/restriction.ts'
import { type Direction, directionOf } from '../../format/direction.ts'
import type { Revision } from '../../queries/variants.ts'
import type { Baseline, Metric } from '../../revisions/metrics.ts'
import { BASE_PATH } from '../../state/base-path.ts'
import type { History } from './history.ts'
import styles from './plot.module.css'
import { plotSummary, targetLabel } from './plot-labels.ts'
import { type Dot, type PlotLayout, plotLayout, TARGET_SIZE, type Target } from './plot-layout.ts'

const HEIGHT = 196
/** Minimum column width in pixels for value labels. */
const MIN_LABELED_WIDTH = 72

interface PlotProps {
  history: History
  revisions: Revision[]
  metric: Metric
  onActiveChange: (target: Target | undefined) => void
}

export function Plot({ history, revisions, metric, onActiveChange }: PlotProps) {
  const scroller = useRef<HTMLDivElement>(null)
  const width = useWidth(scroller)
  const layout = useMemo(
    () => plotLayout(revisions, metric, { width, height: HEIGHT }),
    [revisions, metric, width],
  )
  // Start at the newest revisions.
  useLayoutEffect(() => {
    scroller.current?.scrollTo({ left: layout.width })
  }, [layout.width])
  const visibleRevisions = useMemo(
    () => new Set(history.entries.map((entry) => entry.revision)),
    [history.entries],
  )
  return (
    <div className={styles.plot}>
      <div aria-hidden="true" className={styles.axis} style={{ height: HEIGHT }}>
        {layout.ticks.map(({ value, y }) => (
          <span key={value} style={{ top: y }}>
            {metric.format(value)}
          </span>
        ))}
      </div>
      <div ref={scroller} className={styles.scroller}>
        <div className={styles.area} style={{ width: layout.width }}>
          <Drawing layout={layout} revisions={revisions} metric={metric} baselines={history.baselines} />
          <Targets layout={layout} history={history} metric={metric} onActiveChange={onActiveChange} />
          <div className={styles.labels}>
            {layout.columns.map(
              ({ revision, x, hasLabel }) =>
                hasLabel && (
                  <a
                    key={revision.revision}
                    href={visibleRevisions.has(revision) ? `#r${revision.revision}` : undefined}
                    // Not in the tab order: the revision list has the same links.
                    tabIndex={-1}
                    style={{ left: x }}
                  >
                    r{revision.revision}
                  </a>
                ),
            )}
          </div>
        </div>
      </div>
    </div>
  )
}

interface DrawingProps {
  layout: PlotLayout
  revisions: Revision[]
  metric: Metric
  baselines: Map<number, Baseline>
}

function Drawing({ layout, revisions, metric, baselines }: DrawingProps) {
  const title = useId()
  const { width, ticks, columns, line, dots, valueLabels, column } = layout
  const directionOfDot = ({ revision, value }: Dot) => {
    const baseline = baselines.get(revision.revision)
    return baseline ? directionOf(value - baseline.value, metric.higherIsBetter) : 'tied'
  }
  return (
    <svg role="img" aria-labelledby={title} width={width} height={HEIGHT} className={styles.drawing}>
      <title id={title}>{plotSummary(revisions, metric)}</title>
      {ticks.map(({ value, y }) => (
        <line key={value} x1={0} x2={width} y1={y} y2={y} className={styles.grid} />
      ))}
      {columns.map(({ revision, x }) => (
        <line
          key={revision.revision}
          x1={x}
          x2={x}
          y1={HEIGHT - 4}
          y2={HEIGHT}
          className={styles.columnMark}
        />
      ))}
      <polyline points={line.map(({ x, y }) => `${x},${y}`).join(' ')} className={styles.line} />
      {dots.map((dot) => (
        <circle
          key={dot.evaluation.id}
          cx={dot.x}
          cy={dot.y}
          r={dot.isNewest ? 5 : 4}
          className={dot.isNewest ? `${styles.newest} ${directionOfDot(dot)}` : styles.older}
        />
      ))}
      {column >= MIN_LABELED_WIDTH &&
        valueLabels.map((dot) => (
          <text
            key={dot.evaluation.id}
            x={dot.x}
            y={dot.y + (dot.isBelow ? 19 : -11)}
            textAnchor="middle"
            className={directionOfDot(dot)}
          >
            {SIGNS[directionOfDot(dot)]}
            {metric.format(dot.value)}
          </text>
        ))}
    </svg>
  )
}

const SIGNS: Record<Direction, string> = { better: '▲ ', worse: '▼ ', tied: '' }

interface TargetsProps extends Omit<PlotProps, 'revisions'> {
  layout: PlotLayout
}

/**
 * Links over the drawing, with one tab stop and arrow keys between them. Plain links, because rendering hundreds of router
 * links is noticeably slow.
 */
function Targets({ layout, history, metric, onActiveChange }: TargetsProps) {
  const { targets } = layout
  const router = useRouter()
  const canRead = useCanRead()
  const [tabStop, setTabStop] = useState<number>()
  const tabStopIndex = Math.min(tabStop ?? targets.length - 1, targets.length - 1)
  const move = (event: KeyboardEvent<HTMLUListElement>) => {
    const steps: Record<string, number> = {
      ArrowLeft: tabStopIndex - 1,
      ArrowRight: tabStopIndex + 1,
      Home: 0,
    }
    const nextIndex = event.key === 'End' ? targets.length - 1 : steps[event.key]
    if (nextIndex === undefined) return
    event.preventDefault()
    event.currentTarget.querySelectorAll('a')[nextIndex]?.focus()
  }
  const openTarget = (event: MouseEvent<HTMLUListElement>) => {
    const href = (event.target as Element).closest('a')?.getAttribute('href')
    // With a modifier key the browser opens a new tab or window.
    if (!href || event.ctrlKey || event.metaKey || event.shiftKey || event.altKey) return
    event.preventDefault()
    router.history.push(href)
  }
  return (
    <ul className={styles.targets} aria-label="Evaluations in the plot" onKeyDown={move} onClick={openTarget}>
      {targets.map((target, index) => {
        const [{ revision, evaluation }] = target.dots
        const baseline = history.baselines.get(revision.revision)
        return (
          <li
            key={evaluation.id}
            style={{
              left: target.x - TARGET_SIZE / 2,
              top: target.y - TARGET_SIZE / 2,
              width: TARGET_SIZE,
              height: TARGET_SIZE,
            }}
          >
            <a
              href={
                target.dots.length === 1 && canRead('evaluation', evaluation.id)
                  ? `${BASE_PATH}/evaluations/${encodeURIComponent(evaluation.id)}`
                  : `${BASE_PATH}/variants/${encodeURIComponent(history.id)}/revisions/${revision.revision}`
              }
              tabIndex={index === tabStopIndex ? 0 : -1}
              onFocus={() => {
                setTabStop(index)
                onActiveChange(target)
              }}
              onBlur={() => onActiveChange(undefined)}
              onMouseEnter={() => onActiveChange(target)}
              onMouseLeave={() => onActiveChange(undefined)}
            >
              <span className="sr-only">{targetLabel(target, metric, baseline)}</span>
            </a>
          </li>
        )
      })}
    </ul>
  )
}

function useWidth(element: { current: HTMLElement | null }): number {
  const [width, setWidth] = useState(0)
  useLayoutEffect(() => {
    const { current } = element
    if (!current) return
    const measureWidth = () => setWidth(current.clientWidth)
    measureWidth()
    const observer = new ResizeObserver(measureWidth)
    observer.observe(current)
    return () => observer.disconnect()
  }, [element])
  return width
}
