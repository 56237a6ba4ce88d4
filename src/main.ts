#!/usr/bin/env node
// Entry point of the command line: checks the version of Node, runs the command and exits. Imports the rest on demand,
// because an older Node cannot load it, and because the compile cache contains only what is loaded later.
import module from 'node:module'
import { nodeVersionError } from './node-version.ts'

const versionError = nodeVersionError()
if (versionError !== undefined) {
  process.stderr.write(`assay: ${versionError}\n`)
  process.exit(1)
}
const cache = module.enableCompileCache()
if (process.argv[2] === 'serve') restartWithCompileCache(cache)
const { run } = await import('./cli/run.ts')
process.exit(await run(process.argv.slice(2)))

/**
 * In a checkout, Node has loaded its TypeScript compiler for this file, and would load it in every thread. A service that starts
 * with the compile cache needs no compiler, which saves 17 MB and 12 MB per thread.
 */
function restartWithCompileCache({ status, directory }: module.EnableCompileCacheResult): void {
  const isCheckout = import.meta.filename.endsWith('.ts')
  const isEnabledByThisFile = status === module.constants.compileCacheStatus.ENABLED
  // Windows cannot replace a process. A worker would lose the channel to its supervisor, and has the environment of that.
  if (!isCheckout || !isEnabledByThisFile || !directory || !process.execve || process.connected) return
  const args = [process.argv0, ...process.execArgv, ...process.argv.slice(1)]
  process.execve(process.execPath, args, { ...process.env, NODE_COMPILE_CACHE: directory })
}
