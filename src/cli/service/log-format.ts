// The log for terminals: each JSON line of the log as one readable line, and the stack of an error below it.
import { sanitizeLine } from '../output/terminal-text.ts'

interface LogLine {
  level: number
  time: string
  msg: string
  request_id?: string
  err?: { stack?: string; message?: string }
  [member: string]: unknown
}

const LEVELS: Record<number, string> = {
  10: 'TRACE',
  20: 'DEBUG',
  30: 'INFO',
  40: 'WARN',
  50: 'ERROR',
  60: 'FATAL',
}

/** Formats a line of JSON with its line feed. */
export function formatLogLine(line: string): string {
  const { level, time, msg, err, ...members } = JSON.parse(line) as LogLine
  const start = `${time.slice(11, 23)} ${(LEVELS[level] ?? String(level)).padEnd(5)}`
  const text = msg === 'request' ? formatRequest(members) : [msg, ...formatMembers(members)].join('  ')
  const stack = err?.stack ?? err?.message
  const lines = [
    `${start} ${text}`,
    ...(stack === undefined ? [] : stack.split('\n').map((part) => `  ${part}`)),
  ]
  return lines.map((part) => `${sanitizeLine(part)}\n`).join('')
}

/** For example: `GET /api/evaluations 200 3 ms  127.0.0.1  key RukVaawW4LD9 nightly`. */
function formatRequest(members: Record<string, unknown>): string {
  const { method, url, status, ms, address, key, key_name, cut, request_id, ...others } = members
  const isFailed = Number(status) >= 400
  return [
    `${method} ${url} ${status} ${ms} ms`,
    address,
    key === undefined ? undefined : ['key', key, key_name].filter((part) => part !== undefined).join(' '),
    cut ? 'not sent completely' : undefined,
    // The client sees the same id in the problem.
    isFailed ? `request_id=${request_id}` : undefined,
    ...formatMembers(others),
  ]
    .filter((part) => part !== undefined)
    .join('  ')
}

function formatMembers(members: Record<string, unknown>): string[] {
  return Object.entries(members).map(
    ([name, value]) => `${name}=${typeof value === 'string' ? value : JSON.stringify(value)}`,
  )
}
