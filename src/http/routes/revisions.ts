// /variants/{variant_id}/revisions: every revision of one variant, each of them, and the next one.

import { REVISION_TABLE } from '../../rendition/revisions.ts'
import { formatQuery, pageQuery } from '../../schema/pages.ts'
import { checkRevision } from '../../schema/revisions.ts'
import { closed } from '../../schema/shapes.ts'
import { Type } from '../../schema/type.ts'
import { readIncluding } from '../../store/included-revisions.ts'
import { addRevision, getRevisionNumber, getRevisionText, REVISIONS } from '../../store/revisions.ts'
import { ensureVariant, findVariant, getVariant } from '../../store/variants.ts'
import { describeDocument, describeRead, describeWrite } from '../describe.ts'
import { answerDocument, whole } from '../document.ts'
import { answerElements } from '../elements.ts'
import { readWords } from '../query.ts'
import type { App, RouteContext } from '../route.ts'
import { readDocument } from '../uploads.ts'

const variantParam = { variant_id: Type.String({ description: 'The id of the variant.' }) }
const params = closed(variantParam)

const INCLUDED = ['evaluations', 'changes', 'message'] as const
const query = closed({
  ...pageQuery,
  ...formatQuery,
  include: Type.Optional(
    Type.String({
      description:
        'What each revision has beside its fields, with commas: evaluations, those that ran it and their scores (the answer then has no ETag); changes, what it changed against the one before; message, what was said about it. A table has none of them.',
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
  const { reader, writes, settings, changes, scores } = context
  app.route({
    method: ['GET', 'HEAD'],
    url: '/variants/:variant_id/revisions',
    config: { scope: 'read', isConfinable: true },
    schema: describeRead({
      operationId: 'listVariantRevisions',
      summary: 'Every revision of one variant',
      description:
        'The whole array by ascending revision number, from one consistent state of the store. Parameters are exactly what was written.',
      tag: 'variants',
      params,
      querystring: query,
      element: 'VariantRevision',
      example: REVISION_EXAMPLE,
      csvExample: REVISION_CSV,
      notFound: 'variant-not-found',
    }),
    async handler(request, reply) {
      const { variant_id } = request.params
      const { project } = request.viewer
      const path = `/api/variants/${encodeURIComponent(variant_id)}/revisions`
      const words = readWords('include', request.query.include, INCLUDED)
      const included = {
        scores: words.has('evaluations') ? scores : undefined,
        changes: words.has('changes') ? changes : undefined,
        hasMessage: words.has('message'),
      }
      return answerElements(request, reply, {
        ...context,
        elements: REVISIONS,
        path,
        owner: (snapshot) => getVariant(snapshot, request.viewer, variant_id),
        table: async () => REVISION_TABLE,
        isQuery: words.has('evaluations'),
        ...(words.size > 0 && {
          pieces: (snapshot, key, range, separator) =>
            readIncluding(snapshot, { project, id: variant_id, key }, range, separator, included),
        }),
      })
    },
  })

  app.route({
    method: ['GET', 'HEAD'],
    url: '/variants/:variant_id/revisions/:revision',
    config: { scope: 'read', isConfinable: true },
    schema: describeDocument({
      operationId: 'getVariantRevision',
      summary: 'One revision of a variant',
      description: 'Whole, exactly as the list of revisions has it.',
      tag: 'variants',
      params: closed({
        ...variantParam,
        revision: Type.String({ description: 'The number of the revision, in plain digits.' }),
      }),
      querystring: closed({}),
      element: 'VariantRevision',
      example: REVISION_EXAMPLE,
      notFound: ['variant-not-found', 'revision-not-found'],
    }),
    async handler(request, reply) {
      const { variant_id, revision } = request.params
      return answerDocument(request, reply, context, async (snapshot) => {
        const { key, version } = await getVariant(snapshot, request.viewer, variant_id)
        const number = await getRevisionNumber(snapshot, key, revision)
        return { version, open: async () => whole(() => getRevisionText(snapshot, key, number)) }
      })
    },
  })

  app.route({
    method: ['GET', 'HEAD'],
    url: '/variants/:variant_id/revisions/:from/diff/:to',
    config: { scope: 'read', isConfinable: true },
    schema: describeDocument({
      operationId: 'diffVariantRevisions',
      summary: 'What changed between two revisions of a variant',
      description:
        'Every parameter that differs, by its path, with the values exactly as they were written. Lists of objects are matched by id, name or role before position.',
      tag: 'variants',
      params: closed({
        ...variantParam,
        from: Type.String({ description: 'The number of the old revision, in plain digits.' }),
        to: Type.String({ description: 'The number of the new revision, in plain digits.' }),
      }),
      querystring: closed({}),
      element: 'RevisionDiff',
      example: DIFF_EXAMPLE,
      notFound: ['variant-not-found', 'revision-not-found'],
    }),
    async handler(request, reply) {
      const { variant_id: id, ...numbers } = request.params
      return answerDocument(request, reply, context, async (snapshot) => {
        const { key, version } = await getVariant(snapshot, request.viewer, id)
        const from = await getRevisionNumber(snapshot, key, numbers.from)
        const to = await getRevisionNumber(snapshot, key, numbers.to)
        return { version, open: async () => whole(() => changes.between(snapshot, { key, id }, from, to)) }
      })
    },
  })

  app.route({
    method: 'POST',
    url: '/variants/:variant_id/revisions',
    config: { scope: 'write' },
    schema: describeWrite({
      operationId: 'addVariantRevision',
      summary: 'Add a revision to a variant',
      description:
        'A variant that is not there is made. Revisions are never changed: a number that holds something else answers 409, the same again changes nothing.',
      tag: 'variants',
      params,
      body: {
        schema: 'RevisionWrite',
        example: { modified_by: 'Maya', config: REVISION_EXAMPLE.config, message: 'Shorter answers.' },
      },
      answer: { status: 201, schema: 'VariantRevision', example: REVISION_EXAMPLE },
      errors: ['conflict', 'variant-not-found'],
    }),
    async handler(request, reply) {
      const { variant_id } = request.params
      return writes.answer(request, reply, {
        check: () => findVariant(reader, request.viewer, variant_id),
        read: (seen) => readDocument(request, settings, checkRevision, seen),
        async store(transaction, revision) {
          const key = await ensureVariant(transaction, request.viewer, variant_id)
          const { body } = await addRevision(transaction, key, revision)
          return { status: 201, body }
        },
      })
    },
  })
}
