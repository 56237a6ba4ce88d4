// Selects the candidate in the row panel, by button or digit key. Hidden if there is only one.
import { useChangeSearchParams } from '../../../state/search-params.ts'
import { useShortcuts } from '../../../state/shortcuts.ts'
import { Triangle } from '../../../ui/icon.tsx'
import { Segments } from '../../../ui/tabs.tsx'
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
  useShortcuts(
    'panel',
    Object.fromEntries(
      digits.map((digit) => [digit, { label: `Compare with candidate ${digit}`, run: () => select(digit) }]),
    ),
  )
  if (candidates.length < 2) return null
  return (
    <Segments
      label={`Candidate compared with ${baseline.name}`}
      value={String(selectedNumber)}
      options={candidates.map(({ name, shortName }, index) => {
        const { outcome } = ROW_CLASSES[row.candidates[index]?.class ?? 'missing']
        return {
          value: String(index + 1),
          title: `${name}: ${row.candidates[index]?.class} (${index + 1})`,
          label: (
            <span className={styles.candidate}>
              <bdi>{shortName}</bdi>
              {outcome && <Triangle direction={outcome} />}
              <span className="sr-only">{row.candidates[index]?.class}</span>
            </span>
          ),
        }
      })}
      onChange={(value) => select(Number(value))}
    />
  )
}
