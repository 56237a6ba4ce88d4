// Looks up evaluations and variants of a project for importers, before the transaction of the import.
import { toStorableText } from '../../json/storable-text.ts'
import { Json } from '../../json/value.ts'
import type { Connection } from '../dialect/dialect.ts'

const MAX_EVALUATIONS = 20

const FIND_BY_ID =
  'SELECT id, variant_id, label, provider, metadata FROM evaluation WHERE project = ? AND id = ?'

/** A version follows the name of a tool after a space. */
const TOOL = 'substr(source, 1, 200)'
const IS_OF_TOOL = `(${TOOL} = ? OR (${TOOL} >= ? AND ${TOOL} < ?))`

/** The first part of the name is compared so that the index on names is used. */
const FIND_EVALUATIONS = `SELECT id, variant_id, label, provider, metadata FROM evaluation
  WHERE project = ? AND substr(coalesce(name, id), 1, 200) = substr(?, 1, 200) AND coalesce(name, id) = ?
    AND ${IS_OF_TOOL}
  ORDER BY created_at DESC, key DESC LIMIT ${MAX_EVALUATIONS}`

/** The index on sources finds the newest evaluations of a tool. */
const FIND_FILE = (contains: string) => `SELECT id, variant_id, label, provider, metadata FROM
  (SELECT id, variant_id, label, provider, metadata, created_at, key FROM evaluation
    WHERE project = ? AND ${IS_OF_TOOL} ORDER BY created_at DESC, key DESC LIMIT 1000) AS newest
  WHERE ${contains} ORDER BY created_at DESC, key DESC LIMIT ${MAX_EVALUATIONS}`

const FIND_VARIANTS = `SELECT variant.id, revision.body, evaluation.id AS evaluation, evaluation.created_at,
    evaluation.family, evaluation.label, evaluation.provider
  FROM variant
  JOIN revision ON revision.variant = variant.key
    AND revision.revision = (SELECT max(revision) FROM revision WHERE revision.variant = variant.key)
  LEFT JOIN evaluation ON evaluation.key = (SELECT key FROM evaluation AS latest
    WHERE latest.project = variant.project AND latest.variant_id = variant.id
    ORDER BY latest.created_at DESC, latest.key DESC LIMIT 1)
  WHERE variant.project = ? AND (variant.id = ? OR (variant.id >= ? AND variant.id < ?))
  ORDER BY variant.id`

interface EvaluationRow {
  id: string
  variant_id: string | null
  label: string | null
  provider: string | null
  metadata: string | null
}

interface VariantRow {
  id: string
  body: string
  evaluation: string | null
  created_at: string
  family: string | null
  label: string | null
  provider: string | null
}

function parseEvaluation({ metadata, ...row }: EvaluationRow) {
  return { ...row, metadata: metadata === null ? undefined : new Json(metadata) }
}

/** `project` is undefined if the project does not exist yet. */
export function storedDataOf(connection: Connection, project: number | undefined) {
  return {
    async findEvaluation(id: string) {
      if (project === undefined) return undefined
      const row = await connection.get<EvaluationRow>(FIND_BY_ID, project, toStorableText(id))
      return row && parseEvaluation(row)
    },

    async findEvaluations(name: string, source: string) {
      if (project === undefined) return []
      const nameText = toStorableText(name)
      const values = [project, nameText, nameText, ...toolValues(source)]
      return (await connection.all<EvaluationRow>(FIND_EVALUATIONS, ...values)).map(parseEvaluation)
    },

    async findFile(sha256: string, source: string) {
      if (project === undefined) return []
      const statement = FIND_FILE(connection.sql.contains('metadata', '?'))
      const values = [project, ...toolValues(source), `"sha256":"${sha256}"`]
      const rows = await connection.all<EvaluationRow>(statement, ...values)
      const hasDigest = ({ metadata }: { metadata: Json | undefined }) =>
        metadata?.get('file', 'sha256')?.string === sha256
      return rows.map(parseEvaluation).filter(hasDigest)
    },

    async findVariants(prefix: string) {
      if (project === undefined) return []
      const id = toStorableText(prefix)
      // The next character after a colon is a semicolon.
      const rows = await connection.all<VariantRow>(FIND_VARIANTS, project, id, `${id}:`, `${id};`)
      return rows.map(({ id, body, evaluation, ...latest }) => {
        const config = new Json(body).get('config')
        return {
          id,
          latest_evaluation: evaluation === null ? null : { ...latest, id: evaluation },
          config_name: config?.get('config_name')?.string ?? '',
          parameters: config?.get('parameters') ?? Json.object([]),
        }
      })
    },
  }
}

/** The values of IS_OF_TOOL. The next character after a space is !. */
function toolValues(source: string): string[] {
  const tool = toStorableText(source)
  return [tool, `${tool} `, `${tool}!`]
}
