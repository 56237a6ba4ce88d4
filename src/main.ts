#!/usr/bin/env node
// The command line: runs what the arguments name, and turns failures into two lines and an exit code. The only place
// that ends the process.
import { enableCompileCache } from 'node:module'
import { runCommand } from './cli/commands.ts'
import { CommandError, Problem } from './errors.ts'

enableCompileCache()

function report(error: unknown): 1 | 2 {
  if (error instanceof CommandError) {
    process.stderr.write(`assay: ${error.message}\n${error.hint}\n`)
    return error.exitCode
  }
  if (error instanceof Problem) {
    process.stderr.write(
      `assay: ${error.message}\nIf it stays so, look at the store's disk and at what else uses it.\n`,
    )
    return 1
  }
  if ((error as NodeJS.ErrnoException).syscall === 'write') {
    process.stderr.write(`assay: Cannot write: ${(error as Error).message}\nCheck that there is room.\n`)
    return 1
  }
  process.stderr.write(
    `assay: ${error instanceof Error ? error.stack : String(error)}\nThis is a fault in Assay.\n`,
  )
  return 1
}

// Whoever reads the output may stop before it ends, as head does; a service lives on.
let unwritten: NodeJS.ErrnoException | undefined
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code !== 'EPIPE') unwritten ??= error
})
try {
  await runCommand(process.argv.slice(2))
  await new Promise((resolve) => process.stdout.write('', resolve))
  if (unwritten) throw unwritten
  process.exit(0)
} catch (error) {
  process.exit(report(error))
}
