// Displays a value as plain text, as Markdown, or as a collapsible JSON tree. Never renders HTML.
import { useState } from 'react'
import { parseExactly } from '../format/exact-json.ts'
import { formatBytes } from '../format/numbers.ts'
import { indentedText } from '../format/value-text.ts'
import type { TextFormat } from '../state/row-params.ts'
import styles from './content.module.css'
import { JsonTree } from './json-tree.tsx'
import { MAX_MARKDOWN_LENGTH } from './markdown.ts'
import { MarkdownText } from './markdown-text.tsx'

/** Characters shown before the text is expanded. */
const INITIAL_LENGTH = 100_000

interface ContentProps {
  value: unknown
  textFormat: TextFormat
  isWrapped: boolean
}

export function Content({ value, textFormat, isWrapped }: ContentProps) {
  if (textFormat === 'json') return <Json value={value} isWrapped={isWrapped} />
  const text = indentedText(value)
  if (textFormat === 'text' || typeof value !== 'string')
    return <PlainText text={text} isWrapped={isWrapped} />
  return (
    <>
      <MarkdownText text={text} />
      {text.length > MAX_MARKDOWN_LENGTH && (
        <>
          <p className={styles.hint}>The rest is plain text: this text is too long for Markdown.</p>
          <PlainText text={text.slice(MAX_MARKDOWN_LENGTH)} isWrapped={isWrapped} />
        </>
      )}
    </>
  )
}

function Json({ value, isWrapped }: Omit<ContentProps, 'textFormat'>) {
  const parsed = parseJson(value)
  if (parsed !== undefined) {
    return (
      <div className={styles.tree}>
        <JsonTree value={parsed} />
      </div>
    )
  }
  return (
    <>
      <p className={styles.hint}>This text is not JSON.</p>
      <PlainText text={indentedText(value)} isWrapped={isWrapped} />
    </>
  )
}

function parseJson(value: unknown): unknown {
  if (typeof value !== 'string') return value
  try {
    return parseExactly(value)
  } catch {
    return undefined
  }
}

export function PlainText({ text, isWrapped }: { text: string; isWrapped: boolean }) {
  const [isExpanded, setIsExpanded] = useState(false)
  const hiddenText = isExpanded ? '' : text.slice(INITIAL_LENGTH)
  return (
    <>
      {text === '' ? (
        <p className={styles.hint}>This text is empty.</p>
      ) : (
        // Unwrapped lines scroll, so the element must be focusable.
        <pre className={isWrapped ? styles.text : styles.unwrapped} tabIndex={isWrapped ? undefined : 0}>
          {hiddenText === '' ? text : text.slice(0, INITIAL_LENGTH)}
        </pre>
      )}
      {hiddenText !== '' && (
        <button type="button" className={styles.showMore} onClick={() => setIsExpanded(true)}>
          Show the rest ({formatBytes(new Blob([hiddenText]).size)})
        </button>
      )}
    </>
  )
}
