// Groups the compared evaluations by equal inputs or equal expected answers.
import type { NamedValue } from '../../../row-panel/value-box.tsx'
import type { EvaluationRow } from '../row-data.ts'

type Scenario = NonNullable<EvaluationRow['scenario']>

const READERS = {
  Input: ({ inputs }: Scenario): NamedValue[] => inputs,
  /** A single answer needs no name. */
  Expected: ({ correct_answers: answers }: Scenario): NamedValue[] =>
    (answers ?? []).map(({ key, value }) => ({ name: answers?.length === 1 ? '' : key, value })),
}
export type ValueKind = keyof typeof READERS

interface ValueGroup {
  /** The evaluations that have these values. */
  names: string[]
  values: NamedValue[]
}

/** One group if all evaluations that have the row also have the same values. */
export function valueGroupsOf(
  evaluationRows: readonly Pick<EvaluationRow, 'scenario' | 'shortName'>[],
  kind: ValueKind,
): ValueGroup[] {
  const groups = new Map<string, ValueGroup>()
  for (const { scenario, shortName } of evaluationRows) {
    if (!scenario) continue
    const values = READERS[kind](scenario)
    // Numbers keep their digits, so that values which differ only beyond a double are different.
    const key = JSON.stringify(values)
    const group = groups.get(key) ?? { names: [], values }
    group.names.push(shortName)
    groups.set(key, group)
  }
  return [...groups.values()]
}
