// /evaluations/{evaluation_id}/rows: windows of an evaluation's rows as a screen shows them.

import { previewRow } from '../../rendition/rows.ts'
import { filterQuery, orderQuery, withNamedFilters } from '../../schema/filter-queries.ts'
import { WINDOW, windowQuery } from '../../schema/rows.ts'
import { closed } from '../../schema/shapes.ts'
import { Type } from '../../schema/type.ts'
import type { EvaluationHead } from '../../store/evaluations.ts'
import { getViewHeads, type OpenedView, openView } from '../../store/opened-views.ts'
import { readBodies } from '../../store/rows.ts'
import { getScenario } from '../../store/scenarios.ts'
import type { Connection } from '../../store/store.ts'
import { describeDocument } from '../describe.ts'
import { answerDocument } from '../document.ts'
import { readView } from '../filters.ts'
import type { App, RouteContext } from '../route.ts'
import { startOf } from '../windows.ts'

const ROWS_EXAMPLE = {
  total: 16,
  offset: 0,
  rows: [
    {
      position: 3,
      id: 'returns-004',
      inputs: [{ name: 'question', type: 'text', value: 'Can I return boots I wore once?' }],
      outputs: [{ result: { type: 'text', value: 'Yes, within 30 days.' }, cost: 0.00042, latency: 1.183 }],
      correct_answers: [{ key: 'answer', value: 'Worn boots can be returned' }],
      is_pinned: false,
      note: null,
      results: [{ evaluator_config: 'answer_correct', result: { type: 'bool', value: false } }],
      cut: ['/correct_answers/0/value'],
    },
  ],
}

/** So much of a window is put together before it is sent. */
const PART_CHARACTERS = 256 * 1024

interface WindowQuery {
  offset?: number
  limit?: number
  preview?: number
  locate?: string
}

export function rowRoutes(app: App, context: RouteContext): void {
  app.route({
    method: ['GET', 'HEAD'],
    url: '/evaluations/:evaluation_id/rows',
    config: { scope: 'read', isConfinable: true },
    schema: describeDocument({
      operationId: 'listEvaluationRows',
      summary: 'A window of the rows of an evaluation',
      description:
        'The rows that the filters leave, in the order asked for, from an offset on, with long texts cut: what a screen shows of an evaluation of any size. With base each row has the one it is paired with and the differences of their scores.',
      tag: 'evaluations',
      params: closed({ evaluation_id: Type.String({ description: 'The id of the evaluation.' }) }),
      querystring: withNamedFilters({
        ...windowQuery,
        locate: Type.Optional(
          Type.String({
            description:
              'The id of a scenario: answers the window that holds it, counted in steps of limit, and how many rows come before it. Where the filters leave it out, the window of the first row behind it, or of the last row. The offset does not matter then.',
          }),
        ),
        ...orderQuery,
        ...filterQuery,
      }),
      element: 'Rows',
      example: ROWS_EXAMPLE,
      notFound: ['evaluation-not-found', 'scenario-not-found'],
    }),
    async handler(request, reply) {
      const question = readView(request.query)
      const look = async (snapshot: Connection) => {
        const heads = await getViewHeads(
          snapshot,
          request.viewer,
          request.params.evaluation_id,
          question.base,
        )
        return {
          version: heads.version,
          async open() {
            const opened = await openView(snapshot, heads, question, context.pairings)
            const window = await findWindow(request.query, snapshot, heads.owner, opened)
            return () => windowParts(request.query, snapshot, heads.owner, opened, window)
          },
        }
      }
      return answerDocument(request, reply, context, look, true)
    },
  })
}

interface Window {
  total: number
  offset: number
  /** Of the scenario that was asked for: how many rows come before it, and the same again where it is one of them. */
  before?: number
  located?: number | null
  positions: Float64Array
}

/** Throws scenario-not-found where the one to locate is nowhere. */
async function findWindow(
  { limit = WINDOW.limit, offset = 0, locate }: WindowQuery,
  snapshot: Connection,
  { key, count }: EvaluationHead,
  { view }: OpenedView,
): Promise<Window> {
  if (!view.condition && locate === undefined) {
    return { total: count, offset, positions: await view.window(offset, limit) }
  }
  const sought = locate === undefined ? undefined : await getScenario(snapshot, key, locate)
  const every = await view.positions()
  const total = every.length
  if (!sought) return { total, offset, positions: every.subarray(offset, offset + limit) }
  const { before, isThere } = await view.place(sought.position, every)
  const start = startOf(before, total, limit)
  const positions = every.subarray(start, start + limit)
  return { total, offset: start, before, located: isThere ? before : null, positions }
}

/** Rows are answered as they are read: a window of large ones is never held as a whole. */
async function* windowParts(
  { preview = WINDOW.preview }: WindowQuery,
  snapshot: Connection,
  { key }: EvaluationHead,
  { base }: OpenedView,
  { positions, ...window }: Window,
): AsyncGenerator<string> {
  const paired = await base?.rows([...positions])
  const head = {
    ...window,
    ...(base && {
      base: { id: base.id, by: base.joined.by, matched: base.joined.matched, match_rate: base.joined.rate },
    }),
  }
  let part = `${JSON.stringify(head).slice(0, -1)},"rows":[`
  let before = ''
  for await (const { position, body } of readBodies(snapshot, key, positions)) {
    const row = previewRow(position, body, preview)
    const pair = paired ? `,"base":${JSON.stringify(paired.get(position) ?? null)}}` : '}'
    part += `${before}${row.slice(0, -1)}${pair}`
    before = ','
    if (part.length < PART_CHARACTERS) continue
    yield part
    part = ''
  }
  yield `${part}]}`
}
