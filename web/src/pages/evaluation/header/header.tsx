// The page header: name, details and actions of the evaluation.
import { useNavigate } from '@tanstack/react-router'
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
import page from '../../../table/page.module.css'
import { useColumns } from '../table/column-types.tsx'
import { Details } from './details.tsx'
import { EvaluationMenu } from './evaluation-menu.tsx'
import { exportedRows } from './exported-rows.ts'
import styles from './header.module.css'

export function Header({ pageState }: { pageState: EvaluationState }) {
  const { evaluation } = pageState
  return (
    <header className={page.header}>
      <div className={`${page.line} ${styles.line}`}>
        <nav aria-label="Breadcrumb" className={page.crumb}>
          <ListCrumb to="/" />
        </nav>
        <h1 title={evaluation?.name ? `${evaluation.name} (${pageState.id})` : pageState.id}>
          {evaluation?.name ?? pageState.id}
        </h1>
        <Actions pageState={pageState} />
      </div>
      <Details pageState={pageState} />
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
  useShortcuts('page', mayCompare ? { c: compare } : {})
  return (
    <div className={page.actions}>
      {mayCompare && (
        <button type="button" title="Compare row by row (c)" onClick={compare}>
          Compare…
        </button>
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
