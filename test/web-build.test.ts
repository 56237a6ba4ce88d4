// Tests web/build.ts in a temporary checkout with a minimal page: it builds the page only if it is missing or stale.
import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import {
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { createTempFolder } from './support/harness.ts'
import { fullOnly } from './support/options.ts'

const CHECKOUT = fileURLToPath(new URL('..', import.meta.url))

test('web/build.ts builds the page only if it is missing or stale', {
  skip: fullOnly('builds a page several times'),
}, async (t) => {
  const root = join(createTempFolder(), 'checkout')
  const writeSource = (name: string, text: string) => writeFileSync(join(root, name), text)
  for (const folder of ['web/src', 'client/test', 'src/schema'])
    mkdirSync(join(root, folder), { recursive: true })
  for (const name of ['build.ts', 'preloads.ts', 'vite.config.ts'])
    cpSync(join(CHECKOUT, 'web', name), join(root, 'web', name))
  // The configuration of Vite reads the list of importers.
  cpSync(join(CHECKOUT, 'src'), join(root, 'src'), { recursive: true })
  writeSource('package.json', '{"type":"module"}')
  writeSource('package-lock.json', '{}')
  writeSource('client/client.ts', `export const answer: string = 'one'`)
  writeSource('src/schema/fields.ts', `export const field: string = 'latency'`)
  writeSource(
    'web/index.html',
    '<html lang="en"><body><script type="module" src="/src/main.ts"></script></body></html>',
  )
  writeSource(
    'web/src/main.ts',
    `import { answer } from '../../client/client.ts'\nimport { field } from '../../src/schema/fields.ts'\ndocument.title = answer + field`,
  )

  async function build() {
    // A compile cache with a relative path would create a folder in the linked packages.
    const { NODE_COMPILE_CACHE: _, ...env } = process.env
    const stdio: ['ignore', 'pipe', 'pipe'] = ['ignore', 'pipe', 'pipe']
    const child = spawn(process.execPath, ['web/build.ts'], { cwd: root, env, stdio })
    const output = { stdout: '', stderr: '' }
    child.stdout.on('data', (chunk) => (output.stdout += chunk))
    child.stderr.on('data', (chunk) => (output.stderr += chunk))
    const [code] = await once(child, 'close')
    return { code, ...output }
  }
  /** Asserts that there are no unexpected files, and returns the texts of the built scripts. */
  function builtScripts(): string[] {
    const expected = ['build.ts', 'dist', 'index.html', 'preloads.ts', 'src', 'vite.config.ts']
    assert.deepEqual(readdirSync(join(root, 'web')).sort(), expected)
    assert.deepEqual(readdirSync(join(root, 'web/dist')).sort(), [
      '.digest',
      'assets',
      'index.html',
      'service',
    ])
    return readdirSync(join(root, 'web/dist/assets')).map((name) =>
      readFileSync(join(root, 'web/dist/assets', name), 'utf8'),
    )
  }
  const noOutput = { code: 0, stdout: '', stderr: '' }
  const buildOutput = { code: 0, stdout: '', stderr: 'Building the page …\n' }

  await t.test('exits with one error line when the bundler is missing', async () => {
    const { code, stderr } = await build()
    assert.equal(code, 1)
    assert.match(stderr, /^The page is not built.* npm ci .*\n$/)
    assert.ok(!existsSync(join(root, 'web/dist')))
  })

  symlinkSync(join(CHECKOUT, 'node_modules'), join(root, 'node_modules'))
  const umask = process.umask(0o077)
  t.after(() => process.umask(umask))
  await t.test('two concurrent builds create one page', async () => {
    const done = await Promise.all([build(), build()])
    for (const { code, stdout } of done) assert.deepEqual({ code, stdout }, { code: 0, stdout: '' })
    assert.match(String(builtScripts()), /one/)
  })

  await t.test('every user can read the page, whatever the umask', () => {
    const dist = join(root, 'web/dist')
    for (const entry of readdirSync(dist, { recursive: true, withFileTypes: true })) {
      const { mode } = statSync(join(entry.parentPath, entry.name))
      assert.equal(mode & 0o777, entry.isDirectory() ? 0o755 : 0o644, entry.name)
    }
    assert.equal(statSync(dist).mode & 0o777, 0o755)
  })

  await t.test('does not rebuild an up-to-date page, also when tests change', async () => {
    writeSource('web/dist/index.html', 'unchanged')
    writeSource('client/test/client.test.ts', 'assert(true)')
    assert.deepEqual(await build(), noOutput)
    assert.equal(readFileSync(join(root, 'web/dist/index.html'), 'utf8'), 'unchanged')
  })

  await t.test('rebuilds the page when the client changes, and removes the old files', async () => {
    writeSource('client/client.ts', `export const answer: string = 'two'`)
    assert.deepEqual(await build(), buildOutput)
    const [script, ...others] = builtScripts()
    assert.match(script ?? '', /two/)
    assert.deepEqual(others, [])
    assert.deepEqual(await build(), noOutput)
  })

  await t.test('rebuilds the page when a file that it shares with the service changes', async () => {
    writeSource('src/schema/fields.ts', `export const field: string = 'cost'`)
    assert.deepEqual(await build(), buildOutput)
    assert.match(String(builtScripts()), /cost/)
  })

  await t.test('fails on a compile error and leaves the old page in place', async () => {
    writeSource('web/src/main.ts', 'const = 1')
    const { code, stdout } = await build()
    assert.deepEqual({ code, stdout }, { code: 1, stdout: '' })
    assert.match(String(builtScripts()), /two/)
  })

  await t.test('without the bundler, warns about a stale page and leaves it in place', async () => {
    rmSync(join(root, 'node_modules'))
    const { code, stderr } = await build()
    assert.equal(code, 0)
    assert.match(stderr, /^The page in web\/dist is out of date and is served as it is\..*\n$/)
    assert.match(String(builtScripts()), /two/)
  })
})
