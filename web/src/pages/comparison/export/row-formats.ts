// Converts joined rows for export: to the JSON of the API with full texts, or to CSV cells.
import type { CsvCell } from '../../../export/csv.ts'
import { compactText } from '../../../format/value-text.ts'
import { outputTotal, resultValue } from '../../../results/cells.ts'
import type { JoinedRow } from '../queries.ts'
import { scenarioAt } from '../table/context.ts'

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

interface CsvColumn {
  name: string
  cell: (row: JoinedRow) => CsvCell
}

export function csvColumns({ evaluations, inputs, evaluators }: CsvNames): CsvColumn[] {
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
