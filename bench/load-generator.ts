// Generates HTTP load on a separate CPU core, with wrk if it is installed, otherwise with autocannon.
import { execFile, execFileSync } from 'node:child_process'
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

/** Pins a command to a CPU core, if taskset is installed. Servers use core 0, load generators core 1. */
export function pinToCore(core: 0 | 1, command: string, args: string[]): [string, string[]] {
  return isInstalled('taskset') ? ['taskset', ['-c', String(core), command, ...args]] : [command, args]
}

/** Pins a running process to a CPU core. */
export function moveToCore(core: 0 | 1, pid: number): void {
  if (isInstalled('taskset'))
    execFileSync('taskset', ['-a', '-p', '-c', String(core), String(pid)], { stdio: 'ignore' })
}

/** Returns the requests per second. Throws if a response has another status. */
export function measureLoad(url: string, requestHeaders: Headers, status: 200 | 304): Promise<number> {
  const headers = Object.entries(requestHeaders).map(([name, value]) => `${name}: ${value}`)
  return isInstalled('wrk') ? runWrk(url, headers, status) : runAutocannon(url, headers, status)
}

async function runWrk(url: string, headers: string[], status: number): Promise<number> {
  const headerArgs = headers.flatMap((header) => ['-H', header])
  const args = ['-t', '1', '-c', String(CONNECTIONS), '-d', `${SECONDS}s`, ...headerArgs, url]
  const { stdout } = await run(...pinToCore(1, 'wrk', args))
  const errorLine = /(Non-2xx or 3xx responses|Socket errors).*/.exec(stdout)?.[0]
  if (errorLine !== undefined) throw new Error(`${url}, expected ${status}: ${errorLine}`)
  return Number(/Requests\/sec:\s+([\d.]+)/.exec(stdout)?.[1])
}

interface Report {
  requests: { average: number }
  errors: number
  statusCodeStats: Record<string, { count: number }>
}

async function runAutocannon(url: string, headers: string[], status: number): Promise<number> {
  const headerArgs = headers.flatMap((header) => ['-H', header])
  const script = createRequire(import.meta.url).resolve('autocannon/autocannon.js')
  const args = [script, '--json', '-c', String(CONNECTIONS), '-d', String(SECONDS), ...headerArgs, url]
  const { stdout } = await run(...pinToCore(1, process.execPath, args))
  const { requests, errors, statusCodeStats }: Report = JSON.parse(stdout)
  const otherStatuses = Object.keys(statusCodeStats).filter((code) => code !== String(status))
  if (errors > 0 || otherStatuses.length > 0)
    throw new Error(`${url}, expected ${status}: ${errors} errors, ${otherStatuses}`)
  return requests.average
}
