// The column types that all tables of scenarios have: inputs, outputs and expected answers.
import { previewText } from '../../format/value-text.ts'
import {
  expectedValue,
  inputValue,
  outputValue,
  type ScenarioRow,
  type ScenarioValue,
} from '../../results/cells.ts'
import { StateIcon } from '../../results/state-icon.tsx'
import styles from '../table.module.css'
import { shortWidth } from './column-layout.ts'
import type { Cell, Column, ColumnShape, ColumnType, ColumnWidth } from './column-type.ts'

interface ScenarioNames {
  inputs: readonly string[]
  /** The names of the expected answers. A single one needs no name. */
  expected?: readonly string[]
}

/** `scenarioOf` returns the scenario that a column shows; undefined or null if the row has none. */
export function scenarioColumns<Row, Context extends { output: number }>(
  scenarioOf: (row: Row, column: Column) => ScenarioRow | null | undefined,
) {
  type TextColumn = ColumnType<Row, ScenarioNames, Context>
  /** A column type that shows a text, or a dash if there is none. By default a single column that is named like the kind. */
  function scenarioColumn(
    label: string,
    read: (scenario: ScenarioRow, column: Column, context: Context) => ScenarioValue | undefined,
    options: Partial<TextColumn>,
  ): TextColumn {
    const readValue = (row: Row, column: Column, context: Context) => {
      const scenario = scenarioOf(row, column)
      return scenario ? read(scenario, column, context) : undefined
    }
    return {
      label,
      columns: () => [{ key: label, name: label }],
      width: textWidth,
      align: 'left',
      cell: (...args) => textCell(readValue(...args)),
      value: (...args) => readValue(...args)?.value,
      header: ({ name }) => (name === label ? null : label),
      sort: () => [],
      ...options,
    }
  }
  return {
    input: scenarioColumn('input', (scenario, { name }) => inputValue(scenario, name), {
      columns: ({ inputs }) => inputs.map((name) => ({ key: `input.${name}`, name })),
      align: 'auto',
    }),
    output: scenarioColumn('output', (scenario, _, { output }) => outputValue(scenario, output), {
      width: (column) => (column.isPinned ? PINNED_WIDTH : LONG_TEXT_WIDTH),
    }),
    expected: scenarioColumn(
      'expected',
      (scenario, { key, name }) => expectedValue(scenario, key === 'expected' ? undefined : name),
      {
        columns: ({ expected = [] }) =>
          expected.length < 2
            ? [{ key: 'expected', name: 'expected' }]
            : expected.map((name) => ({ key: `expected.${name}`, name })),
      },
    ),
  }
}

const PINNED_WIDTH: ColumnWidth = [240, 0]
const LONG_TEXT_WIDTH: ColumnWidth = [220, 2]
/** Longer texts are sentences. */
const MAX_PHRASE_LENGTH = 40

/** Sentences need more width than phrases. Structured values are read in the row panel. */
function textWidth({ name, isPinned }: Column, shape: ColumnShape | undefined): ColumnWidth {
  const shortPx = shortWidth(name, shape?.longest)
  if (shortPx !== undefined) return [shortPx, 0]
  if (isPinned) return PINNED_WIDTH
  const isLongText = shape && !shape.isStructured && shape.longest > MAX_PHRASE_LENGTH
  return isLongText ? LONG_TEXT_WIDTH : [150, 1]
}

const MAX_TOOLTIP = 500
/** An image in a `data:` URI. Its text says nothing, and its size is not in the preview of a row. */
const IMAGE = /^data:(image\/[\w.+-]+);base64,/

function textCell(value: ScenarioValue | undefined): Cell {
  if (!value) return { className: 'quiet', content: '–' }
  const text = previewText(value.value, value.isCut)
  if (value.isError) {
    const content = (
      <>
        <StateIcon state="error" /> {text}
      </>
    )
    return { className: styles.error, content, title: text.slice(0, MAX_TOOLTIP) }
  }
  if (value.isToolCall) {
    const content = (
      <>
        <code>{text}</code> <span className="muted">tool call</span>
      </>
    )
    return { content }
  }
  const mediaType = IMAGE.exec(text)?.[1]
  if (mediaType !== undefined) return { className: 'muted', content: mediaType }
  return { content: text }
}
