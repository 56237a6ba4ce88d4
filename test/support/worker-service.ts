// Test helpers for a service with workers: its processes, and connections to one worker.
import { existsSync, readFileSync } from 'node:fs'
import { Agent, get, type IncomingMessage } from 'node:http'
import { setTimeout as delay } from 'node:timers/promises'
import { gunzipSync } from 'node:zlib'
import type { ServiceProcess } from '../../bench/service.ts'
import { createTempFolder, spawnServer } from './harness.ts'

export interface WorkerService extends ServiceProcess {
  data: string
  /** The log entries with this message so far. */
  logged(message: string): { pid: number; reason: unknown; delay_ms: number }[]
  /** Ids of the processes that have listened so far, in order. */
  pids(): number[]
}

/** Two connections to different workers. Connections are distributed round-robin. */
export async function connectToTwoWorkers({
  baseUrl,
  pids,
}: WorkerService): Promise<[PinnedConnection, PinnedConnection]> {
  await waitUntil(() => pids().length >= 2)
  const connections: [PinnedConnection, PinnedConnection] = [
    new PinnedConnection(baseUrl),
    new PinnedConnection(baseUrl),
  ]
  for (const connection of connections) await connection.request('/livez')
  return connections
}

/** Starts a service with log level info, because the log contains the process ids. */
export async function startWorkers(args: string[], data = createTempFolder()): Promise<WorkerService> {
  const service = await spawnServer(['--data', data, ...args])
  function logged(message: string) {
    const lines = service.stderr().split('\n').slice(0, -1)
    return lines.map((line) => JSON.parse(line)).filter(({ msg }) => msg === message)
  }
  const pids = () => logged('listening').map(({ pid }) => pid)
  // The log is written slightly after the address is printed.
  await waitUntil(() => pids().length > 0)
  return { ...service, data, logged, pids }
}

/** Polls the condition until it is true. The test timeout limits the wait. */
export async function waitUntil(condition: () => boolean | Promise<boolean>): Promise<void> {
  while (!(await condition())) await delay(20)
}

export function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0)
  } catch {
    return false
  }
  // An exited process remains as a zombie until its parent reads its exit status.
  const stat = `/proc/${pid}/stat`
  return !existsSync(stat) || !/\) [ZX] /.test(readFileSync(stat, 'utf8'))
}

/** A connection that is never reopened, so all its requests reach the same worker. */
export class PinnedConnection {
  readonly #baseUrl: string
  readonly #agent = new Agent({ keepAlive: true, maxSockets: 1 })
  #port: number | undefined

  constructor(baseUrl: string) {
    this.#baseUrl = baseUrl
  }

  /** Sends a request and returns the response without reading its body. Throws if the connection was closed. */
  async startRequest(path: string, headers: Record<string, string> = {}): Promise<IncomingMessage> {
    const response = await new Promise<IncomingMessage>((resolve, reject) =>
      get(`${this.#baseUrl}${path}`, { agent: this.#agent, headers }, resolve).on('error', reject),
    )
    const { localPort } = response.socket
    this.#port ??= localPort
    if (this.#port !== localPort) {
      this.close()
      throw new Error('The connection was closed')
    }
    return response
  }

  async request(path: string, headers?: Record<string, string>) {
    const response = await this.startRequest(path, headers)
    const { statusCode: status = 0, headers: responseHeaders } = response
    return { status, headers: responseHeaders, text: await readText(response) }
  }

  close(): void {
    this.#agent.destroy()
  }
}

/** The decompressed body. Throws if the response is aborted. */
export async function readText(response: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = []
  for await (const chunk of response) chunks.push(chunk)
  const bytes = Buffer.concat(chunks)
  const isGzip = bytes.length > 0 && response.headers['content-encoding'] === 'gzip'
  return (isGzip ? gunzipSync(bytes) : bytes).toString()
}
