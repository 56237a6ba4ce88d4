// Values with names, such as the inputs of a scenario: on one line, and whole.
import { useId } from 'react'
import { Content } from '../content/content.tsx'
import type { Shape } from '../evaluation/view.ts'
import { laidOut, onLine } from '../format/values.ts'
import { CopyButton } from '../parts/copy-button.tsx'
import styles from './scenario.module.css'

export interface NamedValue {
  name: string
  type?: string
  value: unknown
}

/** As much of a value as fits on a line of any screen. */
const ON_LINE = 300

interface ValuesLineProps {
  label: string
  /** Whose they are, where that needs to be said. */
  of?: string | undefined
  values: readonly NamedValue[]
  /** What the button that shows all of them says of its key. */
  hint?: string
  /** Where they are shown below the line. */
  isOpen?: boolean
  onWhole: () => void
}

export function ValuesLine({ label, of, values, hint = '', isOpen, onWhole }: ValuesLineProps) {
  const id = useId()
  const all = `All of the ${label.toLowerCase()}`
  return (
    <section className={styles.inputsLine} aria-labelledby={id}>
      <h3 id={id} className={styles.label}>
        {label}
        {of !== undefined && (
          <bdi className={styles.of} title={of}>
            {of}
          </bdi>
        )}
      </h3>
      {values.length === 0 ? (
        <p className="soft">none</p>
      ) : (
        <p className={styles.oneLine}>
          {values.map(({ name, value }, index) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: two values may have the same name
            <span key={index}>
              {name !== '' && <span className="soft">{name}:</span>}{' '}
              <bdi>{onLine(value).slice(0, ON_LINE)}</bdi>
            </span>
          ))}
        </p>
      )}
      {values.length > 0 && (
        <>
          <CopyButton text={copyOf(values)} said={`Copied the ${label.toLowerCase()}.`} className="plain">
            Copy<span className="unseen"> {label.toLowerCase()}</span>
          </CopyButton>
          <button type="button" className="plain" title={all + hint} aria-expanded={isOpen} onClick={onWhole}>
            {isOpen ? '▴' : '▾'}
            <span className="unseen">{all}</span>
          </button>
        </>
      )}
    </section>
  )
}

/** A single text as it is, anything else as JSON by name. */
function copyOf(values: readonly NamedValue[]): string {
  const [first] = values
  if (values.length === 1 && first) return laidOut(first.value)
  return JSON.stringify(Object.fromEntries(values.map(({ name, value }) => [name, value])), null, 2)
}

interface ValuesProps {
  values: readonly NamedValue[]
  shape: Shape
  isWrapped: boolean
}

export function Values({ values, shape, isWrapped }: ValuesProps) {
  return values.map(({ name, type, value }, index) => (
    // biome-ignore lint/suspicious/noArrayIndexKey: two values may have the same name
    <section key={index} className={styles.value}>
      <h3 className={styles.valueHead}>
        <bdi>{name}</bdi> {type !== undefined && <span className={styles.type}>{type}</span>}
        <CopyButton text={laidOut(value)} className="plain">
          Copy<span className="unseen"> {name}</span>
        </CopyButton>
      </h3>
      <Content value={value} shape={shape} isWrapped={isWrapped} />
    </section>
  ))
}
