// The figures of all processes that serve a port, added up for Prometheus.
import type { Worker } from 'node:cluster'
import { AggregatorRegistry } from 'prom-client'
import type { ToPrimary, ToWorker } from './worker-messages.ts'

/** One that says nothing for so long hangs. */
const LONGEST_MS = 5000

let questions = 0

/** One that ends meanwhile is left out. Throws where one does not answer in time. */
export async function figuresOf(workers: Iterable<Worker>): Promise<string> {
  const figures = await Promise.all(Array.from(workers, askFigures))
  return AggregatorRegistry.aggregate(figures).metrics()
}

function askFigures(worker: Worker): Promise<object[]> {
  questions += 1
  const question = questions
  const { promise, resolve, reject } = Promise.withResolvers<object[]>()
  function hear(message: ToPrimary): void {
    if (message.say === 'figures' && message.question === question) resolve(message.figures)
  }
  function leave(): void {
    resolve([])
  }
  const timer = setTimeout(
    () => reject(new Error(`The worker ${worker.process.pid} gives no figures`)),
    LONGEST_MS,
  )
  worker.on('message', hear).once('exit', leave)
  tell(worker, { say: 'figures', question })
  return promise.finally(() => {
    clearTimeout(timer)
    worker.off('message', hear).off('exit', leave)
  })
}

export function tell(worker: Worker, message: ToWorker): void {
  // One that is ending hears nothing any more.
  if (worker.isConnected()) worker.send(message, () => undefined)
}
