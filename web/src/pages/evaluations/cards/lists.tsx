// The lists of a project with many variants: those that are better or tied, and those with nothing to compare with.
import type { Evaluation } from 'assay-client'
import { type ReactNode, useState } from 'react'
import { formatCount, pluralize } from '../../../format/numbers.ts'
import type { GroupMeasure } from '../../../groups/groups.ts'
import { MeasureChange, MeasureName } from '../../../groups/measure-parts.tsx'
import { candidateName } from '../../../groups/series.ts'
import { Trend } from '../../../groups/trend.tsx'
import { formatMeasure, formatWithUnit } from '../../../results/measures.ts'
import { Button } from '../../../ui/button.tsx'
import { useIsNarrow } from '../../../ui/media.ts'
import { EntryLink } from './card-parts.tsx'
import type { Entry } from './entries.ts'
import styles from './lists.module.css'
import { CompareLink, OutcomeLink } from './sentence.tsx'

const MAX_LINES = 4

export function ComparedList({ entries }: { entries: readonly Entry[] }) {
  const isDecided = entries.every(({ headline }) => headline.outcome !== undefined)
  return (
    <EntryList
      title={isDecided ? 'Better or tied' : 'Better, tied or without a verdict'}
      note="largest change first"
      narrowNote={outcomeCounts(entries)}
      entries={entries}
      maxItems={MAX_LINES}
      renderItem={(entry) => <ComparedLine entry={entry} />}
    />
  )
}

export function SingleList({ entries }: { entries: readonly Entry[] }) {
  return (
    <EntryList
      title="One evaluation"
      note="nothing to compare with yet"
      entries={entries}
      // Two columns.
      maxItems={2 * MAX_LINES}
      className={styles.columns}
      renderItem={(entry) => <SingleLine entry={entry} />}
    />
  )
}

interface EntryListProps {
  title: string
  note: string
  /** Instead of the note if no entries are visible. */
  narrowNote?: string
  entries: readonly Entry[]
  maxItems: number
  className?: string | undefined
  renderItem: (entry: Entry) => ReactNode
}

/** A narrow page shows only the header until it is opened. */
function EntryList({ title, note, narrowNote, entries, maxItems, className, renderItem }: EntryListProps) {
  const [isExpanded, setIsExpanded] = useState(false)
  const isNarrow = useIsNarrow()
  const maxVisible = isNarrow ? 0 : maxItems
  const hiddenCount = entries.length - maxVisible
  const visible = isExpanded ? entries : entries.slice(0, maxVisible)
  return (
    <section aria-label={title} className={styles.box}>
      <header>
        <h2>{title}</h2>
        <span className="quiet">{formatCount(entries.length)}</span>
        <span className={`quiet ${styles.note}`}>{isNarrow ? narrowNote : note}</span>
        {hiddenCount > 0 && (
          <Button
            size="small"
            variant="plain"
            aria-expanded={isExpanded}
            onClick={() => setIsExpanded(!isExpanded)}
          >
            {isExpanded ? 'Show fewer' : `Show ${hiddenCount}${isNarrow ? '' : ' more'}`}
          </Button>
        )}
      </header>
      {visible.length > 0 && (
        <ul className={className}>
          {visible.map((entry) => (
            <li key={entry.group.id} aria-label={entry.group.title}>
              {renderItem(entry)}
            </li>
          ))}
        </ul>
      )}
    </section>
  )
}

/** "2 better, 2 tied". */
function outcomeCounts(entries: readonly Entry[]): string {
  return (['better', 'tied'] as const)
    .map(
      (outcome) => [outcome, entries.filter(({ headline }) => headline.outcome === outcome).length] as const,
    )
    .flatMap(([outcome, count]) => (count === 0 ? [] : `${formatCount(count)} ${outcome}`))
    .join(', ')
}

const PREPOSITIONS: Record<string, string> = {
  worse: ' than ',
  better: ' than ',
  tied: ' with ',
  undefined: ' against ',
}

function ComparedLine({ entry }: { entry: Entry }) {
  const { group, series, headline, baseline, isLoading } = entry
  const { latest, points } = series
  const { measure, outcome } = headline
  if (!latest) return null
  const name = candidateName(latest, group.evaluations)
  // Names of evaluations usually repeat the name of the variant.
  const candidate = group.variantId === null || name.startsWith(group.title) ? undefined : name
  return (
    <div className={styles.compared}>
      <span className={`ellipsis ${styles.title}`} data-tooltip={`${group.title}: ${name}`}>
        <EntryLink entry={entry} />
        {candidate !== undefined && ` ${candidate}`}
      </span>
      <span className="ellipsis" data-tooltip={baseline}>
        {outcome ? (
          <OutcomeLink evaluation={latest} outcome={outcome} on={measure?.name} />
        ) : (
          !isLoading && <CompareLink evaluation={latest}>no verdict</CompareLink>
        )}
        <span className="quiet">
          {baseline === undefined ? (
            // Too large for the list, which compares only a few of these separately.
            isLoading ? (
              'comparing with its baseline'
            ) : (
              'compared when opened'
            )
          ) : (
            <>
              {isLoading ? 'comparing with ' : PREPOSITIONS[String(outcome)]}
              {baseline}
            </>
          )}
        </span>
      </span>
      {measure && <MeasureName measure={measure} others={series.evaluators} />}
      {measure && <Trend measure={measure} evaluations={points} />}
      {measure && <ValueAndChange measure={measure} evaluation={latest} />}
    </div>
  )
}

function ValueAndChange({ measure, evaluation }: { measure: GroupMeasure; evaluation: Evaluation }) {
  const value = measure.measureIn(evaluation)
  return (
    <>
      <strong className={styles.number}>
        {value && formatMeasure(measure.unit, value.value, measure.decimals)}
      </strong>
      <span className={`${styles.number} ${styles.change}`}>
        <MeasureChange measure={measure} evaluation={evaluation} />
      </span>
    </>
  )
}

function SingleLine({ entry }: { entry: Entry }) {
  const { group, series } = entry
  const [measure] = series.evaluators
  const value = measure && series.latest && measure.measureIn(series.latest)
  const [newest] = group.evaluations
  return (
    <div className={styles.single}>
      <span className={`ellipsis ${styles.title}`} data-tooltip={group.title}>
        <EntryLink entry={entry} />
      </span>
      {value ? (
        <>
          <span className="ellipsis quiet" data-tooltip={measure.name}>
            {measure.name}
          </span>
          <span className={styles.number}>{formatWithUnit(value.unit, value.value, measure.decimals)}</span>
        </>
      ) : (
        <>
          <span className="quiet">{newest && newest.status !== 'finished' && newest.status}</span>
          <span className={`quiet ${styles.number}`}>
            {newest && pluralize(newest.scenario_count, 'row')}
          </span>
        </>
      )}
    </div>
  )
}
