// Reads the scenarios of an evaluation as stored text.
import { createHash } from 'node:crypto'
import { Problem } from '../../errors.ts'
import { isId } from '../../schema/ids.ts'
import { type ResourceChange, updateResource } from '../changes/record.ts'
import type { Connection, Transaction } from '../dialect/dialect.ts'
import type { ElementTable } from '../reads/elements.ts'
import { readRowsAt } from '../reads/in-list.ts'
import { hasGivenId } from './generated-ids.ts'

export const SCENARIOS: ElementTable = {
  table: 'scenario',
  parent: 'evaluation',
  position: 'position',
  element: 'body',
}

/** Optional members of scenarios, inserted before the closing brace of the body: `has_generated_id` only if it is true. */
export type ScenarioMember = 'extra' | 'has_generated_id'

export function scenariosWith(members: ReadonlySet<ScenarioMember>): ElementTable {
  if (members.size === 0) return SCENARIOS
  const extra = members.has('extra') ? ` || ',"extra":' || coalesce(extra, 'null')` : ''
  const end = members.has('has_generated_id')
    ? `CASE WHEN ${hasGivenId('scenario')} THEN '}' ELSE ',"has_generated_id":true}' END`
    : `'}'`
  return { ...SCENARIOS, element: `substr(body, 1, length(body) - 1)${extra} || ${end}` }
}

interface SizeChange {
  /** How many more scenarios the evaluation has. */
  count?: number
  /** How many more bytes their bodies have. */
  bytes: number
  /** The position of the next scenario. By default, it does not change. */
  nextPosition?: number
}

/** Assigns a new version, updates the size and records the change. Call it after every change of an evaluation's content. */
export async function recordContentChange(
  transaction: Transaction,
  evaluation: number,
  change: ResourceChange,
  { count = 0, bytes, nextPosition }: SizeChange,
): Promise<void> {
  await updateResource(transaction, 'evaluation', evaluation, change, {
    set: [
      'scenario_count = scenario_count + ?, body_bytes = body_bytes + ?, next_position = coalesce(?, next_position)',
      count,
      bytes,
      nextPosition ?? null,
    ],
  })
}

export const FIND_SCENARIO = 'SELECT position, body, extra FROM scenario WHERE evaluation = ? AND id = ?'

export interface StoredScenario {
  position: number
  /** The JSON text of the scenario, and of its extra data. */
  body: string
  extra: string | null
}

/** The texts of scenarios, by position. */
export function readTextsAt(
  connection: Connection,
  evaluation: number,
  positions: number[],
): Promise<Map<number, StoredScenario>> {
  return readRowsAt<StoredScenario>(connection, 'scenario', 'body, extra', evaluation, positions)
}

/** Throws scenario-not-found. */
export async function getScenario(
  connection: Connection,
  evaluation: number,
  id: string,
): Promise<StoredScenario> {
  const scenario = isId(id) ? await connection.get<StoredScenario>(FIND_SCENARIO, evaluation, id) : undefined
  if (scenario) return scenario
  throw scenarioNotFoundError(id)
}

export function scenarioNotFoundError(id: string): Problem {
  return new Problem('scenario-not-found', `This evaluation has no scenario with the id '${id}'.`)
}

/** The text of a scenario as in scenariosWith, with `extra`. */
export function textWithExtra({ body, extra }: StoredScenario): string {
  return `${body.slice(0, -1)},"extra":${extra ?? 'null'}}`
}

/** A version of one scenario: it changes only with the content of this scenario, and has the form of other versions. */
export function scenarioVersion({ body, extra }: Pick<StoredScenario, 'body' | 'extra'>): string {
  // Stored texts contain no line feed.
  const digest = createHash('sha256')
    .update(`${body}\n${extra ?? ''}`)
    .digest()
  return digest.subarray(0, 12).toString('base64url')
}

/** The position of the last scenario, or -1 if there is none. */
export async function getLastPosition(connection: Connection, evaluation: number): Promise<number> {
  const row = await connection.get<{ position: number | null }>(
    'SELECT max(position) AS position FROM scenario WHERE evaluation = ?',
    evaluation,
  )
  return row?.position ?? -1
}

/** The position of the next scenario. The positions of deleted scenarios are not used again. */
export async function getNextPosition(connection: Connection, evaluation: number): Promise<number> {
  const row = await connection.get<{ next_position: number }>(
    'SELECT next_position FROM evaluation WHERE key = ?',
    evaluation,
  )
  return row?.next_position ?? 0
}

/** Scenarios per batch. Small, because one body can be several megabytes. */
const BATCH_SIZE = 50

/** All scenarios of an evaluation in order. `columns` and `joins` are SQL for further columns. */
export async function* readScenarioBatches<Row extends { position: number }>(
  connection: Connection,
  evaluation: number,
  columns: string,
  joins = '',
): AsyncGenerator<Row[]> {
  for (let after = -1; ; ) {
    const rows = await connection.all<Row>(
      `SELECT scenario.position AS position, ${columns} FROM scenario ${joins}
       WHERE scenario.evaluation = ? AND scenario.position > ? ORDER BY scenario.position LIMIT ?`,
      evaluation,
      after,
      BATCH_SIZE,
    )
    if (rows.length === 0) return
    yield rows
    after = rows.at(-1)?.position ?? after
  }
}
