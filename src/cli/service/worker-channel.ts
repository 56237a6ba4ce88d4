// Messages between the supervisor and its workers, and the worker's side of that channel.
import type { CommandError } from '../../errors.ts'
import type { WorkerChannel } from '../../http/server/worker-channel.ts'

/** Also resolves if the supervisor has exited; the worker then exits by itself. */
export function sendToSupervisor(message: MessageToSupervisor): Promise<void> {
  return new Promise((resolve) => process.send?.(message, undefined, undefined, () => resolve()))
}

/** Calls the listener for each message of this type from the supervisor. */
export function onMessage<Type extends MessageToWorker['type']>(
  type: Type,
  listener: (message: Extract<MessageToWorker, { type: Type }>) => void,
): void {
  process.on('message', (message: MessageToWorker) => {
    if (message.type === type) listener(message as Parameters<typeof listener>[0])
  })
}

export function openWorkerChannel(): WorkerChannel {
  const pendingRequests = new Map<number, (text: string | undefined) => void>()
  let lastRequestId = 0
  onMessage('all-metrics', ({ requestId, text }) => {
    pendingRequests.get(requestId)?.(text)
    pendingRequests.delete(requestId)
  })
  return {
    sendRejectedKey: (address) => void sendToSupervisor({ type: 'key-rejected', address }),
    onRejectedKey: (listener) => onMessage('key-rejected', ({ address }) => listener(address)),
    provideMetrics(collect) {
      onMessage('request-metrics', async ({ requestId }) => {
        void sendToSupervisor({ type: 'worker-metrics', requestId, metrics: await collect() })
      })
    },
    metrics() {
      lastRequestId += 1
      const requestId = lastRequestId
      void sendToSupervisor({ type: 'request-all-metrics', requestId })
      return new Promise((resolve) => void pendingRequests.set(requestId, resolve))
    },
  }
}

export type MessageToWorker =
  /** Open the port, and wait for `serve` before opening the store. */
  | { type: 'bind' }
  /** Open the store and serve requests. */
  | { type: 'serve' }
  /** Finish the responses in progress, then exit. */
  | { type: 'stop' }
  /** Abort the responses in progress and exit. */
  | { type: 'force-stop' }
  /** Another worker rejected an API key from this IP address. */
  | { type: 'key-rejected'; address: string }
  | { type: 'request-metrics'; requestId: number }
  /** Metrics of all workers in Prometheus format. `text` is missing if they cannot be collected. */
  | { type: 'all-metrics'; requestId: number; text?: string }

export type MessageToSupervisor =
  /** The port is open. */
  | { type: 'bound' }
  | { type: 'listening'; address: string }
  | { type: 'failed'; message: string; hint: string; exitCode: CommandError['exitCode'] }
  | { type: 'key-rejected'; address: string }
  | { type: 'worker-metrics'; requestId: number; metrics: object[] }
  | { type: 'request-all-metrics'; requestId: number }
