// The inputs and the expected answers of a row: once where both evaluations have the same, else those of each.
import { useState } from 'react'
import type { Shape } from '../evaluation/view.ts'
import { type NamedValue, Values, ValuesLine } from '../scenario/values.tsx'
import type { RowSide } from './opened-row.ts'
import styles from './panel.module.css'

interface PanelValuesProps {
  base: RowSide
  candidate: RowSide
  shape: Shape
  isWrapped: boolean
}

export function PanelInputs({ base, candidate, ...reading }: PanelValuesProps) {
  const [before, after] = [base, candidate].map(({ scenario }) => scenario?.inputs)
  return <Both what="Inputs" names={[base.name, candidate.name]} values={[before, after]} {...reading} />
}

export function PanelExpected({ base, candidate, ...reading }: PanelValuesProps) {
  const [before, after] = [base, candidate].map(({ scenario }) => scenario && answersOf(scenario))
  return (
    <Both
      what="Expected"
      names={[base.name, candidate.name]}
      values={[before ?? undefined, after ?? undefined]}
      {...reading}
    />
  )
}

/** The name of the only answer says nothing. */
function answersOf({ correct_answers: answers }: NonNullable<RowSide['scenario']>): NamedValue[] {
  return (answers ?? []).map(({ key, value }) => ({ name: answers?.length === 1 ? '' : key, value }))
}

interface BothProps {
  what: string
  names: [base: string, candidate: string]
  /** Undefined where there is no row. */
  values: [base: NamedValue[] | undefined, candidate: NamedValue[] | undefined]
  shape: Shape
  isWrapped: boolean
}

function Both({ what, names, values: [before, after], ...reading }: BothProps) {
  const isSame = !before || !after || JSON.stringify(before) === JSON.stringify(after)
  if (isSame) return <Line label={what} values={before ?? after ?? []} {...reading} />
  return (
    <>
      <p className={styles.differ}>
        {what === 'Inputs' ? 'The inputs of the two differ.' : 'The two have different expected answers.'}
      </p>
      <Line label={what} of={names[0]} values={before} {...reading} />
      <Line label={what} of={names[1]} values={after} {...reading} />
    </>
  )
}

interface LineProps {
  label: string
  /** The evaluation, where each has its own. */
  of?: string
  values: NamedValue[]
  shape: Shape
  isWrapped: boolean
}

function Line({ label, of, values, ...reading }: LineProps) {
  const [isOpen, setIsOpen] = useState(false)
  return (
    <>
      <ValuesLine label={label} of={of} values={values} isOpen={isOpen} onWhole={() => setIsOpen(!isOpen)} />
      {isOpen && (
        <div className={styles.whole}>
          <Values values={values} {...reading} />
        </div>
      )}
    </>
  )
}
