// Load from a core of its own, by wrk where it is installed and by autocannon otherwise.
import { execFile, execFileSync } from 'node:child_process'
import { createRequire } from 'node:module'
import { promisify } from 'node:util'

const run = promisify(execFile)

const SECONDS = 3
const CONNECTIONS = 8

export type Fields = Record<string, string>

export function isInstalled(command: string): boolean {
  try {
    execFileSync('which', [command], { stdio: 'ignore' })
    return true
  } catch {
    return false
  }
}

/** A command that runs on one core, where that can be said. Servers have the first, who loads them the second. */
export function onCore(core: 0 | 1, command: string, args: string[]): [string, string[]] {
  return isInstalled('taskset') ? ['taskset', ['-c', String(core), command, ...args]] : [command, args]
}

/** Moves a process that runs. */
export function moveToCore(core: 0 | 1, pid: number): void {
  if (isInstalled('taskset'))
    execFileSync('taskset', ['-a', '-p', '-c', String(core), String(pid)], { stdio: 'ignore' })
}

/** Requests a second that are answered as they should be. Throws where some are not. */
export function load(url: string, fields: Fields, status: 200 | 304): Promise<number> {
  const headers = Object.entries(fields).map(([name, value]) => `${name}: ${value}`)
  return isInstalled('wrk') ? byWrk(url, headers, status) : byAutocannon(url, headers, status)
}

async function byWrk(url: string, headers: string[], status: number): Promise<number> {
  const fields = headers.flatMap((header) => ['-H', header])
  const args = ['-t', '1', '-c', String(CONNECTIONS), '-d', `${SECONDS}s`, ...fields, url]
  const { stdout } = await run(...onCore(1, 'wrk', args))
  const failed = /(Non-2xx or 3xx responses|Socket errors).*/.exec(stdout)?.[0]
  if (failed !== undefined) throw new Error(`${url}, wanted ${status}: ${failed}`)
  return Number(/Requests\/sec:\s+([\d.]+)/.exec(stdout)?.[1])
}

interface Report {
  requests: { average: number }
  errors: number
  statusCodeStats: Record<string, { count: number }>
}

async function byAutocannon(url: string, headers: string[], status: number): Promise<number> {
  const fields = headers.flatMap((header) => ['-H', header])
  const script = createRequire(import.meta.url).resolve('autocannon/autocannon.js')
  const args = [script, '--json', '-c', String(CONNECTIONS), '-d', String(SECONDS), ...fields, url]
  const { stdout } = await run(...onCore(1, process.execPath, args))
  const { requests, errors, statusCodeStats }: Report = JSON.parse(stdout)
  const others = Object.keys(statusCodeStats).filter((code) => code !== String(status))
  if (errors > 0 || others.length > 0)
    throw new Error(`${url}, wanted ${status}: ${errors} errors, ${others}`)
  return requests.average
}
