// Column types of changes: "pass → fail" for verdicts, "0.41 −0.52" for numbers; of the evaluator of the row classes, and of
// other evaluators.
import { ArrowRight } from 'lucide'
import { DEFAULT_RULE, judgeResult, resultOf } from '../../../results/cells.ts'
import { DEFAULT_DISPLAY, formatFixed } from '../../../results/evaluator-display.ts'
import type { ResultState } from '../../../results/result-states.ts'
import { StateIcon } from '../../../results/state-icon.tsx'
import { nameWidth } from '../../../table/columns/column-layout.ts'
import type { Cell, Column, ColumnType } from '../../../table/columns/column-type.ts'
import { Delta, ValueAndChange } from '../../../ui/delta.tsx'
import { Icon, Triangle } from '../../../ui/icon.tsx'
import type { JoinedRow } from '../queries.ts'
import { ROW_CLASSES, scoreText } from '../row-classes.ts'
import styles from './change-column.module.css'
import { type ComparisonContext, type Names, scenarioAt } from './context.ts'

type ChangeColumn = ColumnType<JoinedRow, Names, ComparisonContext>

const SHARED: Pick<ChangeColumn, 'width' | 'align' | 'cell' | 'value' | 'header'> = {
  width: ({ name }) => nameWidth(name.length, 148, 220),
  align: 'left',
  cell: changeCell,
  value: changeText,
  header: () => null,
}

/** The change of the evaluator of the row classes, one column per candidate. Several have the result of the baseline in its own column. */
export const changeColumn: ChangeColumn = {
  ...SHARED,
  label: 'change',
  columns: ({ evaluations, evaluator = 'change' }) =>
    evaluations
      .map((name, index) => ({
        key: `change.${index}`,
        name: evaluations.length === 2 ? evaluator : `${name} ${evaluator}`,
        isPinned: true,
        evaluationIndex: index,
      }))
      .slice(evaluations.length === 2 ? 1 : 0),
  // With room for the sort order.
  width: ({ name, evaluationIndex }) =>
    evaluationIndex === 1
      ? nameWidth(name.length + 9, 148, 240)
      : nameWidth(name.length, evaluationIndex === 0 ? 112 : 148, 220),
  // The API can sort only by the change of the first candidate.
  sort: ({ evaluationIndex }, { evaluator }) =>
    evaluationIndex === 1 && evaluator !== undefined ? [`delta.${evaluator}`] : [],
}

/** More would leave no room for the texts. */
const MAX_RESULT_COLUMNS = 1

/** The changes of other evaluators, if there is only one candidate. */
export const resultColumn: ChangeColumn = {
  ...SHARED,
  label: 'evaluator',
  columns: ({ evaluations, otherEvaluators }) =>
    evaluations.length > 2
      ? []
      : otherEvaluators
          .slice(0, MAX_RESULT_COLUMNS)
          .map((name) => ({ key: `result.${name}`, name, evaluationIndex: 1 })),
  sort: ({ name }) => [`delta.${name}`],
}

function evaluatorOf({ key, name }: Column, { evaluator }: ComparisonContext): string | undefined {
  return key.startsWith('result.') ? name : evaluator
}

/** "pass to fail", or why there is no change. */
function changeText(row: JoinedRow, column: Column, context: ComparisonContext): string {
  if (column.evaluationIndex === 0) return baselineText(row, context)
  const repeats = isOfClass(column) ? repeatsOf(row, column) : undefined
  if (repeats) return repeats.texts.join(' to ')
  const { candidate, results, isComparable } = changeOf(row, column, context)
  if (!candidate || candidate.class === 'missing') return missingLabel(row, column, context)
  const labels = results.map(({ label }) => label).join(' to ')
  return isComparable ? labels : `${labels}, cannot be compared`
}

/** "pass", "3/5", or that the baseline does not have the row. */
function baselineText({ base, base_repeats, base_score }: JoinedRow, context: ComparisonContext): string {
  if (!base) return `not in ${context.names[0]}`
  return base_repeats ? scoreText(base_score) : resultIn(base, context.evaluator).label
}

function baselineCell(row: JoinedRow, context: ComparisonContext): Cell {
  const result = resultIn(row.base, context.evaluator)
  const text = baselineText(row, context)
  if (!row.base) return { className: 'quiet', content: text }
  if (row.base_repeats) return { content: text }
  if (result.score === undefined) return { content: <ResultMark result={result} />, title: text }
  const display = context.displays[context.evaluator ?? ''] ?? DEFAULT_DISPLAY
  return { content: <ValueAndChange value={formatFixed(result.score, display)} />, title: text }
}

