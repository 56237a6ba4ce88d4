// Compares two texts: a summary, and a table of the changed lines.
import { type ReactNode, useMemo, useState } from 'react'
import { PlainText } from '../content/content.tsx'
import { formatBytes, formatCount } from '../format/numbers.ts'
import styles from './diff.module.css'
import { DiffTable } from './diff-table.tsx'
import { diffTexts, INITIAL_COMPARE_LENGTH, type TextDiff, textEquality } from './differences.ts'

interface DiffViewProps {
  old: string
  text: string
  names: [old: string, text: string]
  /** The control that selects the texts, if there are several. */
  chooser: ReactNode
  isSplit: boolean
  isWrapped: boolean
  ignoresSpace?: boolean
  /** False on pages that step through several diffs. */
  hasStepButtons?: boolean
}

export function DiffView(props: DiffViewProps) {
  const { old, text, names, chooser, isSplit, isWrapped, ignoresSpace = false, hasStepButtons = true } = props
  const [compareLength, setCompareLength] = useState(INITIAL_COMPARE_LENGTH)
  const diff = useMemo(
    () => diffTexts(old.slice(0, compareLength), text.slice(0, compareLength), ignoresSpace),
    [old, text, compareLength, ignoresSpace],
  )
  const equality = textEquality(old, text)
  const longest = Math.max(old.length, text.length)
  if (equality === 'identical') {
    return (
      <>
        <div className={styles.summary}>
          {chooser}
          <strong>Identical texts</strong>
        </div>
        <PlainText text={text} isWrapped={isWrapped} />
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
      {chooser}
      {equality === 'white space' && <strong>Only whitespace differs</strong>}
      <Counts diff={diff} />
      {longest > compareLength && (
        <p>
          in the first {formatBytes(compareLength)}{' '}
          <button type="button" onClick={() => setCompareLength(Number.POSITIVE_INFINITY)}>
            Compare all {formatBytes(longest)}
          </button>
        </p>
      )}
    </DiffTable>
  )
}

function Counts({ diff }: { diff: TextDiff }) {
  return (
    <p>
      <span className={styles.addedCount}>+{formatCount(diff.added)}</span>{' '}
      <span className={styles.removedCount}>−{formatCount(diff.removed)}</span>{' '}
      {diff.added + diff.removed === 1 ? 'line' : 'lines'}
      {!diff.areWordsMarked && <>, too different to mark words</>}
    </p>
  )
}
