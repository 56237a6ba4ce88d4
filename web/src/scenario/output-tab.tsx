// What the application answered.

import { Content } from '../content/content.tsx'
import type { Shape } from '../evaluation/view.ts'
import { laidOut } from '../format/values.ts'
import { CopyButton } from '../parts/copy-button.tsx'
import type { Opened } from './opened.ts'
import { OutputChooser, OutputFailure } from './outputs.tsx'
import styles from './scenario.module.css'

interface OutputTabProps {
  opened: Opened
  shape: Shape
  isWrapped: boolean
}

export function OutputTab({ opened, shape, isWrapped }: OutputTabProps) {
  const { output, outputIndex, scenario } = opened
  if (!output) return <p className={styles.remark}>This scenario has no output.</p>
  const { error, type, value } = output.result
  const hasValue = value !== undefined && !(error && value === null)
  return (
    <section className={styles.value}>
      <h3 className={styles.valueHead}>
        Output <span className={styles.type}>{type}</span>
        <OutputChooser outputs={scenario.outputs} chosen={outputIndex} />
        {hasValue && (
          <CopyButton text={laidOut(value)} className="plain">
            copy<span className="unseen"> output</span>
          </CopyButton>
        )}
      </h3>
      {error && <OutputFailure error={error} isWrapped={isWrapped} />}
      {hasValue && <Content key={outputIndex} value={value} shape={shape} isWrapped={isWrapped} />}
    </section>
  )
}
