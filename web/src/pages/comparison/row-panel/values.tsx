// Inputs and expected answers of a row: shown once if all evaluations have the same, or else per evaluation.
import { useState } from 'react'
import { Values, ValuesLine } from '../../../row-panel/named-values.tsx'
import type { NamedValue } from '../../../row-panel/value-box.tsx'
import type { TextFormat } from '../../../state/row-params.ts'
import type { EvaluationRow } from '../row-data.ts'
import styles from './row-panel.module.css'
import { type ValueKind, valueGroupsOf } from './value-groups.ts'

const NOTICES: Record<ValueKind, string> = {
  Inputs: 'The inputs differ.',
  Expected: 'The expected answers differ.',
}

interface Display {
  textFormat: TextFormat
  isWrapped: boolean
}

interface PanelValuesProps extends Display {
  label: ValueKind
  /** The baseline first. */
  evaluationRows: EvaluationRow[]
}

export function PanelValues({ label, evaluationRows, ...display }: PanelValuesProps) {
  const groups = valueGroupsOf(evaluationRows, label)
  return (
    <>
      {groups.length > 1 && <p className={styles.differenceNotice}>{NOTICES[label]}</p>}
      {groups.map(({ names, values }) => (
        <Line
          key={names.join('\n')}
          label={label}
          owner={groups.length > 1 ? names.join(', ') : undefined}
          values={values}
          {...display}
        />
      ))}
    </>
  )
}

interface LineProps extends Display {
  label: string
  /** The evaluations; undefined if all have the same values. */
  owner: string | undefined
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
