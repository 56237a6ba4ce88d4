// /variants/{variant_id}/revisions: lists, retrieves, compares and adds revisions of a variant.

import { formatQuery, pageQuery } from '../../schema/pages.ts'
import { checkRevision } from '../../schema/revisions.ts'
import { strictObject, Type } from '../../schema/schema-builders.ts'
import { REVISION_TABLE } from '../../serialize/revisions.ts'
import { getChangesBetween } from '../../store/variants/revision-changes.ts'
import { readRevisionsWithIncludes } from '../../store/variants/revision-includes.ts'
import { addRevision, getRevisionNumber, getRevisionText, REVISIONS } from '../../store/variants/revisions.ts'
import { ensureVariant, findVariant, getVariant } from '../../store/variants/variants.ts'
import { describeDocument, describeRead, describeWrite } from '../openapi/operations.ts'
import { respondWithDocument, singlePart } from '../reads/document.ts'
import { respondWithElements } from '../reads/elements.ts'
import { readDocument } from '../request/parse-body.ts'
import { parseList } from '../request/query.ts'
import type { App, RouteContext } from '../route-context.ts'

const variantParam = { variant_id: Type.String({ description: 'The id of the variant.' }) }
const params = strictObject(variantParam)

const INCLUDE_VALUES = ['evaluations', 'changes', 'message'] as const
const revisionsQuery = strictObject({
  ...pageQuery,
  ...formatQuery,
  include: Type.Optional(
    Type.String({
      description:
        'Additional members, separated by commas. `evaluations`: the evaluations of the revision and their scores (the response then has no ETag). `changes`: the changes from the previous revision. `message`: the message of the revision. Not available in CSV.',
    }),
  ),
})

const REVISION_EXAMPLE = {
  revision: 5,
  modified_by: 'Maya',
  config: {
    config_name: 'shorter answers',
    parameters: { model: 'gpt-4o-mini', temperature: 0.2, system: 'You answer customers of the shop.' },
  },
  created_at: '2026-10-06T09:15:00.123Z',
}

const DIFF_EXAMPLE = {
  variant_id: 'support-answer',
  from: 4,
  to: 5,
  config_name: { old: 'polite', new: 'shorter answers' },
  parameter_count: 9,
  change_count: 3,
  changes: [
    { path: 'temperature', old_path: null, kind: 'changed', old: 0.7, new: 0.2, lines: null },
    {
      path: 'messages[1].content',
      old_path: 'messages[0].content',
      kind: 'changed',
      old: 'You answer customers.\nTake your time.',
      new: 'You answer customers.\nThree sentences at most.',
      lines: { added: 1, removed: 1 },
    },
    { path: 'stop', old_path: null, kind: 'removed', old: [], lines: null },
  ],
}

const REVISION_CSV = [
  'revision,modified_by,config_name,parameters,created_at',
  '5,Maya,shorter answers,"{""model"":""gpt-4o-mini"",""temperature"":0.2}",2026-10-06T09:15:00.123Z',
  '',
].join('\r\n')

