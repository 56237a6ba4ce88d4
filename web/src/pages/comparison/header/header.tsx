// Header of the comparison page: the compared evaluations, actions, the conclusion and the join line.
import { useSearch } from '@tanstack/react-router'
import { useExport } from '../../../export/use-export.tsx'
import { ListCrumb } from '../../../navigation/list-crumb.tsx'
import { ShareMenu } from '../../../share/share-menu.tsx'
import { viewLink } from '../../../share/view-link.ts'
import page from '../../../table/page.module.css'
import { useDocumentTitle } from '../../../ui/document-title.ts'
import { evaluationName } from '../evaluation-links.ts'
import { useExportedRows } from '../export/exported-rows.ts'
import type { ComparisonState } from '../page-state.ts'
import { viewCall } from '../queries.ts'
import { useColumns } from '../table/column-types.tsx'
import { Conclusion } from './conclusion.tsx'
import { EvaluationChips } from './evaluation-chips.tsx'
import styles from './header.module.css'
import { JoinLine } from './join-line.tsx'

export function Header({ state }: { state: ComparisonState }) {
  const { params, comparison, error } = state
  const isLoadingOrLoaded = comparison !== undefined || !error
  useDocumentTitle(`Compare ${params.evaluations.map((id) => evaluationName(comparison, id)).join(', ')}`)
  return (
    <header className={page.header}>
      <div className={`${page.line} ${styles.line}`}>
        <nav aria-label="Breadcrumb" className={page.crumb}>
          <ListCrumb to="/" />
        </nav>
        <h1>Compare</h1>
        <EvaluationChips state={state} />
        <Actions state={state} />
      </div>
      {isLoadingOrLoaded && <Conclusion state={state} />}
      {isLoadingOrLoaded && <JoinLine state={state} />}
    </header>
  )
}

function Actions({ state }: { state: ComparisonState }) {
  const search = useSearch({ from: '/compare' })
  const columns = useColumns(state).chosenColumns.map(({ key }) => key)
  const rowsExport = useExport(useExportedRows(state))
  const linkToView = () => viewLink(location.origin + location.pathname, search, { ...state.params, columns })
  return (
    <div className={`${page.actions} ${styles.actions}`}>
      <ShareMenu
        link={linkToView}
        confined_to={{ comparison: state.params.evaluations }}
        call={viewCall({ ...state.query, on: state.evaluator })}
      >
        {rowsExport.items}
      </ShareMenu>
      {rowsExport.status}
    </div>
  )
}
