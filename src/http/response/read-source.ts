// What the route of a read passes on: how to prepare its content, for any format.
import type { FastifyReply } from 'fastify'
import {
  type CsvTable,
  type ElementChunks,
  excelSafeTable,
  type Format,
  serialize,
} from '../../serialize/format.ts'
import type { Connection } from '../../store/store.ts'

export interface ReadResponse {
  /** The available formats, the preferred one first. */
  formats: readonly Format[]
  /** Changes whenever the content changes. Without a version, the response has no ETag. */
  version?: string
  /** Approximate number of bytes to read, if known without the content. */
  expectedBytes?: number | undefined
  /** Called only if the client needs the content (not for 304). */
  content(format: Format): Promise<Content>
}

export interface Content {
  /** Not called for HEAD. */
  chunks: ElementChunks
  /** Whether the chunks form one JSON document, instead of the elements of a list. */
  isDocument?: boolean
  /** The Link header, if there is a next page. */
  link?: string | undefined
  /** Number and total size of the elements, if known without reading them. */
  size?: { count: number; bytes: number } | undefined
  /** Approximate number of bytes to read, if it can be large. */
  expectedBytes?: number | undefined
  /** Set if the format is csv. */
  table?: CsvTable | undefined
}

export interface ReadSource {
  /** Whether preparing the response can be slow. It then runs once, when it is its turn among the queries. */
  isQuery?: boolean
  /** Whether `prepare` reads only the version, so that a 304 needs no snapshot. */
  isPolled?: boolean
  /** Distinguishes different contents of the same version. Without it, the response is neither shared nor cached. */
  contentKey?: string | undefined
  /** Prepares the response. Can be called several times, with different snapshots. */
  prepare(snapshot: Connection): Promise<ReadResponse>
}

/** Responds to a read: over HTTP, or to a command in the same process. */
export type Respond = (reply: FastifyReply, source: ReadSource) => Promise<FastifyReply>

/** The bytes of a response. */
export function serializeContent(
  { chunks, isDocument, table }: Pick<Content, 'chunks' | 'isDocument' | 'table'>,
  format: Format,
  isExcelSafe: boolean,
): AsyncIterable<Uint8Array> {
  if (isDocument) return chunks(',')
  return serialize(format, chunks, table && isExcelSafe ? excelSafeTable(table) : table)
}
