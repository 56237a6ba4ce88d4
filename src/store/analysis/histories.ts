// The history of a scenario: the same row in the newest evaluations of the variant.
import { createHash } from 'node:crypto'
import { setImmediate as yieldToEventLoop } from 'node:timers/promises'
import { splitMembers } from '../../json/member-texts.ts'
import {
  type HistoryRow,
  MAX_EQUAL_INPUTS,
  MAX_HISTORY_EVALUATIONS,
  type ScenarioHistory,
} from '../../schema/analysis/histories.ts'
import { isId } from '../../schema/ids.ts'
import { allowedEvaluations } from '../../schema/key-restriction.ts'
import { rejectOutsideRestriction, type Viewer } from '../access/projects.ts'
import type { Connection, SqlFragments, Value } from '../dialect/dialect.ts'
import { getEvaluation } from '../evaluations/evaluations.ts'
import { MAX_SMALL_BYTES, readBodies } from '../reads/bodies.ts'
import { hasGivenId } from '../scenarios/generated-ids.ts'
import { scenarioNotFoundError } from '../scenarios/scenarios.ts'
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

/** The newest evaluations of the variant of an evaluation. */
export const FIND_NEWEST = ({ indexHint }: SqlFragments) =>
  `SELECT ${COLUMNS} FROM evaluation${indexHint('evaluation_by_variant')}
   WHERE project = ? AND variant_id = (SELECT variant_id FROM evaluation WHERE project = ? AND id = ?)
   ORDER BY created_at DESC, key DESC LIMIT ${MAX_HISTORY_EVALUATIONS}`

export interface History {
  /** Changes whenever one of the searched evaluations changes, or which ones they are. */
  version: string
  /** Finds the rows. */
  open(): Promise<OpenHistory>
}

export interface OpenHistory {
  /** The size of the large bodies, which `read` reads. */
  expectedBytes: number
  /** Reads the JSON text of the history in parts. */
  read(): AsyncGenerator<string>
}

/** Throws like getEvaluation, and scenario-not-found. */
export async function findHistory(
  connection: Connection,
  viewer: Viewer,
  evaluationId: string,
  scenarioId: string,
): Promise<History> {
  if (isId(evaluationId)) await rejectOutsideRestriction(connection, viewer, 'evaluation', evaluationId)
  // The statements are sent without waiting in between.
  const [own, target, newest = []] =
    isId(evaluationId) && isId(scenarioId)
      ? await Promise.all([
          connection.get<HistoryEvaluation>(FIND_BY_ID, viewer.project, evaluationId),
          connection.get<Target>(FIND_TARGET, viewer.project, evaluationId, scenarioId),
          findNewest(connection, viewer, evaluationId),
        ])
      : []
  if (!own || !target) {
    await getEvaluation(connection, viewer, evaluationId)
    throw scenarioNotFoundError(scenarioId)
  }
  const searched = own.variant_id === null ? [own] : newest
  const versions = [own, ...searched].map(({ version }) => version)
  const header = {
    evaluation_id: evaluationId,
    scenario_id: target.id,
    variant_id: own.variant_id,
    evaluation_count: searched.length,
  }
  return {
    version: createHash('sha256').update(versions.join()).digest('base64url').slice(0, 16),
    async open() {
      const rows = await findRows(connection, own.key, searched, target)
      const expectedBytes = rows.reduce((sum, { row }) => sum + (row.body === null ? row.bytes : 0), 0)
      return { expectedBytes, read: () => readHistory(connection, header, rows) }
    },
  }
}

/** The newest evaluations of the variant, the newest first. They contain the own one only if it is one of them. */
async function findNewest(
  connection: Connection,
  { project, confined_to }: Viewer,
  ownId: string,
): Promise<HistoryEvaluation[]> {
  if (confined_to === null)
    return connection.all<HistoryEvaluation>(FIND_NEWEST(connection.sql), project, project, ownId)
  // The evaluations that the key cannot read must have no effect, not even on which ones are the newest.
  const readable = await Promise.all(
    allowedEvaluations(confined_to).map((id) => connection.get<HistoryEvaluation>(FIND_BY_ID, project, id)),
  )
  const own = readable.find((evaluation) => evaluation?.id === ownId)
  return readable
    .filter((evaluation) => evaluation !== undefined)
    .filter(({ variant_id }) => variant_id === own?.variant_id)
    .sort((a, b) => (a.created_at < b.created_at ? 1 : a.created_at > b.created_at ? -1 : b.key - a.key))
}

/** The requested scenario. */
interface Target {
  id: string
  /** 1 if a client has given the id, 0 if it was generated. */
  is_given: number
  /** Null without inputs. */
  input_hash: Uint8Array | null
  /** The number of rows with the same inputs before it, at most MAX_EQUAL_INPUTS. */
  earlier_count: number
}

const IS_GIVEN = `CASE WHEN ${hasGivenId('scenario')} THEN 1 ELSE 0 END AS is_given`

/** Without a join, because PostgreSQL would take longer to plan it than to run it. */
export const FIND_TARGET = `WITH target AS MATERIALIZED (
    SELECT evaluation, id, position, ${IS_GIVEN}, (SELECT input_hash FROM measure
      WHERE measure.evaluation = scenario.evaluation AND measure.position = scenario.position) AS input_hash
    FROM scenario WHERE evaluation = (SELECT key FROM evaluation WHERE project = ? AND id = ?) AND id = ?)
  SELECT id, is_given, input_hash, (SELECT count(*) FROM (SELECT 1 FROM measure
      WHERE measure.evaluation = target.evaluation AND measure.input_hash = target.input_hash
        AND measure.position < target.position LIMIT ${MAX_EQUAL_INPUTS}) AS earlier) AS earlier_count
  FROM target`

