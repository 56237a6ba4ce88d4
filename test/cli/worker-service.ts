// A service of several processes, as tests see it: its processes, and connections that stay with one of them.
import { existsSync, readFileSync } from 'node:fs'
import { Agent, get, type IncomingMessage } from 'node:http'
import { setTimeout as delay } from 'node:timers/promises'
import { gunzipSync } from 'node:zlib'
import type { ServiceProcess } from '../../bench/service.ts'
import { freshFolder, spawnServer } from '../harness.ts'

export interface WorkerService extends ServiceProcess {
  data: string
  /** What was logged so far, as objects, of one message. */
  logged(message: string): { pid: number; reason: unknown; pause_ms: number }[]
  /** The processes that have listened so far, in order. */
  pids(): number[]
}

/** Two connections, each to another process: they are handed out in turn. */
export async function twoLines({ base, pids }: WorkerService): Promise<[Line, Line]> {
  await until(() => pids().length >= 2)
  const lines: [Line, Line] = [new Line(base), new Line(base)]
  for (const line of lines) await line.ask('/livez')
  return lines
}

/** Started with info in the log, which names the processes. */
export async function startWorkers(args: string[], data = freshFolder()): Promise<WorkerService> {
  const service = await spawnServer(['--data', data, ...args])
  function logged(message: string) {
    const whole = service.stderr().split('\n').slice(0, -1)
    return whole.map((line) => JSON.parse(line)).filter(({ msg }) => msg === message)
  }
  const pids = () => logged('listening').map(({ pid }) => pid)
  // The log comes a little later than the address.
  await until(() => pids().length > 0)
  return { ...service, data, logged, pids }
}

/** The limit of the test bounds it. */
export async function until(holds: () => boolean | Promise<boolean>): Promise<void> {
  while (!(await holds())) await delay(20)
}

export function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0)
  } catch {
    return false
  }
  // One that has ended stays in the list until somebody asks how.
  const stat = `/proc/${pid}/stat`
  return !existsSync(stat) || !/\) [ZX] /.test(readFileSync(stat, 'utf8'))
}

/** One connection, which is never opened again. */
export class Line {
  readonly #base: string
  readonly #agent = new Agent({ keepAlive: true, maxSockets: 1 })
  #port: number | undefined

  constructor(base: string) {
    this.#base = base
  }

  /** Begins an answer and takes nothing of it. Throws where the connection has ended. */
  async begin(path: string, headers: Record<string, string> = {}): Promise<IncomingMessage> {
    const response = await new Promise<IncomingMessage>((resolve, reject) =>
      get(`${this.#base}${path}`, { agent: this.#agent, headers }, resolve).on('error', reject),
    )
    const { localPort } = response.socket
    this.#port ??= localPort
    if (this.#port !== localPort) {
      this.close()
      throw new Error('The connection has ended')
    }
    return response
  }

  async ask(path: string, headers?: Record<string, string>) {
    const response = await this.begin(path, headers)
    const { statusCode: status = 0, headers: fields } = response
    return { status, fields, text: await textOf(response) }
  }

  close(): void {
    this.#agent.destroy()
  }
}

/** Decompressed. Throws where it breaks off. */
export async function textOf(response: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = []
  for await (const chunk of response) chunks.push(chunk)
  const bytes = Buffer.concat(chunks)
  const isGzip = bytes.length > 0 && response.headers['content-encoding'] === 'gzip'
  return (isGzip ? gunzipSync(bytes) : bytes).toString()
}
