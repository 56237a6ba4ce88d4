// Selects the candidate in the row panel, by button or digit key. Hidden if there is only one.

import shared from '../../../row-panel/row-panel.module.css'
import { useChangeSearchParams } from '../../../state/search-params.ts'
import { useShortcuts } from '../../../state/shortcuts.ts'
import type { RowData } from '../row-data.ts'
import styles from './row-panel.module.css'
import { CLASS_SIGNS, colorClass } from './row-summary.tsx'

/** `selected` counts from 1. */
export function CandidatePicker({ rowData, selected }: { rowData: RowData; selected: number }) {
  const { baseline, candidates, row } = rowData
  const change = useChangeSearchParams()
  const select = (pair: number) => change({ pair: pair === 1 ? undefined : String(pair) }, { replace: true })
  const digits = candidates.length < 2 ? [] : candidates.map((_, index) => index + 1)
  useShortcuts('panel', Object.fromEntries(digits.map((digit) => [digit, () => select(digit)])))
  if (candidates.length < 2) return null
  return (
    <div role="group" aria-label={`Candidate compared with ${baseline.name}`} className={styles.candidates}>
      <span className="button-group">
        {candidates.map(({ comparedEvaluation, name }, index) => {
          const joined = row.candidates[index]
          return (
            <button
              key={comparedEvaluation.id}
              type="button"
              aria-pressed={index + 1 === selected}
              title={`${name}: ${joined?.class} (${index + 1})`}
              onClick={() => select(index + 1)}
            >
              <span className="muted">{index + 1}</span> <bdi className={shared.short}>{name}</bdi>{' '}
              {joined && (
                <span className={colorClass(joined.class)}>
                  <span aria-hidden="true">{CLASS_SIGNS[joined.class]}</span>
                  <span className="sr-only">{joined.class}</span>
                </span>
              )}
            </button>
          )
        })}
      </span>
    </div>
  )
}
