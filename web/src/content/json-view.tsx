// A JSON value: a table, the pairs of a small object, or a tree.

import styles from './content.module.css'
import { Pairs, ScalarText } from './json/pairs.tsx'
import { JsonTable } from './json-table.tsx'
import { JsonTree } from './json-tree.tsx'
import { isObject, isScalar, shapeOf } from './shape.ts'

interface JsonViewProps {
  value: unknown
  /** Always a tree, in which every character is that of the JSON. */
  isExact?: boolean
}

export function JsonView({ value, isExact = false }: JsonViewProps) {
  if (!isExact) {
    if (isScalar(value)) return <ScalarText value={value} />
    const shape = shapeOf(value)
    if (shape.kind === 'table') return <JsonTable rows={shape.rows} />
    if (isObject(value) && arePairs(Object.values(value)))
      return (
        <div className={styles.block}>
          <Pairs members={value} />
        </div>
      )
  }
  return (
    <div className={styles.tree}>
      <JsonTree value={value} />
    </div>
  )
}

/** More members need a search, and nested ones are easier to read in one tree. */
const MAX_PAIRS = 20

function arePairs(members: unknown[]): boolean {
  const scalarCount = members.filter(isScalar).length
  return members.length > 0 && members.length <= MAX_PAIRS && scalarCount >= members.length / 2
}
