// Selects the visible columns. The selection is stored in this browser.

import { preference, setPreference } from '../../../state/preferences.ts'
import { Menu } from '../../../ui/menu.tsx'
import styles from '../page.module.css'
import { COLUMNS_PREFERENCE, readColumnChoices } from '../table/column-layout.ts'
import { type Column, isEvaluatorColumn } from '../table/columns.tsx'

interface ColumnsMenuProps {
  columns: Column[]
  visibleColumns: Column[]
}

export function ColumnsMenu({ columns, visibleColumns }: ColumnsMenuProps) {
  const hideable = columns.filter(({ id }) => id !== 'name')
  function choose(id: string, isVisible: boolean) {
    setPreference(
      COLUMNS_PREFERENCE,
      JSON.stringify({ ...readColumnChoices(preference(COLUMNS_PREFERENCE)), [id]: isVisible }),
    )
  }
  return (
    <Menu label="Columns">
      <div className={styles.columns}>
        {hideable.map((column) => (
          <label key={column.id}>
            <input
              type="checkbox"
              checked={visibleColumns.includes(column)}
              onChange={(event) => choose(column.id, event.target.checked)}
            />
            {column.title}
            {isEvaluatorColumn(column) && <span className="sr-only"> (evaluator)</span>}
          </label>
        ))}
        <button type="button" onClick={() => setPreference(COLUMNS_PREFERENCE, undefined)}>
          Reset
        </button>
      </div>
    </Menu>
  )
}
