// Limits the connections to what the process can serve with its limit of open files.
import { readFileSync } from 'node:fs'
import type { FastifyBaseLogger } from 'fastify'

/** The rest is for the store, buffered responses and cached files. */
const SHARE_OF_CONNECTIONS = 0.75

/** Without a free descriptor, the operating system closes every new connection, whatever the state of the others. */
export function limitByOpenFiles(maxConnections: number, log: FastifyBaseLogger): number {
  const maxOpenFiles = readOpenFilesLimit()
  const limit = Math.max(1, Math.min(maxConnections, Math.floor(maxOpenFiles * SHARE_OF_CONNECTIONS)))
  if (limit < maxConnections)
    log.info({ max_connections: limit, max_open_files: maxOpenFiles }, 'the open files limit the connections')
  return limit
}

/** The soft limit, which Node raises at the start if it can. Linux only; elsewhere unlimited. */
function readOpenFilesLimit(): number {
  try {
    const [, limit] = /^Max open files +(\d+)/m.exec(readFileSync('/proc/self/limits', 'utf8')) ?? []
    return Number(limit ?? Infinity)
  } catch {
    return Infinity
  }
}
