// Inputs and expected answers of a row: shown once if both evaluations have the same, or else per evaluation.
import { useState } from 'react'
import { type NamedValue, Values, ValuesLine } from '../../../row-panel/named-values.tsx'
import type { TextFormat } from '../../../state/row-params.ts'
import type { RowSide } from '../row-data.ts'
import styles from './row-panel.module.css'

interface PanelValuesProps {
  baseline: RowSide
  candidate: RowSide
  textFormat: TextFormat
  isWrapped: boolean
}

export function PanelInputs({ baseline, candidate, ...display }: PanelValuesProps) {
  const [before, after] = [baseline, candidate].map(({ scenario }) => scenario?.inputs)
  return (
    <PairedValues
      label="Inputs"
      names={[baseline.name, candidate.name]}
      values={[before, after]}
      {...display}
    />
  )
}

export function PanelExpected({ baseline, candidate, ...display }: PanelValuesProps) {
  const [before, after] = [baseline, candidate].map(({ scenario }) => scenario && answersOf(scenario))
  return (
    <PairedValues
      label="Expected"
      names={[baseline.name, candidate.name]}
      values={[before ?? undefined, after ?? undefined]}
      {...display}
    />
  )
}

/** A single answer needs no name. */
function answersOf({ correct_answers: answers }: NonNullable<RowSide['scenario']>): NamedValue[] {
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

function PairedValues({ label, names, values: [before, after], ...display }: PairedValuesProps) {
  const isSame = !before || !after || JSON.stringify(before) === JSON.stringify(after)
  if (isSame) return <Line label={label} values={before ?? after ?? []} {...display} />
  return (
    <>
      <p className={styles.differenceNotice}>
        {label === 'Inputs' ? 'The inputs differ.' : 'The expected answers differ.'}
      </p>
      <Line label={label} of={names[0]} values={before} {...display} />
      <Line label={label} of={names[1]} values={after} {...display} />
    </>
  )
}

interface LineProps {
  label: string
  /** Name of the evaluation, if each has its own values. */
  of?: string
  values: NamedValue[]
  textFormat: TextFormat
  isWrapped: boolean
}

function Line({ label, of, values, ...display }: LineProps) {
  const [isOpen, setIsOpen] = useState(false)
  return (
    <>
      <ValuesLine
        label={label}
        owner={of}
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
