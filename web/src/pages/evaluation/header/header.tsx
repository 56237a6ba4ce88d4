// The page header: name, actions, the verdict against the baseline, and details of the evaluation.
import { useNavigate } from '@tanstack/react-router'
import { GitCompareArrows } from 'lucide'
import { useCanWrite } from '../../../api/key.ts'
import { useRestriction } from '../../../api/restriction.ts'
import { type EvaluationState, restrictionOf } from '../../../evaluation-state/page-state.ts'
import { useExport } from '../../../export/use-export.tsx'
import { ListCrumb } from '../../../navigation/list-crumb.tsx'
import { rowsApiCall } from '../../../queries/rows-call.ts'
import { ShareMenu } from '../../../share/share-menu.tsx'
import { viewLink } from '../../../share/view-link.ts'
import { useSharedSearch } from '../../../state/search-params.ts'
import { useShortcuts } from '../../../state/shortcuts.ts'
import { Button } from '../../../ui/button.tsx'
import { Skeleton } from '../../../ui/messages/skeleton.tsx'
import { useColumns } from '../table/column-types.tsx'
import { Details } from './details.tsx'
import { EvaluationMenu } from './evaluation-menu.tsx'
import { exportedRows } from './exported-rows.ts'
import styles from './header.module.css'
import { RepeatsBox } from './repeats-box.tsx'
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
      <Repeats pageState={pageState} />
    </header>
  )
}

/** The statistics of repeats, for the selected evaluator. */
function Repeats({
  pageState: { hasRepeats, totalSummary, activeEvaluator },
}: {
  pageState: EvaluationState
}) {
  const evaluator = totalSummary?.evaluators.find(({ name }) => name === activeEvaluator)
  if (!hasRepeats || !evaluator) return null
  return <RepeatsBox evaluator={evaluator} />
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
