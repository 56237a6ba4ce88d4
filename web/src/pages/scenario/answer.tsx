// The output next to what it is compared with: as a diff if both are text or both are JSON, or else side by side.
import { useQuery } from '@tanstack/react-query'
import { type ReactNode, useId, useMemo, useState } from 'react'
import { Content } from '../../content/content.tsx'
import { describeShape, shapeOf } from '../../content/shape.ts'
import type { LayoutPreferences } from '../../content/text-layout.tsx'
import { DiffView } from '../../diff/diff-view.tsx'
import { ErrorPage } from '../../errors/error-page.tsx'
import type { EvaluationState } from '../../evaluation-state/page-state.ts'
import { formatCount } from '../../format/numbers.ts'
import { compactText, indentedText } from '../../format/value-text.ts'
import { scenarioTextQuery } from '../../queries/scenarios.ts'
import { OutputFailure, OutputPicker } from '../../row-panel/output-picker.tsx'
import { CopyIcon, hasOwnForm, JsonToggle, SectionHeading } from '../../row-panel/value-box.tsx'
import type { TextFormat } from '../../state/row-params.ts'
import { ChoiceMenu } from '../../ui/menus/choice-menu.tsx'
import { Loading } from '../../ui/messages/loading.tsx'
import { useTruncatedList } from '../../ui/truncation.tsx'
import { type AnswerPair, answerPairsOf, type Side } from './answer-pairs.ts'
import styles from './reading.module.css'
import type { ScenarioState } from './scenario-state.ts'

/** The choice to compare the output with nothing. */
const NOTHING = 'nothing'

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
            <Texts scenarioState={scenarioState} pair={pair} textFormat={textFormat} layout={layout} />
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

/** Without expected answers, the output is compared with nothing until the user chooses something. */
function selectPair(pairs: AnswerPair[], pairId: string | undefined): AnswerPair | undefined {
  if (pairId === NOTHING) return undefined
  return pairs.find(({ id }) => id === pairId) ?? pairs.find(({ expectedKey }) => expectedKey !== undefined)
}

interface TextsProps {
  scenarioState: ScenarioState
  pair: AnswerPair | undefined
  textFormat: TextFormat
  layout: LayoutPreferences
}

function Texts({ scenarioState: { scenario, output }, pair, textFormat, layout }: TextsProps) {
  const kind = useMemo(() => pair?.other && diffKind(pair.other.value, pair.output.value), [pair])
  const contentProps = { textFormat, isWrapped: layout.isWrapped }
  if (!output) {
    const [answer] = scenario.correct_answers ?? []
    return (
      <div className={styles.sides}>
        {answer && <SideText side={{ name: 'Expected', value: answer.value }} {...contentProps} />}
        <p className={styles.hint}>This scenario has no output.</p>
      </div>
    )
  }
  const { error, value } = output.result
  if (pair?.other && !error && (textFormat === 'json' || (kind && textFormat === 'text'))) {
    return (
      <DiffView
        oldText={indentedText(pair.other.value)}
        newText={indentedText(pair.output.value)}
        names={[pair.other.name, pair.output.name]}
        isProse={textFormat === 'text' && kind === 'prose'}
        isSplit={layout.isSplit}
        isWrapped={layout.isWrapped}
      />
    )
  }
  return (
    // Stack traces need the full width.
    <div className={error ? styles.stackedSides : styles.sides}>
      {pair?.other && <SideText side={pair.other} {...contentProps} />}
      {/* The output alone needs no name: the heading above has it. */}
      <SideText side={pair?.output ?? { name: '', value }} {...contentProps}>
        {error && <OutputFailure error={error} isWrapped={layout.isWrapped} />}
      </SideText>
    </div>
  )
}

/** How two values can be compared. Undefined if they are of different kinds, or are conversations, tables or images. */
function diffKind(one: unknown, other: unknown): 'prose' | 'code' | undefined {
  const kinds = [shapeOf(one).kind, shapeOf(other).kind]
  if (kinds.every((kind) => kind === 'text')) return 'prose'
  const areTexts = kinds.every((kind) => kind === 'text' || kind === 'code')
  return areTexts || kinds.every((kind) => kind === 'json') ? 'code' : undefined
}

interface SideTextProps {
  side: Side
  textFormat: TextFormat
  isWrapped: boolean
  /** Shown before the value. */
  children?: ReactNode
}

function SideText({ side: { name, value }, children, ...contentProps }: SideTextProps) {
  return (
    <section className={styles.side} aria-label={name || undefined}>
      {name !== '' && (
        <h4 className={styles.sideName}>
          <bdi>{name}</bdi>
        </h4>
      )}
      {children}
      {value !== undefined && !(children && value === null) && <Content value={value} {...contentProps} />}
    </section>
  )
}

interface OtherAnswersProps {
  pairs: AnswerPair[]
  pair: AnswerPair
  onSelect: (id: string) => void
}

/** No screen shows more characters on a line. */
const MAX_LINE_LENGTH = 300

/** The expected answers that the output is not compared with, one per line. */
function OtherAnswers({ pairs, pair, onSelect }: OtherAnswersProps) {
  const others = pairs.filter(({ id, expectedKey }) => expectedKey !== undefined && id !== pair.id)
  const { items, showAll } = useTruncatedList(others, 3, 'expected answer')
  if (others.length === 0) return null
  return (
    <ul className={styles.otherAnswers} aria-label="Other expected answers">
      {items.map(({ id, expectedKey, other }) => (
        <li key={id}>
          <button
            type="button"
            className="plain ellipsis"
            data-tooltip="Compare with this answer"
            onClick={() => onSelect(id)}
          >
            <bdi>{expectedKey}</bdi>{' '}
            <bdi className={styles.otherAnswer}>{compactText(other?.value).slice(0, MAX_LINE_LENGTH)}</bdi>
          </button>
        </li>
      ))}
      {showAll && <li>{showAll}</li>}
    </ul>
  )
}
