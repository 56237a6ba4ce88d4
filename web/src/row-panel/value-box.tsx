// Named values, such as the inputs of a scenario, in one box. Long values share half of the window until all are shown.
import { Braces, Copy } from 'lucide'
import { type ReactNode, useId, useMemo, useState } from 'react'
import { Content } from '../content/content.tsx'
import { describeShape, type Shape, shapeOf } from '../content/shape.ts'
import { indentedText } from '../format/value-text.ts'
import type { TextFormat } from '../state/row-params.ts'
import { Button, IconButton } from '../ui/button.tsx'
import { copyText } from '../ui/copy-button.tsx'
import { useSharedHeight } from './shared-height.ts'
import styles from './value-box.module.css'

export interface NamedValue {
  /** Empty for a value that needs no name. */
  name: string
  type?: string
  value: unknown
}

/** With more values than this, only the first few are shown, so that the output stays in view. */
const MAX_VALUES = 6
const FIRST_VALUES = 4

interface ValueBoxProps {
  /** The heading: "Input". */
  label: string
  /** The evaluation that the values belong to, if there are several. */
  owner?: string | undefined
  values: readonly NamedValue[]
  textFormat: TextFormat
  isWrapped: boolean
}

export function ValueBox({ label, owner, values, textFormat, isWrapped }: ValueBoxProps) {
  const id = useId()
  const [isExpanded, setIsExpanded] = useState(false)
  const [isJson, setIsJson] = useState(false)
  const hiddenCount = isExpanded || values.length <= MAX_VALUES ? 0 : values.length - FIRST_VALUES
  const shapes = useMemo(() => values.map(({ value }) => shapeOf(value)), [values])
  const shape = shapes.length === 1 ? shapes[0] : undefined
  const { box, isCut } = useSharedHeight({ isLimited: !isExpanded })
  const rows: readonly NamedValue[] = isJson
    ? [{ name: '', value: jsonOf(values) }]
    : values.slice(0, values.length - hiddenCount)
  const hasNames = rows.length > 1
  return (
    <section
      className={styles.section}
      // Two boxes of one row must have different names.
      {...(owner === undefined ? { 'aria-labelledby': id } : { 'aria-label': `${label} of ${owner}` })}
    >
      <SectionHeading
        id={id}
        title={label}
        detail={
          <>
            {owner !== undefined && <bdi>{owner}</bdi>}
            {values.length === 1 && <bdi>{values[0]?.name}</bdi>}
            {shape && <span>{describeShape(shape)}</span>}
          </>
        }
      >
        {values.length > 0 && (
          <>
            {(!shape || hasOwnForm(shape)) && (
              <JsonToggle isPressed={isJson} onToggle={() => setIsJson(!isJson)} />
            )}
            <CopyIcon text={textOf(values)} label={`Copy ${label.toLowerCase()}`} />
          </>
        )}
      </SectionHeading>
      {values.length === 0 ? (
        <p className="muted">none</p>
      ) : (
        <div className={styles.box}>
          <dl
            ref={box}
            className={[styles.values, hasNames && styles.named, !isExpanded && styles.limited]
              .filter(Boolean)
              .join(' ')}
            // The browser scrolls to a match of its search, or to a link that has the focus.
            onScroll={() => setIsExpanded(true)}
          >
            {rows.map(({ name, value }, index) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: two values can have the same name
              <div key={index} className={styles.row}>
                <dt className={hasNames ? styles.name : 'sr-only'}>
                  <bdi>{name || label}</bdi>
                </dt>
                <dd
                  className={styles.value}
                  data-shares-height={shapes[index]?.kind === 'json' ? 'last' : 'first'}
                >
                  <div>
                    <Content value={value} textFormat={isJson ? 'json' : textFormat} isWrapped={isWrapped} />
                  </div>
                </dd>
              </div>
            ))}
          </dl>
          {(isExpanded || isCut || (hiddenCount > 0 && !isJson)) && (
            <Button
              variant="plain"
              size="small"
              className={styles.expand}
              aria-expanded={isExpanded}
              onClick={() => setIsExpanded(!isExpanded)}
            >
              {isExpanded ? 'Show less' : `Show all${hiddenCount > 0 ? ` ${values.length}` : ''}`}
            </Button>
          )}
        </div>
      )}
    </section>
  )
}

/** Whether a value is shown in another form than its JSON. */
export function hasOwnForm({ kind }: Shape): boolean {
  return kind === 'conversation' || kind === 'table'
}

/** A single value, or an object with the values. Two values with the same name cannot be members of an object. */
function jsonOf(values: readonly NamedValue[]): unknown {
  if (values.length === 1) return values[0]?.value
  const members = Object.fromEntries(values.map(({ name, value }) => [name, value]))
  return Object.keys(members).length === values.length ? members : values
}

function textOf(values: readonly NamedValue[]): string {
  return indentedText(jsonOf(values))
}

interface SectionHeadingProps {
  id: string
  title: string
  /** Quiet text after the title. */
  detail?: ReactNode
  /** The controls at the end of the line. */
  children?: ReactNode
}

/** The heading above a part of an open row. */
export function SectionHeading({ id, title, detail, children }: SectionHeadingProps) {
  return (
    <div className={styles.heading}>
      <h3 id={id}>{title}</h3>
      {detail !== undefined && <span className={styles.detail}>{detail}</span>}
      <span className={styles.controls}>{children}</span>
    </div>
  )
}

/** Switches between a value in its own form and its exact JSON. */
export function JsonToggle({ isPressed, onToggle }: { isPressed: boolean; onToggle: () => void }) {
  return (
    <Button
      variant="plain"
      size="small"
      icon={Braces}
      tooltip="Exact JSON"
      aria-pressed={isPressed}
      className={styles.toggle}
      onClick={onToggle}
    >
      JSON
    </Button>
  )
}

export function CopyIcon({ text, label }: { text: string; label: string }) {
  return <IconButton icon={Copy} size="small" label={label} onClick={() => void copyText(text)} />
}
