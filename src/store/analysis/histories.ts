// The history of a scenario: the same row in the newest evaluations of the variant.
import { createHash } from 'node:crypto'
import { splitMembers } from '../../json/member-texts.ts'
import { type HistoryRow, MAX_HISTORY_EVALUATIONS } from '../../schema/analysis/histories.ts'
import { allowedEvaluations } from '../../schema/key-restriction.ts'
import type { Viewer } from '../access/projects.ts'
import type { Connection, SqlFragments } from '../dialect/dialect.ts'
import { getEvaluation } from '../evaluations/evaluations.ts'
import { MAX_SMALL_BYTES, readBodies } from '../reads/bodies.ts'
import { hasGivenId } from '../scenarios/generated-ids.ts'
import { getScenarioRow } from '../scenarios/scenarios.ts'
import { roundStatistic } from '../statistics/rounding.ts'

interface HistoryEvaluation {
  key: number
  id: string
  name: string | null
  variant_id: string | null
  revision: number | null
  created_at: string
  version: string
}

const COLUMNS = 'key, id, name, variant_id, revision, created_at, version'

const FIND_BY_ID = `SELECT ${COLUMNS} FROM evaluation WHERE project = ? AND id = ?`

export const FIND_NEWEST = ({ indexHint }: SqlFragments) =>
  `SELECT ${COLUMNS} FROM evaluation${indexHint('evaluation_by_variant')}
   WHERE project = ? AND variant_id = ? ORDER BY created_at DESC, key DESC LIMIT ${MAX_HISTORY_EVALUATIONS}`

export interface History {
  /** Changes whenever one of the searched evaluations changes, or which ones they are. */
  version: string
  /** Reads the JSON text of the history in parts. */
  read(): AsyncGenerator<string>
}

/** Throws like getEvaluation, and scenario-not-found. */
export async function openHistory(
  connection: Connection,
  viewer: Viewer,
  evaluationId: string,
  scenarioId: string,
): Promise<History> {
  const { key } = await getEvaluation(connection, viewer, evaluationId)
  // The statements are sent without waiting in between.
  const [target, own] = await Promise.all([
    getScenarioRow<Target>(connection, FIND_TARGET, key, scenarioId),
    connection.get<HistoryEvaluation>(FIND_BY_ID, viewer.project, evaluationId),
  ])
  if (!own) throw new Error(`The evaluation ${evaluationId} does not exist in its own snapshot`)
  const searched = await findSearched(connection, viewer, own)
  const versions = [own, ...searched].map(({ version }) => version)
  const version = createHash('sha256').update(versions.join()).digest('base64url').slice(0, 16)
  return { version, read: () => readHistory(connection, own, searched, target) }
}

/** The evaluations to search, the newest first. They contain the own one only if it is one of the newest. */
async function findSearched(
  connection: Connection,
  { project, confined_to }: Viewer,
  own: HistoryEvaluation,
): Promise<HistoryEvaluation[]> {
  if (own.variant_id === null) return [own]
  if (confined_to === null)
    return connection.all<HistoryEvaluation>(FIND_NEWEST(connection.sql), project, own.variant_id)
  // The evaluations that the key cannot read must have no effect, not even on which ones are the newest.
  const readable: HistoryEvaluation[] = []
  for (const id of allowedEvaluations(confined_to)) {
    const evaluation = await connection.get<HistoryEvaluation>(FIND_BY_ID, project, id)
    if (evaluation?.variant_id === own.variant_id) readable.push(evaluation)
  }
  return readable.sort((a, b) =>
    a.created_at < b.created_at ? 1 : a.created_at > b.created_at ? -1 : b.key - a.key,
  )
}

/** The requested scenario. */
interface Target {
  id: string
  position: number
  /** 1 if a client has given the id, 0 if it was generated. */
  is_given: number
  /** Null without inputs. */
  input_hash: Uint8Array | null
}

/** A column of the row at the position of `row`. Queries on PostgreSQL join whole evaluations, but look up subqueries by index. */
const lookUp = (table: 'scenario' | 'measure', column: string, row: string) =>
  `(SELECT ${column} FROM ${table} WHERE ${table}.evaluation = ${row}.evaluation AND ${table}.position = ${row}.position)`

const isGiven = (row: string) => `CASE WHEN ${hasGivenId(row)} THEN 1 ELSE 0 END`

export const FIND_TARGET = `SELECT id, position, ${isGiven('scenario')} AS is_given,
    ${lookUp('measure', 'input_hash', 'scenario')} AS input_hash
  FROM scenario WHERE evaluation = ? AND id = ?`

/** The number of rows with the same inputs before a position. */
export const COUNT_EARLIER = ({ cancelable }: SqlFragments) => `SELECT count(*) AS count FROM measure
  WHERE evaluation = ? AND input_hash = ? AND position < ? AND ${cancelable('position')}`