export function revisionRoutes(app: App, context: RouteContext): void {
  const { reader, writes, settings, textCache } = context
  app.route({
    method: ['GET', 'HEAD'],
    url: '/variants/:variant_id/revisions',
    config: { scope: 'read', allowsRestrictedKeys: true },
    schema: describeRead({
      operationId: 'listVariantRevisions',
      summary: 'List revisions of a variant',
      description:
        'Returns all revisions by ascending revision number, from one consistent snapshot. Parameters are returned exactly as they were written.',
      tag: 'variants',
      params,
      querystring: revisionsQuery,
      element: 'VariantRevision',
      example: REVISION_EXAMPLE,
      csvExample: REVISION_CSV,
      notFound: 'variant-not-found',
    }),
    async handler(request, reply) {
      const { variant_id } = request.params
      const { project } = request.viewer
      const path = `/api/variants/${encodeURIComponent(variant_id)}/revisions`
      const include = parseList('include', request.query.include, INCLUDE_VALUES)
      const includes = {
        cache: textCache,
        hasMessage: include.has('message'),
        hasEvaluations: include.has('evaluations'),
        hasChanges: include.has('changes'),
      }
      return respondWithElements(request, reply, {
        ...context,
        elements: REVISIONS,
        path,
        owner: (snapshot) => getVariant(snapshot, request.viewer, variant_id),
        table: async () => REVISION_TABLE,
        isQuery: include.has('evaluations'),
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
    schema: describeDocument({
      operationId: 'getVariantRevision',
      summary: 'Retrieve a revision',
      description: 'Returns one revision, exactly as in the list of revisions.',
      tag: 'variants',
      params: strictObject({
        ...variantParam,
        revision: Type.String({ description: 'The revision number, in decimal digits.' }),
      }),
      querystring: strictObject({}),
      element: 'VariantRevision',
      example: REVISION_EXAMPLE,
      notFound: ['variant-not-found', 'revision-not-found'],
    }),
    async handler(request, reply) {
      const { variant_id, revision } = request.params
      return respondWithDocument(request, reply, context, async (snapshot) => {
        const { key, version } = await getVariant(snapshot, request.viewer, variant_id)
        const number = await getRevisionNumber(snapshot, key, revision)
        return { version, open: async () => singlePart(() => getRevisionText(snapshot, key, number)) }
      })
    },
  })

  app.route({
    method: ['GET', 'HEAD'],
    url: '/variants/:variant_id/revisions/:from/diff/:to',
    config: { scope: 'read', allowsRestrictedKeys: true },
    schema: describeDocument({
      operationId: 'diffVariantRevisions',
      summary: 'Compare two revisions',
      description:
        'Returns each parameter that differs, with its path and both values exactly as they were written. Objects in lists are matched by `id`, `name` or `role` first, then by position.',
      tag: 'variants',
      params: strictObject({
        ...variantParam,
        from: Type.String({ description: 'The number of the old revision, in decimal digits.' }),
        to: Type.String({ description: 'The number of the new revision, in decimal digits.' }),
      }),
      querystring: strictObject({}),
      element: 'RevisionDiff',
      example: DIFF_EXAMPLE,
      notFound: ['variant-not-found', 'revision-not-found'],
    }),
    async handler(request, reply) {
      const { variant_id: id, ...numbers } = request.params
      return respondWithDocument(request, reply, context, async (snapshot) => {
        const { key, version } = await getVariant(snapshot, request.viewer, id)
        const from = await getRevisionNumber(snapshot, key, numbers.from)
        const to = await getRevisionNumber(snapshot, key, numbers.to)
        return {
          version,
          open: async () => singlePart(() => getChangesBetween(textCache, snapshot, { key, id }, from, to)),
        }
      })
    },
  })

  app.route({
    method: 'POST',
    url: '/variants/:variant_id/revisions',
    config: { scope: 'write' },
    schema: describeWrite({
      operationId: 'addVariantRevision',
      summary: 'Add a revision',
      description:
        'Adds a revision to a variant, and creates the variant if it does not exist. Revisions are immutable: a number that exists with different content returns 409. Repeating the same request has no effect.',
      tag: 'variants',
      params,
      body: {
        schema: 'RevisionWrite',
        example: { modified_by: 'Maya', config: REVISION_EXAMPLE.config, message: 'Shorter answers.' },
      },
      success: { status: 201, schema: 'VariantRevision', example: REVISION_EXAMPLE },
      errors: ['conflict', 'variant-not-found'],
    }),
    async handler(request, reply) {
      const { variant_id } = request.params
      return writes.handle(request, reply, {
        check: () => findVariant(reader, request.viewer, variant_id),
        read: (onChunk) => readDocument(request, settings, checkRevision, onChunk),
        async store(transaction, revision) {
          const key = await ensureVariant(transaction, request.viewer, variant_id)
          const { body } = await addRevision(transaction, key, revision)
          return { status: 201, body }
        },
      })
    },
  })
}
