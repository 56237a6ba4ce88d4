// Compares two texts: a summary, and a table of the changed lines.
import { type ReactNode, useMemo, useState } from 'react'
import { PlainText } from '../content/content.tsx'
import { formatBytes, formatCount } from '../format/numbers.ts'
import styles from './diff.module.css'
import { DiffTable } from './diff-table.tsx'
import { diffTexts, INITIAL_COMPARE_LENGTH, type TextDiff, textEquality } from './differences.ts'

interface DiffViewProps {
  oldText: string
  newText: string
  names: [oldName: string, newName: string]
  /** The control that selects the texts, if there are several. */
  picker: ReactNode
  isSplit: boolean
  isWrapped: boolean
  ignoreWhitespace?: boolean
  /** False on pages that step through several diffs. */
  hasStepButtons?: boolean
}

export function DiffView(props: DiffViewProps) {
  const {
    oldText,
    newText,
    names,
    picker,
    isSplit,
    isWrapped,
    ignoreWhitespace = false,
    hasStepButtons = true,
  } = props
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
        <PlainText text={newText} isWrapped={isWrapped} />
      </>
    )
  }
  return (
    <DiffTable
      diff={diff}
      names={names}
      isSplit={isSplit}
      isWrapped={isWrapped}
      hasStepButtons={hasStepButtons}
    >
      {picker}
      {equality === 'whitespace' && <strong>Only whitespace differs</strong>}
      <Counts diff={diff} />
      {maxLength > compareLength && (
        <p>
          in the first {formatBytes(compareLength)}{' '}
          <button type="button" onClick={() => setCompareLength(Number.POSITIVE_INFINITY)}>
            Compare all {formatBytes(maxLength)}
          </button>
        </p>
      )}
    </DiffTable>
  )
}

function Counts({ diff }: { diff: TextDiff }) {
  return (
    <p>
      <span className={styles.addedCount}>+{formatCount(diff.addedCount)}</span>{' '}
      <span className={styles.removedCount}>−{formatCount(diff.removedCount)}</span>{' '}
      {diff.addedCount + diff.removedCount === 1 ? 'line' : 'lines'}
      {!diff.isWordDiffComplete && <>, too different to mark words</>}
    </p>
  )
}
