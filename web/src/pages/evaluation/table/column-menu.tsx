// The menu of a column: sort, changed rows, hide, pin, copy, width, settings of its kind, distribution.
import { useNavigate } from '@tanstack/react-router'
import { ArrowDown, ArrowUp, ChartBarDecreasing, Copy, EyeOff, Pin, PinOff, Scale } from 'lucide'
import type { MouseEvent } from 'react'
import { assay } from '../../../api/client.ts'
import { pluralize } from '../../../format/numbers.ts'
import { compactText } from '../../../format/value-text.ts'
import { scenarioParams } from '../../../queries/rows-call.ts'
import type { Row } from '../../../results/cells.ts'
import { useChangeSearchParams } from '../../../state/search-params.ts'
import type { ColumnChoice } from '../../../table/columns/column-choice.ts'
import type { Column } from '../../../table/columns/column-type.ts'
import { Button } from '../../../ui/button.tsx'
import { Histogram, HistogramTable, histogramLabel } from '../../../ui/charts/histogram.tsx'
import { Triangle } from '../../../ui/icon.tsx'
import { MenuItem, MenuItems, MenuSeparator } from '../../../ui/menus/menu.tsx'
import { toast } from '../../../ui/messages/toasts.tsx'
import { changeFilter, stateChange } from '../filters/state-filter.ts'
import { histogramProps, useApplyFilter } from '../metrics/metric-strip.tsx'
import { metricsOf } from '../metrics/metrics.ts'
import styles from './column-menu.module.css'
import { COLUMN_TYPES, type Kind } from './column-types.tsx'
import type { EvaluationContext } from './context.ts'
import { InputValues } from './input-values.tsx'

interface ColumnMenuProps {
  column: Column<Kind>
  choice: ColumnChoice<Kind>
  context: EvaluationContext
}

export function ColumnMenu({ column, choice, context }: ColumnMenuProps) {
  const { key, isPinned } = column
  const { menu, value } = COLUMN_TYPES[column.kind]
  const otherKeys = choice.chosenColumns.map((chosen) => chosen.key).filter((other) => other !== key)
  return (
    <div className={styles.columnMenu}>
      <SortItems column={column} context={context} />
      {column.kind === 'input' && <InputValues input={column.key} context={context} />}
      <ChangedRows column={column} context={context} />
      <MenuItems>
        <BreakdownItem column={column} context={context} />
        <AgreementItem column={column} context={context} />
        <MenuItem icon={EyeOff} disabled={otherKeys.length === 0} onClick={() => choice.choose(otherKeys)}>
          Hide
        </MenuItem>
        <MenuItem icon={isPinned ? PinOff : Pin} onClick={() => choice.pin(key, !isPinned)}>
          {isPinned ? 'Unpin' : 'Pin left'}
        </MenuItem>
        <MenuItem
          icon={Copy}
          onClick={() => copyColumn(column.name, context, (row) => value(row, column, context))}
        >
          Copy values
        </MenuItem>
      </MenuItems>
      <WidthButtons column={column} choice={choice} />
      {menu?.(column, context)}
      <Distribution column={column} context={context} />
    </div>
  )
}

type ColumnProps = Pick<ColumnMenuProps, 'column' | 'context'>

function SortItems({ column, context }: ColumnProps) {
  const changeParams = useChangeSearchParams()
  const orders = COLUMN_TYPES[column.kind].sort(column, context)
  if (orders.length === 0) return null
  return (
    <MenuItems>
      {orders.flatMap((name) =>
        (['asc', 'desc'] as const).map((direction) => {
          const order = `${name}.${direction}`
          return (
            <MenuItem
              key={order}
              icon={direction === 'asc' ? ArrowUp : ArrowDown}
              isChosen={context.query.order === order}
              onClick={() => changeParams({ order })}
            >
              Sort {name.startsWith('delta.') && 'by change, '}
              {direction}ending
            </MenuItem>
          )
        }),
      )}
      <MenuSeparator />
    </MenuItems>
  )
}

/** The evaluator of the breakdown does not explain itself. */
function BreakdownItem({ column: { kind, key, name }, context }: ColumnProps) {
  const changeParams = useChangeSearchParams()
  const canExplain = kind === 'input' || (kind === 'result' && name !== context.activeEvaluator)
  if (!canExplain) return null
  return (
    <MenuItem icon={ChartBarDecreasing} onClick={() => changeParams({ breakdown: key, group: undefined })}>
      Break down by {name}
    </MenuItem>
  )
}

