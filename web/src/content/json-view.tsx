// A table or a JSON tree. Loaded when a value is neither text nor a few pairs.
import styles from './content.module.css'
import { memberPath } from './json/members.ts'
import { JsonTable } from './json-table.tsx'
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
