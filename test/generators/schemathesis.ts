// Runs schemathesis with openapi.json against a running service (npm run test:schemathesis [-- MINUTES]). It tests with a
// key that can write, then with one that can only read. It downloads schemathesis into node_modules/.cache.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { type RunningService, startTemporaryService, writeBaseline } from './service.ts'
import { installTool, missingTool, pipInstall, toolFolder, venvCommand } from './tools.ts'

const VERSION = '4.32.5'
const HOOKS = fileURLToPath(new URL('schemathesis_hooks.py', import.meta.url))
const DOCUMENT = fileURLToPath(new URL('../../openapi.json', import.meta.url))
/** The part of the time for the key that can write. */
const WRITE_SHARE = 0.8

/** Prints the report of schemathesis and returns its exit code. */
async function runSchemathesis(
  { origin }: RunningService,
  key: string,
  seconds: number,
): Promise<number | null> {
  const folder = toolFolder('schemathesis')
  const [program = ''] = venvCommand('st')
  const authorization = `Authorization: ${key}`
  const args = ['run', DOCUMENT, '--url', origin, '--header', authorization, '--max-time', String(seconds)]
  // The hooks replace three checks with others that know more about the API.
  const replacedChecks = 'negative_data_rejection,positive_data_acceptance,use_after_free'
  const checks = ['--checks', 'all', '--exclude-checks', replacedChecks, '--continue-on-failure']
  const env = { ...process.env, SCHEMATHESIS_HOOKS: HOOKS }
  const child = spawn(join(folder, program), [...args, ...checks, '--no-color'], {
    cwd: folder,
    env,
    stdio: ['ignore', 'inherit', 'inherit'],
  })
  const [code] = await once(child, 'exit')
  return code
}

const minutes = Number(process.argv[2] ?? 10)
const missing = missingTool(['python3'])
if (missing) {
  process.stdout.write(`skipped: ${missing} is not installed\n`)
  process.exit(0)
}
await installTool('schemathesis', pipInstall({ schemathesis: VERSION }))
const shares = { 'read,write': WRITE_SHARE, read: 1 - WRITE_SHARE }
let failed = false
for (const [scopes, share] of Object.entries(shares)) {
  const service = await startTemporaryService()
  try {
    await writeBaseline(service, service.createKey('write'))
    const seconds = Math.ceil(minutes * 60 * share)
    process.stdout.write(`\nKey with the scopes ${scopes}, ${seconds} seconds\n`)
    if ((await runSchemathesis(service, service.createKey(scopes), seconds)) !== 0) failed = true
  } finally {
    await service.stop()
  }
}
if (failed) process.exitCode = 1
