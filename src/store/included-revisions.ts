// Revisions with more than their text: what was said about each, the evaluations that ran it, and what it changed.
import { MAX_MESSAGE } from '../schema/revisions.ts'
import type { Connection } from './dialect/dialect.ts'
import { type Range, reachFrom } from './elements.ts'
import type { RevisionBody, RevisionChanges } from './revision-changes.ts'
import { REVISIONS } from './revisions.ts'
import type { KeptScores } from './scores.ts'

/** A message may be as long as a body, and how far a piece reaches is measured by bodies alone. */
export const READ_BODIES = `SELECT revision, body, substr(message, 1, ${MAX_MESSAGE}) AS message FROM revision
  WHERE variant = ? AND revision > ? AND revision <= ? ORDER BY revision`
export const READ_BODY_BEFORE = `SELECT revision, body FROM revision
  WHERE variant = ? AND revision <= ? ORDER BY revision DESC LIMIT 1`
export const READ_EVALUATIONS = `SELECT key, version, id, name, revision, created_at, scenario_count FROM evaluation
  WHERE project = ? AND variant_id = ? AND revision > ? AND revision <= ?`

export interface OwnedVariant {
  project: number
  id: string
  key: number
}

/** What to include; what is absent is not. */
export interface Included {
  scores?: KeptScores | undefined
  changes?: RevisionChanges | undefined
  hasMessage: boolean
}

interface RevisionRow extends RevisionBody {
  message: string | null
}

/** The revisions of a range in order, each piece some of them joined by the separator. */
export async function* readIncluding(
  connection: Connection,
  variant: OwnedVariant,
  { after, through }: Range,
  separator: string,
  { scores, changes, hasMessage }: Included,
): AsyncGenerator<Uint8Array> {
  let before = changes && (await connection.get<RevisionBody>(READ_BODY_BEFORE, variant.key, after))
  for (let done = after; ; ) {
    const end = await reachFrom(connection, REVISIONS, variant.key, { after: done, through })
    if (end === null) return
    const rows = await connection.all<RevisionRow>(READ_BODIES, variant.key, done, end)
    const evaluations =
      scores && (await readEvaluations(connection, variant, { after: done, through: end }, scores))
    const texts: string[] = []
    for (const row of rows) {
      let more = hasMessage ? `,"message":${JSON.stringify(row.message)}` : ''
      if (evaluations) more += `,"evaluations":[${(evaluations.get(row.revision) ?? []).join(',')}]`
      if (changes) more += `,"changes":${await changes.since(variant.key, before, row)}`
      texts.push(`${row.body.slice(0, -1)}${more}}`)
      before = row
    }
    yield Buffer.from(texts.join(separator))
    done = end
  }
}

interface EvaluationRow {
  key: number
  version: string
  id: string
  name: string | null
  revision: number
  created_at: string
  scenario_count: number
}

/** The texts of the evaluations that ran the revisions of a range, newest first, by revision. */
async function readEvaluations(
  connection: Connection,
  { project, id }: OwnedVariant,
  { after, through }: Range,
  scores: KeptScores,
): Promise<Map<number, string[]>> {
  const rows = await connection.all<EvaluationRow>(READ_EVALUATIONS, project, id, after, through)
  const scored = await scores.of(connection, rows)
  const texts = new Map<number, string[]>()
  for (const { key, revision, id, name, created_at, scenario_count } of rows.sort(newestFirst)) {
    const head = JSON.stringify({ id, name, created_at, scenario_count }).slice(0, -1)
    const listed = texts.get(revision) ?? []
    listed.push(`${head},"scores":${scored.get(key)}}`)
    texts.set(revision, listed)
  }
  return texts
}

function newestFirst(a: EvaluationRow, b: EvaluationRow): number {
  if (a.created_at !== b.created_at) return a.created_at < b.created_at ? 1 : -1
  return b.key - a.key
}
