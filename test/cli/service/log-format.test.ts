// Tests the log for terminals: one readable line per entry, without control characters.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import pino from 'pino'
import { formatLogLine } from '../../../src/cli/service/log-format.ts'

const lines: string[] = []
const options = { base: null, timestamp: pino.stdTimeFunctions.isoTime }
const log = pino(options, { write: (line: string) => lines.push(formatLogLine(line)) })

/** The line without its time. */
function lastLine(): string {
  const line = lines.at(-1) ?? ''
  assert.match(line, /^\d\d:\d\d:\d\d\.\d{3} .*\n$/s)
  return line.slice(13)
}

const request = { request_id: 'r1', method: 'GET', url: '/api/x', status: 200, ms: 3, address: '127.0.0.1' }

test('formats a request with its key, and the request id of a failed one', () => {
  log.info({ ...request, key: 'RukVaawW4LD9', key_name: 'night\u001bly' }, 'request')
  assert.equal(lastLine(), 'INFO  GET /api/x 200 3 ms  127.0.0.1  key RukVaawW4LD9 night\ufffdly\n')
  log.info({ ...request, status: 404, cut: true }, 'request')
  assert.equal(lastLine(), 'INFO  GET /api/x 404 3 ms  127.0.0.1  not sent completely  request_id=r1\n')
})

test('formats other messages with their members, and the stack of an error', () => {
  log.warn({ server: 'db:5432', delay_ms: 100 }, 'database server is not reachable')
  assert.equal(lastLine(), 'WARN  database server is not reachable  server=db:5432  delay_ms=100\n')
  log.error({ request_id: 'r2', err: new Error('broken\nhere') }, 'request failed')
  assert.match(
    lastLine(),
    /^ERROR request failed {2}request_id=r2\n {2}Error: broken\n {2}here\n {2} +at .+\n/,
  )
})
