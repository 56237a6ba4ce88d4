// Below the table: what is selected and what can be done with it, and how many rows there are.
import { count } from '../format/numbers.ts'
import { useMayWrite } from '../shell/key.ts'
import { BaselineMenu } from './baseline-menu.tsx'
import { CompareButton } from './compare-button.tsx'
import { ExportMenu } from './export-menu.tsx'
import type { Listed } from './listed.ts'
import styles from './page.module.css'
import type { Selecting } from './table.tsx'
import type { ListView } from './view.ts'

export function Foot({ listed, view, selected, onSelect }: { listed: Listed; view: ListView } & Selecting) {
  const mayWrite = useMayWrite()
  const chosen = listed.rows.filter(({ id }) => selected.has(id))
  const order = listed.columns.find(({ id }) => id === view.order?.column)
  return (
    <div className={styles.foot}>
      {chosen.length > 0 && (
        <>
          <strong>{count(chosen.length)} selected</strong>
          <CompareButton chosen={chosen} />
          {mayWrite && <BaselineMenu chosen={chosen} />}
          <ExportMenu label="Export selected" listed={listed} rows={chosen} />
          <button type="button" className="plain" onClick={() => onSelect(new Set())}>
            Clear
          </button>
        </>
      )}
      <span role="status" className="soft">
        {count(listed.rows.length)} of {listed.hasMore && 'more than '}
        {count(listed.loaded)}
        {order && `, ${listed.hasMore ? 'those loaded ' : ''}sorted by ${order.title}`}
      </span>
    </div>
  )
}
