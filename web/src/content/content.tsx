// Displays a value as plain text, as Markdown, or as a collapsible JSON tree. Never renders HTML.
import { Suspense } from 'react'
import { lazyComponent } from '../api/lazy-modules.ts'
import { parseExactly } from '../format/exact-json.ts'
import { indentedText } from '../format/value-text.ts'
import type { TextFormat } from '../state/row-params.ts'
import styles from './content.module.css'
import { MAX_MARKDOWN_LENGTH } from './markdown-limit.ts'
import { PlainText } from './plain-text.tsx'

const JsonTree = lazyComponent(async () => (await import('./json-tree.tsx')).JsonTree)
const MarkdownText = lazyComponent(async () => (await import('./markdown-text.tsx')).MarkdownText)

interface ContentProps {
  value: unknown
  textFormat: TextFormat
  isWrapped: boolean
}

export function Content({ value, textFormat, isWrapped }: ContentProps) {
  if (textFormat === 'json') return <Json value={value} isWrapped={isWrapped} />
  const text = indentedText(value)
  if (textFormat === 'text' || typeof value !== 'string')
    return <PlainText text={text} isWrapped={isWrapped} isProse={typeof value === 'string'} />
  return (
    <>
      <Suspense>
        <MarkdownText text={text} />
      </Suspense>
      {text.length > MAX_MARKDOWN_LENGTH && (
        <>
          <p className={styles.hint}>The rest is plain text: this text is too long for Markdown.</p>
          <PlainText text={text.slice(MAX_MARKDOWN_LENGTH)} isWrapped={isWrapped} isProse />
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
        <Suspense>
          <JsonTree value={parsed} />
        </Suspense>
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
