// Runs one server at a time in the name of the process that forked this one, and owns the folder it lives in.
// When that process is gone, however it went, the server is stopped and the folder removed.
import { type ChildProcess, spawn } from 'node:child_process'
import { openSync, rmSync } from 'node:fs'
import { join } from 'node:path'

export type Order = { run: [command: string, ...args: string[]] } | { signal: NodeJS.Signals }

/** The exit code, or why there is none. */
export type Ended = number | string

const folder = process.argv[2] ?? ''
const log = openSync(join(folder, 'log'), 'a')
let running: ChildProcess | undefined
let isOrphan = false

process.on('message', (order: Order) => {
  if ('run' in order) run(...order.run)
  else running?.kill(order.signal)
})

process.on('disconnect', () => {
  isOrphan = true
  // PostgreSQL takes it for an immediate shutdown, and everything else we run ends by it too.
  if (running) running.kill('SIGQUIT')
  else leave()
})

function run(command: string, ...args: string[]): void {
  const child = spawn(command, args, { cwd: folder, stdio: ['ignore', log, log] })
  running = child
  child.once('exit', (code, signal) => ended(code ?? signal ?? 'unknown'))
  child.once('error', (error) => ended(error.message))
}

function ended(how: Ended): void {
  running = undefined
  if (isOrphan) leave()
  else process.send?.(how)
}

function leave(): void {
  rmSync(folder, { recursive: true, force: true, maxRetries: 10 })
  process.exit()
}
