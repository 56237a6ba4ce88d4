// Selects the candidate in the row panel, by button or digit key. Hidden if there is only one.

import shared from '../../../row-panel/row-panel.module.css'
import { useChangeSearchParams } from '../../../state/search-params.ts'
import { useShortcuts } from '../../../state/shortcuts.ts'
import { ROW_CLASSES } from '../row-classes.ts'
import type { RowData } from '../row-data.ts'
import styles from './row-panel.module.css'

interface CandidatePickerProps {
  rowData: RowData
  /** Number of the selected candidate, from 1. */
  selectedNumber: number
}

export function CandidatePicker({ rowData, selectedNumber }: CandidatePickerProps) {
  const { baseline, candidates, row } = rowData
  const changeParams = useChangeSearchParams()
  const select = (number: number) =>
    changeParams({ pair: number === 1 ? undefined : number }, { replace: true })
  const digits = candidates.length < 2 ? [] : candidates.map((_, index) => index + 1)
  useShortcuts('panel', Object.fromEntries(digits.map((digit) => [digit, () => select(digit)])))
  if (candidates.length < 2) return null
  return (
    <div role="group" aria-label={`Candidate compared with ${baseline.name}`} className={styles.candidates}>
      <span className="button-group">
        {candidates.map(({ comparedEvaluation, name }, index) => {
          const joinedCandidate = row.candidates[index]
          return (
            <button
              key={comparedEvaluation.id}
              type="button"
              aria-pressed={index + 1 === selectedNumber}
              title={`${name}: ${joinedCandidate?.class} (${index + 1})`}
              onClick={() => select(index + 1)}
            >
              <span className="muted">{index + 1}</span> <bdi className={shared.short}>{name}</bdi>{' '}
              {joinedCandidate && (
                <span className={ROW_CLASSES[joinedCandidate.class].outcome}>
                  <span aria-hidden="true">{ROW_CLASSES[joinedCandidate.class].sign}</span>
                  <span className="sr-only">{joinedCandidate.class}</span>
                </span>
              )}
            </button>
          )
        })}
      </span>
    </div>
  )
}
