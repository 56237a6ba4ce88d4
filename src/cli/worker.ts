// One of several processes that serve a port: what it hears from the one that started it, and says to it.
import cluster from 'node:cluster'
import type { Logger } from 'pino'
import { CommandError } from '../errors.ts'
import type { Settings } from '../settings.ts'
import { serveStore } from './serving.ts'
import type { ToWorker } from './worker-messages.ts'
import { tellPrimary, workerPeers } from './worker-peers.ts'
import { shareOf } from './worker-share.ts'

export const isWorker = cluster.isWorker

/** One share of a service. What keeps it from serving is told by the process that started it, once. */
export async function serveAsWorker(settings: Settings, log: Logger): Promise<void> {
  // A terminal interrupts all processes at once; what that means is for the one that started the others.
  process.on('SIGINT', () => undefined)
  // So does whoever ends a whole group. A second one is heard of by the way of the first process.
  const terminated = new Promise((resolve) => process.on('SIGTERM', resolve))
  // Before it serves: it may be told to stop while it starts.
  const stopped = Promise.race([told('stop'), terminated])
  const hurried = told('hurry')
  try {
    await serveStore({
      settings: shareOf(settings, settings.workers),
      log,
      peers: workerPeers(),
      untilStopped(address) {
        void tellPrimary({ say: 'listening', address })
        return stopped
      },
      untilHurried: () => hurried,
    })
  } catch (error) {
    await tellFailure(error)
  }
}

/** Resolves when the primary says so. */
function told(word: 'stop' | 'hurry'): Promise<string> {
  return new Promise((resolve) => {
    process.on('message', ({ say }: ToWorker) => {
      if (say === word) resolve(say)
    })
  })
}

function tellFailure(error: unknown): Promise<void> {
  const known = error instanceof CommandError ? error : undefined
  const message = known?.message ?? (error instanceof Error ? (error.stack ?? error.message) : String(error))
  const { hint = 'This is a fault in Assay.', exitCode = 1 } = known ?? {}
  return tellPrimary({ say: 'failed', message, hint, exitCode })
}
