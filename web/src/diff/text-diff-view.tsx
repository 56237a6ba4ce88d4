// Compares two texts: a summary, and a table of the changed lines.
import { type ReactNode, useMemo, useState } from 'react'
import { PlainText } from '../content/plain-text.tsx'
import { formatBytes } from '../format/numbers.ts'
import { Button } from '../ui/button.tsx'
import styles from './diff.module.css'
import { DiffTable, type DiffTableProps } from './diff-table.tsx'
import { diffTexts, INITIAL_COMPARE_LENGTH, textEquality } from './differences.ts'

export interface DiffViewProps extends Omit<DiffTableProps, 'diff' | 'children'> {
  oldText: string
  newText: string
  /** The control that selects the texts, if there are several. */
  picker?: ReactNode
  ignoreWhitespace?: boolean
  /** Shown above the lines. Replaces the note about identical texts. */
  children?: ReactNode
}

export function TextDiffView(props: DiffViewProps) {
  const { oldText, newText, picker, ignoreWhitespace = false, children, ...tableProps } = props
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
          {children ?? <strong>Identical texts</strong>}
        </div>
        <PlainText text={newText} isWrapped={tableProps.isWrapped} isProse={tableProps.isProse ?? false} />
      </>
    )
  }
  return (
    <DiffTable diff={diff} {...tableProps}>
      {picker}
      {equality === 'whitespace' && <strong>Only whitespace differs</strong>}
      {children}
      {!diff.hasCommonWords && <p>No words in common</p>}
      {!diff.isComplete && <p>Too different to compare every word</p>}
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
