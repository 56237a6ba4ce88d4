// The log of a service: lines of JSON on standard error, written in batches.
import { setTimeout as delay } from 'node:timers/promises'
import pino, { type DestinationStream, type Logger } from 'pino'
import { type Settings, wrongUse } from '../settings.ts'

export interface Log {
  log: Logger
  /** The last lines, if they can be written. */
  flush(): Promise<void>
}

const FLUSH_MS = 1000
/** Whole lines in one go: what several processes write to one pipe stays apart up to this length. */
const MOST_AT_ONCE = 4096

/** Writing each line by itself would cost as much as a small answer. */
export function openLog({ log_level }: Pick<Settings, 'log_level'>): Log {
  const levels = [...Object.keys(pino.levels.values), 'silent']
  if (!levels.includes(log_level)) {
    throw wrongUse(`--log-level is '${log_level}', which is not one of ${levels.join(', ')}.`, 'serve')
  }
  const destination = pino.destination({
    dest: 2,
    sync: false,
    minLength: MOST_AT_ONCE / 2,
    maxWrite: MOST_AT_ONCE,
    periodicFlush: 200,
  })
  // A log that cannot be written, to a full disk say, must not take the service with it.
  destination.on('error', () => undefined)
  const options = { level: log_level, base: null, timestamp: pino.stdTimeFunctions.isoTime }
  return {
    log: pino(options, destination as DestinationStream),
    async flush() {
      await Promise.race([new Promise((resolve) => destination.flush(resolve)), delay(FLUSH_MS)])
      // What pino would do at the exit tries for ever on a full disk.
      destination.flushSync = () => undefined
    },
  }
}
