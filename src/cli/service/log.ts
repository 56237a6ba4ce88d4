// The log of the service on standard error, written in batches: JSON lines, or readable lines on a terminal.

import { setTimeout as delay } from 'node:timers/promises'
import pino, { type Logger } from 'pino'
import { UsageError } from '../../errors.ts'
import type { Settings } from '../../settings/settings.ts'
import { formatLogLine } from './log-format.ts'

export interface Log {
  log: Logger
  /** Writes the last lines, unless that takes too long. */
  flush(): Promise<void>
}

const FLUSH_TIMEOUT_MS = 1000
/** How long a line waits for others. */
const BATCH_MS = 200
const MAX_BATCH_BYTES = 16 * 1024
/** Writes of up to this size to a pipe are atomic, so lines of several processes do not mix. */
const MAX_ATOMIC_BYTES = 4096

/** Writes in batches, because one write per line costs as much as a small response. */
export function openLog({ log_level, workers }: Pick<Settings, 'log_level' | 'workers'>): Log {
  const levels = [...Object.keys(pino.levels.values), 'silent']
  if (!levels.includes(log_level)) {
    throw new UsageError(`--log-level is '${log_level}', which is not one of ${levels.join(', ')}.`)
  }
  const batch = new LineBatch(workers > 1 ? MAX_ATOMIC_BYTES : MAX_BATCH_BYTES)
  const formatted = { write: (line: string) => batch.write(formatLogLine(line)) }
  const options = { level: log_level, base: null, timestamp: pino.stdTimeFunctions.isoTime }
  return {
    log: pino(options, process.stderr.isTTY ? formatted : batch),
    flush: () => batch.flush(),
  }
}

/** Collects lines for standard error. pino's own batches measure all waiting lines again for each new one. */
class LineBatch {
  readonly #maxBytes: number
  readonly #destination
  #lines = ''
  #bytes = 0

  constructor(maxBytes: number) {
    this.#maxBytes = maxBytes
    // Before the listener of pino, which then writes what the destination has.
    process.once('exit', () => {
      Object.assign(this.#destination, { minLength: Number.POSITIVE_INFINITY })
      this.#write()
    })
    this.#destination = pino.destination({ dest: 2, sync: false, minLength: 1, maxWrite: maxBytes })
    // A failed log write, such as on a full disk, must not stop the service.
    this.#destination.on('error', () => undefined)
    setInterval(() => this.#write(), BATCH_MS).unref()
  }

  write(line: string): void {
    const bytes = Buffer.byteLength(line)
    if (this.#bytes + bytes > this.#maxBytes) this.#write()
    this.#lines += line
    this.#bytes += bytes
  }

  async flush(): Promise<void> {
    const destination = this.#destination
    this.#write()
    await Promise.race([new Promise((resolve) => destination.flush(resolve)), delay(FLUSH_TIMEOUT_MS)])
    // At exit, pino would retry forever on a full disk.
    destination.flushSync = () => undefined
  }

  #write(): void {
    if (this.#bytes > 0) this.#destination.write(this.#lines)
    this.#lines = ''
    this.#bytes = 0
  }
}
