// Collects the metrics of all workers and aggregates them for Prometheus.
import type { Worker } from 'node:cluster'
import { AggregatorRegistry } from 'prom-client'
import type { MessageToSupervisor, MessageToWorker } from './worker-channel.ts'

/** A worker that does not respond within this time counts as hanging. */
const TIMEOUT_MS = 5000

let lastRequestId = 0

/** Skips workers that exit meanwhile. Throws if a worker does not respond in time. */
export async function collectMetrics(workers: Iterable<Worker>): Promise<string> {
  const metrics = await Promise.all(Array.from(workers, requestMetrics))
  return AggregatorRegistry.aggregate(metrics).metrics()
}

function requestMetrics(worker: Worker): Promise<object[]> {
  lastRequestId += 1
  const requestId = lastRequestId
  const { promise, resolve, reject } = Promise.withResolvers<object[]>()
  function onMessage(message: MessageToSupervisor): void {
    if (message.type === 'worker-metrics' && message.requestId === requestId) resolve(message.metrics)
  }
  function onExit(): void {
    resolve([])
  }
  const timer = setTimeout(
    () => reject(new Error(`Worker ${worker.process.pid} did not send its metrics in time`)),
    TIMEOUT_MS,
  )
  worker.on('message', onMessage).once('exit', onExit)
  sendToWorker(worker, { type: 'request-metrics', requestId })
  return promise.finally(() => {
    clearTimeout(timer)
    worker.off('message', onMessage).off('exit', onExit)
  })
}

export function sendToWorker(worker: Worker, message: MessageToWorker): void {
  // A worker that is exiting receives no messages.
  if (worker.isConnected()) worker.send(message, () => undefined)
}
