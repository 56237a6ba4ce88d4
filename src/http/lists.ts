// Lists of evaluations and variants: whole or a page, JSON only.
import type { FastifyReply, FastifyRequest } from 'fastify'
import { LIST_START, type ListPlace, type NewestFirst, readList, readWholeList } from '../store/lists.ts'
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
}

export function answerList<Row>(request: FastifyRequest, reply: FastifyReply, read: ListRead<Row>) {
  const { reader, relays, settings, list, path } = read
  const query = request.query as ListQuery
  const { project } = request.viewer
  const { limit } = query
  const after = listPlace(path, query)
  return answer(request, reply, {
    reader,
    relays,
    look: async (snapshot) => ({
      formats: ['json'],
      async content() {
        if (limit === undefined) {
          return { pieces: (separator) => readWholeList(snapshot, list, project, after, separator) }
        }
        const { elements, next } = await readList(snapshot, list, project, after, limit)
        const cursor = next && writeCursor(path, [next.created_at, next.key])
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

function listPlace(path: string, { cursor }: ListQuery): ListPlace {
  if (cursor === undefined) return LIST_START
  const [created_at, key] = readCursor(path, cursor, ['string', 'number'])
  return { created_at, key }
}
