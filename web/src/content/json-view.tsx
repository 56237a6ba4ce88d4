// A table or a JSON tree. Loaded when a value is neither text nor a few pairs.
import styles from './content.module.css'
import { JsonTable } from './json-table.tsx'
import { JsonTree } from './json-tree.tsx'
import { shapeOf } from './shape.ts'

interface JsonViewProps {
  value: unknown
  /** Always a tree, in which every character is that of the JSON. */
  isExact?: boolean
  /** Where the value is in a larger one, as jq writes it. */
  path?: string
}

export function JsonView({ value, isExact = false, path }: JsonViewProps) {
  const shape = isExact ? undefined : shapeOf(value)
  if (shape?.kind === 'table') return <JsonTable rows={shape.rows} />
  return (
    <div className={styles.tree}>
      <JsonTree value={value} {...(path !== undefined && { path })} />
    </div>
  )
}
