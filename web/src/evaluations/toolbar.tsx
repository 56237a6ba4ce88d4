// What picks evaluations, and what becomes of the list: its filters, its columns, its export.
import { count } from '../format/numbers.ts'
import { ColumnsMenu } from './columns-menu.tsx'
import { ExportMenu } from './export-menu.tsx'
import { FilterBox } from './filter-box.tsx'
import { EvaluatorFilter, RevisionFilter, VariantFilter } from './filter-menus.tsx'
import type { Listed } from './listed.ts'
import styles from './page.module.css'
import { type ListView, useChangeListView } from './view.ts'

export function Toolbar({ listed, view }: { listed: Listed; view: ListView }) {
  const change = useChangeListView()
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
        <FilterBox
          text={view.name ?? ''}
          onChange={(text) =>
            change({ name: text === '' ? undefined : `contains.${text}` }, { replace: true })
          }
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
