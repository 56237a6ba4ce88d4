// Reads that answer with one JSON document: an evaluation, a revision, what is counted over rows.
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Connection } from '../store/store.ts'
import { answer } from './answer.ts'
import type { RouteContext } from './route.ts'

export interface Document {
  /** Changes whenever the text does; without it the answer carries no validator. */
  version?: string
  /** The JSON text. Called once the client is known to need it, and not for HEAD. */
  text(): Promise<string>
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
      const { version, text } = await look(snapshot)
      return {
        formats: ['json'],
        ...(version !== undefined && { version }),
        content: async () => ({
          isDocument: true,
          async *pieces() {
            yield Buffer.from(await text())
          },
        }),
      }
    },
  })
}
