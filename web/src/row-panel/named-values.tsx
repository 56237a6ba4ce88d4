// Named values, such as the inputs of a scenario: as one line, or in full.
import { ChevronDown, ChevronUp } from 'lucide'
import { useId } from 'react'
import { Content } from '../content/content.tsx'
import { compactText, indentedText } from '../format/value-text.ts'
import type { TextFormat } from '../state/row-params.ts'
import { IconButton } from '../ui/button.tsx'
import { CopyButton } from '../ui/copy-button.tsx'
import styles from './row-panel.module.css'
import type { NamedValue } from './value-box.tsx'

/** No screen shows more characters on a line. */
const MAX_LINE_LENGTH = 300

interface ValuesLineProps {
  label: string
  /** The evaluation that the values belong to, if there are several. */
  owner?: string | undefined
  values: readonly NamedValue[]
  /** The key that shows all values. */
  shortcut?: string
  /** Whether all values are shown below the line. */
  isOpen?: boolean
  onShowAll: () => void
}

export function ValuesLine(props: ValuesLineProps) {
  const { label, owner, values, shortcut, isOpen, onShowAll } = props
  const id = useId()
  return (
    <section className={styles.valuesLine} aria-labelledby={id}>
      <h3 id={id} className={styles.label}>
        {label}
        {owner !== undefined && (
          <bdi className={styles.owner} data-tooltip={owner}>
            {owner}
          </bdi>
        )}
      </h3>
      {values.length === 0 ? (
        <p className="muted">none</p>
      ) : (
        <p className={styles.oneLine}>
          {values.map(({ name, value }, index) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: two values can have the same name
            <span key={index}>
              {name !== '' && <span className="muted">{name}:</span>}{' '}
              <bdi>{compactText(value).slice(0, MAX_LINE_LENGTH)}</bdi>
            </span>
          ))}
        </p>
      )}
      {values.length > 0 && (
        <>
          <CopyButton
            text={copyText(values)}
            message={`Copied the ${label.toLowerCase()}.`}
            className="plain"
          >
            Copy<span className="sr-only"> {label.toLowerCase()}</span>
          </CopyButton>
          <IconButton
            icon={isOpen ? ChevronUp : ChevronDown}
            size="small"
            label={`All ${label.toLowerCase()}`}
            shortcut={shortcut}
            aria-expanded={isOpen}
            onClick={onShowAll}
          />
        </>
      )}
    </section>
  )
}

/** A single value as text, several values as a JSON object. */
function copyText(values: readonly NamedValue[]): string {
  const [firstValue] = values
  if (values.length === 1 && firstValue) return indentedText(firstValue.value)
  return JSON.stringify(Object.fromEntries(values.map(({ name, value }) => [name, value])), null, 2)
}

interface ValuesProps {
  values: readonly NamedValue[]
  textFormat: TextFormat
  isWrapped: boolean
}

export function Values({ values, textFormat, isWrapped }: ValuesProps) {
  return values.map(({ name, type, value }, index) => (
    // biome-ignore lint/suspicious/noArrayIndexKey: two values can have the same name
    <section key={index} className={styles.value}>
      <h3 className={styles.valueHeader}>
        <bdi>{name}</bdi> {type !== undefined && <span className={styles.type}>{type}</span>}
        <CopyButton text={indentedText(value)} className="plain">
          Copy<span className="sr-only"> {name}</span>
        </CopyButton>
      </h3>
      <Content value={value} textFormat={textFormat} isWrapped={isWrapped} />
    </section>
  ))
}