/** Compares the evaluator with people, if their results are declared. */
function AgreementItem({ column: { kind, name }, context: { id, evaluation } }: ColumnProps) {
  const navigate = useNavigate()
  const people = evaluation?.evaluators?.filter((evaluator) => evaluator.kind === 'human') ?? []
  const isPerson = people.some((person) => person.name === name)
  if (kind !== 'result' || people.length === 0 || (isPerson && people.length === 1)) return null
  return (
    <MenuItem
      icon={Scale}
      onClick={() =>
        navigate({
          to: '/evaluations/$evaluationId/agreement',
          params: { evaluationId: id },
          search: { evaluator: name },
        })
      }
    >
      Agreement with people
    </MenuItem>
  )
}

/** Filters by the rows that regressed or improved. */
function ChangedRows({ column, context }: ColumnProps) {
  const changeParams = useChangeSearchParams()
  const evaluator = context.summary?.evaluators.find(({ name }) => `result.${name}` === column.key)
  if (!evaluator?.base?.n) return null
  const { regressed, improved, unclear } = evaluator.base
  // The filter by change would include rows whose change is not clear.
  if (unclear > 0) return null
  const changes = [
    { change: 'regressed', direction: 'worse', rows: regressed },
    { change: 'improved', direction: 'better', rows: improved },
  ] as const
  return (
    <MenuItems>
      {changes.map(({ change, direction, rows }) => (
        <MenuItem
          key={change}
          disabled={rows === 0}
          // Also removes the selected state, so that all counted rows are shown.
          onClick={() =>
            changeParams({
              ...stateChange(context),
              ...changeFilter(evaluator, change),
              on: evaluator.name,
            })
          }
        >
          <span className={direction}>
            <Triangle direction={direction} />
          </span>
          {pluralize(rows, 'row')} {change}
        </MenuItem>
      ))}
      <MenuSeparator />
    </MenuItems>
  )
}

function Distribution({ column, context }: ColumnProps) {
  const applyFilter = useApplyFilter(context)
  const metrics = context.summary ? metricsOf(context.summary) : []
  const metric = metrics.find(({ filter }) => filter === column.key)
  if (!metric || metric.verdicts) return null
  const bars = histogramProps(metric, applyFilter)
  return (
    <div className={styles.distribution}>
      <Histogram {...bars} />
      <p className="quiet">
        {metric.summary}. {histogramLabel(bars)}.
      </p>
      <details>
        <summary>As a table</summary>
        <HistogramTable {...bars} />
      </details>
    </div>
  )
}

const WIDTH_STEP_PX = 40

function WidthButtons({ column: { key, chosenWidth }, choice }: Pick<ColumnMenuProps, 'column' | 'choice'>) {
  const changeWidth = (by: number) => (event: MouseEvent) => {
    const header = event.currentTarget.closest<HTMLElement>('[role=columnheader]')
    if (header) choice.resize(key, header.offsetWidth + by)
  }
  return (
    <div className={styles.setting}>
      <span>Width</span>
      <Button size="small" data-keep-open="" onClick={changeWidth(-WIDTH_STEP_PX)}>
        Narrower
      </Button>
      <Button size="small" data-keep-open="" onClick={changeWidth(WIDTH_STEP_PX)}>
        Wider
      </Button>
      {chosenWidth !== undefined && (
        <Button size="small" data-keep-open="" onClick={() => choice.resize(key, undefined)}>
          Reset
        </Button>
      )}
    </div>
  )
}

const MAX_VALUES = 100_000

async function copyColumn(
  name: string,
  { id, query }: Pick<EvaluationContext, 'id' | 'query'>,
  readValue: (row: Row) => unknown,
): Promise<void> {
  let [values, isComplete] = [0, true]
  async function readLines(): Promise<Blob> {
    const lines: string[] = []
    for await (const scenario of assay.scenarios(id, scenarioParams(query))) {
      isComplete = lines.length < MAX_VALUES
      if (!isComplete) break
      lines.push(lineOf(readValue({ ...scenario, position: 0, cut: [] })))
    }
    values = lines.length
    return new Blob([lines.join('\n')], { type: 'text/plain' })
  }
  try {
    // Write a promise: the permission to copy expires a few seconds after the click.
    await navigator.clipboard.write([new ClipboardItem({ 'text/plain': readLines() })])
    toast(`Copied ${isComplete ? '' : 'the first '}${pluralize(values, 'value')} of ${name}, one per line.`)
  } catch {
    toast(`Could not copy ${name}.`)
  }
}

/** Multi-line texts are written as JSON strings. */
function lineOf(value: unknown): string {
  const text = value === undefined || value === null ? '' : compactText(value)
  return /[\r\n]/.test(text) ? JSON.stringify(text) : text
}
