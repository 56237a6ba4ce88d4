// One message: the role, and its parts below each other.
import { ChevronRight, CircleAlert, CornerDownRight, Wrench } from 'lucide'
import { type ReactNode, useMemo, useState } from 'react'
import type { Message, Part } from '../../../../src/conversation/model.ts'
import { parseJsonText } from '../../../../src/conversation/values.ts'
import { formatBytes, pluralize } from '../../format/numbers.ts'
import type { TextFormat } from '../../state/row-params.ts'
import { Icon } from '../../ui/icon.tsx'
import { Address, DataImage } from '../data-image.tsx'
import { JsonValue } from '../json-value.tsx'
import { PlainText } from '../plain-text.tsx'
import { isCode } from '../shape.ts'
import { TextContent } from '../text-content.tsx'
import styles from './conversation.module.css'

/** Longer system prompts are one line until they are opened: they are the same in every row. */
const MAX_SYSTEM_LENGTH = 200

const ROLE_LABELS = new Map([
  ['system', 'System'],
  ['user', 'User'],
  ['assistant', 'Assistant'],
  ['tool', 'Tool'],
])

export interface TextDisplay {
  textFormat: TextFormat
  isWrapped: boolean
  /** In a comparison, a part with its changed words marked; undefined if it has none. */
  changedText?: ((part: Part) => ReactNode) | undefined
}

interface MessageViewProps extends TextDisplay {
  message: Message
  /** In a comparison, whether the message differs from the first conversation; undefined elsewhere. */
  isChanged?: boolean | undefined
}

export function MessageView({ message, isChanged, ...display }: MessageViewProps) {
  const { role, name, parts } = message
  return (
    <div className={styles.message} data-changed={isChanged}>
      <p className={styles.role}>
        <bdi>{ROLE_LABELS.get(role) ?? role}</bdi>
        {isChanged && <span className={styles.different}>different</span>}
        {name !== undefined && <bdi className={styles.author}>{name}</bdi>}
      </p>
      <div className={styles.parts}>
        {parts.map((part, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: parts have no id and never move
          <PartView key={index} part={part} isCollapsible={role === 'system'} {...display} />
        ))}
        {parts.every(isBlank) && (
          <p className="quiet">
            This message {parts.length === 0 ? 'is empty' : 'contains only whitespace'}.
          </p>
        )}
      </div>
    </div>
  )
}

function isBlank(part: Part): boolean {
  return part.kind === 'text' && part.text.trim() === ''
}

interface PartViewProps extends TextDisplay {
  part: Part
  isCollapsible?: boolean
}

function PartView({ part, isCollapsible = false, ...display }: PartViewProps) {
  const changed = display.changedText?.(part)
  switch (part.kind) {
    case 'text':
      if (changed) return changed
      if (isCollapsible && part.text.length > MAX_SYSTEM_LENGTH)
        return (
          <Collapsible summary={part.text} length={lengthOf(part.text)}>
            <TextView text={part.text} {...display} />
          </Collapsible>
        )
      return <TextView text={part.text} {...display} />
    case 'reasoning':
      if (part.text === '')
        return <p className="quiet">Reasoning, not readable: the provider has removed it</p>
      return (
        <Collapsible label="Reasoning" summary={part.text} length={lengthOf(part.text)}>
          {changed ?? <TextContent text={part.text} {...display} />}
        </Collapsible>
      )
    case 'refusal':
      return (
        <div className={styles.refusal}>
          <p className={styles.label}>Refusal</p>
          {changed ?? <TextContent text={part.text} {...display} />}
        </div>
      )
    case 'call':
      return <CallCard call={part}>{changed}</CallCard>
    case 'result':
      return (
        <ResultCard result={part}>
          {part.parts.map((content, index) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: parts have no id and never move
            <PartView key={index} part={content} {...display} />
          ))}
        </ResultCard>
      )
    case 'media':
      return <MediaView mediaType={part.mediaType} address={part.address} />
    default:
      return part.name === 'content' ? (
        (changed ?? <JsonValue value={part.value} />)
      ) : (
        <Collapsible label={part.name} summary={part.name === 'citations' ? '' : 'JSON'}>
          {changed ?? <JsonValue value={part.value} />}
        </Collapsible>
      )
  }
}

