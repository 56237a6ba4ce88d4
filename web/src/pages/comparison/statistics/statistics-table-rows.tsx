// The header and the rows of the statistics table.
import type { Comparison } from 'assay-client'
import { ArrowRight } from 'lucide'
import { formatList } from '../../../format/list.ts'
import { splitName } from '../../../format/split-name.ts'
import { IntervalAxis } from '../../../ui/charts/interval-chart.tsx'
import { Icon } from '../../../ui/icon.tsx'
import { evaluationName, shortName } from '../evaluation-links.ts'
import type { ComparisonState } from '../page-state.ts'
import { ROW_CLASSES } from '../row-classes.ts'
import styles from './statistics.module.css'
import { BaselineCell, CandidateCells } from './statistics-cells.tsx'
import { labelCounts, type StatisticsRow } from './statistics-rows.ts'

type ComparedEvaluation = Comparison['evaluations'][number]

/** With the names of the candidates, which only several have. */
export const MAX_COLUMNS = 11

/** In a narrow card, the role of an evaluation replaces longer names. */
const MAX_NAME_LENGTH = 9

export function StatisticsHeader({ comparison, limit }: { comparison: Comparison; limit: number }) {
  const [baseline, candidate, ...others] = comparison.evaluations
  const hasLongName = comparison.evaluations.some(
    ({ id }) => shortName(comparison, id).length > MAX_NAME_LENGTH,
  )
  const name = (evaluation: ComparedEvaluation | undefined, role: string) =>
    evaluation && (
      <span
        className={hasLongName ? styles.longName : undefined}
        data-tooltip={`${evaluationName(comparison, evaluation.id)}, ${role}`}
      >
        <span className={styles.name}>{shortName(comparison, evaluation.id)}</span>
        {hasLongName && <span className={styles.role}>{role}</span>}
      </span>
    )
  return (
    <thead>
      <tr>
        <th scope="col" className={styles.evaluator}>
          Evaluator
        </th>
        <th scope="col" className={styles.mean}>
          {name(baseline, 'baseline')}
        </th>
        {others.length > 0 ? (
          <th scope="col" colSpan={2} className={styles.candidate}>
            Candidate
          </th>
        ) : (
          <th scope="col" className={styles.mean}>
            {name(candidate, 'candidate')}
          </th>
        )}
        <th scope="col" className={styles.change}>
          Change
        </th>
        <th scope="col" className={styles.outcome}>
          <span className="sr-only">Outcome</span>
        </th>
        <th
          scope="col"
          className={styles.chart}
          data-tooltip="Percentage points for pass rates and scores from 0 to 1, percent of the baseline for the others. Right is better."
        >
          <span className="sr-only">Chart</span>
          <IntervalAxis limit={limit} />
        </th>
        <th
          scope="col"
          className={styles.interval}
          data-tooltip="Contains the true change with 95 % confidence"
        >
          95 % interval
        </th>
        {(['regressed', 'improved'] as const).map((show) => (
          <th key={show} scope="col" className={styles.count}>
            {ROW_CLASSES[show].name}
          </th>
        ))}
        <th scope="col" className={styles.rows} data-tooltip="Rows with a score in both evaluations">
          Rows
        </th>
      </tr>
    </thead>
  )
}

interface EvaluatorNameProps {
  name: string
  unit: string
  comparison: Comparison | undefined
}

/** The end of a long name distinguishes it from similar names, so that it is never cut. */
function EvaluatorName({ name, unit, comparison }: EvaluatorNameProps) {
  const others = comparison?.candidates[0]?.evaluators.map((evaluator) => evaluator.name) ?? []
  const [start, end] = splitName(name, others)
  return (
    <span className={styles.splitName}>
      <bdi className="ellipsis">{start}</bdi>
      {end && <bdi>{end}</bdi>} <span className={styles.unit}>{unit}</span>
    </span>
  )
}

interface StatisticsGroupProps {
  state: ComparisonState
  row: StatisticsRow
  limit: number
  /** The mean over all rows of an evaluation, for a tooltip. */
  meanLabel: (evaluation: string, row: StatisticsRow) => string
}

/** One row per candidate. The evaluator and its baseline are shown once. */
export function StatisticsGroup({ state, row, limit, meanLabel }: StatisticsGroupProps) {
  const { params, comparison } = state
  const [baseline = '', ...candidates] = params.evaluations
  const isSelected = row.evaluator !== undefined && row.evaluator === state.evaluator
  const direction = row.higherIsBetter ? 'Higher is better' : 'Lower is better'
  const count = row.cells.length
  return (
    <tbody data-selected={isSelected || undefined}>
      {row.cells.map((cell, index) => {
        const id = candidates[index] ?? ''
        return (
          <tr key={id}>
            {index === 0 && (
              <>
                <th
                  scope={count > 1 ? 'rowgroup' : 'row'}
                  rowSpan={count}
                  className={styles.evaluator}
                  data-tooltip={`${row.name}. ${direction}`}
                >
                  <EvaluatorName name={row.name} unit={row.unit} comparison={comparison} />
                </th>
                <BaselineCell row={row} meanTitle={meanLabel(baseline, row)} />
              </>
            )}
            {count > 1 && (
              <th scope="row" className={styles.candidate}>
                <bdi className={styles.name} data-tooltip={evaluationName(comparison, id)}>
                  {shortName(comparison, id)}
                </bdi>
              </th>
            )}
            <CandidateCells {...{ state, id, row, cell, limit }} meanTitle={meanLabel(id, row)} />
          </tr>
        )
      })}
    </tbody>
  )
}

/** How often each label of an evaluator occurs: "r4: neutral 60, curt 1 → r5: curt 62". */
export function LabelRow({ comparison, row }: { comparison: Comparison; row: StatisticsRow }) {
  const first = row.cells.find(({ labels }) => labels)?.labels
  const texts = comparison.evaluations.map(({ id }, index) => {
    const [labels, side] =
      index === 0 ? [first, 'base' as const] : [row.cells[index - 1]?.labels, 'candidate' as const]
    return {
      id,
      name: shortName(comparison, id),
      counts: labelCounts(labels, side),
      all: labelCounts(labels, side, Infinity),
    }
  })
  return (
    <tbody>
      <tr>
        <th scope="row" className={styles.evaluator} data-tooltip={row.name}>
          <EvaluatorName name={row.name} unit="label" comparison={comparison} />
        </th>
        <td
          colSpan={MAX_COLUMNS - 1}
          className={styles.labels}
          data-tooltip={texts.map(({ name, all }) => `${name}: ${all}`).join('\n')}
        >
          {texts.map(({ id, name, counts }, index) => (
            <span key={id}>
              {index === 1 && (
                <>
                  <Icon icon={ArrowRight} size={12} /> <span className="sr-only">to</span>
                </>
              )}
              <bdi>{name}</bdi>: <bdi>{counts}</bdi>
            </span>
          ))}
        </td>
      </tr>
    </tbody>
  )
}

/** Evaluators with nothing to compare share one row. */
export function UnscoredRow({ rows }: { rows: readonly StatisticsRow[] }) {
  const names = rows.map(({ name }) => name)
  return (
    <tbody>
      <tr>
        <td colSpan={MAX_COLUMNS} className={styles.none} data-tooltip={names.join('\n')}>
          No scores to compare: <bdi>{formatList(names)}</bdi>
        </td>
      </tr>
    </tbody>
  )
}
