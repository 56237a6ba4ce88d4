// Reads the sample with the Python clients of three versions of Agenta, sync and async (npm run test:agenta). It downloads
// them into node_modules/.cache.
import { spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { startTemporaryService, writeBaseline } from './service.ts'
import { installTool, missingTool, pipInstall, toolFolder, venvCommand } from './tools.ts'

const VERSIONS = ['0.30.0', '0.50.6', '0.70.0']
const PROGRAM = fileURLToPath(new URL('agenta_reads.py', import.meta.url))

const missing = missingTool(['python3'])
if (missing) {
  process.stdout.write(`skipped: ${missing} is not installed\n`)
  process.exit(0)
}
const downloads = VERSIONS.map((version) =>
  [...venvCommand('pip'), 'install', '--quiet', '--disable-pip-version-check', '--no-deps'].concat(
    ['--target', version],
    `agenta==${version}`,
  ),
)
// The clients need an httpx below 0.28.
const install = [...pipInstall({ httpx: '0.27.2', pydantic: '2.14.3' }), ...downloads]
await installTool('agenta', install)

const service = await startTemporaryService(['--sample'])
try {
  const key = service.createKey('read,write')
  await writeBaseline(service, key)
  await writeReview(service.origin, key)
  const folder = toolFolder('agenta')
  const [python = ''] = venvCommand('python')
  for (const version of VERSIONS) {
    process.stdout.write(`agenta ${version}\n`)
    const args = [PROGRAM, version, service.origin, key]
    const { status } = spawnSync(join(folder, python), args, { cwd: folder, stdio: 'inherit' })
    if (status !== 0) process.exitCode = 1
  }
} finally {
  await service.stop()
}

/** Gives some rows results of people, as a review stores them. */
async function writeReview(origin: string, key: string): Promise<void> {
  const write = async (method: string, path: string, body: object) => {
    const headers = { authorization: key, 'content-type': 'application/json' }
    const response = await fetch(`${origin}/api/${path}`, { method, headers, body: JSON.stringify(body) })
    if (!response.ok) throw new Error(await response.text())
  }
  const question = { evaluator: 'reviewed', type: 'verdict' }
  await write('POST', 'evaluations/support-answer-r6/reviews', { id: 'review', questions: [question] })
  for (const id of ['returns-001', 'returns-002', 'returns-003']) {
    const answer = { evaluator: 'reviewed', value: id !== 'returns-002', labels: ['Late'], note: 'Ünïcode' }
    await write('PUT', `reviews/review/answers/${id}`, { answers: [answer] })
  }
}
