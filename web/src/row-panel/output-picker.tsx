// Selects one of several outputs, and shows the error of a failed output.

import type { EvaluationScenario } from 'assay-client'
import { PlainText } from '../content/content.tsx'
import { formatDollars, formatSeconds } from '../format/numbers.ts'
import { useChangeSearchParams } from '../state/search-params.ts'
import styles from './row-panel.module.css'

export type Output = EvaluationScenario['outputs'][number]

export function OutputPicker({ outputs, selectedIndex }: { outputs: Output[]; selectedIndex: number }) {
  const changeParams = useChangeSearchParams()
  if (outputs.length < 2) return null
  return (
    <div role="group" aria-label="Output" className={styles.outputPicker}>
      <span>output</span>
      <span className="button-group">
        {outputs.map(({ cost, latency, result }, index) => (
          <button
            // biome-ignore lint/suspicious/noArrayIndexKey: outputs have no id
            key={index}
            type="button"
            aria-pressed={index === selectedIndex}
            title={[
              result.error ? 'failed' : '',
              typeof latency === 'number' ? formatSeconds(latency) : '',
              typeof cost === 'number' ? formatDollars(cost) : '',
            ]
              .filter(Boolean)
              .join(', ')}
            onClick={() => changeParams({ output: index + 1 }, { replace: true })}
          >
            {index + 1}
          </button>
        ))}
      </span>
    </div>
  )
}

type OutputError = NonNullable<Output['result']['error']>

export function OutputFailure({ error, isWrapped }: { error: OutputError; isWrapped: boolean }) {
  return (
    <section className={styles.outputFailure} aria-label="Output failed">
      <p>
        <strong className="worse">⚠ Output failed:</strong> <bdi>{error.message}</bdi>
      </p>
      {error.stacktrace && <PlainText text={error.stacktrace} isWrapped={isWrapped} />}
    </section>
  )
}
