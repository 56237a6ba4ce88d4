// Responds with the elements of one evaluation (scenarios) or one variant (revisions), all of them or one page.
import type { FastifyReply } from 'fastify'
import { type CsvTable, FORMATS } from '../../serialize/format.ts'
import {
  type ElementTable,
  FULL_RANGE,
  getPageRange,
  type Range,
  readElementChunks,
  type Size,
} from '../../store/reads/elements.ts'
import type { Connection } from '../../store/store.ts'
import type { ResponseContext } from '../response/respond.ts'
import type { RouteContext } from '../route-context.ts'
import { nextLink, type PageQuery, readCursor, writeCursor } from './pagination.ts'

export interface ElementsRead extends ResponseContext, Pick<RouteContext, 'settings'> {
  elements: ElementTable
  /** The path of this list, for the Link header. */
  path: string
  /** Key and version of the evaluation or variant, and the number and size of its elements. */
  owner(snapshot: Connection): Promise<Size & { key: number; version: string }>
  table(snapshot: Connection, key: number): Promise<CsvTable>
  /** Reads elements with additional members, for formats other than CSV. */
  readChunks?:
    | ((snapshot: Connection, key: number, range: Range, separator: string) => AsyncIterable<Uint8Array>)
    | undefined
  /** Whether the members depend on more than the owner. The read is then slower, and its response has no ETag. */
  isQuery?: boolean | undefined
}

export function respondWithElements(reply: FastifyReply, read: ElementsRead) {
  const { settings, elements, path, isQuery = false } = read
  const query = reply.request.query as PageQuery
  const { limit } = query
  const [after] = readCursor(path, query, ['number']) ?? [FULL_RANGE.after]
  const isComplete = limit === undefined && after === FULL_RANGE.after
  return read.respond(reply, read, {
    isQuery,
    contentKey: isComplete && !read.readChunks ? elements.element : undefined,
    async prepare(snapshot) {
      const owner = await read.owner(snapshot)
      return {
        formats: FORMATS,
        version: isQuery ? undefined : owner.version,
        expectedBytes: isComplete ? owner.bytes : undefined,
        async content(format) {
          const page =
            limit === undefined ? undefined : await getPageRange(snapshot, elements, owner.key, after, limit)
          const range = page ?? { ...FULL_RANGE, after }
          // The size is known only for complete lists of elements without additional members.
          const readExtendedChunks = format === 'csv' ? undefined : read.readChunks
          const hasKnownSize = isComplete && !readExtendedChunks && elements.element === 'body'
          return {
            chunks: (separator) =>
              readExtendedChunks?.(snapshot, owner.key, range, separator) ??
              readElementChunks(snapshot, elements, owner.key, range, separator),
            link: page?.hasMore
              ? nextLink(settings.public_url, path, { ...query }, writeCursor(path, [page.through]))
              : undefined,
            size: hasKnownSize ? owner : undefined,
            table: format === 'csv' ? await read.table(snapshot, owner.key) : undefined,
          }
        },
      }
    },
  })
}
