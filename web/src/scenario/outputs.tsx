// Which of several outputs is looked at, and an output that failed.
import { useChangeSearch } from '../change-search.ts'
import { PlainText } from '../content/content.tsx'
import { dollars, seconds } from '../format/numbers.ts'
import type { Output } from './opened.ts'
import styles from './scenario.module.css'

/** `chosen` counts from 0. */
export function OutputChooser({ outputs, chosen }: { outputs: Output[]; chosen: number }) {
  const change = useChangeSearch()
  if (outputs.length < 2) return null
  return (
    <div role="group" aria-label="Output" className={styles.chooser}>
      <span>output</span>
      <span className={styles.joined}>
        {outputs.map(({ cost, latency, result }, index) => (
          <button
            // biome-ignore lint/suspicious/noArrayIndexKey: an output has no other name
            key={index}
            type="button"
            aria-pressed={index === chosen}
            title={[
              result.error ? 'failed' : '',
              typeof latency === 'number' ? seconds(latency) : '',
              typeof cost === 'number' ? dollars(cost) : '',
            ]
              .filter(Boolean)
              .join(', ')}
            onClick={() => change({ output: String(index + 1) }, { replace: true })}
          >
            {index + 1}
          </button>
        ))}
      </span>
    </div>
  )
}

type Failed = NonNullable<Output['result']['error']>

export function OutputFailure({ error, isWrapped }: { error: Failed; isWrapped: boolean }) {
  return (
    <section className={styles.failed} aria-label="The output failed">
      <p>
        <strong className="worse">⚠ The output failed:</strong> <bdi>{error.message}</bdi>
      </p>
      {error.stacktrace && <PlainText text={error.stacktrace} isWrapped={isWrapped} />}
    </section>
  )
}
