// How each revision scored: revisions from left to right, a dot for every evaluation that ran one, a line through the newest.
import { useRouter } from '@tanstack/react-router'
import { type KeyboardEvent, type MouseEvent, useId, useLayoutEffect, useMemo, useRef, useState } from 'react'
import { type Direction, directionOf } from '../format/direction.ts'
import { useCovers } from '../shell/confinement.ts'
import type { History } from './history.ts'
import type { Base, Measure } from './measures.ts'
import styles from './plot.module.css'
import { type Dot, type PlotLayout, plotLayout, TARGET, type Target } from './plot-layout.ts'
import type { Revision } from './questions.ts'
import { summaryOf, targetName } from './words.ts'

const HEIGHT = 196
/** A column that has room for the figure of its dot. */
const FIGURE_WIDTH = 72

interface PlotProps {
  history: History
  revisions: Revision[]
  measure: Measure
  onPoint: (target: Target | undefined) => void
}

export function Plot({ history, revisions, measure, onPoint }: PlotProps) {
  const scroller = useRef<HTMLDivElement>(null)
  const width = useWidth(scroller)
  const layout = useMemo(
    () => plotLayout(revisions, measure, { width, height: HEIGHT }),
    [revisions, measure, width],
  )
  // The newest revisions are what one comes for.
  useLayoutEffect(() => {
    scroller.current?.scrollTo({ left: layout.width })
  }, [layout.width])
  const listed = useMemo(() => new Set(history.entries.map((entry) => entry.revision)), [history.entries])
  return (
    <div className={styles.plot}>
      <div aria-hidden="true" className={styles.axis} style={{ height: HEIGHT }}>
        {layout.ticks.map(({ value, y }) => (
          <span key={value} style={{ top: y }}>
            {measure.format(value)}
          </span>
        ))}
      </div>
      <div ref={scroller} className={styles.scroller}>
        <div className={styles.area} style={{ width: layout.width }}>
          <Drawing layout={layout} revisions={revisions} measure={measure} bases={history.bases} />
          <Targets layout={layout} history={history} measure={measure} onPoint={onPoint} />
          <div className={styles.labels}>
            {layout.columns.map(
              ({ revision, x, hasLabel }) =>
                hasLabel && (
                  <a
                    key={revision.revision}
                    href={listed.has(revision) ? `#r${revision.revision}` : undefined}
                    // The list has the same rows for the keyboard; hundreds of stops before it would be in the way.
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
  measure: Measure
  bases: Map<number, Base>
}

function Drawing({ layout, revisions, measure, bases }: DrawingProps) {
  const title = useId()
  const { width, ticks, columns, line, dots, figures, column } = layout
  const wordFor = ({ revision, value }: Dot) => {
    const base = bases.get(revision.revision)
    return base ? directionOf(value - base.value, measure.higherIsBetter) : 'tied'
  }
  return (
    <svg role="img" aria-labelledby={title} width={width} height={HEIGHT} className={styles.drawing}>
      <title id={title}>{summaryOf(revisions, measure)}</title>
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
          className={dot.isNewest ? `${styles.newest} ${styles[wordFor(dot)]}` : styles.older}
        />
      ))}
      {column >= FIGURE_WIDTH &&
        figures.map((dot) => (
          <text
            key={dot.evaluation.id}
            x={dot.x}
            y={dot.y + (dot.isBelow ? 19 : -11)}
            textAnchor="middle"
            className={styles[wordFor(dot)]}
          >
            {SIGNS[wordFor(dot)]}
            {measure.format(dot.value)}
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
 * Links over the drawing, one stop for the Tab key: arrows go from one to the next. They are plain ones, since hundreds of
 * the router's take a moment that one feels.
 */
function Targets({ layout, history, measure, onPoint }: TargetsProps) {
  const { targets } = layout
  const router = useRouter()
  const covers = useCovers()
  const [stop, setStop] = useState<number>()
  const reached = Math.min(stop ?? targets.length - 1, targets.length - 1)
  const move = (event: KeyboardEvent<HTMLUListElement>) => {
    const steps: Record<string, number> = { ArrowLeft: reached - 1, ArrowRight: reached + 1, Home: 0 }
    const next = event.key === 'End' ? targets.length - 1 : steps[event.key]
    if (next === undefined) return
    event.preventDefault()
    event.currentTarget.querySelectorAll('a')[next]?.focus()
  }
  const open = (event: MouseEvent<HTMLUListElement>) => {
    const href = (event.target as Element).closest('a')?.getAttribute('href')
    // With a modifier it is for the browser, which opens tabs.
    if (!href || event.ctrlKey || event.metaKey || event.shiftKey || event.altKey) return
    event.preventDefault()
    router.history.push(href)
  }
  return (
    <ul className={styles.targets} aria-label="Evaluations in the plot" onKeyDown={move} onClick={open}>
      {targets.map((target, index) => {
        const [{ revision, evaluation }] = target.dots
        const base = history.bases.get(revision.revision)
        return (
          <li
            key={evaluation.id}
            style={{ left: target.x - TARGET / 2, top: target.y - TARGET / 2, width: TARGET, height: TARGET }}
          >
            <a
              href={
                target.dots.length === 1 && covers('evaluation', evaluation.id)
                  ? `/evaluations/${encodeURIComponent(evaluation.id)}`
                  : `/variants/${encodeURIComponent(history.id)}/revisions/${revision.revision}`
              }
              tabIndex={index === reached ? 0 : -1}
              onFocus={() => {
                setStop(index)
                onPoint(target)
              }}
              onBlur={() => onPoint(undefined)}
              onMouseEnter={() => onPoint(target)}
              onMouseLeave={() => onPoint(undefined)}
            >
              <span className="unseen">{targetName(target, measure, base)}</span>
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
