// The rows of a comparison on paper: the table on the screen contains only the visible ones.
import type { ComparisonRows } from 'assay-client'
import { pluralize } from '../../../format/numbers.ts'
import type { Column } from '../../../table/columns/column-type.ts'
import type { RowQuery } from '../queries.ts'
import { classLabel } from '../row-classes.ts'
import { COLUMN_TYPES, type Kind } from './column-types.tsx'
import type { ComparisonContext } from './context.ts'
import styles from './printed-rows.module.css'

interface PrintedRowsProps {
  query: RowQuery
  /** The first window of the rows. */
  response: ComparisonRows
  columns: Column<Kind>[]
  context: ComparisonContext
}

export function PrintedRows({ query, response, columns, context }: PrintedRowsProps) {
  const { rows, total } = response
  const printedColumns = columnsForPaper(columns)
  return (
    <section className={styles.rows} aria-label="Rows">
      <h2>
        {rows.length < total
          ? `The first ${rows.length} of ${pluralize(total, 'row')}`
          : pluralize(total, 'row')}{' '}
        {classLabel(query.show, context.evaluator)}
      </h2>
      <table>
        <thead>
          <tr>
            <th scope="col">#</th>
            {printedColumns.map(({ key, name, kind }) => (
              <th key={key} scope="col" className={styles[kind]}>
                {name}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((row) => {
            const scenario = row.base ?? row.candidates[0]?.row
            return (
              <tr key={`${row.base?.id} ${scenario?.id}`}>
                <td>{(scenario?.position ?? 0) + 1}</td>
                {printedColumns.map((column) => (
                  <td key={column.key}>{COLUMN_TYPES[column.kind].cell(row, column, context).content}</td>
                ))}
              </tr>
            )
          })}
        </tbody>
      </table>
    </section>
  )
}

/** The changes, the first input and the outputs: more would be too narrow to read. */
function columnsForPaper(columns: Column<Kind>[]): Column<Kind>[] {
  const [firstInput] = columns.filter(({ kind }) => kind === 'input')
  return columns.filter(
    (column) => column.kind !== 'expected' && (column.kind !== 'input' || column === firstInput),
  )
}
