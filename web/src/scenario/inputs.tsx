// The inputs of a scenario: on one line above what came of them, and whole.

import { Content } from '../content/content.tsx'
import type { Shape } from '../evaluation/view.ts'
import { laidOut, onLine } from '../format/values.ts'
import { CopyButton } from '../parts/copy-button.tsx'
import type { Opened } from './opened.ts'
import styles from './scenario.module.css'

/** As much of a value as fits on a line of any screen. */
const ON_LINE = 300

export function InputsLine({ opened: { scenario }, onWhole }: { opened: Opened; onWhole: () => void }) {
  const { inputs } = scenario
  return (
    <section className={styles.inputsLine} aria-labelledby="scenario-inputs">
      <h3 id="scenario-inputs" className={styles.label}>
        Inputs
      </h3>
      {inputs.length === 0 ? (
        <p className="soft">none</p>
      ) : (
        <p className={styles.oneLine}>
          {inputs.map(({ name, value }, index) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: two inputs may have the same name
            <span key={index}>
              <span className="soft">{name}:</span> <bdi>{onLine(value).slice(0, ON_LINE)}</bdi>
            </span>
          ))}
        </p>
      )}
      {inputs.length > 0 && (
        <>
          <CopyButton text={copyOf(inputs)} said="Copied the inputs." className="plain">
            copy<span className="unseen"> inputs</span>
          </CopyButton>
          <button type="button" className="plain" title="All of the inputs (3)" onClick={onWhole}>
            ▾<span className="unseen">All of the inputs</span>
          </button>
        </>
      )}
    </section>
  )
}

/** A single text as it is, anything else as JSON by name. */
function copyOf(inputs: Opened['scenario']['inputs']): string {
  const [first] = inputs
  if (inputs.length === 1 && first) return laidOut(first.value)
  return JSON.stringify(Object.fromEntries(inputs.map(({ name, value }) => [name, value])), null, 2)
}

interface InputsTabProps {
  opened: Opened
  shape: Shape
  isWrapped: boolean
}

export function InputsTab({ opened: { scenario }, shape, isWrapped }: InputsTabProps) {
  if (scenario.inputs.length === 0) return <p className={styles.remark}>This scenario has no inputs.</p>
  return scenario.inputs.map(({ name, type, value }, index) => (
    // biome-ignore lint/suspicious/noArrayIndexKey: two inputs may have the same name
    <section key={index} className={styles.value}>
      <h3 className={styles.valueHead}>
        <bdi>{name}</bdi> <span className={styles.type}>{type}</span>
        <CopyButton text={laidOut(value)} className="plain">
          copy<span className="unseen"> {name}</span>
        </CopyButton>
      </h3>
      <Content value={value} shape={shape} isWrapped={isWrapped} />
    </section>
  ))
}
