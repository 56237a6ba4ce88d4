// How a scenario did at a glance: what each evaluator said, how long it took, what it cost, and what ran.
import { useQuery } from '@tanstack/react-query'
import type { Shown } from '../evaluation/shown.ts'
import { dollars, seconds } from '../format/numbers.ts'
import type { Opened } from './opened.ts'
import { revisionQuestion } from './questions.ts'
import styles from './scenario.module.css'
import { ReadingDelta, Verdict } from './verdict.tsx'

export function StateLine({ shown, opened: { scenario, readings } }: { shown: Shown; opened: Opened }) {
  const model = useModel(shown)
  const hasFailed = scenario.outputs.some(({ result }) => result.error)
  const latency = total(scenario.outputs.map((output) => output.latency))
  const cost = total(scenario.outputs.map((output) => output.cost))
  return (
    <ul className={styles.states} aria-label="At a glance">
      {hasFailed && <li className="worse">⚠ output failed</li>}
      {readings.map((reading, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: an evaluator may have said several things
        <li key={index}>
          <Verdict reading={reading} isShort /> <bdi className={styles.short}>{reading.evaluator}</bdi>{' '}
          {reading.delta !== 0 && <ReadingDelta reading={reading} />}
        </li>
      ))}
      {latency !== undefined && <li>{seconds(latency)}</li>}
      {cost !== undefined && <li>{dollars(cost)}</li>}
      {model !== undefined && <li>{model}</li>}
      <li className={styles.id} title={scenario.id}>
        <span className="unseen">Scenario </span>
        {scenario.id}
      </li>
    </ul>
  )
}

/** Of all outputs that have one. */
function total(values: (number | null | undefined)[]): number | undefined {
  const known = values.filter((value) => typeof value === 'number')
  return known.length === 0 ? undefined : known.reduce((sum, value) => sum + value, 0)
}

/** What the revision that ran says, where it says one. */
function useModel({ evaluation }: Shown): string | undefined {
  const { variant_id: variant = null, revision = null } = evaluation ?? {}
  const { data } = useQuery({
    ...revisionQuestion(variant ?? '', revision ?? 0),
    enabled: variant !== null && revision !== null,
  })
  const model = data?.config.parameters?.model
  return typeof model === 'string' ? model : undefined
}
