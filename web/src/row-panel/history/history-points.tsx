// One point per evaluation in which the row ran, the oldest first: revision, state and score. Each is a link to the row there.
import { useQuery } from '@tanstack/react-query'
import { Link, useParams } from '@tanstack/react-router'
import type { Evaluation } from 'assay-client'
import { type ComponentProps, type KeyboardEvent, type ReactNode, useId, useState } from 'react'
import { useRestriction } from '../../api/restriction.ts'
import { pluralize } from '../../format/numbers.ts'
import { evaluationQuery } from '../../queries/evaluations.ts'
import { scenarioHistoryQuery } from '../../queries/scenarios.ts'
import { type EvaluatorDisplay, formatFixed, useEvaluatorDisplays } from '../../results/evaluator-display.ts'
import { RESULT_STATES } from '../../results/result-states.ts'
import { useSharedSearch } from '../../state/search-params.ts'
import styles from './history.module.css'
import { PointDetails, PointIcon, useDetailsAnchor } from './point-details.tsx'
import { type HistoryRow, labelOf, mainEvaluators, rowState, scoreOf } from './points.ts'

/** More points are small: only the icon or the score. */
const MAX_LABELED_POINTS = 12

interface HistoryPointsProps {
  evaluationId: string
  scenarioId: string
  fallback: ReactNode
}

export function HistoryPoints({ evaluationId, scenarioId, fallback }: HistoryPointsProps) {
  const { data: evaluation } = useQuery(evaluationQuery(evaluationId))
  const { data: history, isError } = useQuery(scenarioHistoryQuery(evaluationId, scenarioId))
  const isRestricted = useRestriction() !== null
  if (isError) return <p className={styles.detail}>The history cannot be loaded.</p>
  if (!evaluation || !history) return fallback
  const { rows } = history
  if (!rows.some(({ evaluation_id }) => evaluation_id !== evaluationId)) {
    return (
      <p className={styles.detail}>
        {isRestricted ? 'This share link includes no other run of it.' : 'There is no other run of it.'}
      </p>
    )
  }
  return <Points evaluation={evaluation} rows={rows.toReversed()} />
}

function Points({ evaluation, rows }: { evaluation: Evaluation; rows: HistoryRow[] }) {
  const { on } = useSharedSearch()
  const { state, score } = mainEvaluators(rows, evaluation, on)
  const settings = evaluation.evaluators?.find(({ name }) => name === score)
  const displays = useEvaluatorDisplays(score === undefined ? [] : [{ ...settings, name: score }], rows)
  const names = [...new Set([state, score])].filter((name) => name !== undefined)
  const isCompact = rows.length > MAX_LABELED_POINTS
  const [focusedId, setFocusedId] = useState(evaluation.id)
  const tabStop = rows.find(({ evaluation_id }) => evaluation_id === focusedId) ?? rows.at(-1)
  const detailsId = useId()
  const { anchor, openId, listProps, popoverProps } = useDetailsAnchor()
  const openIndex = rows.findIndex(({ evaluation_id }) => evaluation_id === openId)
  const openRow = rows[openIndex]
  return (
    <>
      <p className={styles.detail}>
        {names.length > 0 && <bdi>{names.join(' and ')}</bdi>} in {pluralize(rows.length, 'evaluation')}
        {isCompact && ', the newest last'}
      </p>
      <ol
        {...listProps}
        ref={scrollToNewest}
        className={isCompact ? `${styles.points} ${styles.compact}` : styles.points}
        onKeyDown={(event) => {
          listProps.onKeyDown(event)
          moveFocus(event)
        }}
      >
        {rows.map((row) => (
          <li key={row.evaluation_id} data-evaluation={row.evaluation_id}>
            <Point
              row={row}
              isCurrent={row.evaluation_id === evaluation.id}
              isCompact={isCompact}
              stateEvaluator={state}
              scoreEvaluator={score}
              evaluation={evaluation}
              display={score === undefined ? undefined : displays[score]}
              tabIndex={row === tabStop ? 0 : -1}
              describedBy={row === openRow ? detailsId : undefined}
              onFocus={() => setFocusedId(row.evaluation_id)}
            />
          </li>
        ))}
      </ol>
      {openRow && anchor && (
        <PointDetails
          key={openRow.evaluation_id}
          id={detailsId}
          row={openRow}
          previous={rows[openIndex - 1]}
          evaluation={evaluation}
          anchor={anchor}
          {...popoverProps}
        />
      )}
    </>
  )
}

