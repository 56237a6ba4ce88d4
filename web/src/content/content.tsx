// Displays a value in its own shape: a conversation, a table, an image, code, a JSON tree or text. Never renders HTML.
import { Suspense, useMemo } from 'react'
import { parseExactly } from '../../../src/json/exact-values.ts'
import { indentedText } from '../format/value-text.ts'
import type { TextFormat } from '../state/row-params.ts'
import { lazyComponent } from '../ui/messages/lazy-component.tsx'
import styles from './content.module.css'
import { DataImage } from './data-image.tsx'
import { JsonValue, JsonView } from './json-value.tsx'
import { PlainText } from './plain-text.tsx'
import { shapeOf } from './shape.ts'
import { TextContent } from './text-content.tsx'

const ConversationView = lazyComponent(
  async () => (await import('./conversation/message-list.tsx')).ConversationView,
)

interface ContentProps {
  value: unknown
  textFormat: TextFormat
  isWrapped: boolean
}

export function Content(props: ContentProps) {
  return (
    <Suspense>
      {props.textFormat === 'json' ? <ExactJson {...props} /> : <ShapedContent {...props} />}
    </Suspense>
  )
}

function ShapedContent({ value, textFormat, isWrapped }: ContentProps) {
  const shape = useMemo(() => shapeOf(value), [value])
  switch (shape.kind) {
    case 'conversation':
      return <ConversationView shape={shape} textFormat={textFormat} isWrapped={isWrapped} />
    case 'image':
      return (
        <div className={styles.block}>
          <DataImage address={String(value)} />
        </div>
      )
    case 'table':
    case 'json':
      return <JsonValue value={shape.value} />
    case 'code':
      return <PlainText text={String(value)} isWrapped={isWrapped} />
    default:
      return typeof value === 'string' ? (
        <TextContent text={value} textFormat={textFormat} isWrapped={isWrapped} />
      ) : (
        <PlainText text={indentedText(value)} isWrapped={isWrapped} />
      )
  }
}

function ExactJson({ value, isWrapped }: ContentProps) {
  const parsed = useMemo(() => parseJson(value), [value])
  if (parsed !== undefined) return <JsonView value={parsed} isExact />
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
