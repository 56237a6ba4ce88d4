// /evaluations/{evaluation_id}/rows: windows of rows with truncated texts, for the web page.
import type { Static } from 'typebox'
import { filterQuery, orderQuery, withNamedFilters } from '../../schema/filters/filter-params.ts'
import type { Order } from '../../schema/filters/orders.ts'
import { idSchema } from '../../schema/ids.ts'
import { Rows, WINDOW, windowQuery } from '../../schema/rows.ts'
import { commaSeparated, strictObject, Type } from '../../schema/schema-builders.ts'
import { previewRow } from '../../serialize/rows.ts'
import { readPairedRows } from '../../store/compare/baseline.ts'
import { groupPositions, readRepeats } from '../../store/compare/rows/repeats.ts'
import {
  getViewEvaluations,
  openSide,
  openView,
  type ViewWithBaseline,
} from '../../store/compare/view-with-baseline.ts'
import type { EvaluationInfo } from '../../store/evaluations/evaluations.ts'
import { readBodies } from '../../store/reads/bodies.ts'
import { getScenario } from '../../store/scenarios/scenarios.ts'
import type { Connection } from '../../store/store.ts'
import { respondWithParts } from '../reads/document.ts'
import { pageStart } from '../reads/pagination.ts'
import { parseRowQuery } from '../request/filters.ts'
import type { App, RouteContext } from '../route-context.ts'

/** A part of the response is sent when it reaches this length. */
const MIN_PART_CHARACTERS = 256 * 1024

const INCLUDE_VALUES = ['reasons'] as const

const rowsQuery = withNamedFilters({
  ...windowQuery,
  group: Type.Optional(
    Type.Enum(['row'], {
      description:
        'Returns one element per row, its first scenario, for each row of which a scenario matches the filters. `repeats` has the ids and scores of its scenarios. Results, cost and latency are sorted by the means of the repeats.',
    }),
  ),
  locate: Type.Optional(
    idSchema(
      'The id of a scenario. Returns the window that contains it, aligned to multiples of `limit`, and the number of rows before it. If the filters exclude it, returns the window of the next row, or of the last row. Ignores `offset`.',
    ),
  ),
  include: Type.Optional(
    commaSeparated(INCLUDE_VALUES, 'Additional members. `reasons`: the reasons of the results.'),
  ),
  ...orderQuery,
  ...filterQuery,
})
type RowsQuery = Static<typeof rowsQuery>

export function rowRoutes(app: App, context: RouteContext): void {
  app.route({
    method: ['GET', 'HEAD'],
    url: '/evaluations/:evaluation_id/rows',
    config: { scope: 'read', allowsRestrictedKeys: true },
    schema: {
      operationId: 'listEvaluationRows',
      summary: 'List rows of an evaluation',
      description:
        'Returns a window of the rows that match the filters, in the given order, starting at `offset`. Long texts are truncated, so that clients can display evaluations of any size. With `base`, each row contains the matched row of the baseline and the score differences.',
      tag: 'evaluations',
      params: strictObject({ evaluation_id: idSchema('The id of the evaluation.') }),
      querystring: rowsQuery,
      returns: Rows,
      errors: ['scenario-not-found', 'too-many-queries', 'query-timeout'],
    },
    async handler(request, reply) {
      const rowQuery = parseRowQuery(request.query)
      const prepare = async (snapshot: Connection) => {
        const evaluations = await getViewEvaluations(
          snapshot,
          request.viewer,
          request.params.evaluation_id,
          rowQuery.base,
        )
        return {
          version: evaluations.version,
          async open() {
            const view = await openView(snapshot, evaluations, rowQuery, context.comparisonCache)
            const { evaluation } = evaluations
            const rows =
              request.query.group === undefined
                ? undefined
                : await openSide(snapshot, evaluation, view.baseline, context.comparisonCache)
            const window = await findWindow(request.query, rowQuery.order, snapshot, evaluation, view, rows)
            return { read: () => serializeWindow(request.query, snapshot, evaluation, view, window, rows) }
          },
        }
      }
      return respondWithParts(reply, context, prepare, true)
    },
  })
}

/** The rows of the evaluation, if the response has one element per row. */
type ViewRows = Awaited<ReturnType<typeof openSide>> | undefined

/** The position of the scenario, or of the first scenario of its row. Throws scenario-not-found. */
async function findTarget(snapshot: Connection, key: number, id: string, rows: ViewRows): Promise<number> {
  const { position } = await getScenario(snapshot, key, id)
  const { firstPositions } = rows ? await rows.columns.rows(rows.side) : {}
  return firstPositions?.[position] ?? position
}

interface Window {
  total: number
  offset: number
  /** With `locate`: the number of rows before the scenario. `located` is the same, or null if the filters exclude it. */
  before?: number
  located?: number | null
  positions: Float64Array
}

/** Throws scenario-not-found if `locate` names an unknown scenario. */
async function findWindow(
  { limit = WINDOW.limit, offset = 0, locate }: RowsQuery,
  order: Order,
  snapshot: Connection,
  { key, count }: EvaluationInfo,
  { view }: ViewWithBaseline,
  rows: ViewRows,
): Promise<Window> {
  if (!view.condition && locate === undefined && !rows) {
    return { total: count, offset, positions: await view.window(offset, limit) }
  }
  const target = locate === undefined ? undefined : await findTarget(snapshot, key, locate, rows)
  const scenarios = await view.positions()
  const group = async (positions: Float64Array) =>
    rows ? groupPositions(rows.columns, rows.side, positions, order) : positions
  const allPositions = await group(scenarios)
  const total = allPositions.length
  if (target === undefined) return { total, offset, positions: allPositions.subarray(offset, offset + limit) }
  const { before, isIncluded } = await view.locate(target, allPositions, group)
  const start = pageStart(before, total, limit)
  const positions = allPositions.subarray(start, start + limit)
  return { total, offset: start, before, located: isIncluded ? before : null, positions }
}

/** Yields rows while they are read, so that a window of large rows is never completely in memory. */
async function* serializeWindow(
  { preview = WINDOW.preview, include }: RowsQuery,
  snapshot: Connection,
  { key }: EvaluationInfo,
  { baseline, chosen }: ViewWithBaseline,
  { positions, ...window }: Window,
  rows: ViewRows,
): AsyncGenerator<string> {
  const repeats = rows && (await readRepeats(rows.columns, rows.side, [...positions]))
  const matches = baseline && (await readPairedRows(baseline, [...positions]))
  const header = {
    ...window,
    ...(baseline && {
      base: {
        id: baseline.baseline.info.id,
        chosen,
        by: baseline.firstJoin.by,
        matched: baseline.firstJoin.matched,
        match_rate: baseline.firstJoin.rate,
      },
    }),
  }
  let part = `${JSON.stringify(header).slice(0, -1)},"rows":[`
  let separator = ''
  const extras = include === undefined ? undefined : readBodies(snapshot, key, positions, 'extra')
  for await (const { position, body } of readBodies(snapshot, key, positions)) {
    const extra = (await extras?.next())?.value
    const row = previewRow(position, body, preview, extra?.body)
    const match = matches ? `,"base":${JSON.stringify(matches.get(position) ?? null)}` : ''
    const repeated = repeats ? `,"repeats":${JSON.stringify(repeats.get(position) ?? null)}` : ''
    part += `${separator}${row.slice(0, -1)}${match}${repeated}}`
    separator = ','
    if (part.length < MIN_PART_CHARACTERS) continue
    yield part
    part = ''
  }
  yield `${part}]}`
}
