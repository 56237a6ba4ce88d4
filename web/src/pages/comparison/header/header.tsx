// Header of the comparison page: the compared evaluations, actions and the conclusion.
import { useSearch } from '@tanstack/react-router'
import { Ellipsis, Printer } from 'lucide'
import { useExport } from '../../../export/use-export.tsx'
import { ListCrumb } from '../../../navigation/links.tsx'
import { ShareMenu } from '../../../share/share-menu.tsx'
import { viewLink } from '../../../share/view-link.ts'
import { useDocumentTitle } from '../../../ui/document-title.ts'
import { Menu, MenuItem, MenuItems } from '../../../ui/menus/menu.tsx'
import { evaluationName } from '../evaluation-links.ts'
import { useExportedRows } from '../export/exported-rows.ts'
import type { ComparisonState } from '../page-state.ts'
import { viewCall } from '../queries.ts'
import { useColumns } from '../table/column-types.tsx'
import { Conclusion } from './conclusion.tsx'
import { EvaluationPickers } from './evaluation-pickers.tsx'
import styles from './header.module.css'

export function Header({ state }: { state: ComparisonState }) {
  const { params, comparison } = state
  useDocumentTitle(`Compare ${params.evaluations.map((id) => evaluationName(comparison, id)).join(', ')}`)
  return (
    <header className={styles.header}>
      <div className={styles.line}>
        <div className={styles.title}>
          <nav aria-label="Breadcrumb" className={styles.crumb}>
            <ListCrumb to="/" />
          </nav>
          <h1>Compare</h1>
        </div>
        <EvaluationPickers state={state} />
        <Actions state={state} />
      </div>
      <Conclusion state={state} />
    </header>
  )
}

function Actions({ state }: { state: ComparisonState }) {
  const search = useSearch({ from: '/compare' })
  const columns = useColumns(state).chosenColumns.map(({ key }) => key)
  const rowsExport = useExport(useExportedRows(state))
  const linkToView = () => viewLink(location.origin + location.pathname, search, { ...state.params, columns })
  return (
    <div className={styles.actions}>
      <ShareMenu
        variant="primary"
        link={linkToView}
        confined_to={{ comparison: state.params.evaluations }}
        call={viewCall({ ...state.query, on: state.evaluator })}
      >
        {rowsExport.items}
      </ShareMenu>
      {rowsExport.status}
      <Menu icon={Ellipsis} isIconOnly label="More" align="end">
        <MenuItems>
          <MenuItem icon={Printer} onClick={() => print()}>
            Print…
          </MenuItem>
        </MenuItems>
      </Menu>
    </div>
  )
}
