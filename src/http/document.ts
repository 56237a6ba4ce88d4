// Reads that answer with one JSON document: an evaluation, a revision, what is counted over rows.
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Connection } from '../store/store.ts'
import { answer } from './answer.ts'
import type { RouteContext } from './route.ts'

/** The JSON text of a document, in parts. */
export type Parts = () => AsyncIterable<string>

export interface Document {
  /** Changes whenever the text does; without it the answer carries no validator. */
  version?: string
  /**
   * Called once the client is known to need it, also for HEAD: refuses what can be refused, and gives what the text is
   * read from. That is not called for HEAD.
   */
  open(): Promise<Parts>
}

/** A document that is put together as one text. */
export function whole(text: () => Promise<string>): Parts {
  return async function* () {
    yield await text()
  }
}

export function answerDocument(
  request: FastifyRequest,
  reply: FastifyReply,
  { reader, relays }: Pick<RouteContext, 'reader' | 'relays'>,
  look: (snapshot: Connection) => Promise<Document>,
  isQuery = false,
) {
  return answer(request, reply, {
    reader,
    relays,
    isQuery,
    async look(snapshot) {
      const { version, open } = await look(snapshot)
      return {
        formats: ['json'],
        ...(version !== undefined && { version }),
        async content() {
          const parts = await open()
          return {
            isDocument: true,
            async *pieces() {
              for await (const part of parts()) yield Buffer.from(part)
            },
          }
        },
      }
    },
  })
}
