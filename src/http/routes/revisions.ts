// /variants/{variant_id}/revisions: lists, retrieves, compares, adds and deletes revisions of a variant.

import { idSchema } from '../../schema/ids.ts'
import { formatQuery, pageQuery } from '../../schema/pages.ts'
import { RevisionDiff } from '../../schema/revision-changes.ts'
import { checkRevision, RevisionWrite, VariantRevision } from '../../schema/revisions.ts'
import { MAX_REVISION } from '../../schema/rules.ts'
import { commaSeparated, strictObject, Type } from '../../schema/schema-builders.ts'
import { INCLUDE_BASE } from '../../schema/scores.ts'
import { REVISION_TABLE } from '../../serialize/revisions.ts'
import { forgetResponsesAt } from '../../store/changes/idempotency.ts'
import { readScoresWithBaselines } from '../../store/compare/baseline-scores.ts'
import { readScoreTexts } from '../../store/evaluations/stored-scores.ts'
import { getChangesBetween } from '../../store/variants/revision-changes.ts'
import { type ReadScores, readRevisionsWithIncludes } from '../../store/variants/revision-includes.ts'
import {
  addRevision,
  deleteRevision,
  getRevisionNumber,
  getRevisionText,
  REVISIONS,
} from '../../store/variants/revisions.ts'
import {
  ensureVariant,
  findVariant,
  getVariant,
  getVariantVersion,
  lockVariant,
  lockVariantIfExists,
} from '../../store/variants/variants.ts'
import { respondWithText } from '../reads/document.ts'
import { respondWithElements } from '../reads/elements.ts'
import { readDocument } from '../request/parse-body.ts'
import { parseList } from '../request/query.ts'
import type { App, RouteContext } from '../route-context.ts'

const variantParam = { variant_id: idSchema('The id of the variant.') }
/** Texts: an invalid number is not found, like a number that does not exist. */
const revisionParam = (description: string) =>
  Type.Unsafe<string>({ type: 'integer', minimum: 0, maximum: MAX_REVISION, description })
const params = strictObject(variantParam)

const oneRevisionParams = strictObject({ ...variantParam, revision: revisionParam('The revision number.') })

const INCLUDE_VALUES = ['evaluations', 'base', 'changes', 'message'] as const
const revisionsQuery = strictObject({
  ...pageQuery,
  ...formatQuery,
  include: Type.Optional(
    commaSeparated(
      INCLUDE_VALUES,
      `Additional members, separated by commas. \`evaluations\`: the evaluations of the revision and their scores (the response then has no ETag). ${INCLUDE_BASE} \`changes\`: the changes from the previous revision. \`message\`: the message of the revision. Not available in CSV.`,
    ),
  ),
})

