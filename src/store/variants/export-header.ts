// The first record of a full export: the evaluation, and the variant and revision that it ran.
import type { Connection } from '../dialect/dialect.ts'
import { getEvaluationText, getRevisionOf, type RanRevision } from '../evaluations/evaluations.ts'
import { type Row, serializeRow, writtenMembers } from '../resources/columns.ts'
import { VARIANT_COLUMNS } from './variants.ts'

const VARIANT_MEMBERS = writtenMembers(VARIANT_COLUMNS)
const READ_VARIANT = `SELECT key, ${VARIANT_MEMBERS.join(', ')} FROM variant
  WHERE id = ? AND project = (SELECT project FROM evaluation WHERE key = ?)`

/** Returns JSON text. Variant and revision are null if the evaluation names none or they were deleted. */
export async function getExportHeader(connection: Connection, evaluation: number): Promise<string> {
  const text = await getEvaluationText(connection, evaluation)
  const { variant_id, ...ran } = await getRevisionOf(connection, evaluation)
  const variant = await connection.get<Row & { key: number }>(READ_VARIANT, variant_id, evaluation)
  const variantText = variant ? serializeRow(VARIANT_COLUMNS, variant, VARIANT_MEMBERS) : 'null'
  const revisionText = variant ? await readRevision(connection, variant.key, ran) : 'null'
  return `{"evaluation":${text},"variant":${variantText},"revision":${revisionText}}`
}

interface ExportedRevision {
  revision: number
  body: string
  message: string | null
}

async function readRevision(
  connection: Connection,
  variant: number,
  { revision, revision_created_at }: Omit<RanRevision, 'variant_id'>,
): Promise<string> {
  const row = await connection.get<ExportedRevision>(
    'SELECT revision, body, message FROM revision WHERE variant = ? AND revision = ? AND created_at = ?',
    variant,
    revision,
    revision_created_at,
  )
  return row ? textWithMessage(row) : 'null'
}

/** The JSON text of each revision with its message, in order. */
export async function* readExportedRevisions(
  connection: Connection,
  variant: number,
): AsyncGenerator<string> {
  const statement = `SELECT revision, body, message FROM revision
    WHERE variant = ? AND revision > ? ORDER BY revision LIMIT 1`
  for (let after = -1; ; ) {
    // One at a time, because a revision can be several megabytes.
    const row = await connection.get<ExportedRevision>(statement, variant, after)
    if (!row) return
    yield textWithMessage(row)
    after = row.revision
  }
}

function textWithMessage({ body, message }: ExportedRevision): string {
  return `${body.slice(0, -1)},"message":${JSON.stringify(message)}}`
}
