// Runs the TypeScript examples of client/README.md. Together they form one program.
import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { createSampleStore, createTempFolder, createTestKey, startTestService } from '../support/harness.ts'

const execute = promisify(execFile)
const ROOT = fileURLToPath(new URL('../..', import.meta.url))
const PAGE = 'client/README.md'

function extractProgram(baseUrl: string): string {
  const blocks = [...readFileSync(join(ROOT, PAGE), 'utf8').matchAll(/^```ts\n(.*?)^```$/gms)]
  assert.ok(blocks.length > 0, `${PAGE} has no example`)
  return blocks
    .map(([, code]) => code)
    .join('\n')
    .replaceAll('http://127.0.0.1:8080', baseUrl)
}

async function startSampleService(): Promise<{ baseUrl: string; env: NodeJS.ProcessEnv }> {
  const store = await createSampleStore()
  const { baseUrl } = await startTestService(store)
  const { key } = await createTestKey(store, { scopes: ['read', 'write'] })
  return { baseUrl, env: { ...process.env, ASSAY_KEY: key } }
}

test('every TypeScript example compiles, runs and prints the output shown in its comments', async () => {
  const { baseUrl, env } = await startSampleService()
  const folder = createTempFolder()
  mkdirSync(join(folder, 'node_modules'))
  symlinkSync(join(ROOT, 'client'), join(folder, 'node_modules/assay-client'))
  symlinkSync(join(ROOT, 'node_modules/@types'), join(folder, 'node_modules/@types'))
  const program = extractProgram(baseUrl)
  writeFileSync(join(folder, 'program.ts'), program)
  writeFileSync(join(folder, 'package.json'), '{ "type": "module" }')
  const baseConfig = join(ROOT, 'tsconfig.json')
  // Examples can declare variables that they do not use.
  const compilerOptions = { noUnusedLocals: false }
  const config = { extends: baseConfig, compilerOptions, include: ['*.ts'] }
  writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify(config))

  const compilation = await execute(join(ROOT, 'node_modules/.bin/tsc'), ['-p', folder]).catch(
    (error) => error,
  )
  assert.equal(compilation.stdout, '')
  const { stdout } = await execute(process.execPath, [join(folder, 'program.ts')], { env })
  const outputLines = stdout.split('\n')
  for (const [, line = ''] of program.matchAll(/ \/\/ → (.*)$/gm)) {
    const index = outputLines.indexOf(line)
    assert.ok(index >= 0, `${PAGE}: not printed, or in a different order: ${line}`)
    outputLines.splice(0, index + 1)
  }
})
