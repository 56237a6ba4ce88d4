// One value to read: exactly as it was written, as Markdown, or as JSON that folds. Always text nodes, never HTML.
import { useState } from 'react'
import type { Shape } from '../evaluation/view.ts'
import { parseExactly } from '../format/exact.ts'
import { bytes } from '../format/numbers.ts'
import { laidOut } from '../format/values.ts'
import styles from './content.module.css'
import { JsonTree } from './json-tree.tsx'
import { READ } from './markdown.ts'
import { MarkdownText } from './markdown-text.tsx'

/** How much of a text is shown before somebody asks for the rest. */
const SHOWN = 100_000

interface ContentProps {
  value: unknown
  shape: Shape
  isWrapped: boolean
}

export function Content({ value, shape, isWrapped }: ContentProps) {
  if (shape === 'json') return <Json value={value} isWrapped={isWrapped} />
  const text = laidOut(value)
  if (shape === 'text' || typeof value !== 'string') return <PlainText text={text} isWrapped={isWrapped} />
  return (
    <>
      <MarkdownText text={text} />
      {text.length > READ && (
        <>
          <p className={styles.remark}>What follows is not read as Markdown, because the text is so long.</p>
          <PlainText text={text.slice(READ)} isWrapped={isWrapped} />
        </>
      )}
    </>
  )
}

function Json({ value, isWrapped }: Omit<ContentProps, 'shape'>) {
  const parsed = parsedOf(value)
  if (parsed !== undefined) {
    return (
      <div className={styles.tree}>
        <JsonTree value={parsed} />
      </div>
    )
  }
  return (
    <>
      <p className={styles.remark}>This text is no JSON.</p>
      <PlainText text={laidOut(value)} isWrapped={isWrapped} />
    </>
  )
}

function parsedOf(value: unknown): unknown {
  if (typeof value !== 'string') return value
  try {
    return parseExactly(value)
  } catch {
    return undefined
  }
}

export function PlainText({ text, isWrapped }: { text: string; isWrapped: boolean }) {
  const [isWhole, setIsWhole] = useState(false)
  const rest = isWhole ? '' : text.slice(SHOWN)
  return (
    <>
      {text === '' ? (
        <p className={styles.remark}>This text is empty.</p>
      ) : (
        // Lines that are not wrapped scroll, from the keyboard too.
        <pre className={isWrapped ? styles.text : styles.unwrapped} tabIndex={isWrapped ? undefined : 0}>
          {rest === '' ? text : text.slice(0, SHOWN)}
        </pre>
      )}
      {rest !== '' && (
        <button type="button" className={styles.more} onClick={() => setIsWhole(true)}>
          Show the other {bytes(new Blob([rest]).size)}
        </button>
      )}
    </>
  )
}
