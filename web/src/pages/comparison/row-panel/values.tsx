// Inputs and expected answers of a row: shown once if all evaluations have the same, or else per evaluation.
import { ValueBox } from '../../../row-panel/value-box.tsx'
import type { TextFormat } from '../../../state/row-params.ts'
import type { EvaluationRow } from '../row-data.ts'
import styles from './row-panel.module.css'
import { type ValueKind, valueGroupsOf } from './value-groups.ts'

const NOTICES: Record<ValueKind, string> = {
  Input: 'The inputs differ.',
  Expected: 'The expected answers differ.',
}

interface PanelValuesProps {
  kind: ValueKind
  /** The baseline first. */
  evaluationRows: EvaluationRow[]
  textFormat: TextFormat
  isWrapped: boolean
}

export function PanelValues({ kind, evaluationRows, ...display }: PanelValuesProps) {
  const groups = valueGroupsOf(evaluationRows, kind)
  if (groups.every(({ values }) => values.length === 0)) return null
  return (
    <>
      {groups.length > 1 && <p className={styles.differenceNotice}>{NOTICES[kind]}</p>}
      {groups.map(({ names, values }) => (
        <ValueBox
          key={names.join('\n')}
          label={kind}
          owner={groups.length > 1 ? names.join(', ') : undefined}
          values={values}
          {...display}
        />
      ))}
    </>
  )
}