/**
 * One row of each evaluation: the one with the same id, or else the nth one with the same inputs. A generated id names a row of
 * its own evaluation only. MATERIALIZED: otherwise a position would be searched once for each column.
 */
export const FIND_ROWS = (isTargetGiven: boolean, { cancelable, integers }: SqlFragments) => `
  WITH searched (evaluation) AS (${integers}), named AS MATERIALIZED (
    SELECT evaluation, (SELECT position FROM scenario WHERE scenario.evaluation = searched.evaluation AND id = ?
      AND ${isTargetGiven ? `${isGiven('scenario')} = 1` : 'evaluation = ?'}) AS id_position
    FROM searched), found AS MATERIALIZED (
    SELECT evaluation, id_position, coalesce(id_position, (SELECT position FROM measure
      WHERE measure.evaluation = named.evaluation AND input_hash = ? AND ${cancelable('position')}
      ORDER BY position LIMIT 1 OFFSET ? + 0)) AS position
    FROM named)
  SELECT evaluation, position,
    CASE WHEN id_position IS NOT NULL THEN 'id'
      ${isTargetGiven ? `WHEN ${lookUp('scenario', isGiven('scenario'), 'found')} = 0 THEN` : 'ELSE'} 'input' END AS matched_by,
    ${lookUp('scenario', `CASE WHEN octet_length(body) <= ${MAX_SMALL_BYTES} THEN body END`, 'found')} AS body,
    ${lookUp('measure', 'cost', 'found')} AS cost, ${lookUp('measure', 'latency', 'found')} AS latency,
    ${lookUp('measure', 'output_hash', 'found')} AS output_hash
  FROM found WHERE position IS NOT NULL`

interface FoundRow extends Pick<HistoryRow, 'cost' | 'latency'> {
  evaluation: number
  position: number
  /** Null if both ids were given and differ. */
  matched_by: HistoryRow['matched_by'] | null
  /** Null if it is large. */
  body: string | null
  output_hash: Uint8Array
}

/** The number of characters from which on a part is sent. */
const PART_LENGTH = 64 * 1024

async function* readHistory(
  connection: Connection,
  own: HistoryEvaluation,
  searched: HistoryEvaluation[],
  target: Target,
): AsyncGenerator<string> {
  const rows = await findRows(connection, own, searched, target)
  const listed = searched.flatMap((evaluation) => {
    const row = rows.get(evaluation.key)
    return row ? [{ evaluation, row }] : []
  })
  const header = {
    evaluation_id: own.id,
    scenario_id: target.id,
    variant_id: own.variant_id,
    evaluation_count: searched.length,
  }
  let part = `${JSON.stringify(header).slice(0, -1)},"rows":[`
  for (const [index, { evaluation, row }] of listed.entries()) {
    part += await serializeRow(connection, evaluation, row, listed[index + 1]?.row)
    if (index < listed.length - 1) part += ','
    if (part.length < PART_LENGTH) continue
    yield part
    part = ''
  }
  yield `${part}]}`
}

/** By evaluation. */
async function findRows(
  connection: Connection,
  own: HistoryEvaluation,
  searched: HistoryEvaluation[],
  { id, position, is_given, input_hash }: Target,
): Promise<Map<number, FoundRow>> {
  const { sql } = connection
  const isTargetGiven = is_given === 1
  const earlier = await connection.get<{ count: number }>(COUNT_EARLIER(sql), own.key, input_hash, position)
  const rows = await connection.all<FoundRow>(
    FIND_ROWS(isTargetGiven, sql),
    JSON.stringify(searched.map(({ key }) => key)),
    id,
    ...(isTargetGiven ? [] : [own.key]),
    input_hash,
    earlier?.count ?? 0,
  )
  return new Map(rows.filter(({ matched_by }) => matched_by !== null).map((row) => [row.evaluation, row]))
}

/** Large bodies are read one at a time. */
async function serializeRow(
  connection: Connection,
  { id, name, revision, created_at }: HistoryEvaluation,
  { evaluation, position, matched_by, output_hash, ...row }: FoundRow,
  older: FoundRow | undefined,
): Promise<string> {
  let { body } = row
  if (body === null)
    for await (const read of readBodies(connection, evaluation, Float64Array.of(position))) body = read.body
  const members = splitMembers(body ?? '')
  const start = JSON.stringify({ evaluation_id: id, name, revision, created_at }).slice(0, -1)
  const end = JSON.stringify({
    cost: roundStatistic(row.cost),
    latency: roundStatistic(row.latency),
    output_changed: older ? Buffer.compare(output_hash, older.output_hash) !== 0 : null,
  })
  return `${start},"scenario_id":${members.get('id')},"matched_by":"${matched_by}","results":${members.get('results')},${end.slice(1)}`
}
