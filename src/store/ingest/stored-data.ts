// Looks up evaluations and variants of a project for importers, before the transaction of the import.
import { toStorableText } from '../../json/storable-text.ts'
import { Json } from '../../json/value.ts'
import type { Connection } from '../dialect/dialect.ts'

const MAX_EVALUATIONS = 20

/** The first part of the name is compared so that the index on names is used. */
const FIND_EVALUATIONS = `SELECT id, variant_id, metadata FROM evaluation
  WHERE project = ? AND substr(coalesce(name, id), 1, 200) = substr(?, 1, 200) AND coalesce(name, id) = ?
    AND (source = ? OR (source >= ? AND source < ?))
  ORDER BY created_at DESC, key DESC LIMIT ${MAX_EVALUATIONS}`

const FIND_VARIANTS = `SELECT variant.id, revision.body FROM variant
  JOIN revision ON revision.variant = variant.key
    AND revision.revision = (SELECT max(revision) FROM revision WHERE revision.variant = variant.key)
  WHERE variant.project = ? AND (variant.id = ? OR (variant.id >= ? AND variant.id < ?))
  ORDER BY variant.id`

/** `project` is undefined if the project does not exist yet. */
export function storedDataOf(connection: Connection, project: number | undefined) {
  return {
    async findEvaluations(name: string, source: string) {
      if (project === undefined) return []
      const [nameText, tool] = [toStorableText(name), toStorableText(source)]
      // A version follows the name of the tool after a space. The next character after a space is !.
      const versions = [`${tool} `, `${tool}!`]
      const rows = await connection.all<{ id: string; variant_id: string | null; metadata: string | null }>(
        FIND_EVALUATIONS,
        project,
        nameText,
        nameText,
        tool,
        ...versions,
      )
      return rows.map(({ metadata, ...row }) => ({
        ...row,
        metadata: metadata === null ? undefined : new Json(metadata),
      }))
    },

    async findVariants(prefix: string) {
      if (project === undefined) return []
      const id = toStorableText(prefix)
      // The next character after a colon is a semicolon.
      const rows = await connection.all<{ id: string; body: string }>(
        FIND_VARIANTS,
        project,
        id,
        `${id}:`,
        `${id};`,
      )
      return rows.map(({ id, body }) => {
        const config = new Json(body).get('config')
        return {
          id,
          config_name: config?.get('config_name')?.string ?? '',
          parameters: config?.get('parameters') ?? Json.object([]),
        }
      })
    },
  }
}
