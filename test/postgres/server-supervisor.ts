// Runs one server at a time for the process that forked this one. When that process exits or is killed, this one
// stops the server and removes its folder.
import { type ChildProcess, spawn } from 'node:child_process'
import { openSync, rmSync } from 'node:fs'
import { join } from 'node:path'

export type ServerCommand = { run: [command: string, ...args: string[]] } | { signal: NodeJS.Signals }

/** The exit code, or the reason why there is none. */
export type ExitResult = number | string

const folder = process.argv[2] ?? ''
const log = openSync(join(folder, 'log'), 'a')
let runningServer: ChildProcess | undefined
let isOrphan = false

process.on('message', (command: ServerCommand) => {
  if ('run' in command) run(...command.run)
  else runningServer?.kill(command.signal)
})

process.on('disconnect', () => {
  isOrphan = true
  // SIGQUIT is an immediate shutdown for PostgreSQL, and ends PgBouncer too.
  if (runningServer) runningServer.kill('SIGQUIT')
  else cleanUp()
})

function run(program: string, ...args: string[]): void {
  const child = spawn(program, args, { cwd: folder, stdio: ['ignore', log, log] })
  runningServer = child
  child.once('exit', (code, signal) => onExit(code ?? signal ?? 'unknown'))
  child.once('error', (error) => onExit(error.message))
}

function onExit(result: ExitResult): void {
  runningServer = undefined
  if (isOrphan) cleanUp()
  else process.send?.(result)
}

function cleanUp(): void {
  rmSync(folder, { recursive: true, force: true, maxRetries: 10 })
  process.exit()
}
