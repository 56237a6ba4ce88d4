// Authenticates requests by their API key, before anything else of the request is read.
import { timingSafeEqual } from 'node:crypto'
import type { HookHandlerDoneFunction as Done, FastifyReply, FastifyRequest } from 'fastify'
import { Problem } from '../../errors.ts'
import { hashKey, publicIdOf, type Scope } from '../../schema/keys.ts'
import { findCachedKey, findKey, parseRestriction, type StoredKey } from '../../store/access/keys.ts'
import { outsideRestrictionError, type Viewer } from '../../store/access/projects.ts'
import type { Reader, SnapshotReader } from '../../store/store.ts'
import type { Connections } from '../server/connections.ts'
import type { FailedKeyLimiter } from './failed-key-limiter.ts'

declare module 'fastify' {
  interface FastifyRequest {
    /** Set on every route that requires a scope. */
    viewer: Viewer
    /** Whether the key has the scope `read`. A write without it returns nothing that is stored. */
    canRead: boolean
    /** Reads the store in a state that is never older than the start of this request. */
    latestReader: SnapshotReader
    /** The public part and the name of the key, for the logs, and its expiry. Set if the key is valid, even if it lacks a scope. */
    keyId: string | undefined
    keyName: string | null | undefined
    keyExpiry: string | null | undefined
  }
  interface FastifyContextConfig {
    /** The scopes that a key needs for this route. */
    scope?: Scope | readonly Scope[]
    /** The scope that a restricted key needs for this route instead. */
    restrictedScope?: Scope
    /** Whether restricted keys can use this route. Its handler must check every id against the restriction. */
    allowsRestrictedKeys?: boolean
  }
}

interface AuthOptions {
  reader: Reader
  failedKeyLimiter: FailedKeyLimiter
  connections: Connections
  conceal: boolean
  clock: () => number
}

/** An onRequest hook: sets `request.viewer`, or rejects the request with 401, 403 or 429. Without a promise if the key is cached. */
export function authenticate({ reader, failedKeyLimiter, connections, conceal, clock }: AuthOptions) {
  function admit(request: FastifyRequest, storedKey: StoredKey | string): void {
    if (typeof storedKey === 'string') {
      failedKeyLimiter.recordFailure(request.ip, clock())
      throw unauthorizedProblem(storedKey, true)
    }
    connections.markAuthenticated(request.raw.socket)
    request.keyId = storedKey.public_id
    request.keyName = storedKey.name
    request.keyExpiry = storedKey.expires_at
    const confined_to = parseRestriction(storedKey.confined_to)
    const { scope = [], restrictedScope = scope, allowsRestrictedKeys = false } = request.routeOptions.config
    const scopes = storedKey.scopes.split(',')
    const missingScope = [confined_to ? restrictedScope : scope].flat().find((name) => !scopes.includes(name))
    if (missingScope !== undefined) {
      throw new Problem('access-denied', `This key lacks the scope '${missingScope}'. Use a key that has it.`)
    }
    if (confined_to && !allowsRestrictedKeys) throw outsideRestrictionError(confined_to)
    request.canRead = scopes.includes('read')
    request.viewer = { project: storedKey.project, conceal, confined_to }
  }

  async function authenticateByStore(
    request: FastifyRequest,
    publicId: string,
    hash: Uint8Array,
  ): Promise<void> {
    const storedKey = await findKey(request.latestReader, publicId, hash)
    admit(request, checkKey(storedKey, hash, clock()))
  }

  return (request: FastifyRequest, _reply: FastifyReply, done: Done): void => {
    try {
      const key = readKey(request.headers.authorization)
      // Undefined if the format or the checksum is wrong, which causes no database read.
      const publicId = publicIdOf(key)
      if (publicId !== undefined) {
        const hash = hashKey(key)
        // A write needs the primary anyway, and must not wait until a replica contains the write before it.
        request.latestReader = READ_METHODS.has(request.method) ? reader.latest() : reader
        const cachedKey = findCachedKey(request.latestReader, publicId, hash)
        if (!cachedKey) {
          authenticateByStore(request, publicId, hash).then(() => done(), done)
          return
        }
        admit(request, checkKey(cachedKey, hash, clock()))
      } else admit(request, 'The API key is incomplete or misspelled: its checksum is wrong.')
    } catch (error) {
      queueMicrotask(() => done(error as Error))
      return
    }
    // The parser must see the end of a request without a body before the route can fail: see setErrorHandler.
    queueMicrotask(done)
  }
}

const ACCEPTED_SCHEMES =
  'Send "Authorization: Bearer <key>", "Authorization: ApiKey <key>" or "Authorization: <key>".'

/** Does not match the start of a key, so that no part of a key is in an error message. */
const SCHEME = /^[a-z][a-z0-9-]{0,31}(?=\s)|^basic$/i

/** The header contains the key alone, or the scheme Bearer or ApiKey and the key. Throws unauthorized. */
function readKey(authorization = ''): string {
  const text = authorization.trim()
  const key = text.replace(/^(bearer|apikey)(\s+|$)/i, '')
  const scheme = key === text ? SCHEME.exec(text)?.[0] : undefined
  if (scheme !== undefined) {
    const detail = `The authorization scheme '${scheme}' is not supported. ${ACCEPTED_SCHEMES}`
    throw unauthorizedProblem(detail, false)
  }
  if (key === '') {
    throw unauthorizedProblem('No API key was sent. Send it as "Authorization: Bearer <key>".', false)
  }
  return key
}

const READ_METHODS: ReadonlySet<string> = new Set(['GET', 'HEAD'])

const EMPTY_HASH = new Uint8Array(32)

/**
 * Returns the stored key, or why the sent key is not valid. An unknown key and a wrong secret cause the same work: one
 * hash and one statement.
 */
function checkKey(storedKey: StoredKey | undefined, hash: Uint8Array, now: number): StoredKey | string {
  const hasCorrectHash = timingSafeEqual(hash, storedKey?.hash ?? EMPTY_HASH)
  if (!storedKey || !hasCorrectHash)
    return 'This API key does not exist. Create one with "assay keys create".'
  const { revoked_at, expires_at } = storedKey
  if (revoked_at !== null) return 'This API key was revoked. Use another one.'
  const isExpired = expires_at !== null && Date.parse(expires_at) <= now
  return isExpired ? 'This API key has expired. Use another one.' : storedKey
}

function unauthorizedProblem(detail: string, isInvalid: boolean): Problem {
  const challenge = `Bearer realm="assay"${isInvalid ? ', error="invalid_token"' : ''}`
  return new Problem('unauthorized', detail, { 'www-authenticate': challenge })
}
