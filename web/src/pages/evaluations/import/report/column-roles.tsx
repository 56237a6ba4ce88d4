// The collapsed list of table columns with the roles that they were imported with.
import type { ImportColumn } from 'assay-client'
import { pluralize } from '../../../../format/numbers.ts'
import styles from '../import.module.css'
import { ORIGIN_LABELS, ROLE_LABELS, TYPE_LABELS } from '../table/roles.ts'

export function ColumnRoles({ columns }: { columns: ImportColumn[] }) {
  if (columns.length === 0) return null
  return (
    <details className={styles.columnRoles}>
      <summary>Roles of {pluralize(columns.length, 'column')}</summary>
      <table>
        <thead>
          <tr>
            <th>Column</th>
            <th>Contains</th>
            <th>Detected</th>
          </tr>
        </thead>
        <tbody>
          {columns.map((column) => (
            <tr key={column.name}>
              <td>{column.name}</td>
              <td>{describeRole(column)}</td>
              <td className="muted">{ORIGIN_LABELS[column.origin]}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </details>
  )
}

/** "Score judge, percent" */
function describeRole({ name, role, key, type }: ImportColumn): string {
  const keyText = key === null || key === name ? '' : ` ${key}`
  const typeText = type === null ? undefined : TYPE_LABELS[role]?.[type]
  return `${ROLE_LABELS[role]}${keyText}${typeText === undefined ? '' : `, ${typeText.toLowerCase()}`}`
}
