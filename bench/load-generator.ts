// Generates HTTP load on a separate CPU core, with wrk if it is installed, otherwise with autocannon.
import { type ChildProcess, execFile, execFileSync, fork } from 'node:child_process'
import { createRequire } from 'node:module'
import { promisify } from 'node:util'

const run = promisify(execFile)

const SECONDS = 3
const CONNECTIONS = 8

export type Headers = Record<string, string>

export function isInstalled(command: string): boolean {
  try {
    execFileSync('which', [command], { stdio: 'ignore' })
    return true
  } catch {
    return false
  }
}

/** A command that runs another one on a CPU core, if taskset is installed. Servers use core 0, load generators core 1. */
export function onCore(core: 0 | 1): string[] {
  return isInstalled('taskset') ? ['taskset', '-c', String(core)] : []
}

/** Starts a script with an IPC channel on a CPU core. */
export function forkOnCore(core: 0 | 1, script: string, args: string[]): ChildProcess {
  const [execPath = '', ...execArgv] = [...onCore(core), process.execPath]
  return fork(script, args, { execPath, execArgv })
}

export interface Load {
  /** Requests per second. */
  requests: number
  /** Bytes per second, including responses that were not complete at the end. */
  bytes: number
}

/** Throws if a response has another status. */
export function measureLoad(
  url: string,
  requestHeaders: Headers,
  status: 200 | 304,
  connections = CONNECTIONS,
): Promise<Load> {
  const headers = Object.entries(requestHeaders).flatMap(([name, value]) => ['-H', `${name}: ${value}`])
  const args = ['-c', String(connections), ...headers, url]
  return isInstalled('wrk') ? runWrk(args, status) : runAutocannon(args, status)
}

const UNITS = { '': 1, K: 1024, M: 1024 ** 2, G: 1024 ** 3 }

async function runWrk(args: string[], status: number): Promise<Load> {
  const { stdout } = await runOnCore1(['wrk', '-t', '1', '-d', `${SECONDS}s`, '--timeout', '60s', ...args])
  const errorLine = /(Non-2xx or 3xx responses|Socket errors).*/.exec(stdout)?.[0]
  if (errorLine !== undefined) throw new Error(`${args.at(-1)}, expected ${status}: ${errorLine}`)
  const [, amount, unit = ''] = /Transfer\/sec:\s+([\d.]+)([KMG]?)B/.exec(stdout) ?? []
  return {
    requests: Number(/Requests\/sec:\s+([\d.]+)/.exec(stdout)?.[1]),
    bytes: Number(amount) * UNITS[unit as keyof typeof UNITS],
  }
}

function runOnCore1(command: string[]): Promise<{ stdout: string }> {
  const [program = '', ...args] = [...onCore(1), ...command]
  return run(program, args)
}

interface Report {
  requests: { average: number }
  throughput: { average: number }
  errors: number
  statusCodeStats: Record<string, { count: number }>
}

async function runAutocannon(args: string[], status: number): Promise<Load> {
  const script = createRequire(import.meta.url).resolve('autocannon/autocannon.js')
  const command = [process.execPath, script, '--json', '-d', String(SECONDS), ...args]
  const { stdout } = await runOnCore1(command)
  const { requests, throughput, errors, statusCodeStats }: Report = JSON.parse(stdout)
  const otherStatuses = Object.keys(statusCodeStats).filter((code) => code !== String(status))
  if (errors > 0 || otherStatuses.length > 0)
    throw new Error(`${args.at(-1)}, expected ${status}: ${errors} errors, ${otherStatuses}`)
  return { requests: requests.average, bytes: throughput.average }
}
