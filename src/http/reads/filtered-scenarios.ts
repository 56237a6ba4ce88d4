// Responds with the scenarios of an evaluation that match filters, in a given order, all of them or one page.
import type { FastifyReply, FastifyRequest } from 'fastify'
import { FORMATS } from '../../serialize/format.ts'
import type { ComparisonCache } from '../../store/compare/comparison-cache.ts'
import {
  getViewEvaluations,
  openView,
  type ViewWithBaseline,
} from '../../store/compare/view-with-baseline.ts'
import { readElementsAt } from '../../store/reads/elements.ts'
import { getLastPosition } from '../../store/scenarios/scenarios.ts'
import type { Connection } from '../../store/store.ts'
import type { RowQuery } from '../request/filters.ts'
import { respondToRead } from '../response/respond.ts'
import type { ElementsRead } from './elements.ts'
import { nextLink, readCursor, writeCursor } from './pagination.ts'

/** A page starts after the row at `after` and contains only rows up to the position `through`. */
interface PageStart {
  after: number | undefined
  through: number
}

export function respondWithFilteredScenarios(
  request: FastifyRequest,
  reply: FastifyReply,
  read: Omit<ElementsRead, 'owner'> & {
    /** The id of the evaluation. */ id: string
    comparisonCache: ComparisonCache
  },
  rowQuery: RowQuery,
) {
  const { settings, elements, path } = read
  const query = request.query as { limit?: number; cursor?: string }
  const { limit = Number.MAX_SAFE_INTEGER, cursor } = query
  // A cursor is valid only for the same filters and the same order.
  const list = `${path}?${JSON.stringify(rowQuery)}`
  const start = cursor === undefined ? undefined : readStart(list, cursor)
  return respondToRead(request, reply, {
    ...read,
    isQuery: true,
    async prepare(snapshot) {
      const evaluations = await getViewEvaluations(snapshot, request.viewer, read.id, rowQuery.base)
      const { evaluation } = evaluations
      return {
        formats: FORMATS,
        version: evaluations.version,
        async content(format) {
          const view = await openView(snapshot, evaluations, rowQuery, read.comparisonCache)
          const { positions, next } = await readPage(snapshot, evaluation.key, view, start, limit)
          return {
            chunks: (separator) => readElementsAt(snapshot, elements, evaluation.key, positions, separator),
            link: next && nextLink(settings.public_url, path, { ...query }, writeCursor(list, next)),
            table: format === 'csv' ? await read.table(snapshot, evaluation.key) : undefined,
          }
        },
      }
    },
  })
}

function readStart(list: string, cursor: string): PageStart {
  const [after, through] = readCursor(list, cursor, ['number', 'number'])
  return { after, through }
}

async function readPage(
  snapshot: Connection,
  evaluation: number,
  { view }: ViewWithBaseline,
  start: PageStart | undefined,
  limit: number,
): Promise<{ positions: Float64Array; next: [number, number] | undefined }> {
  const { after, through } = start ?? {
    after: undefined,
    through: await getLastPosition(snapshot, evaluation),
  }
  const remainingPositions = await view.page(after, through)
  const positions = remainingPositions.subarray(0, limit)
  const lastPosition = positions.at(-1)
  return {
    positions,
    next:
      remainingPositions.length > limit && lastPosition !== undefined ? [lastPosition, through] : undefined,
  }
}
