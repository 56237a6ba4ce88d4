// The log of the service on standard error, written in batches: JSON lines, or readable lines on a terminal.

import { setTimeout as delay } from 'node:timers/promises'
import pino, { type DestinationStream, type Logger } from 'pino'
import { UsageError } from '../../errors.ts'
import type { Settings } from '../../settings/settings.ts'
import { formatLogLine } from './log-format.ts'

export interface Log {
  log: Logger
  /** Writes the last lines, unless that takes too long. */
  flush(): Promise<void>
}

const FLUSH_TIMEOUT_MS = 1000
/** Writes of up to this size to a pipe are atomic, so lines of several processes do not mix. */
const MAX_WRITE_BYTES = 4096

/** Writes in batches, because one write per line costs as much as a small response. */
export function openLog({ log_level }: Pick<Settings, 'log_level'>): Log {
  const levels = [...Object.keys(pino.levels.values), 'silent']
  if (!levels.includes(log_level)) {
    throw new UsageError(`--log-level is '${log_level}', which is not one of ${levels.join(', ')}.`)
  }
  const destination = pino.destination({
    dest: 2,
    sync: false,
    minLength: MAX_WRITE_BYTES / 2,
    maxWrite: MAX_WRITE_BYTES,
    periodicFlush: 200,
  })
  // A failed log write, such as on a full disk, must not stop the service.
  destination.on('error', () => undefined)
  const formatted = { write: (line: string) => void destination.write(formatLogLine(line)) }
  const options = { level: log_level, base: null, timestamp: pino.stdTimeFunctions.isoTime }
  return {
    log: pino(options, process.stderr.isTTY ? formatted : (destination as DestinationStream)),
    async flush() {
      await Promise.race([new Promise((resolve) => destination.flush(resolve)), delay(FLUSH_TIMEOUT_MS)])
      // At exit, pino would retry forever on a full disk.
      destination.flushSync = () => undefined
    },
  }
}
