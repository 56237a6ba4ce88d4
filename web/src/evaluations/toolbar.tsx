// What picks evaluations, and what becomes of the list: its filters, its columns, its export.
import { useChangeSearch } from '../change-search.ts'
import { count } from '../format/numbers.ts'
import { SearchField } from '../parts/search-field.tsx'
import { ColumnsMenu } from './columns-menu.tsx'
import { ExportMenu } from './export-menu.tsx'
import { EvaluatorFilter, RevisionFilter, VariantFilter } from './filter-menus.tsx'
import type { Listed } from './listed.ts'
import styles from './page.module.css'
import type { ListView } from './view.ts'

export function Toolbar({ listed, view }: { listed: Listed; view: ListView }) {
  const change = useChangeSearch()
  return (
    <div className={styles.toolbar}>
      <h1>
        Evaluations{' '}
        <span className="soft">
          {count(listed.loaded)}
          {listed.hasMore && '+'}
        </span>
      </h1>
      <search className={styles.filters}>
        <SearchField
          text={view.name ?? ''}
          onText={(text) => change({ name: text === '' ? undefined : `contains.${text}` }, { replace: true })}
          label="Filter by name"
          placeholder="/ filter by name"
          className={styles.filterBox}
        />
        <VariantFilter view={view} />
        <RevisionFilter view={view} />
        <EvaluatorFilter view={view} evaluators={listed.evaluators} />
      </search>
      <ColumnsMenu columns={listed.columns} shown={listed.shown} />
      <ExportMenu
        label="Export"
        counted={listed.hasMore ? 'all evaluations that fit' : undefined}
        listed={listed}
        rows={listed.rows}
        load={listed.loadAll}
      />
    </div>
  )
}
