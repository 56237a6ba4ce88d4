// The Diff tab: compares the output with an expected answer, another output or the baseline.
import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { PlainText } from '../../content/plain-text.tsx'
import type { LayoutPreferences } from '../../content/text-layout.tsx'
import { DiffView } from '../../diff/diff-view.tsx'
import { ErrorPage } from '../../errors/error-page.tsx'
import type { EvaluationState } from '../../evaluation-state/page-state.ts'
import { scenarioTextQuery } from '../../queries/scenarios.ts'
import { OutputFailure, OutputPicker } from '../../row-panel/output-picker.tsx'
import styles from '../../row-panel/row-panel.module.css'
import { Loading } from '../../ui/messages/loading.tsx'
import type { ScenarioState } from './scenario-state.ts'
import { type TextPair, textPairsOf } from './text-pairs.ts'

interface DiffTabProps {
  pageState: EvaluationState
  scenarioState: ScenarioState
  /** The selected text pair. */
  pairId: string | undefined
  onSelectPair: (id: string) => void
  layout: LayoutPreferences
}

export function DiffTab({ pageState, scenarioState, pairId, onSelectPair, layout }: DiffTabProps) {
  const { output, outputIndex } = scenarioState
  const baseline = useQuery({
    ...scenarioTextQuery(pageState.baselineId ?? '', scenarioState.baselineRow?.id ?? ''),
    enabled: pairId === 'baseline' && scenarioState.baselineRow != null,
  })
  const pairs = textPairsOf(scenarioState, baseline.data?.scenario)
  const pair = pairs.find(({ id }) => id === pairId) ?? pairs[0]
  if (!output) return <p className={styles.hint}>This scenario has no output to compare.</p>
  const { error } = output.result
  const picker = (
    <PairPicker scenarioState={scenarioState} pairs={pairs} pair={pair} onSelectPair={onSelectPair} />
  )
  if (pair?.old && !error) {
    return (
      <DiffView
        key={`${pair.id} ${outputIndex}`}
        oldText={pair.old.text}
        newText={pair.output.text}
        names={[pair.old.name, pair.output.name]}
        picker={picker}
        isProse={pageState.params.textFormat !== 'json'}
        isSplit={layout.isSplit}
        isWrapped={layout.isWrapped}
      />
    )
  }
  return (
    <>
      {picker && <div className={styles.valueHeader}>{picker}</div>}
      {!pair && <p className={styles.hint}>No expected answer to compare with.</p>}
      {error && <OutputFailure error={error} isWrapped={layout.isWrapped} />}
      {pair?.old && (
        <section className={styles.value}>
          <h3 className={styles.valueHeader}>{pair.old.name}</h3>
          <PlainText text={pair.old.text} isWrapped={layout.isWrapped} isProse />
        </section>
      )}
      {pair && !pair.old && (baseline.error ? <ErrorPage error={baseline.error} /> : <Loading />)}
    </>
  )
}

interface PairPickerProps {
  scenarioState: ScenarioState
  pairs: TextPair[]
  pair: TextPair | undefined
  onSelectPair: (id: string) => void
}

function PairPicker({ scenarioState, pairs, pair, onSelectPair }: PairPickerProps): ReactNode {
  const hasOneOutput = scenarioState.scenario.outputs.length < 2
  if (pairs.length < 2 && hasOneOutput) return null
  return (
    <div className={styles.choices}>
      {pair && (
        <label>
          Compare{' '}
          <select value={pair.id} onChange={(event) => onSelectPair(event.target.value)}>
            {pairs.map(({ id, name }) => (
              <option key={id} value={id}>
                {name}
              </option>
            ))}
          </select>
        </label>
      )}{' '}
      {pair && 'with'}{' '}
      {hasOneOutput ? (
        'the output'
      ) : (
        <OutputPicker outputs={scenarioState.scenario.outputs} selectedIndex={scenarioState.outputIndex} />
      )}
    </div>
  )
}
