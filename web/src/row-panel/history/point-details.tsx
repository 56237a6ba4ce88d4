// The details of a point: the evaluation, its results for the row, and the start of the output, which is requested on demand.
import { useQuery } from '@tanstack/react-query'
import type { Evaluation } from 'assay-client'
import { CircleAlert, Minus } from 'lucide'
import {
  type FocusEvent,
  type KeyboardEvent,
  type PointerEvent,
  useEffect,
  useLayoutEffect,
  useRef,
  useState,
} from 'react'
import { formatDollars, formatScore, formatSeconds } from '../../format/numbers.ts'
import { formatDateTime } from '../../format/times.ts'
import { compactText, previewText } from '../../format/value-text.ts'
import { rowStartQuery } from '../../queries/scenarios.ts'
import { outputValue, resultValue } from '../../results/cells.ts'
import { RESULT_STATES, type ResultState } from '../../results/result-states.ts'
import { StateIcon } from '../../results/state-icon.tsx'
import { Icon } from '../../ui/icon.tsx'
import { placeNextTo } from '../../ui/menus/placement.ts'
import { Skeleton } from '../../ui/messages/skeleton.tsx'
import styles from './history.module.css'
import { type HistoryRow, labelOf, rowState, scoreOf } from './points.ts'

const MAX_RESULTS = 6
/** No text in the details shows more characters. */
const MAX_LENGTH = 300

interface PointDetailsProps {
  id: string
  row: HistoryRow
  /** The same row in the evaluation before. */
  previous: HistoryRow | undefined
  evaluation: Evaluation
  anchor: HTMLElement
  onPointerEnter: () => void
  onPointerLeave: () => void
}

export function PointDetails({ id, row, previous, evaluation, anchor, ...pointerProps }: PointDetailsProps) {
  const popover = useRef<HTMLDivElement>(null)
  useLayoutEffect(() => {
    const element = popover.current
    if (!element) return
    element.showPopover()
    const place = () => placeNextTo(element, anchor)
    // Its size changes when the output has loaded.
    const observer = new ResizeObserver(place)
    observer.observe(element)
    document.addEventListener('scroll', place, { capture: true })
    return () => {
      observer.disconnect()
      document.removeEventListener('scroll', place, { capture: true })
    }
  }, [anchor])
  const names = [...new Set(row.results.map(({ evaluator_config }) => evaluator_config))]
  const measures = [
    row.latency !== null && formatSeconds(row.latency),
    row.cost !== null && formatDollars(row.cost),
  ].filter(Boolean)
  return (
    <div ref={popover} id={id} popover="manual" role="tooltip" className={styles.details} {...pointerProps}>
      <p className={styles.name}>
        <bdi>{row.name ?? row.evaluation_id}</bdi>
      </p>
      <p className="muted">
        {[row.revision !== null && labelOf(row), formatDateTime(row.created_at), ...measures]
          .filter(Boolean)
          .join(', ')}
      </p>
      {names.length > 0 && (
        <ul className={styles.results}>
          {names.slice(0, MAX_RESULTS).map((name) => (
            <ResultLine key={name} name={name} row={row} evaluation={evaluation} />
          ))}
          {names.length > MAX_RESULTS && <li className="muted">{names.length - MAX_RESULTS} more results</li>}
        </ul>
      )}
      <OutputStart row={row} />
      {previous && row.output_changed !== null && (
        <p className="muted">
          {row.output_changed ? 'Output changed against ' : 'Same output as '}
          <bdi>{labelOf(previous).slice(0, MAX_LENGTH)}</bdi>
        </p>
      )}
    </div>
  )
}

function ResultLine({ name, row, evaluation }: { name: string; row: HistoryRow; evaluation: Evaluation }) {
  const state = rowState(row, name, evaluation)
  const score = scoreOf(row, name)
  const isText = state === 'labeled' || state === 'error'
  const text = isText ? compactText(resultValue(row, name)).slice(0, MAX_LENGTH) : ''
  return (
    <li>
      <bdi className={styles.evaluator}>{name}</bdi>
      <span className={styles.result}>
        <PointIcon state={state} />
        {state !== 'scored' && state !== 'labeled' && <span>{RESULT_STATES[state].name.toLowerCase()}</span>}
        {score !== undefined && <b>{formatScore(score)}</b>}
        {text !== '' && <bdi className={styles.resultText}>{text}</bdi>}
      </span>
    </li>
  )
}

function OutputStart({ row: { evaluation_id, scenario_id } }: { row: HistoryRow }) {
  const { data, isError } = useQuery(rowStartQuery(evaluation_id, scenario_id))
  if (isError) return <p className="muted">The output cannot be loaded.</p>
  if (data === undefined) {
    return (
      <p>
        <Skeleton width={30} />
      </p>
    )
  }
  const { value, isCut, isToolCall, isError: hasFailed } = (data && outputValue(data, 1)) ?? {}
  if (value === undefined) return <p className="muted">No output.</p>
  return (
    <>
      {hasFailed && (
        <p className={styles.failure}>
          <PointIcon state="output_error" /> Output failed
        </p>
      )}
      <p dir="auto" className={hasFailed ? `${styles.output} ${styles.trace}` : styles.output}>
        <span>
          {previewText(value, isCut)}
          {isToolCall && ' (tool call)'}
        </span>
      </p>
    </>
  )
}

/** The icon of a point. Unlike elsewhere, states without a verdict have one too, because a small point has no text. */
export function PointIcon({ state }: { state: ResultState }) {
  if (state !== 'unscored' && state !== 'output_error') return <StateIcon state={state} />
  return (
    <span className={state === 'unscored' ? 'quiet' : 'worse'}>
      <Icon icon={state === 'unscored' ? Minus : CircleAlert} size={14} />
    </span>
  )
}

const OPEN_MS = 200
const CLOSE_MS = 150

/** Which point the details belong to: the one with the pointer or the keyboard focus. The pointer can move into the details. */
export function useDetailsAnchor() {
  const [anchor, setAnchor] = useState<HTMLElement>()
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined)
  useEffect(() => () => clearTimeout(timer.current), [])
  function setAfter(next: HTMLElement | undefined, delayMs: number) {
    clearTimeout(timer.current)
    timer.current = setTimeout(() => setAnchor(next), delayMs)
  }
  function close() {
    clearTimeout(timer.current)
    setAnchor(undefined)
  }
  return {
    anchor,
    openId: anchor?.closest<HTMLElement>('[data-evaluation]')?.dataset.evaluation,
    listProps: {
      onPointerOver: ({ target, pointerType }: PointerEvent) => {
        // A touch opens the link.
        if (pointerType !== 'touch') setAfter(linkAround(target), anchor ? CLOSE_MS : OPEN_MS)
      },
      onPointerLeave: () => setAfter(undefined, CLOSE_MS),
      onFocus: ({ target }: FocusEvent) => {
        if (target.matches(':focus-visible')) setAfter(linkAround(target), 0)
      },
      onBlur: close,
      onClick: close,
      onKeyDown: (event: KeyboardEvent) => {
        if (event.key !== 'Escape' || !anchor) return
        // Escape closes the details, not the row.
        event.preventDefault()
        close()
      },
    },
    popoverProps: {
      onPointerEnter: () => clearTimeout(timer.current),
      onPointerLeave: () => setAfter(undefined, CLOSE_MS),
    },
  }
}

function linkAround(target: EventTarget): HTMLElement | undefined {
  return target instanceof Element ? (target.closest('a') ?? undefined) : undefined
}
