// Responds with lists of evaluations and variants, all or one page, with optional filters and order. JSON only.
import type { FastifyReply } from 'fastify'
import { parseListFilters } from '../../schema/filters/parse-filters.ts'
import { readLogVersion } from '../../store/changes/change-log.ts'
import { type ListSelection, type ListTable, readFullList, readList } from '../../store/reads/lists.ts'
import { parseListOrderParam } from '../request/filters.ts'
import { listVersion } from '../response/etag.ts'
import type { ResponseContext } from '../response/respond.ts'
import type { RouteContext } from '../route-context.ts'
import { nextLink, type PageQuery, readCursor, writeCursor } from './pagination.ts'

export interface ListRead<Row> extends ResponseContext, Pick<RouteContext, 'settings'> {
  list: ListTable<Row>
  path: string
  extraMember?: ListSelection<Row>['extraMember']
}

export async function respondWithList<Row>(reply: FastifyReply, read: ListRead<Row>) {
  const { settings, list, path, extraMember } = read
  const query = reply.request.query as PageQuery & Record<string, unknown>
  const { limit } = query
  const filters = parseListFilters(list.filters, query)
  const { project } = reply.request.viewer
  const order = parseListOrderParam(query)
  const selection = { list, project, filters, order, extraMember }
  // A cursor is valid only for the same filters and the same order.
  const name = path + JSON.stringify([filters, order])
  const position = readCursor(name, query, ['string', 'number'])
  const after = position && { sort_value: position[0], key: position[1] }
  return read.respond(reply, read, {
    // Both can read many rows.
    isQuery: extraMember?.isSlow || filters.length > 0,
    isPolled: true,
    async prepare(snapshot) {
      // Everything in a list is written with an entry of the change log.
      const logVersion = await readLogVersion(snapshot, project)
      return {
        formats: ['json'],
        version: logVersion === undefined ? undefined : listVersion(logVersion, path, query),
        async content() {
          if (limit === undefined) {
            return { chunks: (separator) => readFullList(snapshot, selection, after, separator) }
          }
          const { elements, next } = await readList(snapshot, selection, after, limit)
          const cursor = next && writeCursor(name, [next.sort_value, next.key])
          return {
            async *chunks(separator) {
              if (elements.length > 0) yield Buffer.from(elements.join(separator))
            },
            link: cursor && nextLink(settings.public_url, path, query, cursor),
          }
        },
      }
    },
  })
}
