// Responds with one JSON document, such as an evaluation, a revision or a summary.
import type { FastifyReply } from 'fastify'
import type { DocumentTable } from '../../serialize/format.ts'
import type { Connection } from '../../store/store.ts'
import type { ResponseContext } from '../response/respond.ts'

interface JsonDocument<Content> {
  /** Changes whenever the text changes. Without a version, the response has no ETag. */
  version?: string
  /**
   * Called only if the client needs the document (not for 304). Validates the request. HEAD requests call `open`, but do not
   * read the text.
   */
  open(): Content | Promise<Content>
}

/** A document that is read in parts, so that it is never completely in memory. */
export interface DocumentParts {
  read(): AsyncIterable<string>
  /** Approximate number of bytes that are read for it, if they can be many. */
  expectedBytes?: number
}

/** `open` returns the function that reads the text. `toTable` makes a table of it, for CSV. */
export function respondWithText(
  reply: FastifyReply,
  context: ResponseContext,
  prepare: (snapshot: Connection) => Promise<JsonDocument<() => Promise<string>>>,
  isQuery = false,
  toTable?: (document: string) => DocumentTable,
) {
  return context.respond(reply, context, {
    isQuery,
    isText: true,
    async prepare(snapshot) {
      const { version, open } = await prepare(snapshot)
      return {
        formats: toTable ? ['json', 'csv'] : ['json'],
        version,
        async content(format) {
          const readText = await open()
          if (toTable && format === 'csv') {
            const { table, elements } = toTable(await readText())
            return {
              table,
              async *chunks(separator) {
                yield Buffer.from(elements.join(separator))
              },
            }
          }
          return {
            isDocument: true,
            async *chunks() {
              yield Buffer.from(await readText())
            },
          }
        },
      }
    },
  })
}

export function respondWithParts(
  reply: FastifyReply,
  context: ResponseContext,
  prepare: (snapshot: Connection) => Promise<JsonDocument<DocumentParts>>,
  isQuery = false,
) {
  return context.respond(reply, context, {
    isQuery,
    async prepare(snapshot) {
      const { version, open } = await prepare(snapshot)
      return {
        formats: ['json'],
        version,
        async content() {
          const { read, expectedBytes } = await open()
          return {
            isDocument: true,
            expectedBytes,
            async *chunks() {
              for await (const part of read()) yield Buffer.from(part)
            },
          }
        },
      }
    },
  })
}
