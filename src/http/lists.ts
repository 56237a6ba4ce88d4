// Lists of evaluations and variants: whole or a page, those that fit the filters, JSON only.
import type { FastifyReply, FastifyRequest } from 'fastify'
import { readFilters } from '../store/list-filters.ts'
import {
  LIST_START,
  type ListPlace,
  type ListQuestion,
  type NewestFirst,
  readList,
  readWholeList,
} from '../store/lists.ts'
import { answer } from './answer.ts'
import { nextLink, readCursor, writeCursor } from './page.ts'
import type { RouteContext } from './route.ts'

interface ListQuery {
  limit?: number
  cursor?: string
}

export interface ListRead<Row> extends Pick<RouteContext, 'reader' | 'relays' | 'settings'> {
  list: NewestFirst<Row>
  path: string
  /** Further members, which take a look at many rows. */
  more?: ListQuestion<Row>['more']
}

export function answerList<Row>(request: FastifyRequest, reply: FastifyReply, read: ListRead<Row>) {
  const { reader, relays, settings, list, path, more } = read
  const query = request.query as ListQuery & Record<string, string>
  const { limit } = query
  const filter = readFilters(list.filters, query)
  const question = { list, project: request.viewer.project, filter, more }
  const name = path + filter.name
  const after = listPlace(name, query)
  return answer(request, reply, {
    reader,
    relays,
    // Either may look at many rows to find few.
    isQuery: more !== undefined || !filter.isEmpty,
    look: async (snapshot) => ({
      formats: ['json'],
      async content() {
        if (limit === undefined) {
          return { pieces: (separator) => readWholeList(snapshot, question, after, separator) }
        }
        const { elements, next } = await readList(snapshot, question, after, limit)
        const cursor = next && writeCursor(name, [next.created_at, next.key])
        return {
          async *pieces(separator) {
            if (elements.length > 0) yield Buffer.from(elements.join(separator))
          },
          link: cursor && nextLink(settings.public_url, path, { ...query }, cursor),
        }
      },
    }),
  })
}

/** `name`: of the list as it is filtered. */
function listPlace(name: string, { cursor }: ListQuery): ListPlace {
  if (cursor === undefined) return LIST_START
  const [created_at, key] = readCursor(name, cursor, ['string', 'number'])
  return { created_at, key }
}
