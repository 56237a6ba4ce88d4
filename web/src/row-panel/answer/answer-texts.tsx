// The texts of an output and of what it is compared with: as a diff if both are text or both are JSON, or else side by side.
import { type ReactNode, useMemo } from 'react'
import { Content } from '../../content/content.tsx'
import { shapeOf } from '../../content/shape.ts'
import type { LayoutPreferences } from '../../content/text-layout.tsx'
import { DiffView } from '../../diff/diff-view.tsx'
import { compactText, indentedText } from '../../format/value-text.ts'
import type { TextFormat } from '../../state/row-params.ts'
import { useTruncatedList } from '../../ui/truncation.tsx'
import { type Output, OutputFailure } from '../output-picker.tsx'
import styles from '../reading.module.css'
import type { AnswerPair, ComparedScenario, Side } from './answer-pairs.ts'

/** The choice to compare the output with nothing. */
export const NOTHING = 'nothing'

/** Without expected answers, the output is compared with nothing until the user chooses something. */
export function selectPair(pairs: AnswerPair[], pairId: string | undefined): AnswerPair | undefined {
  if (pairId === NOTHING) return undefined
  return pairs.find(({ id }) => id === pairId) ?? pairs.find(({ expectedKey }) => expectedKey !== undefined)
}

interface TextsProps {
  scenario: ComparedScenario
  output: Pick<Output, 'result'> | undefined
  pair: AnswerPair | undefined
  textFormat: TextFormat
  layout: LayoutPreferences
  /** False for both texts without marks. */
  hasDiff?: boolean
}

export function Texts({ scenario, output, pair, textFormat, layout, hasDiff = true }: TextsProps) {
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
  if (hasDiff && pair?.other && !error && (textFormat === 'json' || (kind && textFormat === 'text'))) {
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
export function OtherAnswers({ pairs, pair, onSelect }: OtherAnswersProps) {
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
