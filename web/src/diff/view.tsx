// How one text differs from another: said in words where that is enough, else line by line.
import { type ReactNode, useMemo, useState } from 'react'
import { PlainText } from '../content/content.tsx'
import { bytes, count } from '../format/numbers.ts'
import styles from './diff.module.css'
import { COMPARED, type Differences, differences, sameness } from './differences.ts'
import { DiffTable } from './table.tsx'

interface DiffViewProps {
  old: string
  text: string
  names: [old: string, text: string]
  /** What picks the two texts, where there is a choice. */
  chooser: ReactNode
  isSplit: boolean
  isWrapped: boolean
  ignoresSpace?: boolean
  /** Not where a page leads through all that it shows. */
  hasSteps?: boolean
}

export function DiffView(props: DiffViewProps) {
  const { old, text, names, chooser, isSplit, isWrapped, ignoresSpace = false, hasSteps = true } = props
  const [compared, setCompared] = useState(COMPARED)
  const found = useMemo(
    () => differences(old.slice(0, compared), text.slice(0, compared), ignoresSpace),
    [old, text, compared, ignoresSpace],
  )
  const same = sameness(old, text)
  const longest = Math.max(old.length, text.length)
  if (same === 'identical') {
    return (
      <>
        <div className={styles.sum}>
          {chooser}
          <strong>Identical texts</strong>
        </div>
        <PlainText text={text} isWrapped={isWrapped} />
      </>
    )
  }
  return (
    <DiffTable found={found} names={names} isSplit={isSplit} isWrapped={isWrapped} hasSteps={hasSteps}>
      {chooser}
      {same === 'white space' && <strong>Only white space differs</strong>}
      <Counts found={found} />
      {longest > compared && (
        <p>
          in the first {bytes(compared)}{' '}
          <button type="button" onClick={() => setCompared(Number.POSITIVE_INFINITY)}>
            Compare all {bytes(longest)}
          </button>
        </p>
      )}
    </DiffTable>
  )
}

function Counts({ found }: { found: Differences }) {
  return (
    <p>
      <span className={styles.addedCount}>+{count(found.added)}</span>{' '}
      <span className={styles.removedCount}>−{count(found.removed)}</span>{' '}
      {found.added + found.removed === 1 ? 'line' : 'lines'}
      {!found.areWordsMarked && <>, too different to mark words</>}
    </p>
  )
}
