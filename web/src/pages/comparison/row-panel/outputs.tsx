// Outputs of a row: two as a diff, or two to four side by side if they cannot be compared as text. Conversations are aligned by turn.
import { type ReactNode, Suspense } from 'react'
import { Content } from '../../../content/content.tsx'
import type { LayoutPreferences } from '../../../content/text-layout.tsx'
import { DiffView } from '../../../diff/diff-view.tsx'
import { textEquality } from '../../../diff/differences.ts'
import { indentedText } from '../../../format/value-text.ts'
import { OutputFailure, OutputPicker } from '../../../row-panel/output-picker.tsx'
import { CopyIcon } from '../../../row-panel/value-box.tsx'
import type { TextFormat } from '../../../state/row-params.ts'
import { useStable } from '../../../state/stable-values.ts'
import { lazyComponent } from '../../../ui/messages/lazy-component.tsx'
import type { EvaluationRow } from '../row-data.ts'
import { outputDisplay } from './output-display.ts'
import styles from './row-panel.module.css'

const ConversationColumns = lazyComponent(
  async () => (await import('../../../diff/conversation/columns.tsx')).ConversationColumns,
)

interface OutputsProps {
  /** The baseline first. */
  evaluationRows: EvaluationRow[]
  /** Number of the output, from 1. */
  output: number
  textFormat: TextFormat
  layout: LayoutPreferences
}

export function Outputs({ evaluationRows, output, textFormat, layout }: OutputsProps) {
  const [mostOutputs = []] = evaluationRows
    .map(({ scenario }) => scenario?.outputs ?? [])
    .toSorted((a, b) => b.length - a.length)
  const index = Math.min(output, mostOutputs.length || 1) - 1
  const picker = mostOutputs.length > 1 && <OutputPicker outputs={mostOutputs} selectedIndex={index} />
  const contentProps = { textFormat, isWrapped: layout.isWrapped }
  const sides = evaluationRows.map((evaluationRow) => ({
    evaluationRow,
    // Several columns have no room for long names.
    name: evaluationRows.length > 2 ? evaluationRow.shortName : evaluationRow.name,
    value: outputValue(evaluationRow, index),
  }))
  const values = sides.map(({ value }) => value)
  const display = outputDisplay(values, textFormat)
  const [oldSide, newSide] = sides
  if (display === 'once') {
    return (
      <>
        <Note picker={picker}>Identical outputs</Note>
        <Content value={oldSide?.value} {...contentProps} />
      </>
    )
  }
  if (display === 'diff' && oldSide && newSide) {
    return (
      <DiffView
        key={`${newSide.evaluationRow.comparedEvaluation.id} ${index}`}
        oldText={indentedText(oldSide.value)}
        newText={indentedText(newSide.value)}
        names={[oldSide.name, newSide.name]}
        picker={picker}
        isProse={textFormat === 'text'}
        isSplit={layout.isSplit}
        isWrapped={layout.isWrapped}
      />
    )
  }
  const alignedSides = display === 'conversations' ? sides.filter(({ value }) => value !== undefined) : []
  return (
    <>
      <Note picker={picker}>{hasOnlyWhitespaceChanges(values) && 'Only whitespace differs'}</Note>
      {alignedSides.length > 0 && (
        <Suspense>
          <AlignedConversations sides={alignedSides} {...contentProps} />
        </Suspense>
      )}
      <div className={layout.isSplit || sides.length > 2 ? styles.columns : undefined}>
        {sides
          .filter((side) => !alignedSides.includes(side))
          .map(({ evaluationRow, name }) => (
            <Side
              key={evaluationRow.comparedEvaluation.id}
              evaluationRow={evaluationRow}
              title={name}
              index={index}
              {...contentProps}
            />
          ))}
      </div>
    </>
  )
}

interface AlignedConversationsProps {
  sides: { name: string; value: unknown }[]
  textFormat: TextFormat
  isWrapped: boolean
}

function AlignedConversations({ sides, ...contentProps }: AlignedConversationsProps) {
  // Aligning takes time, and the page renders again whenever it checks for changes.
  const conversations = useStable(sides.map(({ name, value }) => ({ name, value })))
  return <ConversationColumns conversations={conversations} {...contentProps} />
}

/** Undefined if there is no row, no output, or the output failed. */
function outputValue({ scenario }: EvaluationRow, index: number): unknown {
  const { error, value } = scenario?.outputs[index]?.result ?? {}
  return error ? undefined : value
}

function hasOnlyWhitespaceChanges(values: readonly unknown[]): boolean {
  const [oldValue, newValue] = values
  if (values.length > 2 || oldValue === undefined || newValue === undefined) return false
  return textEquality(indentedText(oldValue), indentedText(newValue)) === 'whitespace'
}

function Note({ picker, children }: { picker: ReactNode; children: ReactNode }) {
  if (!picker && !children) return null
  return (
    <div className={styles.note}>
      {picker}
      {children && <strong>{children}</strong>}
    </div>
  )
}

interface SideProps {
  evaluationRow: EvaluationRow
  title: string
  index: number
  textFormat: TextFormat
  isWrapped: boolean
}

/** A failed output can have a value too. */
function Side({ evaluationRow: { name, scenario }, title, index, textFormat, isWrapped }: SideProps) {
  const { error, type, value } = scenario?.outputs[index]?.result ?? {}
  const hasValue = value !== undefined && !(error && value === null)
  return (
    <section className={styles.side} aria-label={`Output of ${name}`}>
      <h4 className={styles.sideHeader}>
        <bdi className="ellipsis" data-tooltip={name}>
          {title}
        </bdi>
        {hasValue && <CopyIcon text={indentedText(value)} label={`Copy the output of ${name}`} />}
      </h4>
      {scenario === null && <p className={styles.hint}>{name} has no row for this scenario.</p>}
      {scenario && type === undefined && (
        <p className={styles.hint}>
          {scenario.outputs.length === 0 ? 'This scenario has no output.' : `No output ${index + 1}.`}
        </p>
      )}
      {error && <OutputFailure error={error} isWrapped={isWrapped} />}
      {hasValue && <Content value={value} textFormat={textFormat} isWrapped={isWrapped} />}
    </section>
  )
}
