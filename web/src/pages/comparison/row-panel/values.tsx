// Inputs and expected answers of a row: shown once if both evaluations have the same, or else per evaluation.
import { useState } from 'react'
import { type NamedValue, Values, ValuesLine } from '../../../row-panel/named-values.tsx'
import type { TextFormat } from '../../../state/row-params.ts'
import type { EvaluationRow } from '../row-data.ts'
import styles from './row-panel.module.css'

interface PanelValuesProps {
  baseline: EvaluationRow
  candidate: EvaluationRow
  textFormat: TextFormat
  isWrapped: boolean
}

export function PanelInputs({ baseline, candidate, ...display }: PanelValuesProps) {
  const [baselineInputs, candidateInputs] = [baseline, candidate].map(({ scenario }) => scenario?.inputs)
  return (
    <PairedValues
      label="Inputs"
      names={[baseline.name, candidate.name]}
      values={[baselineInputs, candidateInputs]}
      {...display}
    />
  )
}

export function PanelExpected({ baseline, candidate, ...display }: PanelValuesProps) {
  const [baselineAnswers, candidateAnswers] = [baseline, candidate].map(
    ({ scenario }) => scenario && answersOf(scenario),
  )
  return (
    <PairedValues
      label="Expected"
      names={[baseline.name, candidate.name]}
      values={[baselineAnswers ?? undefined, candidateAnswers ?? undefined]}
      {...display}
    />
  )
}

/** A single answer needs no name. */
function answersOf({ correct_answers: answers }: NonNullable<EvaluationRow['scenario']>): NamedValue[] {
  return (answers ?? []).map(({ key, value }) => ({ name: answers?.length === 1 ? '' : key, value }))
}

interface PairedValuesProps {
  label: 'Inputs' | 'Expected'
  names: [baseline: string, candidate: string]
  /** Undefined if there is no row. */
  values: [baseline: NamedValue[] | undefined, candidate: NamedValue[] | undefined]
  textFormat: TextFormat
  isWrapped: boolean
}

function PairedValues({
  label,
  names,
  values: [baselineValues, candidateValues],
  ...display
}: PairedValuesProps) {
  const isSame =
    !baselineValues || !candidateValues || JSON.stringify(baselineValues) === JSON.stringify(candidateValues)
  if (isSame) return <Line label={label} values={baselineValues ?? candidateValues ?? []} {...display} />
  return (
    <>
      <p className={styles.differenceNotice}>
        {label === 'Inputs' ? 'The inputs differ.' : 'The expected answers differ.'}
      </p>
      <Line label={label} evaluationName={names[0]} values={baselineValues} {...display} />
      <Line label={label} evaluationName={names[1]} values={candidateValues} {...display} />
    </>
  )
}

interface LineProps {
  label: string
  /** Undefined if both evaluations have the same values. */
  evaluationName?: string
  values: NamedValue[]
  textFormat: TextFormat
  isWrapped: boolean
}

function Line({ label, evaluationName, values, ...display }: LineProps) {
  const [isOpen, setIsOpen] = useState(false)
  return (
    <>
      <ValuesLine
        label={label}
        owner={evaluationName}
        values={values}
        isOpen={isOpen}
        onShowAll={() => setIsOpen(!isOpen)}
      />
      {isOpen && (
        <div className={styles.expanded}>
          <Values values={values} {...display} />
        </div>
      )}
    </>
  )
}
