// The table of groups. Those that are tied or too small share one line, which expands.
import { useQuery } from '@tanstack/react-query'
import type { Breakdown } from 'assay-client'
import { ChevronRight } from 'lucide'
import { useState } from 'react'
import { formatCount } from '../format/numbers.ts'
import { summaryQuery } from '../queries/evaluations.ts'
import { IntervalAxis, intervalLimit } from '../ui/charts/interval-chart.tsx'
import { Icon } from '../ui/icon.tsx'
import styles from './breakdown.module.css'
import { dimensionName } from './dimensions.ts'
import { GroupCells, type Scale } from './group-cells.tsx'
import { collapseGroups, combinedChange, commonFilter, type Group, type Metric } from './groups.ts'
import type { BreakdownSubject } from './queries.ts'

interface GroupTableProps extends BreakdownSubject {
  evaluationNames: [baseline: string, candidate: string]
  breakdown: Breakdown
  metric: Metric
  groups: Group[]
  isSelected: (group: Group) => boolean
  onSelect: (group: Group) => void
}

export function GroupTable(props: GroupTableProps) {
  const { metric, groups, isSelected, onSelect } = props
  const [isExpanded, setIsExpanded] = useState(false)
  const { listed, combined } = collapseGroups(groups)
  const shares = groups.flatMap(({ share }) => share ?? [])
  const scale: Scale = {
    limit: intervalLimit(
      groups.flatMap(({ change }) => (change?.interval ?? [change?.delta ?? 0]).map(metric.toPoints)),
    ),
    largestShare: shares.length === 0 ? undefined : Math.max(...shares),
  }
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: many groups scroll, so the element must be focusable
    <div className={styles.scroller} tabIndex={0}>
      <table className={styles.table}>
        <Headers {...props} scale={scale} />
        <tbody>
          {[...listed, ...(isExpanded ? combined : [])].map((group) => (
            <tr
              key={`${group.isValue} ${group.label}`}
              className={group.filter && styles.selectable}
              data-selected={isSelected(group) || undefined}
            >
              <th scope="row" className={group.isValue ? undefined : 'muted'}>
                <GroupName group={group} isSelected={isSelected(group)} onSelect={onSelect} />
              </th>
              <GroupCells metric={metric} group={group} scale={scale} />
            </tr>
          ))}
          {combined.length > 0 && !isExpanded && (
            <CombinedRow {...props} groups={combined} scale={scale} onExpand={() => setIsExpanded(true)} />
          )}
        </tbody>
      </table>
    </div>
  )
}

/** Longer names leave no room for the shares, and their visible starts are often equal. */
const MAX_NAME_LENGTH = 9
const ROLES = ['Baseline', 'Candidate']

function Headers({ breakdown, metric, groups, evaluationNames, scale }: GroupTableProps & { scale: Scale }) {
  const { change } = metric.total
  const unit = metric.isPassRate && <span className={styles.unit}> %</span>
  const hasLongName = evaluationNames.some((name) => name.length > MAX_NAME_LENGTH)
  return (
    <thead>
      <tr>
        <th scope="col">
          <bdi>{dimensionName(breakdown.by)}</bdi>
        </th>
        <th scope="col" className={styles.number}>
          Rows
        </th>
        {change ? (
          evaluationNames.map((name, index) => (
            <th key={name} scope="col" className={styles.number}>
              <bdi data-tooltip={name}>{hasLongName ? ROLES[index] : name}</bdi>
              {unit}
            </th>
          ))
        ) : (
          <th scope="col" className={styles.number}>
            {metric.isPassRate ? 'Pass rate' : 'Mean'}
            {unit}
          </th>
        )}
        {!change && <td className={styles.chart} />}
        {change && (
          <>
            <th scope="col" className={styles.number}>
              Change
            </th>
            <th scope="col" className={styles.chart} data-tooltip={chartHelp(groups)}>
              <span className="sr-only">Chart</span>
              <IntervalAxis limit={scale.limit} />
            </th>
          </>
        )}
        {scale.largestShare !== undefined && (
          <th scope="col" className={styles.share}>
            Share<span className={styles.whole}> of {change?.outcome === 'worse' ? 'loss' : 'gain'}</span>
          </th>
        )}
      </tr>
    </thead>
  )
}

function chartHelp(groups: readonly Group[]): string {
  const confidence = groups.find(({ change }) => change?.confidence)?.change?.confidence
  const level = confidence ? `${formatCount(Number((confidence * 100).toPrecision(4)))} %` : 'Confidence'
  return `${level} intervals, so that all groups together have 95 %. Right is better.`
}

interface GroupNameProps {
  group: Group
  isSelected: boolean
  onSelect: (group: Group) => void
}

/** The button covers the whole row. */
function GroupName({ group, isSelected, onSelect }: GroupNameProps) {
  const name = <bdi className="ellipsis">{group.label}</bdi>
  if (!group.filter) return name
  return (
    <button
      type="button"
      className={`plain ${styles.row}`}
      aria-pressed={isSelected}
      data-tooltip={group.label.length > 20 ? group.label : undefined}
      onClick={() => onSelect(group)}
    >
      {name}
    </button>
  )
}

interface CombinedRowProps extends GroupTableProps {
  scale: Scale
  onExpand: () => void
}

/** Its interval is that of a summary of all its rows. */
function CombinedRow(props: CombinedRowProps) {
  const { evaluation, base, filters, breakdown, metric, groups, scale, onExpand } = props
  const filter = commonFilter(groups)
  const otherFilters = filters.filter(([name]) => name !== breakdown.by)
  const { data } = useQuery({
    ...summaryQuery(evaluation, { base, filters: [...otherFilters, ...(filter ? [filter] : [])] }),
    enabled: filter !== undefined && base !== undefined,
  })
  const change = data?.evaluators.find(({ name }) => name === metric.name)?.base
  const { interval = null, outcome = null } = change ?? {}
  const computedChange = combinedChange(groups)
  const shares = groups.flatMap(({ share }) => share ?? [])
  return (
    <tr className={styles.combined}>
      <th scope="row">
        <button type="button" className={`plain ${styles.row}`} aria-expanded={false} onClick={onExpand}>
          <Icon icon={ChevronRight} size={14} />
          {formatCount(groups.length)} more
        </button>
      </th>
      <GroupCells
        metric={metric}
        scale={scale}
        group={{
          rows: groups.reduce((sum, { rows }) => sum + rows, 0),
          mean: null,
          change: computedChange && { ...computedChange, interval, outcome },
          share: shares.length === 0 ? undefined : shares.reduce((sum, share) => sum + share, 0),
        }}
      />
    </tr>
  )
}
