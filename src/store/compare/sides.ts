// Reads the metadata of the evaluations in a comparison: versions, names, evaluators and declared directions.

import type { Comparison } from '../../schema/comparisons.ts'
import type { EvaluationStatus } from '../../schema/evaluations.ts'
import { Semaphore } from '../../semaphore.ts'
import type { Connection } from '../dialect/dialect.ts'
import {
  type DeclaredEvaluator,
  parseDeclaredEvaluators,
  parseDirectedEvaluators,
} from '../evaluations/evaluators.ts'
import { getColumnOrdinals } from '../scenarios/columns.ts'
import type { StoredScenarios } from './rows/rows.ts'

/** One evaluation in a comparison. */
export interface Side extends StoredScenarios {
  /** Changes whenever its rows change. */
  version: string
  info: Omit<Comparison['evaluations'][number], 'row_count'>
  /** The names of its evaluators. */
  evaluators: string[]
  /** The ordinals of its evaluators and inputs in the database, by name. */
  ordinals: Map<string, number>
  inputOrdinals: Map<string, number>
  declared: Map<string, DeclaredEvaluator>
  /** The evaluators that declare a direction or a threshold. */
  directed: ReadonlySet<string>
  run: Pick<EvaluationRow, 'status' | 'expected_count' | 'created_at' | 'label' | 'provider'>
  /** The status that its tool reported, unless the run succeeded. */
  unfinishedStatus: string | undefined
}

/** The baseline and at least one candidate. */
export type Sides = [baseline: Side, ...candidates: Side[]]

export async function readSides(
  connection: Connection,
  evaluations: Pick<Side, 'key' | 'count'>[],
): Promise<Sides> {
  const sides: Side[] = []
  for (const evaluation of evaluations) sides.push(await readSide(connection, evaluation))
  return sides as Sides
}

/** The names of all evaluators: those of the baseline, then those that only candidates have. */
export function listEvaluators(sides: Sides): string[] {
  return [...new Set(sides.flatMap(({ evaluators }) => evaluators))]
}

type EvaluationRow = Omit<Side['info'], 'inputs'> & {
  version: string
  status: EvaluationStatus
  expected_count: number | null
  created_at: string
  label: string | null
  provider: string | null
  position_count: number
  evaluators: string | null
  metadata: string | null
}

/** Metadata can be large, so it is read only for the tool that reports a run status in it. */
const READ_EVALUATION = `SELECT version, id, name, variant_id, revision, scenario_count, status, expected_count,
  created_at, label, provider, evaluators,
  coalesce((SELECT max(position) FROM measure WHERE measure.evaluation = evaluation.key), -1) + 1 AS position_count,
  CASE WHEN substr(source, 1, 10) = 'Inspect AI' THEN metadata END AS metadata FROM evaluation WHERE key = ?`

async function readSide(connection: Connection, { key, count }: Pick<Side, 'key' | 'count'>): Promise<Side> {
  const row = await connection.get<EvaluationRow>(READ_EVALUATION, key)
  if (!row) throw new Error(`The evaluation with the key ${key} does not exist`)
  const { version, position_count, status, expected_count, created_at, label, provider, ...others } = row
  const { evaluators, metadata, ...info } = others
  const { status: toolStatus } = JSON.parse(metadata ?? '{}') as { status?: unknown }
  const { score: ordinals, input: inputs } = await getColumnOrdinals(connection, key)
  return {
    key,
    count,
    positionCount: position_count,
    version,
    info: { ...info, inputs: [...inputs.keys()] },
    evaluators: [...ordinals.keys()],
    ordinals,
    inputOrdinals: inputs,
    declared: parseDeclaredEvaluators(evaluators),
    directed: parseDirectedEvaluators(evaluators),
    run: { status, expected_count, created_at, label, provider },
    unfinishedStatus: typeof toolStatus === 'string' && toolStatus !== 'success' ? toolStatus : undefined,
  }
}

/** Uses the declaration of the baseline, otherwise that of the candidate. By default, higher is better. */
export function isHigherBetter(baseline: Side, candidate: Side, name = ''): boolean {
  return (baseline.declared.get(name) ?? candidate.declared.get(name))?.higher_is_better ?? true
}

/** More would only keep the rows of more evaluations in memory. */
const MAX_READS = 2

/** Computes something about each of several evaluations while the database reads the next one. */
export async function mapAhead<Item, Result>(
  items: readonly Item[],
  compute: (item: Item) => Promise<Result>,
): Promise<Result[]> {
  const reads = new Semaphore(MAX_READS)
  const results = await Promise.allSettled(items.map((item) => reads.run(() => compute(item))))
  // Only after all have ended, so that none reads from a snapshot that its query has closed.
  return results.map((result) => {
    if (result.status === 'rejected') throw result.reason
    return result.value
  })
}
