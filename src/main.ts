#!/usr/bin/env node
// The command line: runs what the arguments name, and turns failures into two lines and an exit code. The only place
// that ends the process.
import { enableCompileCache } from 'node:module'
import { runCommand } from './cli/commands.ts'
import { visible } from './cli/visible.ts'
import { CommandError, Problem } from './errors.ts'

enableCompileCache()

function report(error: unknown): 1 | 2 {
  if (error instanceof CommandError) {
    say([error.message, error.hint])
    return error.exitCode
  }
  if (error instanceof Problem)
    say([error.message, "If it stays so, look at the store's disk and at what else uses it."])
  else if ((error as NodeJS.ErrnoException).syscall === 'write')
    say([`Cannot write: ${(error as Error).message}`, 'Check that there is room.'])
  else {
    const stack = error instanceof Error ? (error.stack ?? error.message) : String(error)
    say([...stack.split('\n'), 'This is a fault in Assay.'])
  }
  return 1
}

/** Messages hold ids and names that others chose. */
function say(lines: string[]): void {
  process.stderr.write(`assay: ${lines.map(visible).join('\n')}\n`)
}

/** What is still on its way to a pipe would be lost when the process ends. Also done where the reader has gone. */
function flushed(stream: NodeJS.WriteStream): Promise<void> {
  return new Promise((resolve) => stream.write('', () => resolve()))
}

// Whoever reads the output may stop before it ends, as head does; a service lives on.
let unwritten: NodeJS.ErrnoException | undefined
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code !== 'EPIPE') unwritten ??= error
})
// There is nowhere left to say it.
process.stderr.on('error', () => undefined)
let exitCode = 0
try {
  await runCommand(process.argv.slice(2))
  await flushed(process.stdout)
  if (unwritten) throw unwritten
} catch (error) {
  exitCode = report(error)
}
await Promise.all([flushed(process.stdout), flushed(process.stderr)])
process.exit(exitCode)
