// Plain text: prose in the font of the page, code with a fixed width. Long texts are laid out while you scroll.
import { type ReactNode, useMemo } from 'react'
import styles from './content.module.css'
import { textChunks } from './text-chunks.ts'

/** Characters and pixels of a line, to estimate the height of text that was not laid out yet. */
const LINE_LENGTH = 90
const LINE_HEIGHT = 20

interface PlainTextProps {
  text: string
  isWrapped: boolean
  /** Prose is easier to read in the font of the page. Code and JSON need a fixed width. */
  isProse?: boolean
  /** The same text with marked words. */
  children?: ReactNode
}

export function PlainText({ text, isWrapped, isProse = false, children }: PlainTextProps) {
  if (text === '') return <p className={styles.hint}>This text is empty.</p>
  return (
    // Unwrapped lines scroll, so the element must be focusable.
    <pre
      className={[isWrapped ? styles.text : styles.unwrapped, isProse && styles.prose]
        .filter(Boolean)
        .join(' ')}
      tabIndex={isWrapped ? undefined : 0}
    >
      {children ?? <TextChunks text={text} isWrapped={isWrapped} />}
    </pre>
  )
}

/** A text in an element that keeps its line breaks. */
export function TextChunks({ text, isWrapped }: Pick<PlainTextProps, 'text' | 'isWrapped'>) {
  const chunks = useMemo(() => textChunks(text), [text])
  if (chunks.length < 2) return text
  return chunks.map((chunk, index) => (
    <span
      // biome-ignore lint/suspicious/noArrayIndexKey: chunks never move
      key={index}
      className={chunk.isPartOfLine ? styles.partOfLine : styles.lines}
      style={{ containIntrinsicHeight: `auto ${heightOf(chunk.text, isWrapped)}px` }}
    >
      {chunk.text}
    </span>
  ))
}

function heightOf(text: string, isWrapped: boolean): number {
  const lines = text.split('\n')
  const count = (line: string) => (isWrapped ? Math.ceil(line.length / LINE_LENGTH) || 1 : 1)
  return LINE_HEIGHT * lines.reduce((sum, line) => sum + count(line), 0)
}
