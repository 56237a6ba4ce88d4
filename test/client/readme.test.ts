// The examples of the client in client/README.md and README.md: those of a page put together are a program that has no
// type error, and runs.
import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { loadSample } from '../../src/cli/sample.ts'
import { freshFolder, freshStore, mint, serveStore } from '../harness.ts'

const run = promisify(execFile)
const ROOT = fileURLToPath(new URL('../..', import.meta.url))
const PAGES = { client: 'client/README.md', first: 'README.md' }

function programOf(page: string, base: string): string {
  const blocks = [...readFileSync(join(ROOT, page), 'utf8').matchAll(/^```ts\n(.*?)^```$/gms)]
  assert.ok(blocks.length > 0, `${page} has no example`)
  return blocks
    .map(([, code]) => code)
    .join('\n')
    .replaceAll('http://127.0.0.1:8080', base)
}

test('every example compiles, runs, and prints what it says it does', async () => {
  const store = await freshStore()
  await loadSample(store)
  const { base } = await serveStore(store)
  const { key } = await mint(store, { scopes: ['read', 'write'] })

  const folder = freshFolder()
  mkdirSync(join(folder, 'node_modules'))
  symlinkSync(join(ROOT, 'client'), join(folder, 'node_modules/assay-client'))
  symlinkSync(join(ROOT, 'node_modules/@types'), join(folder, 'node_modules/@types'))
  for (const [name, page] of Object.entries(PAGES)) {
    writeFileSync(join(folder, `${name}.ts`), programOf(page, base))
  }
  writeFileSync(join(folder, 'package.json'), '{ "type": "module" }')
  const extended = join(ROOT, 'tsconfig.json')
  // An example may show a variable that nothing uses yet.
  const compilerOptions = { noUnusedLocals: false }
  const config = { extends: extended, compilerOptions, include: ['*.ts'] }
  writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify(config))

  const types = await run(join(ROOT, 'node_modules/.bin/tsc'), ['-p', folder]).catch((error) => error)
  assert.equal(types.stdout, '')
  const env = { ...process.env, ASSAY_KEY: key }
  for (const [name, page] of Object.entries(PAGES)) {
    const { stdout } = await run(process.execPath, [join(folder, `${name}.ts`)], { env })
    const said = stdout.split('\n')
    for (const [, line = ''] of programOf(page, base).matchAll(/ \/\/ → (.*)$/gm)) {
      const place = said.indexOf(line)
      assert.ok(place >= 0, `${page}: not said, or not in this order: ${line}`)
      said.splice(0, place + 1)
    }
  }
})
