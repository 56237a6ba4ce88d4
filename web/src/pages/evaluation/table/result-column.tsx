// Column type of an evaluator's results: the verdict, score, label or error of a row, and its change from the baseline.
import { lazyComponent } from '../../../api/lazy-modules.ts'
import { formatCount, formatPercent, formatPoints, formatScore } from '../../../format/numbers.ts'
import { deltaOf, judgeResult, type Row, resultOf, resultValue } from '../../../results/cells.ts'
import { DEFAULT_DISPLAY, type EvaluatorDisplay } from '../../../results/evaluator-display.ts'
import { type EvaluatorSummary, RESULT_STATES } from '../../../results/result-states.ts'
import { useChangeSearchParams } from '../../../state/search-params.ts'
import { nameWidth } from '../../../table/columns/column-layout.ts'
import type { Cell, ColumnType } from '../../../table/columns/column-type.ts'
import styles from '../../../table/table.module.css'
import { Delta } from '../../../ui/delta.tsx'
import { stateChange } from '../filters/state-filter.ts'
import type { EvaluationContext, Names } from './context.ts'

const EvaluatorSettings = lazyComponent(
  async () => (await import('./evaluator-settings.tsx')).EvaluatorSettings,
)

export const resultColumn: ColumnType<Row, Names, EvaluationContext> = {
  label: 'evaluator',
  columns: ({ evaluators }) => evaluators.map((name) => ({ key: `result.${name}`, name, isPinned: true })),
  width: ({ name }) => nameWidth(name.length, 150, 180),
  align: 'left',
  cell: (row, { name }, { displays }) => resultCell(row, name, displays[name] ?? DEFAULT_DISPLAY),
  value: (row, { name }) => resultValue(row, name),
  header: ({ name }, { summary, displays }) => {
    const evaluator = summary?.evaluators.find((evaluator) => evaluator.name === name)
    return (
      evaluator && <Aggregate evaluator={evaluator} decimals={(displays[name] ?? DEFAULT_DISPLAY).decimals} />
    )
  },
  changes: ({ name }, context) => {
    const evaluator = context.summary?.evaluators.find((evaluator) => evaluator.name === name)
    return evaluator && <ChangeCounts evaluator={evaluator} context={context} />
  },
  sort: ({ key, name }, { baselineId }) => (baselineId === undefined ? [key] : [key, `delta.${name}`]),
  menu: ({ name }, context) => <EvaluatorSettings evaluator={name} context={context} />,
}

function resultCell(row: Row, evaluator: string, display: EvaluatorDisplay): Cell {
  const { state, value } = judgeResult(resultOf(row, evaluator), display)
  if (state === 'unscored') return { className: 'muted', content: '– not scored' }
  if (state === 'error') return { className: styles.error, content: '⚠ error', title: String(value) }
  if (state === 'labeled') return { content: value }
  const delta = deltaOf(row, evaluator)
  const score = typeof value === 'number' ? formatScore(value, display.decimals) : undefined
  const change = delta !== undefined && (
    <>
      {' '}
      <Delta
        difference={delta}
        higherIsBetter={display.higherIsBetter}
        // A changed verdict shows only the arrow.
        format={score === undefined ? undefined : (delta) => formatScore(delta, display.decimals)}
      />
    </>
  )
  if (state === 'scored') {
    const content = (
      <>
        <span className={styles.amount}>{score}</span>
        {change}
      </>
    )
    return { content }
  }
  const { symbol, color } = RESULT_STATES[state]
  const content = (
    <>
      {symbol} {score ?? state}
      {change}
    </>
  )
  return { className: color, content }
}

/** The pass rate or mean, and its difference to the baseline. */
function Aggregate({ evaluator, decimals }: { evaluator: EvaluatorSummary; decimals: number }) {
  const { pass_rate, mean, threshold, texts, base, higher_is_better } = evaluator
  if (pass_rate === null && mean === null)
    return texts > 0 ? <>{formatCount(texts)} labels</> : <>no results</>
  // With a threshold, the pass rate and the difference of the scores have different units.
  const isDeltaOfPassRate = pass_rate !== null && threshold === null
  return (
    <>
      <strong>{pass_rate === null ? formatScore(mean ?? 0, decimals) : formatPercent(pass_rate)}</strong>
      {typeof base?.delta === 'number' && (
        <>
          {' '}
          <Delta
            difference={base.delta}
            higherIsBetter={higher_is_better}
            direction={base.outcome}
            format={isDeltaOfPassRate ? formatPoints : (delta) => formatScore(delta, decimals)}
          />
          {pass_rate !== null && !isDeltaOfPassRate && ' mean'}
        </>
      )}
    </>
  )
}

/** The number of regressed and improved rows. A click filters by them. */
function ChangeCounts({ evaluator, context }: { evaluator: EvaluatorSummary; context: EvaluationContext }) {
  const { base, name, higher_is_better } = evaluator
  const changeParams = useChangeSearchParams()
  if (!base?.n) return null
  const sides = [
    ['worse', 'regressed', '▼', base.regressed, higher_is_better ? 'lt.0' : 'gt.0'],
    ['better', 'improved', '▲', base.improved, higher_is_better ? 'gt.0' : 'lt.0'],
  ] as const
  return sides.map(([className, change, arrow, rows, side]) => (
    <button
      key={side}
      type="button"
      data-stop=""
      className={`plain ${styles.changeCount} ${className}`}
      aria-label={`Show ${formatCount(rows)} rows that ${change} on ${name}`}
      title={`Show rows that ${change}`}
      // Also removes the selected state, so that all counted rows are shown.
      onClick={() => changeParams({ ...stateChange(context), [`delta.${name}`]: side })}
    >
      {arrow}
      {formatCount(rows)}
    </button>
  ))
}
