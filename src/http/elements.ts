// The two reads: the elements of one evaluation or one variant, whole or a page of them.
import type { FastifyReply, FastifyRequest } from 'fastify'
import { FORMATS, type Table } from '../rendition/representation.ts'
import {
  type ElementTable,
  EVERYTHING,
  pageRange,
  type Range,
  readPieces,
  type Size,
} from '../store/elements.ts'
import type { Connection } from '../store/store.ts'
import { answer } from './answer.ts'
import { nextLink, readCursor, writeCursor } from './page.ts'
import type { RouteContext } from './route.ts'

export interface ElementsRead
  extends Pick<RouteContext, 'reader' | 'relays' | 'renditions' | 'files' | 'settings'> {
  elements: ElementTable
  /** The path of this list, as a link names it. */
  path: string
  /** Whose elements: the key and version of the evaluation or variant, and how much of them there is. */
  owner(snapshot: Connection): Promise<Size & { key: number; version: string }>
  table(snapshot: Connection, key: number): Promise<Table>
  /** Reads elements with more than is stored of them, for what is not a table. */
  pieces?:
    | ((snapshot: Connection, key: number, range: Range, separator: string) => AsyncIterable<Uint8Array>)
    | undefined
  /** Whether that is of more than the owner: then it takes more, and its version says nothing. */
  isQuery?: boolean | undefined
}

interface ElementsQuery {
  limit?: number
  cursor?: string
}

/** The position a query's cursor names; before the first without one. Throws invalid-request. */
function cursorPosition(path: string, { cursor }: ElementsQuery): number {
  if (cursor === undefined) return EVERYTHING.after
  const [position] = readCursor(path, cursor, ['number'])
  return position
}

export function answerElements(request: FastifyRequest, reply: FastifyReply, read: ElementsRead) {
  const { reader, relays, renditions, files, settings, elements, path, isQuery = false } = read
  const query = request.query as ElementsQuery
  const { limit } = query
  const after = cursorPosition(path, query)
  const isWhole = limit === undefined && after === EVERYTHING.after && !read.pieces
  return answer(request, reply, {
    reader,
    relays,
    isQuery,
    kept: isWhole ? { renditions, files, as: elements.element } : undefined,
    async look(snapshot) {
      const owner = await read.owner(snapshot)
      return {
        formats: FORMATS,
        ...(!isQuery && { version: owner.version }),
        async content(format) {
          const page =
            limit === undefined ? undefined : await pageRange(snapshot, elements, owner.key, after, limit)
          const range = page ?? { ...EVERYTHING, after }
          // Of a page, and of elements with more than their bodies, it is not known without reading them.
          const more = format === 'csv' ? undefined : read.pieces
          const isPlain = range.after === EVERYTHING.after && !page && !more && elements.element === 'body'
          return {
            pieces: (separator) =>
              more?.(snapshot, owner.key, range, separator) ??
              readPieces(snapshot, elements, owner.key, range, separator),
            link: page?.more
              ? nextLink(settings.public_url, path, { ...query }, writeCursor(path, [page.through]))
              : undefined,
            size: isPlain ? owner : undefined,
            table: format === 'csv' ? await read.table(snapshot, owner.key) : undefined,
          }
        },
      }
    },
  })
}
