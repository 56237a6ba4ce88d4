// What stands before the scenarios of a full export: the evaluation, and the variant and revision it ran.
import type { Connection } from './dialect/dialect.ts'
import { getEvaluationText } from './evaluations.ts'

interface Ran {
  id: string
  name: string | null
  created_at: string
  body: string | null
  message: string | null
}

/** The JSON text. Variant and revision are null where the evaluation names none, or they are gone. */
export async function getPreface(connection: Connection, evaluation: number): Promise<string> {
  const text = await getEvaluationText(connection, evaluation)
  const ran = await connection.get<Ran>(
    `SELECT variant.id AS id, variant.name AS name, variant.created_at AS created_at, body, message
     FROM evaluation
     JOIN variant ON variant.project = evaluation.project AND variant.id = evaluation.variant_id
     LEFT JOIN revision ON revision.variant = variant.key AND revision.revision = evaluation.revision
     WHERE evaluation.key = ?`,
    evaluation,
  )
  if (!ran) return `{"evaluation":${text},"variant":null,"revision":null}`
  const { id, name, created_at, body, message } = ran
  const revision = body === null ? 'null' : `${body.slice(0, -1)},"message":${JSON.stringify(message)}}`
  return `{"evaluation":${text},"variant":${JSON.stringify({ id, name, created_at })},"revision":${revision}}`
}
