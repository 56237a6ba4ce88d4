// Runs one command line: reports errors on standard error and returns the exit code.
import { CommandError, Problem, permissionError, RESTORE_HINT } from '../errors.ts'
import { runCommand } from './commands.ts'
import { sanitizeLine } from './output/terminal-text.ts'

// Node 24 warns that node:sqlite is experimental. Users cannot do anything about it.
const { emitWarning } = process
process.emitWarning = ((warning: unknown, ...details: unknown[]) => {
  if (!String(warning).startsWith('SQLite is an experimental feature'))
    Reflect.apply(emitWarning, process, [warning, ...details])
}) as typeof emitWarning

/** Returns the exit code after all output is written. */
export async function run(argv: string[]): Promise<number> {
  // A reader such as `head` can close the pipe early. That is not an error, and a service must keep running.
  let stdoutError: NodeJS.ErrnoException | undefined
  process.stdout.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code !== 'EPIPE') stdoutError ??= error
  })
  // Errors of standard error cannot be reported anywhere.
  process.stderr.on('error', () => undefined)
  let exitCode = 0
  try {
    await runCommand(argv)
    await flush(process.stdout)
    if (stdoutError) throw stdoutError
  } catch (error) {
    exitCode = reportError(error)
  }
  await Promise.all([flush(process.stdout), flush(process.stderr)])
  return exitCode
}

function reportError(error: unknown): CommandError['exitCode'] {
  const commandError = error instanceof CommandError ? error : permissionError(error)
  if (commandError) {
    printLines([commandError.message, commandError.hint])
    return commandError.exitCode
  }
  if (error instanceof Problem && error.code === 'store-damaged')
    printLines([`The store is damaged: ${(error.cause as Error).message}`, RESTORE_HINT])
  else if (error instanceof Problem && error.code === 'conflict') printLines([error.message])
  else if (error instanceof Problem)
    printLines([
      error.message,
      'If the error persists, check the disk of the store and other processes that use it.',
    ])
  else if ((error as NodeJS.ErrnoException).syscall === 'write')
    printLines([`Cannot write to standard output: ${(error as Error).message}`, 'Check for free disk space.'])
  else {
    const stack = error instanceof Error ? (error.stack ?? error.message) : String(error)
    printLines([...stack.split('\n'), 'This is a bug in Assay.'])
  }
  return 1
}

/** Messages can contain ids and names from user data, so each line is sanitized. */
function printLines(lines: string[]): void {
  process.stderr.write(`assay: ${lines.map(sanitizeLine).join('\n')}\n`)
}

/** Waits for pending writes, which process.exit would discard. Also resolves when the reader has closed the pipe. */
function flush(stream: NodeJS.WriteStream): Promise<void> {
  return new Promise((resolve) => stream.write('', () => resolve()))
}