export function revisionRoutes(app: App, context: RouteContext): void {
  const { reader, writes, settings, textCache, comparisonCache } = context
  const readScoresWithBase: ReadScores = (snapshot, evaluations) =>
    readScoresWithBaselines(snapshot, evaluations, comparisonCache)
  app.route({
    method: ['GET', 'HEAD'],
    url: '/variants/:variant_id/revisions',
    config: { scope: 'read', allowsRestrictedKeys: true },
    schema: {
      operationId: 'listVariantRevisions',
      summary: 'List revisions of a variant',
      description:
        'Returns all revisions by ascending revision number, from one consistent snapshot. Parameters are returned exactly as they were written.',
      tag: 'variants',
      params,
      querystring: revisionsQuery,
      returns: Type.Array(VariantRevision),
      errors: ['too-many-queries', 'query-timeout'],
    },
    async handler(request, reply) {
      const { variant_id } = request.params
      const { project, confined_to } = request.viewer
      const path = `/api/variants/${encodeURIComponent(variant_id)}/revisions`
      const include = parseList('include', request.query.include, INCLUDE_VALUES)
      const hasEvaluations = include.has('evaluations') || include.has('base')
      // A restricted key can read a variant, but neither its evaluations nor their baselines.
      const hasBase = include.has('base') && confined_to === null
      const includes = {
        cache: textCache,
        hasMessage: include.has('message'),
        readScores: hasEvaluations ? (hasBase ? readScoresWithBase : readScoreTexts) : undefined,
        hasChanges: include.has('changes'),
      }
      return respondWithElements(reply, {
        ...context,
        elements: REVISIONS,
        path,
        owner: (snapshot) => getVariant(snapshot, request.viewer, variant_id),
        table: async () => REVISION_TABLE,
        isQuery: hasEvaluations,
        ...(include.size > 0 && {
          readChunks: (snapshot, key, range, separator) =>
            readRevisionsWithIncludes(snapshot, { project, id: variant_id, key }, range, separator, includes),
        }),
      })
    },
  })

  app.route({
    method: ['GET', 'HEAD'],
    url: '/variants/:variant_id/revisions/:revision',
    config: { scope: 'read', allowsRestrictedKeys: true },
    schema: {
      operationId: 'getVariantRevision',
      summary: 'Retrieve a revision',
      description: 'Returns one revision, exactly as in the list of revisions.',
      tag: 'variants',
      params: oneRevisionParams,
      returns: VariantRevision,
    },
    async handler(request, reply) {
      const { variant_id, revision } = request.params
      return respondWithText(reply, context, async (snapshot) => {
        const { key, version } = await getVariant(snapshot, request.viewer, variant_id)
        const number = await getRevisionNumber(snapshot, key, revision)
        return { version, open: () => () => getRevisionText(snapshot, key, number) }
      })
    },
  })

  app.route({
    method: ['GET', 'HEAD'],
    url: '/variants/:variant_id/revisions/:from/diff/:to',
    config: { scope: 'read', allowsRestrictedKeys: true },
    schema: {
      operationId: 'diffVariantRevisions',
      summary: 'Compare two revisions',
      description:
        'Returns each parameter that differs, with its path and both values exactly as they were written. Objects in lists are matched by `id`, `name` or `role` first, then by position.',
      tag: 'variants',
      params: strictObject({
        ...variantParam,
        from: revisionParam('The number of the old revision.'),
        to: revisionParam('The number of the new revision.'),
      }),
      returns: RevisionDiff,
    },
    async handler(request, reply) {
      const { variant_id: id, ...numbers } = request.params
      return respondWithText(reply, context, async (snapshot) => {
        const { key, version } = await getVariant(snapshot, request.viewer, id)
        const from = await getRevisionNumber(snapshot, key, numbers.from)
        const to = await getRevisionNumber(snapshot, key, numbers.to)
        return {
          version,
          open: () => () => getChangesBetween(textCache, snapshot, { key, id }, from, to),
        }
      })
    },
  })

  app.route({
    method: 'POST',
    url: '/variants/:variant_id/revisions',
    config: { scope: 'write' },
    schema: {
      operationId: 'addVariantRevision',
      summary: 'Add a revision',
      description:
        'Adds a revision to a variant, and creates the variant if it does not exist. Revisions are immutable: a number that exists with different content returns 409. Repeating the same request has no effect.',
      tag: 'variants',
      params,
      body: RevisionWrite,
      returns: VariantRevision,
      hasLocation: true,
    },
    async handler(request, reply) {
      const { variant_id } = request.params
      return writes.handle(reply, {
        check: () => findVariant(reader, request.viewer, variant_id),
        read: () => readDocument(request, settings, checkRevision),
        lock: (transaction) => lockVariantIfExists(transaction, request.viewer, variant_id),
        async store(transaction, revision, variant) {
          const key = variant?.key ?? (await ensureVariant(transaction, request.viewer, variant_id))
          const { body } = await addRevision(transaction, key, revision)
          const { revision: number } = JSON.parse(body) as VariantRevision
          const version = await getVariantVersion(transaction, key)
          const location = locationOf(variant_id, number)
          return { status: 201, location, body, receipt: { revision: number }, version }
        },
      })
    },
  })

  app.route({
    method: 'DELETE',
    url: '/variants/:variant_id/revisions/:revision',
    config: { scope: 'write' },
    schema: {
      operationId: 'deleteVariantRevision',
      summary: 'Delete a revision',
      description:
        'Deletes one revision of the variant, for example because its prompt contains a secret. The other revisions keep their numbers. Its evaluations are not changed: they keep the variant id and the revision number. You can restore the revision only from a backup.',
      tag: 'variants',
      params: oneRevisionParams,
    },
    async handler(request, reply) {
      const { viewer, params } = request
      return writes.handle(reply, {
        read: async () => undefined,
        async lock(transaction) {
          const variant = await lockVariant(transaction, viewer, params.variant_id)
          return { ...variant, number: await getRevisionNumber(transaction, variant.key, params.revision) }
        },
        async store(transaction, _content, { key, number }) {
          await deleteRevision(transaction, key, number)
          // They contain the text of the revision.
          await forgetResponsesAt(transaction, viewer.project, locationOf(params.variant_id, number))
          return { status: 204 }
        },
      })
    },
  })
}

function locationOf(variantId: string, revision: number): string {
  return `/api/variants/${encodeURIComponent(variantId)}/revisions/${revision}`
}