/**
 * The row of each evaluation whose id or position has this value. MATERIALIZED: PostgreSQL would otherwise look for an id in
 * evaluations that are not searched.
 */
const findRowsBy = (column: 'id' | 'position', value: string, { integers }: SqlFragments) => `
  WITH searched (evaluation) AS (${integers}),
    found AS MATERIALIZED (SELECT evaluation, ${value} AS ${column} FROM searched)
  SELECT scenario.evaluation AS evaluation, scenario.position AS position, ${IS_GIVEN}, octet_length(body) AS bytes,
    CASE WHEN octet_length(body) <= ${MAX_SMALL_BYTES} THEN body END AS body, cost, latency, has_error, output_hash
  FROM found CROSS JOIN scenario CROSS JOIN measure
  WHERE scenario.evaluation = found.evaluation AND scenario.${column} = found.${column}
    AND measure.evaluation = scenario.evaluation AND measure.position = scenario.position`

export const FIND_ROWS_BY_ID = (sql: SqlFragments) => findRowsBy('id', 'CAST(? AS text)', sql)

/** The nth rows with these inputs. */
export const FIND_ROWS_BY_INPUT = (sql: SqlFragments) =>
  findRowsBy(
    'position',
    `(SELECT position FROM measure WHERE measure.evaluation = searched.evaluation AND input_hash = ?
      ORDER BY position LIMIT 1 OFFSET ? + 0)`,
    sql,
  )

interface StoredRow extends Pick<HistoryRow, 'cost' | 'latency'> {
  evaluation: number
  position: number
  is_given: number
  bytes: number
  /** Null if it is large. */
  body: string | null
  /** 1 if an output failed. */
  has_error: number
  output_hash: Uint8Array
}

interface FoundRow extends Pick<HistoryRow, 'matched_by'> {
  evaluation: HistoryEvaluation
  row: StoredRow
}

/** At most one row of each evaluation, in their order: the one with the same id, or else the nth one with the same inputs. */
async function findRows(
  connection: Connection,
  ownKey: number,
  searched: HistoryEvaluation[],
  { id, is_given, input_hash, earlier_count }: Target,
): Promise<FoundRow[]> {
  const { sql } = connection
  const read = (statement: string, keys: number[], ...values: Value[]) =>
    connection.all<StoredRow>(statement, JSON.stringify(keys), ...values)
  const keys = searched.map(({ key }) => key)
  // A generated id names a row of its own evaluation only.
  const named = is_given === 1 ? keys : keys.filter((key) => key === ownKey)
  const withId = await read(FIND_ROWS_BY_ID(sql), named, id)
  const byId = new Map(withId.filter((row) => row.is_given === is_given).map((row) => [row.evaluation, row]))
  const others = keys.filter((key) => !byId.has(key))
  const isSearchedByInput = input_hash !== null && earlier_count < MAX_EQUAL_INPUTS && others.length > 0
  const withInput = isSearchedByInput
    ? await read(FIND_ROWS_BY_INPUT(sql), others, input_hash, earlier_count)
    : []
  // Two given ids that differ are never the same row.
  const byInput = new Map(
    withInput.filter((row) => row.is_given + is_given < 2).map((row) => [row.evaluation, row]),
  )
  return searched.flatMap((evaluation): FoundRow[] => {
    const row = byId.get(evaluation.key) ?? byInput.get(evaluation.key)
    return row ? [{ evaluation, row, matched_by: byId.has(evaluation.key) ? 'id' : 'input' }] : []
  })
}

/** The number of characters from which on a part is sent. */
const PART_LENGTH = 64 * 1024

async function* readHistory(
  connection: Connection,
  header: Omit<ScenarioHistory, 'rows'>,
  rows: FoundRow[],
): AsyncGenerator<string> {
  let part = `${JSON.stringify(header).slice(0, -1)},"rows":[`
  for (const [index, row] of rows.entries()) {
    part += await serializeRow(connection, row, rows[index + 1]?.row)
    if (index < rows.length - 1) part += ','
    if (part.length < PART_LENGTH) continue
    yield part
    part = ''
  }
  yield `${part}]}`
}

/** Large bodies are read one at a time. */
async function serializeRow(
  connection: Connection,
  { evaluation: { key, id, name, revision, created_at }, row, matched_by }: FoundRow,
  older: StoredRow | undefined,
): Promise<string> {
  const members = splitMembers(row.body ?? (await readLargeBody(connection, key, row.position)))
  const start = JSON.stringify({ evaluation_id: id, name, revision, created_at }).slice(0, -1)
  const end = JSON.stringify({
    cost: roundStatistic(row.cost),
    latency: roundStatistic(row.latency),
    output_failed: row.has_error === 1,
    output_changed: older ? Buffer.compare(row.output_hash, older.output_hash) !== 0 : null,
  })
  const text = `${start},"scenario_id":${members.get('id')},"matched_by":"${matched_by}","results":${members.get('results')},${end.slice(1)}`
  // Copied, because a part of a string keeps the whole string in memory.
  return row.body === null ? Buffer.from(text).toString() : text
}

async function readLargeBody(connection: Connection, evaluation: number, position: number): Promise<string> {
  // Lets other requests run between two bodies: SQLite reads them on the main thread.
  await yieldToEventLoop()
  const [read] = await Array.fromAsync(readBodies(connection, evaluation, Float64Array.of(position)))
  if (!read)
    throw new Error(`The evaluation with the key ${evaluation} has no body at the position ${position}`)
  return read.body
}
