// A one-line summary of a scenario: results, latency, cost, model and id.
import { useQuery } from '@tanstack/react-query'
import { useCanRead } from '../../api/restriction.ts'
import type { EvaluationState } from '../../evaluation-state/page-state.ts'
import { formatDollars, formatSeconds } from '../../format/numbers.ts'
import { revisionQuery } from '../../queries/variants.ts'
import { outputTotal } from '../../results/cells.ts'
import { OutcomeDelta, Verdict } from '../../results/verdict.tsx'
import styles from '../../row-panel/row-panel.module.css'
import type { ScenarioState } from './scenario-state.ts'

export function SummaryLine({
  pageState,
  scenarioState: { scenario, outcomes },
}: {
  pageState: EvaluationState
  scenarioState: ScenarioState
}) {
  const model = useModel(pageState)
  const hasFailed = scenario.outputs.some(({ result }) => result.error)
  const latency = outputTotal(scenario, 'latency')
  const cost = outputTotal(scenario, 'cost')
  return (
    <ul className={styles.summaryLine} aria-label="Summary">
      {hasFailed && <li className="worse">⚠ output failed</li>}
      {outcomes.map((outcome, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: an evaluator can have several results
        <li key={index}>
          <Verdict outcome={outcome} isShort /> <bdi className={styles.short}>{outcome.evaluator}</bdi>{' '}
          {outcome.delta !== 0 && <OutcomeDelta outcome={outcome} />}
        </li>
      ))}
      {latency !== undefined && <li>{formatSeconds(latency)}</li>}
      {cost !== undefined && <li>{formatDollars(cost)}</li>}
      {model !== undefined && <li>{model}</li>}
      <li className={styles.scenarioId} title={scenario.id}>
        <span className="sr-only">Scenario </span>
        {scenario.id}
      </li>
    </ul>
  )
}

/** The `model` parameter of the revision. */
function useModel({ evaluation }: EvaluationState): string | undefined {
  const { variant_id: variant = null, revision = null } = evaluation ?? {}
  const covers = useCanRead()
  const { data } = useQuery({
    ...revisionQuery(variant ?? '', revision ?? 0),
    enabled: variant !== null && revision !== null && covers('variant', variant),
  })
  const model = data?.config.parameters?.model
  return typeof model === 'string' ? model : undefined
}
