// Compares the statistics of comparisons, the agreement of reviewers, and leaderboards on both engines, with scipy and
// statsmodels, by Python scripts (npm run test:statistics). It downloads them into node_modules/.cache.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { type ServiceProcess, startService, stopService } from '../../bench/service.ts'
import { openStoreAt } from '../../bench/store.ts'
import { addKey } from '../../src/store/access/keys.ts'
import { installTool, missingTool, pipInstall, toolFolder, venvCommand } from '../generators/tools.ts'
import { startCluster } from '../postgres/cluster.ts'

const STATISTICS = fileURLToPath(new URL('compare_statistics.py', import.meta.url))
const LEADERBOARDS = fileURLToPath(new URL('compare_leaderboards.py', import.meta.url))
const AGREEMENT = fileURLToPath(new URL('compare_agreement.py', import.meta.url))
const AGREEMENT_EVALUATOR = fileURLToPath(new URL('evaluate-agreement.ts', import.meta.url))
const EVALUATOR = fileURLToPath(new URL('evaluate-statistics.ts', import.meta.url))

const KEY = { project: 'default', name: null, scopes: ['read', 'write'], expires_at: null } as const

const missing = missingTool(['python3'])
if (missing) {
  process.stdout.write(`skipped: ${missing} is not installed\n`)
  process.exit(0)
}
await installTool('statistics', pipInstall({ numpy: '2.4.6', scipy: '1.17.1', statsmodels: '0.15.0' }))
const [pythonName = ''] = venvCommand('python')
const python = join(toolFolder('statistics'), pythonName)
const codes = [
  await run(STATISTICS, process.execPath, EVALUATOR),
  await run(AGREEMENT, process.execPath, AGREEMENT_EVALUATOR),
  await compareLeaderboards(),
]
process.exitCode = Math.max(...codes)

async function run(program: string, ...args: string[]): Promise<number> {
  const [code] = await once(spawn(python, [program, ...args], { stdio: 'inherit' }), 'exit')
  return code ?? 1
}

async function compareLeaderboards(): Promise<number> {
  const folder = mkdtempSync(join(tmpdir(), 'assay-statistics-'))
  const cluster = await startCluster()
  const services: ServiceProcess[] = []
  const args: string[] = []
  try {
    for (const url of [`sqlite:${join(folder, 'assay.db')}`, cluster.url()]) {
      const store = await openStoreAt(url)
      const { key } = await store.writer.transaction((transaction) => addKey(transaction, KEY))
      await store.close()
      const service = await startService(['--data', folder, '--database', url])
      services.push(service)
      args.push(key, service.baseUrl)
    }
    return await run(LEADERBOARDS, ...args)
  } finally {
    for (const service of services) await stopService(service)
    await cluster.remove()
    rmSync(folder, { recursive: true, force: true })
  }
}
