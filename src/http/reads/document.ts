// Responds with one JSON document, such as an evaluation, a revision or a summary.
import type { FastifyReply } from 'fastify'
import type { Connection } from '../../store/store.ts'
import type { RouteContext } from '../route-context.ts'

/** Reads the JSON text of a document in parts. */
export interface DocumentParts {
  (): AsyncIterable<string>
  /** Approximate number of bytes that are read for it, if they can be many. */
  readBytes?: number
}

export interface JsonDocument {
  /** Changes whenever the text changes. Without a version, the response has no ETag. */
  version?: string
  /**
   * Called only if the client needs the document (not for 304). Validates the request and returns the function that
   * reads the text. HEAD requests call `open`, but not the returned function.
   */
  open(): Promise<DocumentParts>
}

/** A document that is read as one text. */
export function singlePart(text: () => Promise<string>): DocumentParts {
  return async function* () {
    yield await text()
  }
}

export function respondWithDocument(
  reply: FastifyReply,
  { respond }: Pick<RouteContext, 'respond'>,
  prepare: (snapshot: Connection) => Promise<JsonDocument>,
  isQuery = false,
) {
  return respond(reply, {
    isQuery,
    async prepare(snapshot) {
      const { version, open } = await prepare(snapshot)
      return {
        formats: ['json'],
        ...(version !== undefined && { version }),
        async content() {
          const parts = await open()
          return {
            isDocument: true,
            expectedBytes: parts.readBytes,
            async *chunks() {
              for await (const part of parts()) yield Buffer.from(part)
            },
          }
        },
      }
    },
  })
}
