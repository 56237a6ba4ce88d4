// Responds with the scenarios of an evaluation that match filters, in a given order, all of them or one page.
import type { FastifyReply } from 'fastify'
import { FORMATS } from '../../serialize/format.ts'
import type { ComparisonCache } from '../../store/compare/comparison-cache.ts'
import { getViewEvaluations, openView } from '../../store/compare/view-with-baseline.ts'
import { readElementsAt } from '../../store/reads/elements.ts'
import { getLastPosition } from '../../store/scenarios/scenarios.ts'
import type { RowQuery } from '../request/filters.ts'
import type { ElementsRead } from './elements.ts'
import { nextLink, otherCursorProblem, type PageQuery, readCursor, writeCursor } from './pagination.ts'

export function respondWithFilteredScenarios(
  reply: FastifyReply,
  read: Omit<ElementsRead, 'owner'> & {
    /** The id of the evaluation. */ id: string
    comparisonCache: ComparisonCache
  },
  rowQuery: RowQuery,
) {
  const { settings, elements, path } = read
  const query = reply.request.query as PageQuery
  const { limit = Number.MAX_SAFE_INTEGER } = query
  // A cursor is valid only for the same filters and the same order.
  const list = `${path}?${JSON.stringify(rowQuery)}`
  // A page starts after the sort key in the cursor, and contains only rows up to the position `through`.
  const [group, value, position, through] =
    readCursor(list, query, ['number', 'scalar', 'number', 'number']) ?? []
  const after = position === undefined ? undefined : { group: group ?? 0, value: value ?? null, position }
  return read.respond(reply, read, {
    isQuery: true,
    async prepare(snapshot) {
      const evaluations = await getViewEvaluations(snapshot, reply.request.viewer, read.id, rowQuery.base)
      const { evaluation } = evaluations
      return {
        formats: FORMATS,
        version: evaluations.version,
        async content(format) {
          const isContinued = after !== undefined
          const { view } = await openView(
            snapshot,
            evaluations,
            { ...rowQuery, isContinued },
            read.comparisonCache,
          )
          if (after && !view.isSortKey(after)) throw otherCursorProblem()
          const last = through ?? (await getLastPosition(snapshot, evaluation.key))
          const remainingPositions = await view.page(after, last)
          const positions = remainingPositions.subarray(0, limit)
          const lastPosition = positions.at(-1)
          const hasMore = remainingPositions.length > limit && lastPosition !== undefined
          const key = hasMore ? await view.sortKeyOf(lastPosition) : undefined
          const cursor = key && writeCursor(list, [key.group, key.value, key.position, last])
          return {
            chunks: (separator) => readElementsAt(snapshot, elements, evaluation.key, positions, separator),
            link: cursor && nextLink(settings.public_url, path, query, cursor),
            table: format === 'csv' ? await read.table(snapshot, evaluation.key) : undefined,
          }
        },
      }
    },
  })
}
