// A joined row as a file has it: as the API answers it but whole, or as a line of cells.
import type { CsvCell } from '../format/csv.ts'
import { numberOf } from '../format/exact.ts'
import { onLine } from '../format/values.ts'
import type { JoinedRow } from './opened-row.ts'

type Scenario = NonNullable<JoinedRow['base']>

/** What the columns of a CSV are called by. */
export interface CsvNames {
  /** Ids of evaluations, the base first. */
  evaluations: readonly string[]
  inputs: readonly string[]
  evaluators: readonly string[]
}

/** Without what is only about texts that were cut. */
export function exportedRow({ base, candidates }: JoinedRow): object {
  const whole = (scenario: Scenario | null) => scenario && { ...scenario, cut: undefined }
  return {
    base: whole(base),
    candidates: candidates.map((candidate) => ({ ...candidate, row: whole(candidate.row) })),
  }
}

export function csvHead({ evaluations, inputs, evaluators }: CsvNames): string[] {
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
  const first = row.base ?? row.candidates[0]?.row
  const sides = [row.base, ...row.candidates.map((candidate) => candidate.row)]
  return [
    ...inputs.map((name) => written(first?.inputs.find((input) => input.name === name)?.value)),
    expectedOf(first),
    ...sides.flatMap((scenario, side) => [
      scenario?.id ?? null,
      ...(side === 0 ? [] : changeCells(row.candidates[side - 1])),
      outputOf(scenario),
      ...evaluators.map((name) => resultOf(scenario, name)),
      figureOf(scenario, 'latency'),
      figureOf(scenario, 'cost'),
    ]),
  ]
}

function changeCells(candidate: JoinedRow['candidates'][number] | undefined): CsvCell[] {
  const { output_changed = null, delta = null } = candidate ?? {}
  return [candidate?.class ?? null, written(delta), written(output_changed)]
}

/** One answer as it is, several as JSON. */
function expectedOf(scenario: Scenario | null | undefined): CsvCell {
  const answers = scenario?.correct_answers ?? []
  return written(answers.length > 1 ? answers : answers[0]?.value)
}

/** One output as it is, several as JSON. */
function outputOf(scenario: Scenario | null): CsvCell {
  const outputs = (scenario?.outputs ?? []).map(({ result }) => result.error?.message ?? result.value)
  return written(outputs.length > 1 ? outputs : outputs[0])
}

function resultOf(scenario: Scenario | null, evaluator: string): CsvCell {
  const result = scenario?.results.find((one) => one.evaluator_config === evaluator)?.result
  return written(result?.error?.message ?? result?.value)
}

/** Of all outputs together. */
function figureOf(scenario: Scenario | null, kind: 'latency' | 'cost'): CsvCell {
  const figures = (scenario?.outputs ?? []).flatMap((output) => numberOf(output[kind]) ?? [])
  return figures.length === 0 ? null : figures.reduce((sum, one) => sum + one, 0)
}

/** Numbers keep the digits they were written with. */
function written(value: unknown): CsvCell {
  return value === null || value === undefined ? null : onLine(value)
}
