// The transaction of a write request: a stored response is repeated, If-Match is compared, and the response to an
// Idempotency-Key is stored together with what was written.
import { Problem } from '../../errors.ts'
import {
  findStoredResponse,
  lockToken,
  type RequestToken,
  type StoredResponse,
  storeResponse,
  type Written,
} from '../../store/changes/idempotency.ts'
import type { Actor, Transaction, Writer } from '../../store/store.ts'
import { etag } from '../response/etag.ts'
import { checkIfMatch, type IfMatch, type WriteTarget } from './preconditions.ts'

export interface WriteResponse {
  status: number
  /** Absolute path. The Location header begins with --public-url. */
  location?: string | null
  /** JSON text. */
  body?: string | null
  /** Of a body with stored content: the members that a key without the scope `read` gets instead. */
  receipt?: { id: string } | { revision: number }
  /** The version of the written object, for the ETag header. */
  version?: string
  /** The evaluations and variants that were written. Default: those in the path. */
  written?: Written[]
}

export interface WriteSteps<Target extends WriteTarget | undefined> {
  /**
   * Locks and returns what the request changes; undefined if the request creates it. If-Match is compared with its
   * version. Operations without `lock` reject If-Match.
   */
  lock?(transaction: Transaction): Promise<Target>
  /** An error rolls back the transaction. */
  store(transaction: Transaction, target: Target): Promise<WriteResponse>
  /** The outcome after such an error. Throws if there is none. */
  recover?(error: unknown): WriteOutcome
}

/** What the transaction needs of the request, as plain data: large uploads are stored in another thread. */
export interface WriteContext {
  /** For the change log. Undefined for the command line. */
  actor: Actor | undefined
  /** Whether the key has the scope `read`. */
  canRead: boolean
  ifMatch: IfMatch | undefined
  /** Set if the request has an Idempotency-Key. */
  idempotency: IdempotentRequest | undefined
}

interface IdempotentRequest {
  token: RequestToken
  /** Of its query and body. */
  digest: Uint8Array
  project: number
  /** The evaluation and the variant in the path. */
  resourcesInPath: Written[]
  now: number
}

export type SentResponse = Omit<StoredResponse, 'digest'>

export interface WriteOutcome {
  response: SentResponse
  isReplayed: boolean
}

export function writeInTransaction<Target extends WriteTarget | undefined>(
  writer: Pick<Writer, 'transaction'>,
  { actor, canRead, ifMatch, idempotency }: WriteContext,
  steps: WriteSteps<Target>,
): Promise<WriteOutcome> {
  const outcome = writer.transaction(async (transaction) => {
    if (idempotency) {
      const { token, digest, now } = idempotency
      await lockToken(transaction, token)
      const storedResponse = await findStoredResponse(transaction, token, now)
      if (storedResponse && Buffer.compare(storedResponse.digest, digest) !== 0) throw differentBodyProblem()
      if (storedResponse) return { response: storedResponse, isReplayed: true }
    }
    const target = (await steps.lock?.(transaction)) as Target
    if (ifMatch) checkIfMatch(ifMatch, target)
    const stored = await steps.store(transaction, target)
    const { status, location = null, body = null, receipt, version, written } = stored
    const response: SentResponse = {
      status,
      location,
      body: canRead || !receipt ? body : JSON.stringify(receipt),
      etag: version === undefined ? null : etag(version, 'json', 'identity'),
    }
    if (idempotency) {
      const { token, digest, project, resourcesInPath, now } = idempotency
      const details = { project, written: written ?? resourcesInPath, now }
      await storeResponse(transaction, token, { digest, ...response }, details)
    }
    return { response, isReplayed: false }
  }, actor)
  return steps.recover ? outcome.catch(steps.recover) : outcome
}

function differentBodyProblem(): Problem {
  const detail =
    'This Idempotency-Key was used with a different body or query. Use a new key for a new request.'
  const members = { errors: [{ pointer: '', line: 1, detail }], error_count: 1 }
  return new Problem('invalid-content', detail, {}, { members })
}
