// Breaks the rows of an evaluation down into groups: which of them explain its change from the baseline, or score worst.
import { useQueries, useQuery, useQueryClient } from '@tanstack/react-query'
import type { Breakdown } from 'assay-client'
import { X } from 'lucide'
import { useEffect } from 'react'
import { ErrorNotice } from '../errors/error-notice.tsx'
import type { Filter, FilterSearch } from '../state/row-params.ts'
import { useChangeSearchParams } from '../state/search-params.ts'
import { useShortcuts } from '../state/shortcuts.ts'
import { IconButton } from '../ui/button.tsx'
import { Skeleton } from '../ui/messages/skeleton.tsx'
import styles from './breakdown.module.css'
import { BEST_DIMENSION, CLOSED } from './breakdown-state.ts'
import { DimensionMenu } from './dimension-menu.tsx'
import { bestExplanation, type DimensionNames, dimensionsOf, hasFewGroups } from './dimensions.ts'
import { GroupTable } from './group-table.tsx'
import { type Group, groupsOf, metricOf } from './groups.ts'
import { type BreakdownSubject, breakdownQuery } from './queries.ts'
import { breakdownSentence } from './sentence.ts'

interface BreakdownBoxProps extends BreakdownSubject {
  /** The baseline and the evaluation, for the headers of the columns. */
  evaluationNames: [baseline: string, candidate: string]
  names: DimensionNames
  evaluator: string | undefined
  /** The search param. Without it, the box is only there if one group explains the change. */
  requested: string | undefined
  /** Reports what the box shows without the search param. */
  onFound: (dimension: string | undefined) => void
}

/** Each of them needs a request. */
const MAX_TRIED_INPUTS = 8

export function BreakdownBox(props: BreakdownBoxProps) {
  const { requested, names, evaluator, onFound } = props
  const isChosen = requested !== undefined && requested !== BEST_DIMENSION
  const tried = isChosen ? [] : names.inputs.slice(0, MAX_TRIED_INPUTS).map((name) => `input.${name}`)
  const { breakdowns, isPending } = useQueries({
    queries: tried.map((dimension) => breakdownQuery(props, dimension)),
    combine: (results) => ({
      breakdowns: results.flatMap(({ data }) => data ?? []),
      isPending: results.some((result) => result.isPending),
    }),
  })
  const best = isPending ? undefined : bestExplanation(breakdowns, evaluator)
  const found = requested === undefined && !best?.doesExplain ? undefined : best?.dimension
  const dimension = isChosen ? requested : found
  useEffect(() => onFound(found), [found, onFound])
  if (dimension === undefined && requested === undefined) return null
  return <OpenBox {...props} dimension={dimension} isPending={isPending} />
}

interface OpenBoxProps extends BreakdownBoxProps {
  /** Undefined while it is not known, and if there is none. */
  dimension: string | undefined
  isPending: boolean
}

function OpenBox(props: OpenBoxProps) {
  const { dimension, isPending, evaluator, filters } = props
  const changeParams = useChangeSearchParams()
  const { data: breakdown, error } = useQuery({
    ...breakdownQuery(props, dimension ?? ''),
    enabled: dimension !== undefined,
  })
  const showNext = useNextDimension(props)
  useShortcuts('page', { b: { label: 'Break down by the next field', run: () => void showNext() } })
  function select({ filter }: Group) {
    if (filter)
      changeParams({ [filter[0]]: isSelected(filters, filter) ? undefined : filter[1] } as FilterSearch)
  }
  return (
    <section className={styles.box} aria-label="Breakdown">
      <div className={styles.content}>
        <header className={styles.header}>
          <h2>Breakdown</h2>
          <DimensionMenu {...props} />
          <span className={styles.subject}>{evaluator !== undefined && `of ${evaluator}`}</span>
          <kbd>b</kbd>
          <IconButton
            icon={X}
            size="small"
            label="Close the breakdown"
            onClick={() => changeParams({ breakdown: CLOSED })}
          />
        </header>
        <ErrorNotice error={error} />
        {breakdown ? (
          <Groups {...props} breakdown={breakdown} onSelect={select} />
        ) : isPending || dimension !== undefined ? (
          !error && <BoxSkeleton />
        ) : (
          <p className={styles.sentence}>No input has 2 to 50 values. The menu has results and errors.</p>
        )}
      </div>
    </section>
  )
}

interface GroupsProps extends OpenBoxProps {
  breakdown: Breakdown
  onSelect: (group: Group) => void
}

function Groups(props: GroupsProps) {
  const { breakdown, evaluator, filters, onSelect } = props
  const metric = metricOf(breakdown, evaluator)
  if (!metric) return <p className={styles.sentence}>{evaluator} has no scores to break down.</p>
  const groups = groupsOf(breakdown, metric)
  return (
    <>
      <p className={styles.sentence}>
        {breakdownSentence(breakdown, metric, groups).map((part, index) => {
          const key = `${index}`
          if (typeof part === 'string') return part
          if ('strong' in part) return <strong key={key}>{part.strong}</strong>
          const { group } = part
          return (
            <button
              key={key}
              type="button"
              className={`plain ${styles.name}`}
              disabled={!group.filter}
              onClick={() => onSelect(group)}
            >
              <bdi>{group.label}</bdi>
            </button>
          )
        })}
      </p>
      <GroupTable
        {...props}
        metric={metric}
        groups={groups}
        isSelected={({ filter }) => filter !== undefined && isSelected(filters, filter)}
      />
    </>
  )
}

function isSelected(filters: readonly Filter[], [name, value]: Filter): boolean {
  return filters.some((filter) => filter[0] === name && filter[1] === value)
}

/** Shows the next dimension with few groups. */
function useNextDimension(props: OpenBoxProps): () => Promise<void> {
  const { names, evaluator, dimension } = props
  const queryClient = useQueryClient()
  const changeParams = useChangeSearchParams()
  return async () => {
    const dimensions = dimensionsOf(names, evaluator)
    const start = dimensions.indexOf(dimension ?? '') + 1
    for (const next of [...dimensions.slice(start), ...dimensions.slice(0, start)]) {
      const breakdown = await queryClient.fetchQuery(breakdownQuery(props, next)).catch(() => undefined)
      if (breakdown && hasFewGroups(breakdown)) {
        if (next !== dimension) changeParams({ breakdown: next }, { replace: true })
        return
      }
    }
  }
}

function BoxSkeleton() {
  return (
    <div className={styles.skeleton}>
      {[60, 30, 26, 28, 24, 20].map((width) => (
        <p key={width}>
          <Skeleton width={width} />
        </p>
      ))}
    </div>
  )
}
