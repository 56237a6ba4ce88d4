// Reads all joined rows of the view in windows, with full texts, and serializes them.
import type { ComparisonRows } from 'assay-client'
import { parseExactly } from '../../../../../src/json/exact-values.ts'
import { assay } from '../../../api/client.ts'
import { type CsvCell, csvLine, escapeFormula } from '../../../export/csv.ts'
import type { ReadOptions } from '../../../export/save-rows.ts'
import { compactText } from '../../../format/value-text.ts'
import { outputTotal, resultValue } from '../../../results/cells.ts'
import { type JoinedRow, type RowQuery, rowParams } from '../queries.ts'
import { scenarioAt } from '../table/context.ts'

const ROWS_PER_REQUEST = 500
/** Longer texts are truncated in the row and read with a separate request. */
const PREVIEW_LENGTH = 100_000

export async function* readRows(query: RowQuery, names: CsvNames, options: ReadOptions) {
  const { format, isExcelSafe } = options
  const encoder = new TextEncoder()
  const columns = csvColumns(names)
  let isFirst = true
  const tableLine = (cells: CsvCell[]) => csvLine(isExcelSafe ? cells.map(escapeFormula) : cells)
  function serialize(row: JoinedRow): string {
    if (format === 'csv') return tableLine(columns.map(({ cell }) => cell(row)))
    const text = JSON.stringify(exportedRow(row))
    if (format === 'ndjson') return `${text}\n`
    const prefix = isFirst ? '[\n' : ',\n'
    isFirst = false
    return prefix + text
  }
  if (format === 'csv') yield encoder.encode(tableLine(columns.map(({ name }) => name)))
  for await (const rows of readWindows(query, options)) yield encoder.encode(rows.map(serialize).join(''))
  if (format === 'json') yield encoder.encode(isFirst ? '[]\n' : '\n]\n')
}

async function* readWindows(
  query: RowQuery,
  options: Pick<ReadOptions, 'limit' | 'signal'>,
): AsyncGenerator<JoinedRow[]> {
  const { limit = Infinity, signal } = options
  let total: number | undefined
  for (let offset = 0; offset < Math.min(limit, total ?? Infinity); offset += ROWS_PER_REQUEST) {
    const size = Math.min(limit - offset, ROWS_PER_REQUEST)
    const params = { ...rowParams(query), offset, limit: size, preview: PREVIEW_LENGTH }
    const response = parseExactly(await assay.listComparisonRowsText(params, { signal })) as ComparisonRows
    total ??= response.total
    if (response.total !== total) throw new Error('The rows changed during the export. Try again.')
    for (const row of response.rows) await loadFullTexts(row, query.evaluations, signal)
    yield response.rows
  }
}

/** Replaces scenarios that have truncated texts with the full scenarios. */
async function loadFullTexts(
  row: JoinedRow,
  evaluations: readonly string[],
  signal: AbortSignal,
): Promise<void> {
  const withFullTexts = async <Scenario extends JoinedRow['base']>(scenario: Scenario, side: number) => {
    if (!scenario || scenario.cut.length === 0) return scenario
    const text = await assay.getEvaluationScenarioText(evaluations[side] ?? '', scenario.id, {}, { signal })
    const { evaluation_id: _, ...fullScenario } = parseExactly(text) as Record<string, unknown>
    return { ...scenario, ...fullScenario } as Scenario
  }
  row.base = await withFullTexts(row.base, 0)
  for (const [index, candidate] of row.candidates.entries()) {
    candidate.row = await withFullTexts(candidate.row, index + 1)
  }
}

type Scenario = NonNullable<JoinedRow['base']>

/** Names for the CSV columns. */
interface CsvNames {
  /** Evaluation ids, the baseline first. */
  evaluations: readonly string[]
  inputs: readonly string[]
  evaluators: readonly string[]
}

/** Without what describes truncated texts: exported texts are complete. */
function exportedRow({ base, candidates }: JoinedRow): object {
  const withoutCut = (scenario: Scenario | null) =>
    scenario && { ...scenario, cut: undefined, conversations: undefined }
  return {
    base: withoutCut(base),
    candidates: candidates.map((candidate) => ({ ...candidate, row: withoutCut(candidate.row) })),
  }
}

interface CsvColumn {
  name: string
  cell: (row: JoinedRow) => CsvCell
}

function csvColumns({ evaluations, inputs, evaluators }: CsvNames): CsvColumn[] {
  const column = (name: string, value: (row: JoinedRow) => unknown): CsvColumn => ({
    name,
    cell: (row) => csvCell(value(row)),
  })
  return [
    ...inputs.map((name) =>
      column(
        `input.${name}`,
        (row) => scenarioAt(row, undefined)?.inputs.find((input) => input.name === name)?.value,
      ),
    ),
    column('expected', (row) => expectedOf(scenarioAt(row, undefined))),
    ...evaluations.flatMap((id, index) => {
      const candidate = (row: JoinedRow) => row.candidates[index - 1]
      const scenario = (row: JoinedRow) => scenarioAt(row, index)
      return [
        column(`${id}.id`, (row) => scenario(row)?.id),
        ...(index === 0
          ? []
          : [
              column(`${id}.class`, (row) => candidate(row)?.class),
              column(`${id}.delta`, (row) => candidate(row)?.delta),
              column(`${id}.output_changed`, (row) => candidate(row)?.output_changed),
            ]),
        column(`${id}.output`, (row) => outputOf(scenario(row))),
        ...evaluators.map((name) =>
          column(`${id}.result.${name}`, (row) => resultValue(scenario(row), name)),
        ),
        column(`${id}.latency`, (row) => outputTotal(scenario(row), 'latency')),
        column(`${id}.cost`, (row) => outputTotal(scenario(row), 'cost')),
      ]
    }),
  ]
}

/** A single answer as its value, several as JSON. */
function expectedOf(scenario: Scenario | null): unknown {
  const answers = scenario?.correct_answers ?? []
  return answers.length > 1 ? answers : answers[0]?.value
}

/** A single output as its value, several as JSON. */
function outputOf(scenario: Scenario | null): unknown {
  const outputs = (scenario?.outputs ?? []).map(({ result }) => result.error?.message ?? result.value)
  return outputs.length > 1 ? outputs : outputs[0]
}

/** Numbers keep their exact digits. */
function csvCell(value: unknown): CsvCell {
  return value === null || value === undefined ? null : compactText(value)
}
