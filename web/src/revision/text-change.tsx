// A long text that changed: lines that went and came, with the words that differ marked, and what stayed folded.
import { useEffect, useState } from 'react'
import { counted } from '../format/numbers.ts'
import { Waiting } from '../parts/waiting.tsx'
import { useCut } from './cut.ts'
import { LongText } from './long-text.tsx'
import styles from './text-change.module.css'
import {
  type Line,
  type Section,
  sectionsOf,
  type TextDifference,
  textDifference,
} from './text-difference.ts'

const SHOWN_LINES = 400
const LONGEST_LINE = 5000

export function TextChange({ old, now }: { old: string; now: string }) {
  const [difference, setDifference] = useState<TextDifference | 'failed'>()
  useEffect(() => {
    let isGone = false
    const show = (found: TextDifference | 'failed') => isGone || setDifference(found)
    textDifference(old, now).then(show, () => show('failed'))
    return () => {
      isGone = true
    }
  }, [old, now])
  if (!difference) return <Waiting />
  if (difference === 'failed') return <p>The page cannot load what compares texts. Reload it.</p>
  return (
    <div className={styles.text}>
      {difference.isSpaceOnly && <p className={styles.remark}>Only white space differs.</p>}
      {!difference.isSearched && (
        <p className={styles.remark}>The texts have too little in common to be compared line by line.</p>
      )}
      <Sections sections={sectionsOf(difference.lines)} />
    </div>
  )
}

function Sections({ sections }: { sections: Section[] }) {
  const { items, left, showAll } = useCut(cutLong(sections), SHOWN_LINES)
  return (
    <>
      {items.map((section) => {
        const first = section.lines[0]
        const key = `${first?.kind} ${first?.old ?? first?.new}`
        return section.isFolded ? (
          <Fold key={key} lines={section.lines} />
        ) : (
          section.lines.map((line) => <LineRow key={`${line.kind} ${line.old ?? line.new}`} line={line} />)
        )
      })}
      {left > 0 && (
        <button type="button" className={styles.fold} onClick={showAll}>
          Show the rest ({counted(left, 'more line')})
        </button>
      )}
    </>
  )
}

/** Line by line where they are shown, so that a cut can be anywhere; a fold is one. */
function cutLong(sections: Section[]): Section[] {
  return sections.flatMap((section) =>
    section.isFolded ? [section] : section.lines.map((line) => ({ lines: [line], isFolded: false })),
  )
}

function Fold({ lines }: { lines: Line[] }) {
  const [isOpen, setIsOpen] = useState(false)
  if (isOpen) return lines.map((line) => <LineRow key={line.old} line={line} />)
  return (
    <button type="button" className={styles.fold} onClick={() => setIsOpen(true)}>
      ⋯ {counted(lines.length, 'unchanged line')}
    </button>
  )
}

const SIGNS = { same: '', added: '+', removed: '−' } as const

function LineRow({ line: { kind, old, new: now, parts } }: { line: Line }) {
  const length = parts.reduce((sum, { text }) => sum + text.length, 0)
  const content =
    length > LONGEST_LINE ? (
      <LongText text={parts.map(({ text }) => text).join('')} shown={LONGEST_LINE} />
    ) : (
      parts.map(({ text, isMarked }, index) =>
        // biome-ignore lint/suspicious/noArrayIndexKey: parts of a line never move
        isMarked ? <b key={index}>{text}</b> : <span key={index}>{text}</span>,
      )
    )
  return (
    <div className={`${styles.line} ${styles[kind]}`}>
      <span className={styles.place}>{old}</span>
      <span className={styles.place}>{now}</span>
      <span className={styles.sign}>{SIGNS[kind]}</span>
      {kind === 'added' ? (
        <ins>{content}</ins>
      ) : kind === 'removed' ? (
        <del>{content}</del>
      ) : (
        <span>{content}</span>
      )}
    </div>
  )
}
