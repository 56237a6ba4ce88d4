// Which columns are shown: a preference of this browser.
import { Menu } from '../parts/menu.tsx'
import { preference, setPreference } from '../preferences.ts'
import { CHOICES, type Column, isEvaluator, readChoices } from './columns.ts'
import styles from './page.module.css'

export function ColumnsMenu({ columns, shown }: { columns: Column[]; shown: Column[] }) {
  const choosable = columns.filter(({ id }) => id !== 'name')
  function choose(id: string, isShown: boolean) {
    setPreference(CHOICES, JSON.stringify({ ...readChoices(preference(CHOICES)), [id]: isShown }))
  }
  return (
    <Menu label="Columns">
      <div className={styles.columns}>
        {choosable.map((column) => (
          <label key={column.id}>
            <input
              type="checkbox"
              checked={shown.includes(column)}
              onChange={(event) => choose(column.id, event.target.checked)}
            />
            {column.title}
            {isEvaluator(column) && <span className="unseen"> (evaluator)</span>}
          </label>
        ))}
        <button type="button" onClick={() => setPreference(CHOICES, undefined)}>
          Back to the default
        </button>
      </div>
    </Menu>
  )
}