/** The newest points are at the end. Called once: a new function per rendering would scroll again whenever details open. */
function scrollToNewest(list: HTMLElement | null): void {
  list?.scrollTo(0, list.scrollHeight)
}

interface PointProps {
  row: HistoryRow
  isCurrent: boolean
  isCompact: boolean
  stateEvaluator: string | undefined
  scoreEvaluator: string | undefined
  /** Its thresholds decide for all points, so that they can be compared. */
  evaluation: Evaluation
  display: EvaluatorDisplay | undefined
  tabIndex: number
  describedBy: string | undefined
  onFocus: () => void
}

function Point(props: PointProps) {
  const { row, isCurrent, isCompact, stateEvaluator, scoreEvaluator, evaluation, display } = props
  const state =
    stateEvaluator === undefined
      ? row.output_failed
        ? 'output_error'
        : 'unscored'
      : rowState(row, stateEvaluator, evaluation)
  const score = scoreEvaluator === undefined ? undefined : scoreOf(row, scoreEvaluator)
  return (
    <RowLink
      row={row}
      className={`${styles.point} ${styles[state] ?? ''}`}
      aria-current={isCurrent || undefined}
      aria-describedby={props.describedBy}
      tabIndex={props.tabIndex}
      onFocus={props.onFocus}
    >
      <bdi className={isCompact ? 'sr-only' : styles.label}>{labelOf(row)}</bdi>
      <PointIcon state={state} />
      <span className="sr-only"> {RESULT_STATES[state].name.toLowerCase()} </span>
      {score !== undefined && display && (
        <span className={isCompact && state !== 'scored' ? 'sr-only' : styles.score}>
          {formatFixed(score, display)}
        </span>
      )}
    </RowLink>
  )
}

function moveFocus(event: KeyboardEvent<HTMLElement>): void {
  const links = [...event.currentTarget.querySelectorAll('a')]
  const index = links.indexOf(event.target as HTMLAnchorElement)
  const next = { ArrowLeft: index - 1, ArrowRight: index + 1, Home: 0, End: links.length - 1 }[event.key]
  if (next === undefined) return
  event.preventDefault()
  links[next]?.focus()
}

interface RowLinkProps
  extends Pick<
    ComponentProps<'a'>,
    'className' | 'tabIndex' | 'onFocus' | 'children' | 'aria-current' | 'aria-describedby'
  > {
  row: HistoryRow
}

/** Keeps the text format, but no filters, order or baseline, which belong to the evaluation on the screen. */
function RowLink({ row, ...props }: RowLinkProps) {
  const { evaluation_id: evaluationId, scenario_id: scenarioId } = row
  const { evaluationId: shownEvaluation, scenarioId: shownScenario } = useParams({ strict: false })
  const { as, on, density, cols } = useSharedSearch()
  // A comparison has other columns.
  const search = { as, on, density, cols: shownEvaluation === undefined ? undefined : cols }
  if (shownScenario === undefined) {
    return (
      <Link
        to="/evaluations/$evaluationId"
        params={{ evaluationId }}
        search={{ ...search, row: scenarioId }}
        {...props}
      />
    )
  }
  return (
    <Link
      to="/evaluations/$evaluationId/scenarios/$scenarioId"
      params={{ evaluationId, scenarioId }}
      search={search}
      {...props}
    />
  )
}
