// The table of variants: the newest score of each, its change and trend, and the last run.
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import type { Evaluation, Page, Variant } from 'assay-client'
import { useRef } from 'react'
import { formatCount } from '../../format/numbers.ts'
import { splitName } from '../../format/split-name.ts'
import { relatedGroups, shortName } from '../../groups/groups.ts'
import { MeasureChange, MeasureName } from '../../groups/measure-parts.tsx'
import { baselineName, headlineOf, seriesOf } from '../../groups/series.ts'
import { Trend } from '../../groups/trend.tsx'
import { EvaluationLink, RevisionLink } from '../../navigation/links.tsx'
import { useListShortcuts } from '../../navigation/list-shortcuts.ts'
import { variantRunsQuery } from '../../queries/variants.ts'
import { formatMeasure } from '../../results/measures.ts'
import { Skeleton } from '../../ui/messages/skeleton.tsx'
import tableStyles from '../../ui/table.module.css'
import { TimeAgo } from '../../ui/time-ago.tsx'
import styles from './variants.module.css'

export function VariantTable({ pages, isStale }: { pages: readonly Page<Variant>[]; isStale: boolean }) {
  const list = useRef<HTMLTableElement>(null)
  useListShortcuts(list)
  // Imported variants are named like their ids. A second column with the same texts would only cut the names.
  const hasNames = pages.some(({ items }) => items.some(({ id, name }) => name !== null && name !== id))
  return (
    <table
      ref={list}
      className={`${tableStyles.table} ${styles.table} ${hasNames ? '' : styles.unnamed}`}
      aria-busy={isStale}
    >
      <thead>
        <tr>
          <th scope="col">Name</th>
          <th scope="col" className={styles.id}>
            Id
          </th>
          <th scope="col" className={styles.evaluator}>
            Evaluator
          </th>
          <th scope="col" className={`${tableStyles.numeric} ${styles.score}`}>
            Score
          </th>
          <th scope="col" className={styles.change}>
            Change
          </th>
          <th scope="col" className={styles.trend}>
            Trend
          </th>
          <th scope="col" className={styles.run}>
            Last run
          </th>
          <th scope="col" className={`${tableStyles.numeric} ${styles.revisions}`}>
            Revisions
          </th>
          <th scope="col" className={`${tableStyles.numeric} ${styles.latest}`}>
            Latest
          </th>
          <th scope="col" className={styles.created}>
            Created
          </th>
        </tr>
      </thead>
      {pages.map(({ items }) => (
        <VariantRows key={items[0]?.id} variants={items} />
      ))}
    </table>
  )
}

/** The rows of one page of the list, whose evaluations are requested together. */
function VariantRows({ variants }: { variants: readonly Variant[] }) {
  const { data: evaluations } = useQuery(variantRunsQuery(variants.map(({ id }) => id)))
  const names = variants.map(nameOf)
  const groups = new Map(relatedGroups(evaluations ?? []).map((group) => [group.variantId, group]))
  return (
    <tbody>
      {variants.map((variant) => (
        <VariantRow
          key={variant.id}
          variant={variant}
          names={names}
          evaluations={evaluations && (groups.get(variant.id)?.evaluations ?? [])}
        />
      ))}
    </tbody>
  )
}

interface VariantRowProps {
  variant: Variant
  /** The names of all rows, from which its own must be distinguished. */
  names: readonly string[]
  /** Newest first. Undefined until they are loaded. */
  evaluations: readonly Evaluation[] | undefined
}

function nameOf({ id, name }: Variant): string {
  return name ?? id
}

function VariantRow({ variant, names, evaluations }: VariantRowProps) {
  const { id, revision_count, latest_revision, created_at } = variant
  const [start, end] = splitName(nameOf(variant), names)
  return (
    <tr data-row>
      <td>
        <Link
          to="/variants/$variantId"
          params={{ variantId: id }}
          className={styles.name}
          data-tooltip={nameOf(variant)}
        >
          <span className="ellipsis">{start}</span>
          {end && <span>{end}</span>}
        </Link>
      </td>
      <td className={styles.id}>
        <code className="quiet">{id}</code>
      </td>
      {evaluations ? (
        <ScoreCells evaluations={evaluations} />
      ) : (
        <>
          <td className={styles.evaluator}>
            <Skeleton width={20} />
          </td>
          <td className={styles.score} />
          <td className={styles.change} />
          <td className={styles.trend} />
          <td className={styles.run} />
        </>
      )}
      <td className={`${tableStyles.numeric} ${styles.revisions}`}>{formatCount(revision_count)}</td>
      <td className={`${tableStyles.numeric} ${styles.latest}`}>
        {latest_revision === null ? (
          <span className="quiet">none</span>
        ) : (
          <RevisionLink variantId={id} revision={latest_revision} className={styles.revision} />
        )}
      </td>
      <td className={styles.created}>
        <TimeAgo time={created_at} />
      </td>
    </tr>
  )
}

/** The evaluator that changed most in the newest finished run, and the newest run, which can be running. */
function ScoreCells({ evaluations }: { evaluations: readonly Evaluation[] }) {
  const { latest, points, evaluators } = seriesOf({ evaluations: [...evaluations] })
  const { measure } = headlineOf(latest, evaluators)
  const value = latest && measure?.measureIn(latest)
  const baseline = latest && baselineName(latest, evaluations)
  const [newest] = evaluations
  return (
    <>
      <td className={styles.evaluator}>{measure && <MeasureName measure={measure} others={evaluators} />}</td>
      <td className={`${tableStyles.numeric} ${styles.score}`}>
        {measure && value && formatMeasure(measure.unit, value.value, measure.decimals)}
      </td>
      <td className={styles.change}>
        {measure && latest && value?.change && (
          <>
            <MeasureChange measure={measure} evaluation={latest} />{' '}
            <span className={`quiet ${styles.against}`}>vs {baseline}</span>
          </>
        )}
      </td>
      <td className={styles.trend}>{measure && <Trend measure={measure} evaluations={points} />}</td>
      <td className={styles.run}>
        {newest ? (
          <>
            <EvaluationLink id={newest.id} name={shortName(newest)} />{' '}
            <span className="quiet">
              {newest.status === 'finished' ? <TimeAgo time={newest.created_at} /> : newest.status}
            </span>
          </>
        ) : (
          <span className="quiet">not evaluated</span>
        )}
      </td>
    </>
  )
}
