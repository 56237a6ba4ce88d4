// One line about the row: how it changed on the selected evaluator and on others, and whether the output changed.
import type { Comparison } from 'assay-client'
import { ArrowRight } from 'lucide'
import { directionOf } from '../../../format/direction.ts'
import { Icon, Triangle } from '../../../ui/icon.tsx'
import { ROW_CLASSES, scoreText } from '../row-classes.ts'
import { type EvaluationRow, hasRepeats, type RowData } from '../row-data.ts'
import { resultRowsOf } from './result-rows.ts'
import styles from './row-panel.module.css'

/** More names would not fit in a line. */
const MAX_NAMES = 3

interface RowSummaryProps {
  rowData: RowData
  comparison: Comparison
  /** One, or all of them. */
  selectedCandidates: EvaluationRow[]
  evaluator: string | undefined
}

export function RowSummary({ rowData, comparison, selectedCandidates, evaluator }: RowSummaryProps) {
  const { baseline, candidates, row } = rowData
  const [candidate] = selectedCandidates
  if (!candidate) return null
  const index = candidates.indexOf(candidate)
  const isOnly = selectedCandidates.length === 1
  const hasOtherId =
    isOnly && baseline.scenario && candidate.scenario && baseline.scenario.id !== candidate.scenario.id
  const isRepeated = hasRepeats(row)
  const isOutputChanged = isOnly ? row.candidates[index]?.output_changed : null
  return (
    <div className={styles.summary}>
      {selectedCandidates.map((selected) => (
        <p key={selected.comparedEvaluation.id}>
          {candidates.length > 1 && <bdi className="muted">{selected.shortName}</bdi>}{' '}
          <RowClass rowData={rowData} candidate={selected} evaluator={evaluator} />
        </p>
      ))}
      {/* What the selected repeats have is no change of the row. */}
      {isOnly && !isRepeated && (
        <OtherChanges rowData={rowData} comparison={comparison} index={index} evaluator={evaluator} />
      )}
      {typeof isOutputChanged === 'boolean' && !isRepeated && (
        <p className="muted">{isOutputChanged ? 'output changed' : 'same output'}</p>
      )}
      {hasOtherId && !isRepeated && (
        <p className="muted">
          in {candidate.shortName} <code>{candidate.scenario?.id}</code>
        </p>
      )}
    </div>
  )
}

interface RowClassProps {
  rowData: RowData
  candidate: EvaluationRow
  evaluator: string | undefined
}

function RowClass({ rowData: { baseline, candidates, row }, candidate, evaluator }: RowClassProps) {
  const joined = row.candidates[candidates.indexOf(candidate)]
  const name = joined?.class ?? 'missing'
  const { description, outcome } = ROW_CLASSES[name]
  return (
    <span data-tooltip={description}>
      {outcome && <Triangle direction={outcome} />}{' '}
      {name === 'missing' ? (
        missingLabel(baseline, candidate)
      ) : (
        <>
          <strong className={outcome}>{name}</strong>
          {evaluator !== undefined && (
            <>
              {' '}
              on <bdi>{evaluator}</bdi>
            </>
          )}
          {joined && hasRepeats(row) && (
            <>
              : {scoreText(row.base_score)} <Icon icon={ArrowRight} size={12} />
              <span className="sr-only">to</span> {scoreText(joined.score)}
            </>
          )}
        </>
      )}
    </span>
  )
}

function missingLabel(baseline: EvaluationRow, candidate: EvaluationRow): string {
  if (baseline.scenario) return `only in ${baseline.name}`
  return candidate.scenario
    ? `only in ${candidate.name}`
    : `in neither ${baseline.name} nor ${candidate.name}`
}

interface OtherChangesProps extends Pick<RowSummaryProps, 'rowData' | 'comparison' | 'evaluator'> {
  /** Of the candidate, from 0. */
  index: number
}

/** The other evaluators with a change: "also worse on faithfulness". */
function OtherChanges({ rowData, comparison, evaluator, index }: OtherChangesProps) {
  const changes = resultRowsOf(rowData, comparison).flatMap(({ evaluator: name, higherIsBetter, cells }) => {
    const delta = cells[index + 1]?.delta
    return delta === undefined || name === evaluator
      ? []
      : { name, direction: directionOf(delta, higherIsBetter) }
  })
  return (['worse', 'better'] as const).map((direction) => {
    const names = [
      ...new Set(changes.filter((change) => change.direction === direction).map(({ name }) => name)),
    ]
    if (names.length === 0) return null
    const hiddenCount = names.length - MAX_NAMES
    return (
      <p key={direction} className="muted" data-tooltip={names.join(', ')}>
        also <span className={direction}>{direction}</span> on{' '}
        <bdi>{names.slice(0, MAX_NAMES).join(', ')}</bdi>
        {hiddenCount > 0 && ` and ${hiddenCount} more`}
      </p>
    )
  })
}
