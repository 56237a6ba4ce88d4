// Compares two texts: a summary, and a table of the changed lines.
import { type ReactNode, useMemo, useState } from 'react'
import { PlainText } from '../content/plain-text.tsx'
import { formatBytes, formatCount } from '../format/numbers.ts'
import { Button } from '../ui/button.tsx'
import styles from './diff.module.css'
import { DiffTable, type DiffTableProps } from './diff-table.tsx'
import { diffTexts, INITIAL_COMPARE_LENGTH, textEquality } from './differences.ts'

interface DiffViewProps extends Omit<DiffTableProps, 'diff' | 'children'> {
  oldText: string
  newText: string
  /** The control that selects the texts, if there are several. */
  picker?: ReactNode
  ignoreWhitespace?: boolean
}

export function DiffView(props: DiffViewProps) {
  const { oldText, newText, picker, ignoreWhitespace = false, ...tableProps } = props
  const [compareLength, setCompareLength] = useState(INITIAL_COMPARE_LENGTH)
  const diff = useMemo(
    () => diffTexts(oldText.slice(0, compareLength), newText.slice(0, compareLength), ignoreWhitespace),
    [oldText, newText, compareLength, ignoreWhitespace],
  )
  const equality = textEquality(oldText, newText)
  const maxLength = Math.max(oldText.length, newText.length)
  if (equality === 'identical') {
    return (
      <>
        <div className={styles.summary}>
          {picker}
          <strong>Identical texts</strong>
        </div>
        <PlainText text={newText} isWrapped={tableProps.isWrapped} isProse={tableProps.isProse ?? false} />
      </>
    )
  }
  return (
    <DiffTable diff={diff} {...tableProps}>
      {picker}
      {equality === 'whitespace' && <strong>Only whitespace differs</strong>}
      <p>
        <span className={styles.addedCount}>+{formatCount(diff.addedCount)}</span>{' '}
        <span className={styles.removedCount}>−{formatCount(diff.removedCount)}</span>{' '}
        {diff.addedCount + diff.removedCount === 1 ? 'line' : 'lines'}
        {!diff.isWordDiffComplete && ', too different to mark words'}
      </p>
      {maxLength > compareLength && (
        <p>
          in the first {formatBytes(compareLength)}{' '}
          <Button size="small" onClick={() => setCompareLength(Number.POSITIVE_INFINITY)}>
            Compare all {formatBytes(maxLength)}
          </Button>
        </p>
      )}
    </DiffTable>
  )
}
