// The output next to what it is compared with: as a diff if both are text or both are JSON, or else side by side.
import { useQuery } from '@tanstack/react-query'
import { type ReactNode, useId, useMemo, useState } from 'react'
import { describeShape, shapeOf } from '../../content/shape.ts'
import type { LayoutPreferences } from '../../content/text-layout.tsx'
import { ErrorPage } from '../../errors/error-page.tsx'
import type { EvaluationState } from '../../evaluation-state/page-state.ts'
import { formatCount } from '../../format/numbers.ts'
import { indentedText } from '../../format/value-text.ts'
import { scenarioTextQuery } from '../../queries/scenarios.ts'
import { answerPairsOf } from '../../row-panel/answer/answer-pairs.ts'
import { NOTHING, OtherAnswers, selectPair, Texts } from '../../row-panel/answer/answer-texts.tsx'
import { OutputPicker } from '../../row-panel/output-picker.tsx'
import styles from '../../row-panel/reading.module.css'
import { CopyIcon, hasOwnForm, JsonToggle, SectionHeading } from '../../row-panel/value-box.tsx'
import { ChoiceMenu } from '../../ui/menus/choice-menu.tsx'
import { Loading } from '../../ui/messages/loading.tsx'
import type { ScenarioState } from './scenario-state.ts'

interface AnswerProps {
  pageState: EvaluationState
  scenarioState: ScenarioState
  /** The id of the selected pair; undefined for the best match. */
  pairId: string | undefined
  onSelectPair: (id: string) => void
  layout: LayoutPreferences
  /** Results and note, which are in the same box. */
  children: ReactNode
}

export function Answer({ pageState, scenarioState, pairId, onSelectPair, layout, children }: AnswerProps) {
  const id = useId()
  const { output, outputIndex, scenario } = scenarioState
  const repeatNumber = (scenarioState.repeats?.scenarios.indexOf(scenario.id) ?? -1) + 1
  // The shapes of the values are shown until the user requests JSON.
  const [isJson, setIsJson] = useState(false)
  const textFormat = isJson ? 'json' : pageState.params.textFormat
  const hasBaseline = scenarioState.baselineRow != null
  const baselineQuery = useQuery({
    ...scenarioTextQuery(pageState.baselineId ?? '', scenarioState.baselineRow?.id ?? ''),
    enabled: pairId === 'baseline' && hasBaseline,
  })
  const baseline = baselineQuery.data?.scenario
  const pairs = useMemo(
    () => answerPairsOf({ scenario, outputIndex, hasBaseline, baseline }),
    [scenario, outputIndex, hasBaseline, baseline],
  )
  const pair = selectPair(pairs, pairId)
  const value = output?.result.value
  const shape = useMemo(() => shapeOf(value), [value])
  return (
    <section aria-labelledby={id}>
      <SectionHeading
        id={id}
        title="Output"
        detail={
          <>
            {repeatNumber > 0 && (
              <span>
                repeat {repeatNumber} of {formatCount(scenarioState.repeats?.count ?? 0)}
              </span>
            )}
            <OutputPicker outputs={scenario.outputs} selectedIndex={outputIndex} isLabeled={false} />
            <span>{describeShape(shape)}</span>
            {pairs.length > 0 && (
              <>
                <span>compared with</span>
                <ChoiceMenu
                  title="Compare with"
                  variant="plain"
                  className={styles.choice}
                  value={pair?.id ?? NOTHING}
                  options={[
                    ...pairs.map(({ id, name }) => ({ value: id, name: <bdi>{name}</bdi> })),
                    { value: NOTHING, name: 'nothing' },
                  ]}
                  onSelect={onSelectPair}
                />
              </>
            )}
          </>
        }
      >
        {hasOwnForm(shape) && <JsonToggle isPressed={isJson} onToggle={() => setIsJson(!isJson)} />}
        {value !== undefined && value !== null && <CopyIcon text={indentedText(value)} label="Copy output" />}
      </SectionHeading>
      <div className={styles.box}>
        <div className={styles.texts} key={`${pair?.id} ${outputIndex}`}>
          {pair &&
            !pair.other &&
            (baselineQuery.error ? <ErrorPage error={baselineQuery.error} /> : <Loading />)}
          {(!pair || pair.other) && (
            <Texts scenario={scenario} output={output} pair={pair} textFormat={textFormat} layout={layout} />
          )}
          {pair?.expectedKey !== undefined && (
            <OtherAnswers pairs={pairs} pair={pair} onSelect={onSelectPair} />
          )}
        </div>
        {children}
      </div>
    </section>
  )
}
