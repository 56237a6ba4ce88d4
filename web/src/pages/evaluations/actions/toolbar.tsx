// The toolbar above the table: filters, columns and export.

import { formatCount } from '../../../format/numbers.ts'
import { useChangeSearchParams } from '../../../state/search-params.ts'
import { SearchField } from '../../../ui/search-field.tsx'
import styles from '../page.module.css'
import type { EvaluationList } from '../page-state.ts'
import type { ListParams } from '../search-params.ts'
import { ColumnsMenu } from './columns-menu.tsx'
import { ExportMenu } from './export-menu.tsx'
import { EvaluatorFilter, RevisionFilter, VariantFilter } from './filter-menus.tsx'

export function Toolbar({ list, params }: { list: EvaluationList; params: ListParams }) {
  const changeParams = useChangeSearchParams()
  return (
    <div className={styles.toolbar}>
      <h1>
        Evaluations{' '}
        <span className="muted">
          {formatCount(list.loadedCount)}
          {list.hasMore && '+'}
        </span>
      </h1>
      <search className={styles.filters}>
        <SearchField
          text={params.name ?? ''}
          onText={(text) =>
            changeParams({ name: text === '' ? undefined : `contains.${text}` }, { replace: true })
          }
          label="Filter by name"
          placeholder="/ filter by name"
          className={styles.filterBox}
        />
        <VariantFilter params={params} />
        <RevisionFilter params={params} />
        <EvaluatorFilter params={params} evaluators={list.evaluators} />
      </search>
      <ColumnsMenu columns={list.columns} visibleColumns={list.visibleColumns} />
      <ExportMenu
        label="Export"
        description={list.hasMore ? 'all matching evaluations' : undefined}
        list={list}
        rows={list.rows}
        load={list.loadAll}
      />
    </div>
  )
}
