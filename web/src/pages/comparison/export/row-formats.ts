// Converts joined rows for export: to the JSON of the API with full texts, or to CSV cells.
import type { CsvCell } from '../../../export/csv.ts'
import { numberOf } from '../../../format/exact-json.ts'
import { compactText } from '../../../format/value-text.ts'
import type { JoinedRow } from '../row-data.ts'

type Scenario = NonNullable<JoinedRow['base']>

/** Names for the CSV columns. */
export interface CsvNames {
  /** Evaluation ids, the baseline first. */
  evaluations: readonly string[]
  inputs: readonly string[]
  evaluators: readonly string[]
}

/** Without `cut`: exported texts are never truncated. */
export function exportedRow({ base, candidates }: JoinedRow): object {
  const withoutCut = (scenario: Scenario | null) => scenario && { ...scenario, cut: undefined }
  return {
    base: withoutCut(base),
    candidates: candidates.map((candidate) => ({ ...candidate, row: withoutCut(candidate.row) })),
  }
}

export function csvHeader({ evaluations, inputs, evaluators }: CsvNames): string[] {
  return [
    ...inputs.map((name) => `input.${name}`),
    'expected',
    ...evaluations.flatMap((id, side) => [
      `${id}.id`,
      ...(side === 0 ? [] : [`${id}.class`, `${id}.delta`, `${id}.output_changed`]),
      `${id}.output`,
      ...evaluators.map((name) => `${id}.result.${name}`),
      `${id}.latency`,
      `${id}.cost`,
    ]),
  ]
}

export function csvCells(row: JoinedRow, { inputs, evaluators }: CsvNames): CsvCell[] {
  const firstRow = row.base ?? row.candidates[0]?.row
  const sides = [row.base, ...row.candidates.map((candidate) => candidate.row)]
  return [
    ...inputs.map((name) => csvValue(firstRow?.inputs.find((input) => input.name === name)?.value)),
    expectedOf(firstRow),
    ...sides.flatMap((scenario, side) => [
      scenario?.id ?? null,
      ...(side === 0 ? [] : changeCells(row.candidates[side - 1])),
      outputOf(scenario),
      ...evaluators.map((name) => resultOf(scenario, name)),
      outputTotal(scenario, 'latency'),
      outputTotal(scenario, 'cost'),
    ]),
  ]
}

function changeCells(candidate: JoinedRow['candidates'][number] | undefined): CsvCell[] {
  const { output_changed = null, delta = null } = candidate ?? {}
  return [candidate?.class ?? null, csvValue(delta), csvValue(output_changed)]
}

/** A single answer as its value, several as JSON. */
function expectedOf(scenario: Scenario | null | undefined): CsvCell {
  const answers = scenario?.correct_answers ?? []
  return csvValue(answers.length > 1 ? answers : answers[0]?.value)
}

/** A single output as its value, several as JSON. */
function outputOf(scenario: Scenario | null): CsvCell {
  const outputs = (scenario?.outputs ?? []).map(({ result }) => result.error?.message ?? result.value)
  return csvValue(outputs.length > 1 ? outputs : outputs[0])
}

function resultOf(scenario: Scenario | null, evaluator: string): CsvCell {
  const result = scenario?.results.find((item) => item.evaluator_config === evaluator)?.result
  return csvValue(result?.error?.message ?? result?.value)
}

/** Sum over all outputs. */
function outputTotal(scenario: Scenario | null, kind: 'latency' | 'cost'): CsvCell {
  const values = (scenario?.outputs ?? []).flatMap((output) => numberOf(output[kind]) ?? [])
  return values.length === 0 ? null : values.reduce((sum, value) => sum + value, 0)
}

/** Numbers keep their exact digits. */
function csvValue(value: unknown): CsvCell {
  return value === null || value === undefined ? null : compactText(value)
}
