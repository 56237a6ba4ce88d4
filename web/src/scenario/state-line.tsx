// How a scenario did at a glance: what each evaluator said, how long it took, what it cost, and what ran.
import { useQuery } from '@tanstack/react-query'
import { figureOf } from '../evaluation/cells.ts'
import type { Shown } from '../evaluation/shown.ts'
import { dollars, seconds } from '../format/numbers.ts'
import { useCovers } from '../shell/confinement.ts'
import { revisionQuestion } from '../variant/questions.ts'
import type { Opened } from './opened.ts'
import styles from './scenario.module.css'
import { OutcomeDelta, Verdict } from './verdict.tsx'

export function StateLine({ shown, opened: { scenario, outcomes } }: { shown: Shown; opened: Opened }) {
  const model = useModel(shown)
  const hasFailed = scenario.outputs.some(({ result }) => result.error)
  const latency = figureOf(scenario, 'latency')
  const cost = figureOf(scenario, 'cost')
  return (
    <ul className={styles.states} aria-label="At a glance">
      {hasFailed && <li className="worse">⚠ output failed</li>}
      {outcomes.map((outcome, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: an evaluator may have said several things
        <li key={index}>
          <Verdict outcome={outcome} isShort /> <bdi className={styles.short}>{outcome.evaluator}</bdi>{' '}
          {outcome.delta !== 0 && <OutcomeDelta outcome={outcome} />}
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

/** What the revision that ran says, where it says one. */
function useModel({ evaluation }: Shown): string | undefined {
  const { variant_id: variant = null, revision = null } = evaluation ?? {}
  const covers = useCovers()
  const { data } = useQuery({
    ...revisionQuestion(variant ?? '', revision ?? 0),
    enabled: variant !== null && revision !== null && covers('variant', variant),
  })
  const model = data?.config.parameters?.model
  return typeof model === 'string' ? model : undefined
}
