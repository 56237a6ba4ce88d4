// Column type of an evaluator's results: the verdict, score, label or error of a row, and its change from the baseline.
import { formatCount, pluralize } from '../../../format/numbers.ts'
import { deltaOf, judgeResult, type Row, resultOf, resultValue } from '../../../results/cells.ts'
import { DEFAULT_DISPLAY, type EvaluatorDisplay, formatFixed } from '../../../results/evaluator-display.ts'
import { evaluatorMeasure, evaluatorUnit } from '../../../results/measures.ts'
import { PassCount } from '../../../results/repeat-marks.tsx'
import { MAX_MARKS, repeatedResult } from '../../../results/repeats.ts'
import type { EvaluatorSummary } from '../../../results/result-states.ts'
import { StateIcon } from '../../../results/state-icon.tsx'
import { nameWidth } from '../../../table/columns/column-layout.ts'
import type { Cell, ColumnType } from '../../../table/columns/column-type.ts'
import table from '../../../table/table.module.css'
import { Delta, ValueAndChange } from '../../../ui/delta.tsx'
import type { EvaluationContext, Names } from './context.ts'
import { EvaluatorSettings } from './evaluator-settings.tsx'
import { MeasureAggregate } from './measure-column.tsx'
import styles from './result-column.module.css'

export const resultColumn: ColumnType<Row, Names, EvaluationContext> = {
  label: 'evaluator',
  columns: ({ evaluators }) => evaluators.map((name) => ({ key: `result.${name}`, name, isPinned: true })),
  width: ({ name }, _, { summary, baselineId, isNarrow, isGrouped }) => {
    const evaluator = summary?.evaluators.find((evaluator) => evaluator.name === name)
    if (isGrouped && evaluator) return nameWidth(name.length, repeatsWidth(evaluator), 240)
    const isLabel = evaluator?.n === 0
    const hasScores = evaluator !== undefined && evaluatorUnit([evaluator]) === 'score'
    const [verdictPx, scorePx, maxPx] = isNarrow ? [112, 120, 120] : [124, 140, 160]
    const min = isLabel || baselineId === undefined ? 96 : hasScores ? scorePx : verdictPx
    return nameWidth(name.length, min, maxPx)
  },
  align: 'results',
  cell: (row, { name }, { displays, baselineId }) =>
    repeatsCell(row, name, displays[name] ?? DEFAULT_DISPLAY) ??
    resultCell(row, name, displays[name] ?? DEFAULT_DISPLAY, baselineId !== undefined),
  value: (row, { name }) => resultValue(row, name),
  header: ({ name }, { summary }) => {
    const evaluator = summary?.evaluators.find((evaluator) => evaluator.name === name)
    return evaluator && <Aggregate evaluator={evaluator} />
  },
  sort: ({ key, name }, { baselineId }) => (baselineId === undefined ? [key] : [key, `delta.${name}`]),
  menu: ({ name }, context) => <EvaluatorSettings evaluator={name} context={context} />,
}

/** The width of "3/5" with its marks, or of a mean with its deviation. */
function repeatsWidth({ repeats = 1, flaky }: EvaluatorSummary): number {
  if (typeof flaky !== 'number') return 140
  return repeats > MAX_MARKS ? 124 : 72 + repeats * 12
}

/** The results of all repeats of a row; undefined without repeats, and if no repeat has a score. */
function repeatsCell({ repeats }: Row, evaluator: string, display: EvaluatorDisplay): Cell | undefined {
  const result = repeats && repeatedResult(repeats, evaluator, display)
  if (!repeats || !result) return undefined
  const decimals = { ...display, decimals: Math.max(2, display.decimals), isRounded: true }
  const mean = formatFixed(result.mean, decimals)
  if (repeats.count > repeats.scenarios.length) {
    return { content: mean, title: `Mean of ${formatCount(repeats.count)} repeats` }
  }
  if (result.hasVerdicts) {
    const unscored = result.states.length - result.count
    const detail = [
      `${formatCount(result.passes)} of ${pluralize(result.count, 'repeat')} pass`,
      unscored > 0 && `${formatCount(unscored)} without a score`,
    ]
    return { content: <PassCount result={result} />, title: detail.filter(Boolean).join(', ') }
  }
  const { deviation } = result
  const content = (
    <ValueAndChange
      value={mean}
      change={deviation !== undefined && <span className="quiet">± {formatFixed(deviation, decimals)}</span>}
    />
  )
  return { content, title: `Mean and standard deviation of ${pluralize(result.count, 'repeat')}` }
}

function resultCell(row: Row, evaluator: string, display: EvaluatorDisplay, hasBaseline: boolean): Cell {
  const { state, value } = judgeResult(resultOf(row, evaluator), display)
  if (state === 'unscored') return { className: 'quiet', content: 'not scored' }
  if (state === 'labeled') return { content: value }
  if (state === 'error') {
    const content = (
      <span className={styles.state}>
        <StateIcon state={state} />
        error
      </span>
    )
    return { className: table.error, content, title: String(value) }
  }
  const delta = hasBaseline ? deltaOf(row, evaluator) : undefined
  if (typeof value !== 'number') {
    const content = (
      <span className={styles.verdict}>
        <StateIcon state={state} />
        {state}
        {delta !== undefined && <Delta difference={delta} higherIsBetter={display.higherIsBetter} />}
      </span>
    )
    return { content }
  }
  const score = formatFixed(value, display)
  const number =
    state === 'scored' ? (
      score
    ) : (
      <span className={styles.state}>
        <StateIcon state={state} />
        <span className="sr-only">{state}</span>
        {score}
      </span>
    )
  if (!hasBaseline) return { content: number }
  const change = delta !== undefined && (
    <Delta
      difference={delta}
      higherIsBetter={display.higherIsBetter}
      format={(amount) => formatFixed(amount, display)}
    />
  )
  return { content: <ValueAndChange value={number} change={change} /> }
}

/** The pass rate or mean, and its paired change; the number of labels if there are no scores. */
function Aggregate({ evaluator }: { evaluator: EvaluatorSummary }) {
  const measure = evaluatorMeasure(evaluator)
  if (measure) return <MeasureAggregate measure={measure} />
  return <>{evaluator.texts > 0 ? pluralize(evaluator.texts, 'label') : 'no results'}</>
}
