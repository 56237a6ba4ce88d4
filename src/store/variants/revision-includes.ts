// Reads revisions with optional members: message, evaluations with scores, and changes.
import { MAX_MESSAGE_LENGTH } from '../../schema/revisions.ts'
import type { LruCache } from '../cache/lru-cache.ts'
import type { Connection } from '../dialect/dialect.ts'
import { findChunkEnd, type Range } from '../reads/elements.ts'
import { getChangesSincePrevious, type RevisionBody } from './revision-changes.ts'
import { REVISIONS } from './revisions.ts'

/** Messages are truncated, because batches are sized by bodies only and a message can be as long as a body. */
export const READ_BODIES = `SELECT revision, body, digest, substr(message, 1, ${MAX_MESSAGE_LENGTH}) AS message FROM revision
  WHERE variant = ? AND revision > ? AND revision <= ? ORDER BY revision`
export const READ_BODY_BEFORE = `SELECT revision, body, digest FROM revision
  WHERE variant = ? AND revision <= ? ORDER BY revision DESC LIMIT 1`
/** Not those that ran a deleted revision with the same number. Values: project, id, range, key. */
export const READ_EVALUATIONS = `SELECT key, id, name, revision, created_at, scenario_count FROM evaluation
  WHERE project = ? AND variant_id = ? AND revision > ? AND revision <= ?
    AND EXISTS (SELECT 1 FROM revision WHERE revision.variant = ?
      AND revision.revision = evaluation.revision AND revision.created_at = evaluation.revision_created_at)`

export interface VariantRef {
  project: number
  id: string
  key: number
}

export type ReadScores = (
  connection: Connection,
  evaluations: readonly { key: number }[],
) => Promise<Map<number, string>>

/** The optional members to include. */
export interface RevisionIncludes {
  hasMessage: boolean
  /** Reads the scores of evaluations as JSON texts, by key. Undefined without evaluations. */
  readScores: ReadScores | undefined
  hasChanges: boolean
  /** For changes. */
  cache: LruCache<string>
}

interface RevisionRow extends RevisionBody {
  message: string | null
}

/** Reads a range of revisions in order, in chunks of revisions joined by the separator. */
export async function* readRevisionsWithIncludes(
  connection: Connection,
  variant: VariantRef,
  { after, through }: Range,
  separator: string,
  { hasMessage, readScores, hasChanges, cache }: RevisionIncludes,
): AsyncGenerator<Uint8Array> {
  let previousRevision = hasChanges
    ? await connection.get<RevisionBody>(READ_BODY_BEFORE, variant.key, after)
    : undefined
  for (let lastRevision = after; ; ) {
    const end = await findChunkEnd(connection, REVISIONS, variant.key, { after: lastRevision, through })
    if (end === null) return
    const rows = await connection.all<RevisionRow>(READ_BODIES, variant.key, lastRevision, end)
    const range = { after: lastRevision, through: end }
    const evaluations = readScores && (await readEvaluations(connection, variant, range, readScores))
    const texts: string[] = []
    for (const row of rows) {
      let members = hasMessage ? `,"message":${JSON.stringify(row.message)}` : ''
      if (evaluations) members += `,"evaluations":[${(evaluations.get(row.revision) ?? []).join(',')}]`
      if (hasChanges)
        members += `,"changes":${await getChangesSincePrevious(cache, variant.key, previousRevision, row)}`
      texts.push(`${row.body.slice(0, -1)}${members}}`)
      previousRevision = row
    }
    yield Buffer.from(texts.join(separator))
    lastRevision = end
  }
}

interface EvaluationRow {
  key: number
  id: string
  name: string | null
  revision: number
  created_at: string
  scenario_count: number
}

/** JSON texts of the evaluations of a range of revisions, by revision, newest first. */
async function readEvaluations(
  connection: Connection,
  variant: VariantRef,
  { after, through }: Range,
  readScores: ReadScores,
): Promise<Map<number, string[]>> {
  const values = [variant.project, variant.id, after, through, variant.key]
  const rows = await connection.all<EvaluationRow>(READ_EVALUATIONS, ...values)
  const scoresByKey = await readScores(connection, rows)
  const texts = new Map<number, string[]>()
  for (const { key, revision, id, name, created_at, scenario_count } of rows.sort(compareNewestFirst)) {
    const members = JSON.stringify({ id, name, created_at, scenario_count }).slice(0, -1)
    const evaluationTexts = texts.get(revision) ?? []
    evaluationTexts.push(`${members},"scores":${scoresByKey.get(key)}}`)
    texts.set(revision, evaluationTexts)
  }
  return texts
}

function compareNewestFirst(a: EvaluationRow, b: EvaluationRow): number {
  if (a.created_at !== b.created_at) return a.created_at < b.created_at ? 1 : -1
  return b.key - a.key
}
