// A table or a JSON tree. Loaded when a value is neither text nor a few pairs.
import { useMemo, useState } from 'react'
import type { JsonObject } from '../../../src/conversation/values.ts'
import { digitsOf } from '../../../src/json/exact-values.ts'
import { pluralize } from '../format/numbers.ts'
import { Button } from '../ui/button.tsx'
import { LongText } from '../ui/truncation.tsx'
import styles from './content.module.css'
import jsonStyles from './json/json.module.css'
import { memberPath, scalarText } from './json/members.ts'
import { JsonTree } from './json-tree.tsx'
import { shapeOf } from './shape.ts'

interface JsonViewProps {
  value: unknown
  /** Always a tree, in which every character is that of the JSON. */
  isExact?: boolean
  /** The name of the value, if it is a member of a larger one. */
  name?: string
}

export function JsonView({ value, isExact = false, name }: JsonViewProps) {
  const shape = isExact ? undefined : shapeOf(value)
  if (shape?.kind === 'table') return <JsonTable rows={shape.rows} />
  return (
    <div className={styles.tree}>
      <JsonTree value={value} path={name === undefined ? '' : memberPath('', name, 0)} />
    </div>
  )
}

const MAX_COLUMNS = 40
/** Number of rows shown until the user clicks "Show more". */
const INITIAL_ROWS = 200
/** Characters of a cell that are shown until the user asks for the rest. */
const CELL_LENGTH = 240

/** An array of flat objects as a table. Arrays with too many different members are a tree. */
function JsonTable({ rows }: { rows: JsonObject[] }) {
  const [visibleCount, setVisibleCount] = useState(INITIAL_ROWS)
  const columns = useMemo(() => columnsOf(rows), [rows])
  if (!columns) {
    return (
      <div className={jsonStyles.tree}>
        <JsonTree value={rows} />
      </div>
    )
  }
  return (
    <div className={jsonStyles.tableBlock}>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a large table scrolls and must be focusable */}
      <div className={jsonStyles.tableFrame} tabIndex={0}>
        <table className={jsonStyles.table} aria-label={pluralize(rows.length, 'row')}>
          <thead>
            <tr>
              {columns.map(({ name, isNumeric }) => (
                <th key={name} scope="col" dir="auto" className={isNumeric ? 'number' : undefined}>
                  {name}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {rows.slice(0, visibleCount).map((row, index) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: rows have no id and never move
              <tr key={index}>
                {columns.map(({ name, isNumeric }) => (
                  <Cell
                    key={name}
                    value={Object.hasOwn(row, name) ? row[name] : undefined}
                    isNumeric={isNumeric}
                  />
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </div>
      {rows.length > visibleCount && (
        <Button
          size="small"
          className={jsonStyles.more}
          onClick={() => setVisibleCount(visibleCount + 5 * INITIAL_ROWS)}
        >
          Show more ({pluralize(rows.length - visibleCount, 'row')} left)
        </Button>
      )}
    </div>
  )
}

interface Column {
  name: string
  /** Whether all values but null are numbers. */
  isNumeric: boolean
}

/** The names of all members in order of their first occurrence, or undefined if there are too many. */
function columnsOf(rows: JsonObject[]): Column[] | undefined {
  const columns = new Map<string, Column>()
  for (const row of rows) {
    for (const [name, value] of Object.entries(row)) {
      const column = columns.get(name) ?? { name, isNumeric: true }
      column.isNumeric &&= value === null || digitsOf(value) !== undefined
      columns.set(name, column)
    }
    if (columns.size > MAX_COLUMNS) return undefined
  }
  return [...columns.values()]
}

function Cell({ value, isNumeric }: { value: unknown; isNumeric: boolean }) {
  if (value === undefined) return <td />
  if (typeof value === 'string') {
    return (
      <td dir="auto">
        <LongText text={value} maxLength={CELL_LENGTH} />
      </td>
    )
  }
  const isNumber = digitsOf(value) !== undefined
  const classes = [(isNumber || isNumeric) && 'number', !isNumber && jsonStyles.constant]
  return <td className={classes.filter(Boolean).join(' ')}>{scalarText(value)}</td>
}
