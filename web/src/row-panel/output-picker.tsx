// Selects one of several outputs, and shows the error of a failed output.
import type { EvaluationScenario } from 'assay-client'
import { TriangleAlert } from 'lucide'
import { PlainText } from '../content/plain-text.tsx'
import { formatDollars, formatSeconds } from '../format/numbers.ts'
import { useChangeSearchParams } from '../state/search-params.ts'
import { Icon } from '../ui/icon.tsx'
import { Segments } from '../ui/tabs.tsx'
import styles from './row-panel.module.css'

export type Output = EvaluationScenario['outputs'][number]

interface OutputPickerProps {
  /** Reviewers see neither cost nor latency. */
  outputs: (Pick<Output, 'result'> & Partial<Output>)[]
  selectedIndex: number
  /** False below a heading that says the same. */
  isLabeled?: boolean
}

export function OutputPicker({ outputs, selectedIndex, isLabeled = true }: OutputPickerProps) {
  const changeParams = useChangeSearchParams()
  if (outputs.length < 2) return null
  return (
    <div className={styles.outputPicker}>
      {isLabeled && <span>output</span>}
      <Segments
        label="Output"
        value={String(selectedIndex)}
        options={outputs.map(({ cost, latency, result }, index) => ({
          value: String(index),
          label: index + 1,
          title: [
            result.error ? 'failed' : '',
            typeof latency === 'number' ? formatSeconds(latency) : '',
            typeof cost === 'number' ? formatDollars(cost) : '',
          ]
            .filter(Boolean)
            .join(', '),
        }))}
        onChange={(index) => changeParams({ output: Number(index) + 1 }, { replace: true })}
      />
    </div>
  )
}

type OutputError = NonNullable<Output['result']['error']>

export function OutputFailure({ error, isWrapped }: { error: OutputError; isWrapped: boolean }) {
  // Some tools write the whole traceback into the message.
  const hasLines = error.message.trim().includes('\n')
  return (
    <section className={styles.outputFailure} aria-label="Output failed">
      <p>
        <Icon icon={TriangleAlert} size={14} /> <strong>Output failed{hasLines ? '' : ':'}</strong>{' '}
        {!hasLines && <bdi>{error.message}</bdi>}
      </p>
      {hasLines && <PlainText text={error.message} isWrapped={isWrapped} />}
      {error.stacktrace && <PlainText text={error.stacktrace} isWrapped={isWrapped} />}
    </section>
  )
}
