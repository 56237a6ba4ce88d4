// The page header: name, actions, the verdict against the baseline, details of the evaluation, and statistics of repeats.
import { useNavigate } from '@tanstack/react-router'
import { GitCompareArrows } from 'lucide'
import type { ReactNode } from 'react'
import { assay } from '../../../api/client.ts'
import { useCanWrite } from '../../../api/key.ts'
import { useRestriction } from '../../../api/restriction.ts'
import { type EvaluationState, restrictionOf } from '../../../evaluation-state/page-state.ts'
import type { ExportedRows } from '../../../export/save-rows.ts'
import { useExport } from '../../../export/use-export.tsx'
import { formatCount } from '../../../format/numbers.ts'
import { ListCrumb } from '../../../navigation/links.tsx'
import { rowsApiCall, scenarioParams } from '../../../queries/rows-call.ts'
import { evaluatorMeasure, formatMeasure, formatWithUnit, type Unit } from '../../../results/measures.ts'
import { ShareMenu } from '../../../share/share-menu.tsx'
import { viewLink } from '../../../share/view-link.ts'
import { useSharedSearch } from '../../../state/search-params.ts'
import { useShortcuts } from '../../../state/shortcuts.ts'
import { Button } from '../../../ui/button.tsx'
import { Skeleton } from '../../../ui/messages/skeleton.tsx'
import { rowCount } from '../filters/state-filter.ts'
import { useColumns } from '../table/column-types.tsx'
import { Details } from './details.tsx'
import { EvaluationMenu } from './evaluation-menu.tsx'
import styles from './header.module.css'
import { Verdict } from './verdict.tsx'

export function Header({ pageState }: { pageState: EvaluationState }) {
  const { evaluation, id } = pageState
  return (
    <header className={styles.header}>
      <nav aria-label="Breadcrumb" className={styles.crumb}>
        <ListCrumb to="/" />
      </nav>
      <h1 data-tooltip={evaluation?.name ? `${evaluation.name} (${id})` : undefined}>
        {evaluation ? (evaluation.name ?? id) : <Skeleton width={24} />}
      </h1>
      <Actions pageState={pageState} />
      <Verdict pageState={pageState} />
      <Details pageState={pageState} />
      {pageState.hasRepeats && <Repeats pageState={pageState} />}
    </header>
  )
}

function Actions({ pageState }: { pageState: EvaluationState }) {
  const search = useSharedSearch()
  const navigate = useNavigate()
  const mayWrite = useCanWrite()
  const comparedIds =
    pageState.baselineId === undefined ? [pageState.id] : [pageState.baselineId, pageState.id]
  // A share link of a single evaluation cannot compare it.
  const mayCompare = useRestriction() === null || pageState.baselineId !== undefined
  const columns = useColumns(pageState).chosenColumns.map(({ key }) => key)
  const linkToView = () =>
    viewLink(location.origin + location.pathname, search, {
      ...pageState.params,
      columns,
      base: pageState.baselineId,
    })
  const compare = () =>
    navigate({ to: '/compare', search: { evaluation: comparedIds, on: pageState.params.on } })
  const rowsExport = useExport(exportedRows(pageState))
  useShortcuts('page', mayCompare ? { c: { label: 'Compare row by row', run: compare } } : {})
  return (
    <div className={styles.actions}>
      {mayCompare && (
        <Button
          variant="primary"
          icon={GitCompareArrows}
          tooltip="Compare row by row"
          shortcut="c"
          onClick={compare}
        >
          Compare
        </Button>
      )}
      <ShareMenu
        link={linkToView}
        confined_to={restrictionOf(pageState)}
        call={rowsApiCall(pageState.id, pageState.query)}
      >
        {rowsExport.items}
      </ShareMenu>
      {rowsExport.status}
      {mayWrite && pageState.evaluation && (
        <EvaluationMenu key={pageState.id} evaluation={pageState.evaluation} />
      )}
    </div>
  )
}

/** The pass rate of the selected evaluator with its interval, and the rows that pass every time or once. */
function Repeats({ pageState: { totalSummary, activeEvaluator } }: { pageState: EvaluationState }) {
  const evaluator = totalSummary?.evaluators.find(({ name }) => name === activeEvaluator)
  const mean = evaluator && evaluatorMeasure(evaluator)
  if (!mean) return null
  const { repeats = 1, pass_rate, pass_rate_interval, pass_all = null, pass_any = null } = evaluator
  // An evaluator with a threshold has both: its pass rate is what the other values are about.
  const [unit, value, interval]: [Unit, number, Interval] =
    pass_rate === null
      ? [mean.unit, mean.value, evaluator.mean_interval]
      : ['percent', pass_rate, pass_rate_interval]
  return (
    <dl className={styles.box} aria-label={`Statistics of ${evaluator.name}`}>
      <Statistic
        name={`${unit === 'percent' ? 'Pass rate' : 'Mean'}, mean of rows`}
        value={
          <>
            {formatWithUnit(unit, value)}
            {interval && <small> ± {formatMeasure(unit, halfWidth(interval))}</small>}
          </>
        }
        detail={interval && intervalText(unit, interval)}
      />
      {pass_all !== null && (
        <Statistic
          name={`pass^${formatCount(repeats)}`}
          value={formatWithUnit('percent', pass_all)}
          detail={`rows that pass ${formatCount(repeats)} of ${formatCount(repeats)} times`}
        />
      )}
      {pass_any !== null && (
        <Statistic
          name={`pass@${formatCount(repeats)}`}
          value={formatWithUnit('percent', pass_any)}
          detail="rows that pass at least once"
        />
      )}
    </dl>
  )
}

type Interval = [number, number] | null

function halfWidth([low, high]: [number, number]): number {
  return (high - low) / 2
}

/** "95 % interval, 74.9 to 87.9" */
function intervalText(unit: Unit, [low, high]: [number, number]): string {
  return `95 % interval, ${formatMeasure(unit, low)} to ${formatMeasure(unit, high)}`
}

function Statistic({ name, value, detail }: { name: string; value: ReactNode; detail: ReactNode }) {
  return (
    <div>
      <dt>{name}</dt>
      <dd className={styles.value}>{value}</dd>
      <dd>{detail}</dd>
    </div>
  )
}

/** What the export of the page contains: the filtered rows. */
function exportedRows(pageState: EvaluationState): ExportedRows {
  const { id, query } = pageState
  return {
    rows: rowCount(pageState),
    name: query.filters.length > 0 ? `${id}-filtered` : id,
    async *read({ format, isExcelSafe, limit, signal }) {
      const params = {
        ...scenarioParams(query),
        ...(isExcelSafe && { csv: 'excel' as const }),
        ...(limit !== undefined && { limit }),
      }
      const { body } = await assay.exportScenarios(id, params, format, { signal })
      if (!body) throw new Error('The response has no content.')
      // Not every browser supports `for await` on a stream.
      const reader = body.getReader()
      for (let piece = await reader.read(); !piece.done; piece = await reader.read()) yield piece.value
    },
  }
}
