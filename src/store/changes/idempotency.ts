// Stores the responses to requests with an Idempotency-Key for one day, so that a retry gets the same response. The deletion of an
// evaluation or variant removes the responses to its writes: a retry would say that something is stored that is not.
import type { Connection, Transaction } from '../dialect/dialect.ts'
import { insertRow } from '../dialect/insert.ts'

/** Identifies a request: API key, operation and path, and the client's idempotency token. */
export interface RequestToken {
  api_key: string
  operation: string
  token: string
}

export interface StoredResponse {
  /** Digest of the request body. A token is valid for one body only. */
  digest: Uint8Array
  status: number
  location: string | null
  body: string | null
  etag: string | null
}

/** An evaluation or variant that a request has written, by its id. */
export interface Written {
  noun: 'evaluation' | 'variant'
  id: string
}

const RETENTION_MS = 86_400_000

export const FIND_STORED_RESPONSE = `SELECT digest, status, location, body, etag FROM idempotency
  WHERE api_key = ? AND operation = ? AND token = ? AND created_at > ?`

export function findStoredResponse(
  connection: Connection,
  { api_key, operation, token }: RequestToken,
  now: number,
): Promise<StoredResponse | undefined> {
  return connection.get<StoredResponse>(FIND_STORED_RESPONSE, api_key, operation, token, retentionStart(now))
}

/** Serializes requests with the same token. */
export function lockToken(
  transaction: Transaction,
  { api_key, operation, token }: RequestToken,
): Promise<void> {
  return transaction.lock('idempotency', api_key, operation, token)
}

/** Call it in the transaction of the write, so that both are stored or neither. */
export async function storeResponse(
  transaction: Transaction,
  token: RequestToken,
  response: StoredResponse,
  { project, written, now }: { project: number; written: Written[]; now: number },
): Promise<void> {
  for (const table of ['idempotency', 'idempotent_write'])
    await transaction.run(`DELETE FROM ${table} WHERE created_at <= ?`, retentionStart(now))
  const created_at = new Date(now).toISOString()
  await insertRow(transaction, 'idempotency', { ...token, ...response, created_at })
  for (const { noun, id } of written)
    await insertRow(transaction, 'idempotent_write', { project, noun, id, ...token, created_at })
}

/** Forgets the responses to all requests that have written an evaluation or variant. */
export async function forgetResponses(
  transaction: Transaction,
  noun: Written['noun'],
  { project, id }: { project: number; id: string },
): Promise<void> {
  for (const table of ['idempotency', 'idempotent_write'])
    await transaction.run(FORGET_RESPONSES(table), project, noun, id)
}

/** Of an import, also the entries for what it has written besides. */
const FORGET_RESPONSES = (table: string) => `DELETE FROM ${table} WHERE (api_key, operation, token) IN
  (SELECT api_key, operation, token FROM idempotent_write WHERE project = ? AND noun = ? AND id = ?)`

/** Forgets the responses that have this location, of all keys of a project. A retry is then a new request. */
export async function forgetResponsesAt(
  transaction: Transaction,
  project: number,
  location: string,
): Promise<void> {
  for (const table of ['idempotent_write', 'idempotency'])
    await transaction.run(FORGET_RESPONSES_AT(table), location, project)
}

const FORGET_RESPONSES_AT = (table: string) => `DELETE FROM ${table} WHERE (api_key, operation, token) IN
  (SELECT api_key, operation, token FROM idempotency
    WHERE location = ? AND api_key IN (SELECT public_id FROM api_key WHERE project = ?))`

function retentionStart(now: number): string {
  return new Date(now - RETENTION_MS).toISOString()
}
