// A worker process: serves the store and exchanges messages with its supervisor.
import cluster from 'node:cluster'
import type { Logger } from 'pino'
import { CommandError, permissionError } from '../../errors.ts'
import type { Settings } from '../../settings/settings.ts'
import { serveStore } from './serve-store.ts'
import { onMessage, openWorkerChannel, sendToSupervisor } from './worker-channel.ts'

export const isWorker = cluster.isWorker

/** Serves until the supervisor stops it. A start failure is sent to the supervisor, which reports it once. */
export async function serveAsWorker(settings: Settings, log: Logger): Promise<void> {
  // A terminal sends SIGINT to all processes; the supervisor handles it.
  process.on('SIGINT', () => undefined)
  // SIGTERM can also reach the whole process group. After a second one, the supervisor sends a message.
  const sigterm = new Promise((resolve) => process.on('SIGTERM', resolve))
  // Registered before the start, because the stop message can arrive during it.
  const stopRequest = Promise.race([waitForMessage('stop'), sigterm])
  const forceStopMessage = waitForMessage('force-stop')
  const [bindMessage, serveMessage] = [waitForMessage('bind'), waitForMessage('serve')]
  const start = await Promise.race([bindMessage, serveMessage, stopRequest])
  if (start !== 'bind' && start !== 'serve') return
  try {
    await serveStore({
      settings: divideLimits(settings, settings.workers),
      log,
      workerChannel: openWorkerChannel(),
      bindsFirst: start === 'bind',
      async onBound() {
        void sendToSupervisor({ type: 'bound' })
        return (await Promise.race([serveMessage, stopRequest])) === 'serve'
      },
      untilStopped(address) {
        void sendToSupervisor({ type: 'listening', address })
        return stopRequest
      },
      untilForced: () => forceStopMessage,
    })
  } catch (error) {
    await reportFailure(error)
  }
}

/** Resolves when the supervisor sends a message of this type. */
function waitForMessage(type: 'bind' | 'serve' | 'stop' | 'force-stop'): Promise<string> {
  return new Promise((resolve) => onMessage(type, () => resolve(type)))
}

function reportFailure(error: unknown): Promise<void> {
  const commandError = error instanceof CommandError ? error : permissionError(error)
  const message =
    commandError?.message ?? (error instanceof Error ? (error.stack ?? error.message) : String(error))
  const { hint = 'This is a bug in Assay.', exitCode = 1 } = commandError ?? {}
  return sendToSupervisor({ type: 'failed', message, hint, exitCode })
}

/** The limits of one worker, so that all workers together stay within the settings. */
export function divideLimits(settings: Settings, workers: number): Settings {
  const divide = (limit: number, min: number) => Math.max(min, Math.floor(limit / workers))
  return {
    ...settings,
    max_buffer_bytes: divide(settings.max_buffer_bytes, 0),
    max_cache_bytes: divide(settings.max_cache_bytes, 0),
    pool_size: divide(settings.pool_size, 2),
  }
}
