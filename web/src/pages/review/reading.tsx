// A row of a review as people read it: its number and id, the inputs, and the output next to the expected answer. In a review of
// a comparison, both outputs are next to each other.
import type { ReviewRow } from 'assay-client'
import { ChevronDown, ChevronUp } from 'lucide'
import { type ReactNode, useEffect, useId, useMemo, useRef, useState } from 'react'
import { describeShape, shapeOf } from '../../content/shape.ts'
import { useLayoutPreferences } from '../../content/text-layout.tsx'
import { formatCount } from '../../format/numbers.ts'
import { indentedText } from '../../format/value-text.ts'
import { type AnswerPair, answerPairsOf } from '../../row-panel/answer/answer-pairs.ts'
import { OtherAnswers, selectPair, Texts } from '../../row-panel/answer/answer-texts.tsx'
import { OutputPicker } from '../../row-panel/output-picker.tsx'
import styles from '../../row-panel/reading.module.css'
import { CopyIcon, SectionHeading, ValueBox } from '../../row-panel/value-box.tsx'
import { setPreference, usePreference } from '../../state/preferences.ts'
import { TEXT_FORMATS } from '../../state/row-params.ts'
import { useSharedSearch } from '../../state/search-params.ts'
import { useShortcuts } from '../../state/shortcuts.ts'
import { Button, IconButton } from '../../ui/button.tsx'
import { Keys } from '../../ui/keys.tsx'
import page from './review.module.css'

interface ReadingProps {
  scenario: ReviewRow['scenario']
  /** The number of the row in the review. */
  number: number
  /** Only for keys of the project. */
  candidateSide?: 'left' | 'right' | undefined
  /** Whether the next row is loading. */
  isStale?: boolean
  onMove: (step: 1 | -1) => void
  /** Above the row. */
  children?: ReactNode
}

export function Reading(props: ReadingProps) {
  const { scenario, number, candidateSide, isStale = false, onMove, children } = props
  const layout = useLayoutPreferences()
  const preferred = usePreference('as')
  const textFormat = TEXT_FORMATS.find((name) => name === preferred) ?? 'text'
  const heading = useRef<HTMLHeadingElement>(null)
  const area = useRef<HTMLElement>(null)
  // A button that keeps the focus would answer the next row with Enter.
  // biome-ignore lint/correctness/useExhaustiveDependencies: only another row moves the focus
  useEffect(() => {
    heading.current?.focus({ preventScroll: true })
    area.current?.scrollTo(0, 0)
    scrollTo(0, 0)
  }, [scenario.id])
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: long content must scroll with the keyboard
    <section ref={area} aria-label="Row" aria-busy={isStale} tabIndex={0} className={page.reading}>
      {children}
      <div className={page.rowHeading}>
        <h2 ref={heading} tabIndex={-1}>
          Row {formatCount(number)}
        </h2>
        <code className="quiet ellipsis">{scenario.id}</code>
        <IconButton
          icon={ChevronUp}
          size="small"
          label="Previous row"
          shortcut="k"
          onClick={() => onMove(-1)}
        />
        <IconButton icon={ChevronDown} size="small" label="Next row" shortcut="j" onClick={() => onMove(1)} />
      </div>
      <div className={styles.reading}>
        <ValueBox
          key={scenario.id}
          label="Input"
          values={scenario.inputs}
          textFormat={textFormat}
          isWrapped={layout.isWrapped}
        />
        {scenario.left && scenario.correct_answers && (
          <ValueBox
            key={`${scenario.id} expected`}
            label="Expected"
            values={scenario.correct_answers.map(({ key, value }) => ({ name: key, value }))}
            textFormat={textFormat}
            isWrapped={layout.isWrapped}
          />
        )}
        <Output
          key={`${scenario.id} output`}
          scenario={scenario}
          candidateSide={candidateSide}
          layout={layout}
          textFormat={textFormat}
        />
      </div>
    </section>
  )
}

interface OutputProps extends Pick<ReadingProps, 'scenario' | 'candidateSide'> {
  layout: ReturnType<typeof useLayoutPreferences>
  textFormat: (typeof TEXT_FORMATS)[number]
}

function Output({ scenario, candidateSide, layout, textFormat }: OutputProps) {
  const id = useId()
  const { output: outputNumber = 1 } = useSharedSearch<'/reviews/$reviewId'>()
  const { left, right } = scenario
  const outputs = right ?? scenario.outputs
  const outputIndex = Math.min(outputNumber, outputs.length || 1) - 1
  const output = outputs[outputIndex]
  // Marked words would be read as mistakes, so people turn them on.
  const hasDiff = usePreference('review-diff') === 'on'
  const toggleDiff = () => setPreference('review-diff', hasDiff ? undefined : 'on')
  useShortcuts('page', { d: { label: 'Mark the differences', run: toggleDiff } })
  const [pairId, setPairId] = useState<string>()
  const pairs = useMemo(
    () =>
      left && right
        ? [sidesOf(left[outputIndex], right[outputIndex], candidateSide)]
        : answerPairsOf({ scenario, outputIndex, hasBaseline: false, baseline: undefined }),
    [scenario, left, right, outputIndex, candidateSide],
  )
  const pair = left ? pairs[0] : selectPair(pairs, pairId)
  const value = output?.result.value
  return (
    <section aria-labelledby={id}>
      <SectionHeading
        id={id}
        title={left ? 'Answers' : 'Answer'}
        detail={
          <>
            <OutputPicker outputs={outputs} selectedIndex={outputIndex} isLabeled={false} />
            {!left && <span>{describeShape(shapeOf(value))}</span>}
          </>
        }
      >
        {pair && (
          <Button
            variant="plain"
            size="small"
            aria-pressed={hasDiff}
            aria-keyshortcuts="d"
            onClick={toggleDiff}
          >
            Diff {hasDiff ? 'on' : 'off'} <Keys keys={['d']} />
          </Button>
        )}
        {!left && value !== undefined && value !== null && (
          <CopyIcon text={indentedText(value)} label="Copy output" />
        )}
      </SectionHeading>
      <div className={`${styles.box} ${styles.oneColumn}`}>
        <div className={styles.texts}>
          <Texts
            scenario={scenario}
            output={left ? { result: { type: 'text', value: null } } : output}
            pair={pair}
            textFormat={textFormat}
            layout={layout}
            hasDiff={hasDiff}
          />
          {pair?.expectedKey !== undefined && <OtherAnswers pairs={pairs} pair={pair} onSelect={setPairId} />}
        </div>
      </div>
    </section>
  )
}

type BlindOutput = NonNullable<ReviewRow['scenario']['left']>[number] | undefined

/** Both outputs of a comparison. A failed one has its message. */
function sidesOf(
  left: BlindOutput,
  right: BlindOutput,
  candidateSide: 'left' | 'right' | undefined,
): AnswerPair {
  const side = (name: string, id: 'left' | 'right', output: BlindOutput) => ({
    name: candidateSide === undefined ? name : `${name}: ${id === candidateSide ? 'candidate' : 'baseline'}`,
    value: output?.result.error
      ? `Error: ${output.result.error.message}`
      : (output?.result.value ?? 'No output.'),
  })
  return {
    id: 'sides',
    name: 'Left',
    other: side('Left', 'left', left),
    output: side('Right', 'right', right),
  }
}
