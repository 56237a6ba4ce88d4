// The answers of requests that carried an Idempotency-Key, kept for a day so that a repeat gets the same one.
import type { Connection, Transaction } from './dialect/dialect.ts'

/** Which request is meant: whose key, which operation on which path, and the token its client chose. */
export interface RequestToken {
  api_key: string
  operation: string
  token: string
}

export interface KeptAnswer {
  /** Of the request's body: a token stands for one body and no other. */
  digest: Uint8Array
  status: number
  location: string | null
  body: string | null
}

const KEPT_MS = 86_400_000

export const FIND_ANSWER = `SELECT digest, status, location, body FROM idempotency
  WHERE api_key = ? AND operation = ? AND token = ? AND created_at > ?`

export function findAnswer(
  connection: Connection,
  { api_key, operation, token }: RequestToken,
  now: number,
): Promise<KeptAnswer | undefined> {
  return connection.get<KeptAnswer>(FIND_ANSWER, api_key, operation, token, dayBefore(now))
}

/** Lets one request with this token after the other look for its answer. */
export function lockToken(
  transaction: Transaction,
  { api_key, operation, token }: RequestToken,
): Promise<void> {
  return transaction.lock('idempotency', api_key, operation, token)
}

/** In the transaction of the write itself, so that there is never one without the other. */
export async function keepAnswer(
  transaction: Transaction,
  { api_key, operation, token }: RequestToken,
  { digest, status, location, body }: KeptAnswer,
  now: number,
): Promise<void> {
  await transaction.run('DELETE FROM idempotency WHERE created_at <= ?', dayBefore(now))
  await transaction.run(
    `INSERT INTO idempotency (api_key, operation, token, digest, status, location, body, created_at)
     VALUES (?, ?, ?, ?, ?, ?, ?, ?)`,
    api_key,
    operation,
    token,
    digest,
    status,
    location,
    body,
    new Date(now).toISOString(),
  )
}

function dayBefore(now: number): string {
  return new Date(now - KEPT_MS).toISOString()
}
