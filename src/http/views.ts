// Reads of the rows that filters leave, in an order: the scenarios themselves, whole or a page of them, as the plain
// read gives them.
import type { FastifyReply, FastifyRequest } from 'fastify'
import { FORMATS } from '../rendition/representation.ts'
import { readChosen } from '../store/elements.ts'
import type { KeptPairings } from '../store/kept-pairings.ts'
import { getViewHeads, type OpenedView, openView } from '../store/opened-views.ts'
import { lastPosition } from '../store/scenarios.ts'
import type { Connection } from '../store/store.ts'
import { answer } from './answer.ts'
import type { ElementsRead } from './elements.ts'
import type { ViewQuery } from './filters.ts'
import { nextLink, readCursor, writeCursor } from './page.ts'

/** Where a page begins: behind this position, among the rows up to another. */
interface PagePlace {
  after: number | undefined
  through: number
}

export function answerView(
  request: FastifyRequest,
  reply: FastifyReply,
  read: Omit<ElementsRead, 'owner'> & { /** Of the evaluation. */ id: string; pairings: KeptPairings },
  question: ViewQuery,
) {
  const { reader, relays, settings, elements, path } = read
  const query = request.query as { limit?: number; cursor?: string }
  const { limit = Number.MAX_SAFE_INTEGER, cursor } = query
  // A cursor is of use only for the same rows in the same order.
  const list = `${path}?${JSON.stringify(question)}`
  const place = cursor === undefined ? undefined : readPlace(list, cursor)
  return answer(request, reply, {
    reader,
    relays,
    isQuery: true,
    async look(snapshot) {
      const heads = await getViewHeads(snapshot, request.viewer, read.id, question.base)
      const { owner } = heads
      return {
        formats: FORMATS,
        version: heads.version,
        async content(format) {
          const opened = await openView(snapshot, heads, question, read.pairings)
          const { positions, next } = await readPage(snapshot, owner.key, opened, place, limit)
          return {
            pieces: (separator) => readChosen(snapshot, elements, owner.key, positions, separator),
            link: next && nextLink(settings.public_url, path, { ...query }, writeCursor(list, next)),
            table: format === 'csv' ? await read.table(snapshot, owner.key) : undefined,
          }
        },
      }
    },
  })
}

function readPlace(list: string, cursor: string): PagePlace {
  const [after, through] = readCursor(list, cursor, ['number', 'number'])
  return { after, through }
}

async function readPage(
  snapshot: Connection,
  evaluation: number,
  { view }: OpenedView,
  place: PagePlace | undefined,
  limit: number,
): Promise<{ positions: Float64Array; next: [number, number] | undefined }> {
  const { after, through } = place ?? { after: undefined, through: await lastPosition(snapshot, evaluation) }
  const left = await view.page(after, through)
  const positions = left.subarray(0, limit)
  const last = positions.at(-1)
  return { positions, next: left.length > limit && last !== undefined ? [last, through] : undefined }
}
