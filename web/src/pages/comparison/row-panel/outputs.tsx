// Outputs of a row: two as a diff, or two to four side by side if they cannot be compared as text.
import type { ReactNode } from 'react'
import { Content } from '../../../content/content.tsx'
import type { LayoutPreferences } from '../../../content/text-layout.tsx'
import { DiffView } from '../../../diff/diff-view.tsx'
import { textEquality } from '../../../diff/differences.ts'
import { indentedText } from '../../../format/value-text.ts'
import { OutputFailure, OutputPicker } from '../../../row-panel/output-picker.tsx'
import shared from '../../../row-panel/row-panel.module.css'
import type { TextFormat } from '../../../state/row-params.ts'
import { CopyButton } from '../../../ui/copy-button.tsx'
import type { EvaluationRow } from '../row-data.ts'
import { outputDisplay } from './output-display.ts'
import styles from './row-panel.module.css'

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
  const { isWrapped, isSplit } = layout
  const values = evaluationRows.map((row) => outputValue(row, index))
  const display = outputDisplay(values, textFormat)
  const [oldValue, newValue] = values
  const names = evaluationRows.map(({ name }) => name)
  if (display === 'once') {
    return (
      <>
        <Note picker={picker}>Identical outputs</Note>
        <Content value={oldValue} textFormat={textFormat} isWrapped={isWrapped} />
      </>
    )
  }
  if (display === 'diff') {
    return (
      <DiffView
        key={`${names[1]} ${index}`}
        oldText={indentedText(oldValue)}
        newText={indentedText(newValue)}
        names={[names[0] ?? '', names[1] ?? '']}
        picker={picker}
        isProse={textFormat === 'text'}
        isSplit={isSplit}
        isWrapped={isWrapped}
      />
    )
  }
  const hasOnlyWhitespaceChanges =
    values.length === 2 &&
    !values.includes(undefined) &&
    textEquality(indentedText(oldValue), indentedText(newValue)) === 'whitespace'
  return (
    <>
      <Note picker={picker}>{hasOnlyWhitespaceChanges && 'Only whitespace differs'}</Note>
      <div className={isSplit || values.length > 2 ? styles.columns : undefined}>
        {evaluationRows.map((row) => (
          <Side
            key={row.comparedEvaluation.id}
            evaluationRow={row}
            index={index}
            textFormat={textFormat}
            isWrapped={isWrapped}
          />
        ))}
      </div>
    </>
  )
}

/** Undefined if there is no row, no output, or the output failed without a value. */
function outputValue({ scenario }: EvaluationRow, index: number): unknown {
  const { error, value } = scenario?.outputs[index]?.result ?? {}
  return error ? undefined : value
}

function Note({ picker, children }: { picker: ReactNode; children: ReactNode }) {
  if (!picker && !children) return null
  return (
    <div className={shared.valueHeader}>
      {picker}
      {children && <strong>{children}</strong>}
    </div>
  )
}

interface SideProps {
  evaluationRow: EvaluationRow
  index: number
  textFormat: TextFormat
  isWrapped: boolean
}

/** A failed output can have a value too. */
function Side({ evaluationRow: { name, shortName, scenario }, index, textFormat, isWrapped }: SideProps) {
  const { error, type, value } = scenario?.outputs[index]?.result ?? {}
  const hasValue = value !== undefined && !(error && value === null)
  return (
    <section className={styles.side} aria-label={`Output of ${name}`}>
      <h4 className={styles.sideHeader}>
        <bdi className="ellipsis" data-tooltip={name}>
          {shortName}
        </bdi>
        {hasValue && (
          <CopyButton text={indentedText(value)} className="plain">
            Copy<span className="sr-only"> the output of {name}</span>
          </CopyButton>
        )}
      </h4>
      {scenario === null && <p className={shared.hint}>{name} has no row for this scenario.</p>}
      {scenario && type === undefined && (
        <p className={shared.hint}>
          {scenario.outputs.length === 0 ? 'This scenario has no output.' : `No output ${index + 1}.`}
        </p>
      )}
      {error && <OutputFailure error={error} isWrapped={isWrapped} />}
      {hasValue && <Content value={value} textFormat={textFormat} isWrapped={isWrapped} />}
    </section>
  )
}
