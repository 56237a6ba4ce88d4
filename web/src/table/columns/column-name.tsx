// The name of a column in its header. Long names are shortened in the middle, where they are like other names.
import styles from './column-name.module.css'
import { splitName } from './split-name.ts'

export function ColumnName({ name, otherNames }: { name: string; otherNames: readonly string[] }) {
  const [start, end] = splitName(name, otherNames)
  return (
    <span className={styles.columnName}>
      <span>{start}</span>
      {end && <span>{end}</span>}
    </span>
  )
}
