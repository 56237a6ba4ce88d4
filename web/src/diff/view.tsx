// How one text differs from another: said in words where that is enough, else line by line.
import { type ReactNode, useEffect, useState } from 'react'
import { PlainText } from '../content/content.tsx'
import { bytes, count } from '../format/numbers.ts'
import { Waiting } from '../parts/waiting.tsx'
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
  const found = useDifferences(old.slice(0, compared), text.slice(0, compared), ignoresSpace)
  const same = sameness(old, text)
  const longest = Math.max(old.length, text.length)
  if (same === 'identical' || typeof found !== 'object') {
    return (
      <>
        <div className={styles.sum}>
          {chooser}
          {same === 'identical' && <strong>Identical texts</strong>}
        </div>
        {same === 'identical' && <PlainText text={text} isWrapped={isWrapped} />}
        {same !== 'identical' && found === undefined && <Waiting />}
        {same !== 'identical' && found === 'failed' && (
          <p role="alert" className={styles.sum}>
            What differs cannot be shown while the server is away.
          </p>
        )}
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

interface Known {
  old: string
  text: string
  ignoresSpace: boolean
  found: Differences | 'failed'
}

/** Undefined until it is known, which takes a moment the first time: what compares is loaded when it is needed. */
function useDifferences(
  old: string,
  text: string,
  ignoresSpace: boolean,
): Differences | 'failed' | undefined {
  const [known, setKnown] = useState<Known>()
  useEffect(() => {
    let isGone = false
    const keep = (found: Differences | 'failed') => {
      if (!isGone) setKnown({ old, text, ignoresSpace, found })
    }
    differences(old, text, ignoresSpace).then(keep, () => keep('failed'))
    return () => {
      isGone = true
    }
  }, [old, text, ignoresSpace])
  const isCurrent = known?.old === old && known.text === text && known.ignoresSpace === ignoresSpace
  return isCurrent ? known.found : undefined
}
