// Outputs of the baseline and a candidate: as a diff, or separately if they cannot be compared as text.
import type { ReactNode } from 'react'
import { Content } from '../../../content/content.tsx'
import type { LayoutPreferences } from '../../../content/text-layout.tsx'
import { DiffView } from '../../../diff/diff-view.tsx'
import { indentBothAsJson, textEquality } from '../../../diff/differences.ts'
import { indentedText } from '../../../format/value-text.ts'
import { OutputFailure, OutputPicker } from '../../../row-panel/output-picker.tsx'
import shared from '../../../row-panel/row-panel.module.css'
import type { TextFormat } from '../../../state/row-params.ts'
import { CopyButton } from '../../../ui/copy-button.tsx'
import type { EvaluationRow } from '../row-data.ts'
import styles from './row-panel.module.css'

interface OutputsProps {
  baseline: EvaluationRow
  candidate: EvaluationRow
  /** Number of the output, from 1. */
  output: number
  textFormat: TextFormat
  layout: LayoutPreferences
}

export function Outputs({ baseline, candidate, output, textFormat, layout }: OutputsProps) {
  const [longerOutputs = []] = [baseline, candidate]
    .map(({ scenario }) => scenario?.outputs ?? [])
    .toSorted((a, b) => b.length - a.length)
  const index = Math.min(output, longerOutputs.length || 1) - 1
  const picker = longerOutputs.length > 1 && <OutputPicker outputs={longerOutputs} selectedIndex={index} />
  const texts = [textOf(baseline, index), textOf(candidate, index)] as const
  const [baselineText, candidateText] = texts
  if (baselineText !== undefined && candidateText !== undefined && textFormat !== 'markdown') {
    const [oldText, newText] =
      textFormat === 'json' ? indentBothAsJson(baselineText, candidateText) : [baselineText, candidateText]
    return (
      <DiffView
        key={`${candidate.comparedEvaluation.id} ${index}`}
        oldText={oldText}
        newText={newText}
        names={[baseline.name, candidate.name]}
        picker={picker}
        isProse={textFormat === 'text'}
        isSplit={layout.isSplit}
        isWrapped={layout.isWrapped}
      />
    )
  }
  return (
    <>
      <EqualityNote texts={texts} picker={picker} />
      <div className={layout.isSplit ? styles.split : undefined}>
        {[baseline, candidate].map((side) => (
          <Side
            key={side.comparedEvaluation.id}
            side={side}
            index={index}
            textFormat={textFormat}
            isWrapped={layout.isWrapped}
          />
        ))}
      </div>
    </>
  )
}

/** Undefined if there is no row, no output, or the output is an error. */
function textOf({ scenario }: EvaluationRow, index: number): string | undefined {
  const result = scenario?.outputs[index]?.result
  return result && !result.error ? indentedText(result.value) : undefined
}

interface EqualityNoteProps {
  texts: readonly [string | undefined, string | undefined]
  picker: ReactNode
}

function EqualityNote({ texts: [baselineText, candidateText], picker }: EqualityNoteProps) {
  const equality =
    baselineText === undefined || candidateText === undefined
      ? undefined
      : textEquality(baselineText, candidateText)
  if (!picker && (equality === undefined || equality === 'different')) return null
  return (
    <div className={shared.valueHeader}>
      {picker}
      {equality === 'identical' && <strong>Identical texts</strong>}
      {equality === 'whitespace' && <strong>Only whitespace differs</strong>}
    </div>
  )
}

interface SideProps {
  side: EvaluationRow
  index: number
  textFormat: TextFormat
  isWrapped: boolean
}

function Side({ side: { name, scenario }, index, textFormat, isWrapped }: SideProps) {
  const { error, type, value } = scenario?.outputs[index]?.result ?? {}
  const hasValue = value !== undefined && !(error && value === null)
  return (
    <section className={`${shared.value} ${styles.side}`} aria-label={`Output of ${name}`}>
      <h3 className={shared.valueHeader}>
        <bdi>{name}</bdi>
        {hasValue && (
          <CopyButton text={indentedText(value)} className="plain">
            Copy<span className="sr-only"> the output of {name}</span>
          </CopyButton>
        )}
      </h3>
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
