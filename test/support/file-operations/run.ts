// Runs a command and returns which files it synced and renamed.
import { readFileSync, realpathSync } from 'node:fs'
import { join } from 'node:path'
import { type CommandResult, createTempFolder, runAssay } from '../harness.ts'

const PRELOAD = new URL('./preload.ts', import.meta.url).href

export const LINUX_ONLY = process.platform !== 'linux' && 'needs /proc/self/fd'

/** `operations` are in the order of their completion. Process ids in names of temporary files are omitted. */
export async function logFileOperations(args: string[]): Promise<CommandResult & { operations: string[] }> {
  const logFile = join(realpathSync(createTempFolder()), 'operations')
  const env = { NODE_OPTIONS: `--import=${PRELOAD}`, ASSAY_TEST_FILE_LOG: logFile }
  const result = await runAssay(args, env)
  const text = readFileSync(logFile, 'utf8').replaceAll(/\.\d+\.part\b/g, '.part')
  return { ...result, operations: text.trimEnd().split('\n') }
}