/** Models and tools often write JSON, code or stack traces, without saying so. */
function TextView({ text, ...display }: { text: string } & TextDisplay) {
  const json = useMemo(() => parseJsonText(text), [text])
  if (json !== undefined) return <JsonValue value={json} />
  if (isCode(text)) return <PlainText text={text} isWrapped={display.isWrapped} />
  return <TextContent text={text} {...display} />
}

function lengthOf(text: string): string {
  return pluralize(text.length, 'character')
}

function MediaView({ mediaType, address }: { mediaType: string; address: string }) {
  if (address.startsWith('data:image/')) return <DataImage address={address} />
  if (!address.startsWith('data:'))
    return (
      <p className={styles.media}>
        <bdi>{mediaType}</bdi> <Address address={address} />
      </p>
    )
  const dataLength = address.length - address.indexOf(',') - 1
  return (
    <p className={styles.media}>
      <bdi>{mediaType}</bdi>, {formatBytes(Math.floor((dataLength * 3) / 4))}
    </p>
  )
}

interface CallCardProps {
  call: Extract<Part, { kind: 'call' }>
  /** The arguments with marked words. */
  children: ReactNode
}

/** Cards for calls of tools and for what the tools returned. */
function CallCard({ call: { name, input, isInvalid }, children }: CallCardProps) {
  return (
    <div className={styles.card}>
      <p className={styles.cardHeader}>
        <Icon icon={Wrench} />
        <code>{name}</code> <span className="muted">tool call</span>
        {isInvalid && (
          <span className={styles.invalid}>
            <Icon icon={CircleAlert} size={14} /> arguments are not valid JSON
          </span>
        )}
      </p>
      {input !== undefined && input !== null && (
        <div className={styles.cardBody}>
          {children ??
            (isInvalid ? <PlainText text={String(input)} isWrapped /> : <JsonValue value={input} />)}
        </div>
      )}
    </div>
  )
}

interface ResultCardProps {
  result: Extract<Part, { kind: 'result' }>
  children: ReactNode
}

function ResultCard({ result, children }: ResultCardProps) {
  return (
    <div className={styles.card}>
      <p className={styles.cardHeader}>
        <Icon icon={CornerDownRight} />
        {result.name !== undefined && <code>{result.name}</code>}{' '}
        <span className={result.isError ? 'worse' : 'muted'}>{result.isError ? 'error' : 'result'}</span>
      </p>
      {result.parts.length > 0 && <div className={styles.cardBody}>{children}</div>}
    </div>
  )
}

/** No screen shows more characters on a line. */
const MAX_LINE_LENGTH = 300

interface CollapsibleProps {
  /** What the block is, such as "Reasoning". */
  label?: string
  /** The start of the content, shown while it is closed. */
  summary: string
  /** The length of the content. */
  length?: string
  children: ReactNode
}

/** A block that is one line until it is opened. What it contains is rendered when it is opened. */
export function Collapsible({ label, summary, length, children }: CollapsibleProps) {
  const [isOpen, setIsOpen] = useState(false)
  return (
    <details
      className={styles.collapsible}
      open={isOpen}
      // Ignore toggle events of nested blocks.
      onToggle={(event) => event.target === event.currentTarget && setIsOpen(event.currentTarget.open)}
    >
      <summary className={styles.summary}>
        <Icon icon={ChevronRight} size={14} />
        {label !== undefined && <span className={styles.label}>{label}</span>}
        <span className={styles.line} dir="auto">
          {!isOpen && summary.slice(0, MAX_LINE_LENGTH)}
        </span>
        {length !== undefined && <span className="quiet">{length}</span>}
      </summary>
      {isOpen && children}
    </details>
  )
}
