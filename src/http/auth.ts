// Who is asking: the API key of a request, judged before anything else is looked at.
import { timingSafeEqual } from 'node:crypto'
import type { FastifyRequest } from 'fastify'
import { Problem } from '../errors.ts'
import { hashKey, publicIdOf, type Scope } from '../schema/keys.ts'
import { findKey, readConfinement, type StoredKey } from '../store/keys.ts'
import { confinedElsewhere, type Viewer } from '../store/projects.ts'
import type { Connection, Reader } from '../store/store.ts'
import type { FailedKeys } from './failed-keys.ts'

declare module 'fastify' {
  interface FastifyRequest {
    /** Set on every route that asks for a scope. */
    viewer: Viewer
    /** The store as it was when the key was judged, or later. */
    moment: Connection
    /** The public part of the key that was accepted, for the log. */
    keyId: string | undefined
  }
  interface FastifyContextConfig {
    /** What a key must be allowed for this route. */
    scope?: Scope | readonly Scope[]
    /** Whether a confined key may come here: all that is read is looked up by ids that are held against it. */
    isConfinable?: boolean
  }
}

export interface AuthOptions {
  reader: Reader
  failedKeys: FailedKeys
  conceal: boolean
  clock: () => number
}

/** An onRequest hook: sets the viewer, or refuses with 401, 429 or 403. */
export function authenticate({ reader, failedKeys, conceal, clock }: AuthOptions) {
  return async (request: FastifyRequest): Promise<void> => {
    const key = readKey(request.headers.authorization)
    if (key === undefined) {
      throw unauthorized('No API key was sent. Send it as "Authorization: Bearer <key>".', false)
    }
    const { stored, reason, moment } = await judge(reader, key, clock())
    if (!stored) {
      failedKeys.count(request.ip, clock())
      throw unauthorized(reason, true)
    }
    const confined_to = readConfinement(stored.confined_to)
    const { scope = [], isConfinable = false } = request.routeOptions.config
    const lacking = [scope].flat().find((one) => !stored.scopes.split(',').includes(one))
    if (lacking !== undefined) {
      throw new Problem('access-denied', `This key lacks the scope '${lacking}'. Use one that has it.`)
    }
    if (confined_to && !isConfinable) throw confinedElsewhere(confined_to)
    request.moment = moment
    request.keyId = stored.public_id
    request.viewer = { project: stored.project, conceal, confined_to }
  }
}

/** The key alone, or behind the scheme Bearer or ApiKey. */
function readKey(authorization: string | undefined): string | undefined {
  const key = authorization?.trim().replace(/^(bearer|apikey)(\s+|$)/i, '')
  return key === '' ? undefined : key
}

const NOBODY = new Uint8Array(32)

/** A malformed key costs no look-up; an unknown one costs what a wrong secret does. */
async function judge(
  reader: Reader,
  key: string,
  now: number,
): Promise<
  | { stored: StoredKey; moment: Connection; reason?: never }
  | { stored?: never; moment?: never; reason: string }
> {
  const publicId = publicIdOf(key)
  if (publicId === undefined) return { reason: 'The API key is mistyped or cut off: its checksum is wrong.' }
  const moment = reader.moment()
  const stored = await findKey(moment, publicId)
  const isRight = timingSafeEqual(hashKey(key), stored?.hash ?? NOBODY)
  if (!stored || !isRight) return { reason: 'No such API key. Make one with "assay keys create".' }
  if (stored.revoked_at !== null) return { reason: 'This API key was revoked. Use another one.' }
  if (stored.expires_at !== null && Date.parse(stored.expires_at) <= now) {
    return { reason: 'This API key has expired. Use another one.' }
  }
  return { stored, moment }
}

function unauthorized(detail: string, isInvalid: boolean): Problem {
  const challenge = `Bearer realm="assay"${isInvalid ? ', error="invalid_token"' : ''}`
  return new Problem('unauthorized', detail, { 'www-authenticate': challenge })
}
