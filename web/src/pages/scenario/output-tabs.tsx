// The Output tab: the selected output, or its error. The Raw tab: the stored JSON, indented but otherwise unchanged.
import { useMemo } from 'react'
import { Content } from '../../content/content.tsx'
import { PlainText } from '../../content/plain-text.tsx'
import { indentJson } from '../../format/exact-json.ts'
import { indentedText } from '../../format/value-text.ts'
import { OutputFailure, OutputPicker } from '../../row-panel/output-picker.tsx'
import styles from '../../row-panel/row-panel.module.css'
import type { TextFormat } from '../../state/row-params.ts'
import { CopyButton } from '../../ui/copy-button.tsx'
import type { ScenarioState } from './scenario-state.ts'

interface OutputTabProps {
  scenarioState: ScenarioState
  textFormat: TextFormat
  isWrapped: boolean
}

export function OutputTab({ scenarioState, textFormat, isWrapped }: OutputTabProps) {
  const { output, outputIndex, scenario } = scenarioState
  if (!output) return <p className={styles.hint}>This scenario has no output.</p>
  const { error, type, value } = output.result
  const hasValue = value !== undefined && !(error && value === null)
  return (
    <section className={styles.value}>
      <h3 className={styles.valueHeader}>
        Output <span className={styles.type}>{type}</span>
        <OutputPicker outputs={scenario.outputs} selectedIndex={outputIndex} />
        {hasValue && (
          <CopyButton text={indentedText(value)} className="plain">
            Copy<span className="sr-only"> output</span>
          </CopyButton>
        )}
      </h3>
      {error && <OutputFailure error={error} isWrapped={isWrapped} />}
      {hasValue && <Content key={outputIndex} value={value} textFormat={textFormat} isWrapped={isWrapped} />}
    </section>
  )
}

export function RawTab({ text, isWrapped }: { text: string; isWrapped: boolean }) {
  const indentedJson = useMemo(() => indentJson(text), [text])
  return (
    <section className={styles.value}>
      <h3 className={styles.valueHeader}>
        JSON <span className={styles.type}>exact digits</span>
        <CopyButton text={text} className="plain">
          Copy<span className="sr-only"> the JSON</span>
        </CopyButton>
      </h3>
      <PlainText text={indentedJson} isWrapped={isWrapped} />
    </section>
  )
}