function changeCell(row: JoinedRow, column: Column, context: ComparisonContext): Cell {
  if (column.evaluationIndex === 0) return baselineCell(row, context)
  const hasBaseline = context.names.length > 2
  const repeats = isOfClass(column) ? repeatsOf(row, column) : undefined
  if (repeats) return repeatsCell(repeats, hasBaseline)
  const { candidate, results, isComparable, evaluator } = changeOf(row, column, context)
  const text = changeText(row, column, context)
  if (!candidate || candidate.class === 'missing') return { className: 'quiet', content: text }
  const [before, after] = results
  const display = context.displays[evaluator ?? ''] ?? DEFAULT_DISPLAY
  const isSelected = isOfClass(column)
  const outcome = isSelected ? ROW_CLASSES[candidate.class].outcome : undefined
  if (before.score !== undefined && after.score !== undefined) {
    const change = (
      <Delta
        difference={isSelected && candidate.delta !== null ? candidate.delta : after.score - before.score}
        higherIsBetter={display.higherIsBetter}
        direction={isSelected ? (outcome ?? 'tied') : undefined}
        baselineName={context.names[0] ?? 'the baseline'}
        format={(value) => formatFixed(value, display)}
      />
    )
    return {
      content: <ValueAndChange value={formatFixed(after.score, display)} change={change} />,
      title: `${text} (${context.names[0]} to ${context.names[column.evaluationIndex ?? 1]})`,
    }
  }
  const content = (
    <span className={styles.change}>
      <span aria-hidden="true" className={styles.change}>
        {!hasBaseline && (
          <>
            <ResultMark result={before} />
            <Icon icon={ArrowRight} size={12} />
          </>
        )}
        <ResultMark result={after} />
        {hasBaseline && outcome && (
          <span className={outcome}>
            <Triangle direction={outcome} />
          </span>
        )}
      </span>
      <span className="sr-only">
        {text} {outcome}
      </span>
    </span>
  )
  return isComparable
    ? { content }
    : { content, title: `Cannot be compared: ${before.label}, then ${after.label}` }
}

/** The class of a row is that of the selected evaluator. */
function isOfClass({ key }: Column): boolean {
  return !key.startsWith('result.')
}

/** "3/5 → 4/5", and whether the change is certain. */
function repeatsCell({ texts: [before, after], rowClass }: Repeats, hasBaseline: boolean): Cell {
  const { outcome, description, name } = ROW_CLASSES[rowClass]
  const content = (
    <span className={styles.change}>
      <span aria-hidden="true" className={styles.counts}>
        {!hasBaseline && (
          <>
            {before}
            <Icon icon={ArrowRight} size={12} />
          </>
        )}
        {after}
      </span>
      {outcome && (
        <span className={outcome}>
          <Triangle direction={outcome} />
        </span>
      )}
      {!outcome && rowClass !== 'same' && <span className="quiet">{name.toLowerCase()}</span>}
      <span className="sr-only">
        {before} to {after} {outcome}
      </span>
    </span>
  )
  return { content, title: description }
}

function ResultMark({ result: { state, mark } }: { result: Result }) {
  return (
    <span className={`${styles.result} ${state === 'unscored' ? 'quiet' : ''}`}>
      <StateIcon state={state} />
      {mark}
    </span>
  )
}

function changeOf(row: JoinedRow, column: Column, context: ComparisonContext) {
  const evaluator = evaluatorOf(column, context)
  const candidate = row.candidates[(column.evaluationIndex ?? 0) - 1]
  const results = [resultIn(row.base, evaluator), resultIn(candidate?.row, evaluator)] as const
  const [before, after] = results
  const isComparable =
    (before.score !== undefined && after.score !== undefined) || (before.isVerdict && after.isVerdict)
  return { evaluator, candidate, results, isComparable }
}

interface Repeats {
  /** Of the baseline and of the candidate. */
  texts: [string, string]
  rowClass: JoinedRow['candidates'][number]['class']
}

/** Undefined if neither side has repeats, or one side does not have the row. */
function repeatsOf({ base_repeats, base_score, candidates }: JoinedRow, column: Column): Repeats | undefined {
  const candidate = candidates[(column.evaluationIndex ?? 0) - 1]
  if (!candidate || candidate.class === 'missing' || !(base_repeats || candidate.repeats)) return undefined
  return { texts: [scoreText(base_score), scoreText(candidate.score)], rowClass: candidate.class }
}

/** Names the evaluation that has the row if there are two, or else one that does not have it. */
function missingLabel(row: JoinedRow, { evaluationIndex = 0 }: Column, { names }: ComparisonContext): string {
  const [baseline = '', candidate = ''] = [names[0], names[evaluationIndex]]
  if (names.length === 2) return `only in ${row.base ? baseline : candidate}`
  return `not in ${scenarioAt(row, evaluationIndex) ? baseline : candidate}`
}

interface Result {
  state: ResultState
  mark: string
  /** For screen readers and tooltips. */
  label: string
  score?: number
  isVerdict: boolean
}

function resultIn(row: JoinedRow['base'] | undefined, evaluator: string | undefined): Result {
  if (!row || evaluator === undefined)
    return { state: 'unscored', mark: 'no result', label: 'no result', isVerdict: false }
  // Numbers are compared as numbers: thresholds do not affect row classes.
  const { state, value } = judgeResult(resultOf(row, evaluator), DEFAULT_RULE)
  const isVerdict = state === 'pass' || state === 'fail'
  if (typeof value === 'number')
    return { state: 'scored', mark: String(value), label: String(value), score: value, isVerdict: false }
  if (state === 'error') return { state, mark: 'error', label: `error: ${value}`, isVerdict }
  if (state === 'labeled') return { state, mark: String(value), label: String(value), isVerdict }
  const label = isVerdict ? state : 'not scored'
  return { state, mark: label, label, isVerdict }
}
