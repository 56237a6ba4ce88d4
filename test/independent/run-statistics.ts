// Compares the statistics of comparisons with scipy and statsmodels, by a Python script (npm run test:statistics). It downloads
// them into node_modules/.cache.
import { spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { installTool, missingTool, pipInstall, toolFolder, venvCommand } from '../generators/tools.ts'

const PROGRAM = fileURLToPath(new URL('compare_statistics.py', import.meta.url))
const EVALUATOR = fileURLToPath(new URL('evaluate-statistics.ts', import.meta.url))

const missing = missingTool(['python3'])
if (missing) {
  process.stdout.write(`skipped: ${missing} is not installed\n`)
  process.exit(0)
}
await installTool('statistics', pipInstall({ numpy: '2.4.6', scipy: '1.17.1', statsmodels: '0.15.0' }))
const [python = ''] = venvCommand('python')
const args = [PROGRAM, process.execPath, EVALUATOR]
const { status } = spawnSync(join(toolFolder('statistics'), python), args, { stdio: 'inherit' })
process.exitCode = status ?? 1
