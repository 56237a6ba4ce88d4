// The first record of a full export: the evaluation, and the variant and revision that it ran.
import type { Connection } from '../dialect/dialect.ts'
import { getEvaluationText } from './evaluations.ts'

interface VariantRow {
  id: string
  name: string | null
  created_at: string
  body: string | null
  message: string | null
}

/** Returns JSON text. Variant and revision are null if the evaluation names none or they were deleted. */
export async function getExportHeader(connection: Connection, evaluation: number): Promise<string> {
  const text = await getEvaluationText(connection, evaluation)
  const variant = await connection.get<VariantRow>(
    `SELECT variant.id AS id, variant.name AS name, variant.created_at AS created_at, body, message
     FROM evaluation
     JOIN variant ON variant.project = evaluation.project AND variant.id = evaluation.variant_id
     LEFT JOIN revision ON revision.variant = variant.key AND revision.revision = evaluation.revision
     WHERE evaluation.key = ?`,
    evaluation,
  )
  if (!variant) return `{"evaluation":${text},"variant":null,"revision":null}`
  const { id, name, created_at, body, message } = variant
  const revision = body === null ? 'null' : `${body.slice(0, -1)},"message":${JSON.stringify(message)}}`
  return `{"evaluation":${text},"variant":${JSON.stringify({ id, name, created_at })},"revision":${revision}}`
}
