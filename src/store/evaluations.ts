// Evaluations: found by id, listed newest first, added.

import type { Evaluation } from '../schema/evaluations.ts'
import { isId, mintVersion } from '../schema/ids.ts'
import type { Connection, Transaction } from './dialect/dialect.ts'
import type { Size } from './elements.ts'
import { type NewestFirst, newestFirst } from './lists.ts'
import { notFound, refuseAbsent, type Viewer } from './projects.ts'

/** What the read of an evaluation's scenarios needs to know of it. */
export interface EvaluationHead extends Size {
  key: number
  version: string
}

export const FIND_EVALUATION = `SELECT key, version, scenario_count AS count, body_bytes AS bytes
  FROM evaluation WHERE project = ? AND id = ?`

/** Throws evaluation-not-found, or access-denied where the id exists only in another project. */
export async function getEvaluation(
  connection: Connection,
  viewer: Viewer,
  id: string,
): Promise<EvaluationHead> {
  if (!isId(id)) throw notFound('evaluation', id)
  const head = await connection.get<EvaluationHead>(FIND_EVALUATION, viewer.project, id)
  return head ?? refuseAbsent(connection, viewer, 'evaluation', id)
}

interface EvaluationRow {
  id: string
  name: string | null
  variant_id: string | null
  revision: number | null
  baseline_id: string | null
  source: string | null
  created_at: string
  scenario_count: number
  /** JSON texts, spliced into the answer as they are. */
  evaluators: string | null
  metadata: string | null
}

export const EVALUATIONS: NewestFirst<EvaluationRow> = {
  statement: newestFirst(
    'evaluation',
    'id, name, variant_id, revision, baseline_id, source, created_at, scenario_count, evaluators, metadata',
  ),
  element({ id, name, variant_id, revision, baseline_id, source, created_at, scenario_count, ...texts }) {
    const plain = { id, name, variant_id, revision, baseline_id, source, created_at, scenario_count }
    const members = JSON.stringify(plain).slice(0, -1)
    return `${members},"evaluators":${texts.evaluators ?? 'null'},"metadata":${texts.metadata ?? 'null'}}`
  },
}

/** Adds an evaluation without scenarios and returns its key. */
export async function addEvaluation(
  transaction: Transaction,
  project: number,
  evaluation: Omit<Evaluation, 'scenario_count'>,
): Promise<number> {
  const row = await transaction.get<{ key: number }>(
    `INSERT INTO evaluation
       (project, id, name, variant_id, revision, baseline_id, source, created_at, version, evaluators, metadata)
     VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?) RETURNING key`,
    project,
    evaluation.id,
    evaluation.name,
    evaluation.variant_id,
    evaluation.revision,
    evaluation.baseline_id,
    evaluation.source,
    evaluation.created_at,
    mintVersion(),
    evaluation.evaluators && JSON.stringify(evaluation.evaluators),
    evaluation.metadata && JSON.stringify(evaluation.metadata),
  )
  if (!row) throw new Error('INSERT … RETURNING gave no row')
  return row.key
}
