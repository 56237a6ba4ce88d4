// Authenticates requests by their API key, before anything else of the request is read.
import { timingSafeEqual } from 'node:crypto'
import type { FastifyRequest } from 'fastify'
import { Problem } from '../../errors.ts'
import { hashKey, publicIdOf, type Scope } from '../../schema/keys.ts'
import { findKey, parseRestriction, type StoredKey } from '../../store/access/keys.ts'
import { outsideRestrictionError, type Viewer } from '../../store/access/projects.ts'
import type { Reader, SnapshotReader } from '../../store/store.ts'
import type { Connections } from '../server/connections.ts'
import type { FailedKeyLimiter } from './failed-key-limiter.ts'

declare module 'fastify' {
  interface FastifyRequest {
    /** Set on every route that requires a scope. */
    viewer: Viewer
    /** Reads the store in a state that is never older than the start of this request. */
    latestReader: SnapshotReader
    /** The public part and the name of the key, for the logs. Set if the key is valid, even if it lacks a scope. */
    keyId: string | undefined
    keyName: string | null | undefined
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

/** An onRequest hook: sets `request.viewer`, or rejects the request with 401, 403 or 429. */
export function authenticate({ reader, failedKeyLimiter, connections, conceal, clock }: AuthOptions) {
  return async (request: FastifyRequest): Promise<void> => {
    const { scheme, key } = parseAuthorization(request.headers.authorization)
    if (scheme !== undefined) {
      const detail = `The authorization scheme '${scheme}' is not supported. ${ACCEPTED_SCHEMES}`
      throw unauthorizedProblem(detail, false)
    }
    if (key === '') {
      throw unauthorizedProblem('No API key was sent. Send it as "Authorization: Bearer <key>".', false)
    }
    const storedKey = await checkKey(request, reader, key, clock())
    if (typeof storedKey === 'string') {
      failedKeyLimiter.recordFailure(request.ip, clock())
      throw unauthorizedProblem(storedKey, true)
    }
    connections.markAuthenticated(request.raw.socket)
    request.keyId = storedKey.public_id
    request.keyName = storedKey.name
    const confined_to = parseRestriction(storedKey.confined_to)
    const { scope = [], restrictedScope = scope, allowsRestrictedKeys = false } = request.routeOptions.config
    const missingScope = [confined_to ? restrictedScope : scope]
      .flat()
      .find((requiredScope) => !storedKey.scopes.split(',').includes(requiredScope))
    if (missingScope !== undefined) {
      throw new Problem('access-denied', `This key lacks the scope '${missingScope}'. Use a key that has it.`)
    }
    if (confined_to && !allowsRestrictedKeys) throw outsideRestrictionError(confined_to)
    request.viewer = { project: storedKey.project, conceal, confined_to }
  }
}

const ACCEPTED_SCHEMES =
  'Send "Authorization: Bearer <key>", "Authorization: ApiKey <key>" or "Authorization: <key>".'

/** Does not match the start of a key, so that no part of a key is in an error message. */
const SCHEME = /^[a-z][a-z0-9-]{0,31}(?=\s)|^basic$/i

/** The header contains the key alone, or the scheme Bearer or ApiKey and the key. `scheme` is set for other schemes. */
function parseAuthorization(authorization = ''): { scheme?: string | undefined; key: string } {
  const text = authorization.trim()
  const key = text.replace(/^(bearer|apikey)(\s+|$)/i, '')
  return { scheme: key === text ? SCHEME.exec(text)?.[0] : undefined, key }
}

const READ_METHODS: ReadonlySet<string> = new Set(['GET', 'HEAD'])

const EMPTY_HASH = new Uint8Array(32)

/**
 * Returns the stored key, or why the key is not valid. Sets `request.latestReader` unless the key is malformed,
 * which causes no database read. An unknown key and a wrong secret cause the same work: one hash and one statement.
 */
async function checkKey(
  request: FastifyRequest,
  reader: Reader,
  key: string,
  now: number,
): Promise<StoredKey | string> {
  const publicId = publicIdOf(key)
  if (publicId === undefined) return 'The API key is incomplete or misspelled: its checksum is wrong.'
  // A write needs the primary anyway, and must not wait until a replica contains the write before it.
  request.latestReader = READ_METHODS.has(request.method) ? reader.latest() : reader
  const hash = hashKey(key)
  const storedKey = await findKey(request.latestReader, publicId, hash)
  const hasCorrectHash = timingSafeEqual(hash, storedKey?.hash ?? EMPTY_HASH)
  if (!storedKey || !hasCorrectHash)
    return 'This API key does not exist. Create one with "assay keys create".'
  if (storedKey.revoked_at !== null) return 'This API key was revoked. Use another one.'
  const isExpired = storedKey.expires_at !== null && Date.parse(storedKey.expires_at) <= now
  return isExpired ? 'This API key has expired. Use another one.' : storedKey
}

function unauthorizedProblem(detail: string, isInvalid: boolean): Problem {
  const challenge = `Bearer realm="assay"${isInvalid ? ', error="invalid_token"' : ''}`
  return new Problem('unauthorized', detail, { 'www-authenticate': challenge })
}
