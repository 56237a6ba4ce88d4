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
module.enableCompileCache()
const { run } = await import('./cli/run.ts')
process.exit(await run(process.argv.slice(2)))
