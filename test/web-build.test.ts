// web/build.ts, in a checkout of its own with a page of three lines: it builds what is missing or stale, once.
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
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { freshFolder } from './harness.ts'

const CHECKOUT = fileURLToPath(new URL('..', import.meta.url))

test('the page is built where it is missing or stale, and only then', async (t) => {
  const root = join(freshFolder(), 'checkout')
  const put = (name: string, text: string) => writeFileSync(join(root, name), text)
  for (const folder of ['web/src', 'client/test']) mkdirSync(join(root, folder), { recursive: true })
  for (const name of ['build.ts', 'vite.config.ts'])
    cpSync(join(CHECKOUT, 'web', name), join(root, 'web', name))
  put('package.json', '{"type":"module"}')
  put('package-lock.json', '{}')
  put('client/client.ts', `export const answer: string = 'one'`)
  put(
    'web/index.html',
    '<html lang="en"><body><script type="module" src="/src/main.ts"></script></body></html>',
  )
  put('web/src/main.ts', `import { answer } from '../../client/client.ts'\ndocument.title = answer`)

  async function build() {
    // A cache at a relative path would make a folder where the packages are linked to.
    const { NODE_COMPILE_CACHE: _, ...env } = process.env
    const stdio: ['ignore', 'pipe', 'pipe'] = ['ignore', 'pipe', 'pipe']
    const child = spawn(process.execPath, ['web/build.ts'], { cwd: root, env, stdio })
    const said = { stdout: '', stderr: '' }
    child.stdout.on('data', (chunk) => (said.stdout += chunk))
    child.stderr.on('data', (chunk) => (said.stderr += chunk))
    const [code] = await once(child, 'close')
    return { code, ...said }
  }
  /** The scripts there are, after a look that nothing is left lying beside them. */
  function scripts(): string[] {
    const besides = ['build.ts', 'dist', 'index.html', 'src', 'vite.config.ts']
    assert.deepEqual(readdirSync(join(root, 'web')).sort(), besides)
    assert.deepEqual(readdirSync(join(root, 'web/dist')).sort(), ['.digest', 'assets', 'index.html'])
    return readdirSync(join(root, 'web/dist/assets')).map((name) =>
      readFileSync(join(root, 'web/dist/assets', name), 'utf8'),
    )
  }
  const nothing = { code: 0, stdout: '', stderr: '' }
  const built = { code: 0, stdout: '', stderr: 'Building the page …\n' }

  await t.test('without the bundler it says so in one line', async () => {
    const { code, stderr } = await build()
    assert.equal(code, 1)
    assert.match(stderr, /^The page is not built.* npm ci .*\n$/)
    assert.ok(!existsSync(join(root, 'web/dist')))
  })

  symlinkSync(join(CHECKOUT, 'node_modules'), join(root, 'node_modules'))
  await t.test('two at once build one page', async () => {
    const done = await Promise.all([build(), build()])
    for (const { code, stdout } of done) assert.deepEqual({ code, stdout }, { code: 0, stdout: '' })
    assert.match(String(scripts()), /one/)
  })

  await t.test('what is fresh is left alone, also when tests change', async () => {
    put('web/dist/index.html', 'as it was')
    put('client/test/client.test.ts', 'assert(true)')
    assert.deepEqual(await build(), nothing)
    assert.equal(readFileSync(join(root, 'web/dist/index.html'), 'utf8'), 'as it was')
  })

  await t.test('a change of the client is a new page, without the files of the old one', async () => {
    put('client/client.ts', `export const answer: string = 'two'`)
    assert.deepEqual(await build(), built)
    const [script, ...others] = scripts()
    assert.match(script ?? '', /two/)
    assert.deepEqual(others, [])
    assert.deepEqual(await build(), nothing)
  })

  await t.test('what does not compile fails, and the page stays', async () => {
    put('web/src/main.ts', 'const = 1')
    const { code, stdout } = await build()
    assert.deepEqual({ code, stdout }, { code: 1, stdout: '' })
    assert.match(String(scripts()), /two/)
  })

  await t.test('without the bundler a stale page is kept, and said to be one', async () => {
    rmSync(join(root, 'node_modules'))
    const { code, stderr } = await build()
    assert.equal(code, 0)
    assert.match(stderr, /^The page in web\/dist is of other sources.*\n$/)
    assert.match(String(scripts()), /two/)
  })
})
