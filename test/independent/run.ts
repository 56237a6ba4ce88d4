// Compares what the presets store with the files of the tools, by a Python script (npm run test:presets). It downloads
// pyarrow into node_modules/.cache.
import { spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { startTemporaryService } from '../generators/service.ts'
import { installTool, missingTool, pipInstall, toolFolder, venvCommand } from '../generators/tools.ts'

const PROGRAM = fileURLToPath(new URL('compare_presets.py', import.meta.url))
const FIXTURES = fileURLToPath(new URL('../fixtures/import', import.meta.url))

const missing = missingTool(['python3'])
if (missing) {
  process.stdout.write(`skipped: ${missing} is not installed\n`)
  process.exit(0)
}
await installTool('presets', pipInstall({ pyarrow: '26.0.1' }))
const service = await startTemporaryService()
try {
  const [python = ''] = venvCommand('python')
  const args = [PROGRAM, service.origin, service.createKey('read,write'), FIXTURES]
  const { status } = spawnSync(join(toolFolder('presets'), python), args, { stdio: 'inherit' })
  process.exitCode = status ?? 1
} finally {
  await service.stop()
}
