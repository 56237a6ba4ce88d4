// Selects what the row panel compares: the baseline and one candidate, or all evaluations. Hidden if there is only one candidate.
import { useChangeSearchParams } from '../../../state/search-params.ts'
import { useShortcuts } from '../../../state/shortcuts.ts'
import { Triangle } from '../../../ui/icon.tsx'
import { Segments } from '../../../ui/tabs.tsx'
import { ROW_CLASSES } from '../row-classes.ts'
import type { RowData } from '../row-data.ts'
import styles from './row-panel.module.css'

/** Number of a candidate, from 1. */
type Pair = number | 'all'

interface CandidatePickerProps {
  rowData: RowData
  pair: Pair
}

export function CandidatePicker({ rowData, pair }: CandidatePickerProps) {
  const { baseline, candidates, row } = rowData
  const changeParams = useChangeSearchParams()
  const select = (next: Pair) => changeParams({ pair: next === 1 ? undefined : next }, { replace: true })
  const hasChoice = candidates.length > 1
  const shortcuts = candidates.map(({ shortName }, index) => [
    index + 1,
    { label: `Compare with ${shortName}`, run: () => select(index + 1) },
  ])
  useShortcuts(
    'panel',
    hasChoice
      ? Object.fromEntries([
          ...shortcuts,
          [0, { label: 'Show all evaluations side by side', run: () => select('all') }],
        ])
      : {},
  )
  if (!hasChoice) return null
  return (
    <Segments
      label={`Candidate compared with ${baseline.name}`}
      value={String(pair)}
      options={[
        ...candidates.map(({ name, shortName }, index) => {
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
        }),
        { value: 'all', title: 'All evaluations side by side (0)', label: 'All' },
      ]}
      onChange={(value) => select(value === 'all' ? value : Number(value))}
    />
  )
}
