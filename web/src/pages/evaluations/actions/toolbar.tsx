// The toolbar above the table: filters, columns and export.

import { formatCount } from '../../../format/numbers.ts'
import styles from '../page.module.css'
import type { EvaluationList } from '../page-state.ts'
import type { ListParams } from '../search-params.ts'
import { ColumnsMenu } from './columns-menu.tsx'
import { ExportMenu } from './export-menu.tsx'
import { Filters } from './filters.tsx'

export function Toolbar({ list, params }: { list: EvaluationList; params: ListParams }) {
  return (
    <div className={styles.toolbar}>
      <h1>
        Evaluations{' '}
        <span className="muted">
          {formatCount(list.loadedCount)}
          {list.hasMore && '+'}
        </span>
      </h1>
      <Filters list={list} params={params} />
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
