// The other processes that serve the same port, reached through the one that started them.
import type { Peers } from '../http/peers.ts'
import type { ToPrimary, ToWorker } from './worker-messages.ts'

/** Where the primary is not there any more this process ends by itself. */
export function tellPrimary(message: ToPrimary): Promise<void> {
  return new Promise((resolve) => process.send?.(message, undefined, undefined, () => resolve()))
}

export function workerPeers(): Peers {
  const waiting = new Map<number, (text: string | undefined) => void>()
  let questions = 0
  process.on('message', (message: ToWorker) => {
    if (message.say !== 'metrics') return
    waiting.get(message.question)?.(message.text)
    waiting.delete(message.question)
  })
  return {
    tellRefused: (address) => void tellPrimary({ say: 'refused', address }),
    hearRefused(listener) {
      process.on('message', (message: ToWorker) => {
        if (message.say === 'refused') listener(message.address)
      })
    },
    offerFigures(collect) {
      process.on('message', async (message: ToWorker) => {
        if (message.say !== 'figures') return
        void tellPrimary({ say: 'figures', question: message.question, figures: await collect() })
      })
    },
    metrics() {
      questions += 1
      const question = questions
      void tellPrimary({ say: 'metrics', question })
      return new Promise((resolve) => void waiting.set(question, resolve))
    },
  }
}
