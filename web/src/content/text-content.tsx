// A text, plain or as Markdown.
import { Suspense } from 'react'
import type { TextFormat } from '../state/row-params.ts'
import { lazyComponent } from '../ui/messages/lazy-component.tsx'
import styles from './content.module.css'
import { MAX_MARKDOWN_LENGTH } from './markdown-limit.ts'
import { PlainText } from './plain-text.tsx'

const MarkdownText = lazyComponent(async () => (await import('./markdown-text.tsx')).MarkdownText)

interface TextContentProps {
  text: string
  textFormat: TextFormat
  isWrapped: boolean
}

export function TextContent({ text, textFormat, isWrapped }: TextContentProps) {
  if (textFormat !== 'markdown') return <PlainText text={text} isWrapped={isWrapped} isProse />
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
