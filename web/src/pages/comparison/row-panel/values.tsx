// Inputs and expected answers of a row: shown once if both evaluations have the same, or else per evaluation.
import { useState } from 'react'
import { type NamedValue, Values, ValuesLine } from '../../../row-panel/named-values.tsx'
import type { TextFormat } from '../../../state/row-params.ts'
import type { EvaluationRow } from '../row-data.ts'
import styles from './row-panel.module.css'

type Scenario = NonNullable<EvaluationRow['scenario']>

const KINDS = {
  Inputs: { read: ({ inputs }: Scenario): NamedValue[] => inputs, notice: 'The inputs differ.' },
  Expected: { read: answersOf, notice: 'The expected answers differ.' },
}

/** A single answer needs no name. */
function answersOf({ correct_answers: answers }: Scenario): NamedValue[] {
  return (answers ?? []).map(({ key, value }) => ({ name: answers?.length === 1 ? '' : key, value }))
}

interface Display {
  textFormat: TextFormat
  isWrapped: boolean
}

interface PanelValuesProps extends Display {
  label: keyof typeof KINDS
  baseline: EvaluationRow
  candidate: EvaluationRow
}

export function PanelValues({ label, baseline, candidate, ...display }: PanelValuesProps) {
  const { read, notice } = KINDS[label]
  const sides = [baseline, candidate].flatMap(({ name, scenario }) =>
    scenario ? [{ name, values: read(scenario) }] : [],
  )
  const [first, second] = sides
  if (!first || !second || JSON.stringify(first.values) === JSON.stringify(second.values))
    return <Line label={label} values={first?.values ?? []} {...display} />
  return (
    <>
      <p className={styles.differenceNotice}>{notice}</p>
      {sides.map(({ name, values }, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: two evaluations can have the same name
        <Line key={index} label={label} owner={name} values={values} {...display} />
      ))}
    </>
  )
}

interface LineProps extends Display {
  label: string
  /** The evaluation; undefined if both have the same values. */
  owner?: string
  values: NamedValue[]
}

function Line({ label, owner, values, ...display }: LineProps) {
  const [isOpen, setIsOpen] = useState(false)
  return (
    <>
      <ValuesLine
        label={label}
        owner={owner}
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
