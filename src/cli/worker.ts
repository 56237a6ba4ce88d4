// One of several processes that serve a port: what it hears from the one that started it, and says to it.
import cluster from 'node:cluster'
import type { Logger } from 'pino'
import { AggregatorRegistry } from 'prom-client'
import { CommandError } from '../errors.ts'
import type { Peers } from '../http/peers.ts'
import type { Settings } from '../settings.ts'
import { serveStore } from './serving.ts'
import type { ToPrimary, ToWorker } from './worker-messages.ts'
import { shareOf } from './worker-share.ts'

export const isWorker = cluster.isWorker

/** Where the primary is not there any more this process ends by itself. */
function tellPrimary(message: ToPrimary): Promise<void> {
  return new Promise((resolve) => process.send?.(message, undefined, undefined, () => resolve()))
}

/** One share of a service. What keeps it from serving is told by the process that started it, once. */
export async function serveAsWorker(settings: Settings, log: Logger): Promise<void> {
  // A terminal interrupts all processes at once; what that means is for the one that started the others.
  process.on('SIGINT', () => undefined)
  const terminated = new Promise((resolve) => process.once('SIGTERM', resolve))
  try {
    await serveStore({
      settings: shareOf(settings, settings.workers),
      log,
      peers: workerPeers(),
      untilStopped(address) {
        void tellPrimary({ say: 'listening', address })
        return Promise.race([told('stop'), terminated])
      },
      untilHurried: () => told('hurry'),
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

function workerPeers(): Peers {
  // Answers the primary when it collects the figures of all.
  new AggregatorRegistry()
  let count = 0
  return {
    tellRefused: (address) => void tellPrimary({ say: 'refused', address }),
    hearRefused(listener) {
      process.on('message', (message: ToWorker) => {
        if (message.say === 'refused') listener(message.address)
      })
    },
    metrics() {
      count += 1
      const question = count
      return new Promise((resolve) => {
        function hear(message: ToWorker): void {
          if (message.say !== 'metrics' || message.question !== question) return
          process.off('message', hear)
          resolve(message.text)
        }
        process.on('message', hear)
        void tellPrimary({ say: 'metrics', question })
      })
    },
  }
}
