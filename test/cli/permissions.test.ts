// Tests of files and folders that the user of the service cannot use: one message and a hint, no stack trace.
import assert from 'node:assert/strict'
import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { chmodSync, readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, test } from 'node:test'
import { MAIN } from '../../bench/service.ts'
import { openStoreAt } from '../../bench/store.ts'
import { runAssayCommand } from '../support/command-runner/run.ts'
import { createTempFolder, runAssay } from '../support/harness.ts'
import { testOptions } from '../support/options.ts'

/** Permissions do not apply to root, so root runs the commands as the user nobody. */
const UNPRIVILEGED_ID = 65534
const user = process.getuid?.() === 0 ? { uid: UNPRIVILEGED_ID, gid: UNPRIVILEGED_ID } : {}

/** The compile cache of the tests is not writable for another user. Without one, each start takes several seconds. */
const NODE_COMPILE_CACHE = createTempFolder()
chmodSync(NODE_COMPILE_CACHE, 0o777)
const OPTIONS = { ...user, env: { ...process.env, NODE_COMPILE_CACHE }, cwd: '/' }

function run(args: string[]) {
  return spawnSync(process.execPath, [MAIN, ...args], { ...OPTIONS, encoding: 'utf8' })
}

const canRun = run(['keys', 'list', '--help']).status === 0

/** A store that every user can use. */
async function createSharedStore(): Promise<string> {
  const folder = createTempFolder()
  chmodSync(folder, 0o755)
  const data = join(folder, 'data')
  await (await openStoreAt(`sqlite:${join(data, 'assay.db')}`)).close()
  chmodSync(data, 0o777)
  chmodSync(join(data, 'assay.db'), 0o666)
  return data
}

test('a permission problem at the start is one message and a hint', {
  skip: !canRun && 'this checkout is not readable for another user',
}, async () => {
  const cases: [name: string, deny: (data: string) => void, message: RegExp][] = [
    ['folder without write access', (data) => chmodSync(data, 0o555), /assay\.db: EACCES/],
    ['store without write access', (data) => chmodSync(join(data, 'assay.db'), 0o444), /assay\.db: EACCES/],
    ['folder without read access', (data) => chmodSync(data, 0o000), /assay\.db: EACCES/],
    ['store without read access', (data) => chmodSync(join(data, 'assay.db'), 0o000), /assay\.db: EACCES/],
  ]
  for (const [name, deny, message] of testOptions.profile === 'full' ? cases : cases.slice(0, 2)) {
    const data = await createSharedStore()
    deny(data)
    const { status, stdout, stderr } = run(['serve', '--port', '0', '--log-level', 'silent', '--data', data])
    chmodSync(data, 0o777)
    assert.deepEqual([status, stdout], [1, ''], `${name}: ${stderr}`)
    assert.match(stderr, /^assay: Cannot open the store /, name)
    assert.match(stderr, message, name)
    assert.match(stderr, /\nCheck that .*\n$/, name)
    assert.equal(stderr.trimEnd().split('\n').length, 2, stderr)
  }
})

describe('a store that this user can only read', {
  skip: !canRun && 'this checkout is not readable for another user',
}, () => {
  const READS = [
    ['list'],
    ['show', 'e'],
    ['export', 'e', '--format', 'csv'],
    ['export', 'e', '--filter', 'result.score=is.null'],
    ['breakdown', 'e', '--by', 'result.score'],
  ]

  async function createReadOnlyStore(): Promise<string> {
    const data = await createSharedStore()
    const table = join(createTempFolder(), 'table.csv')
    writeFileSync(table, 'question,answer,score\nWhat?,That,1\nWho?,Me,0\n')
    assert.equal((await runAssayCommand(['import', table, '--evaluation', 'e', '--data', data])).code, 0)
    return data
  }

  /** Checks that all reads print what they print for the owner, and leave no files. */
  async function checkReads(data: string): Promise<void> {
    const files = readdirSync(data)
    for (const args of READS) {
      const { status, stdout, stderr } = run([...args, '--data', data])
      assert.equal(status, 0, stderr)
      assert.equal(stdout, (await runAssayCommand([...args, '--data', data])).stdout)
    }
    const file = join(createTempFolder(), 'backup.db')
    chmodSync(join(file, '..'), 0o777)
    const { status, stderr } = run(['backup', file, '--data', data])
    assert.equal(status, 0, stderr)
    assert.equal((await runAssayCommand(['check', '--database', `sqlite:${file}`])).code, 0)
    assert.deepEqual(readdirSync(data), files)
  }

  const cases: [name: string, folderMode: number, fileMode: number][] = [
    ['file and folder', 0o555, 0o444],
    ['folder', 0o555, 0o666],
    ['file', 0o777, 0o444],
  ]
  for (const [name, folderMode, fileMode] of testOptions.profile === 'full' ? cases : cases.slice(0, 1))
    test(`can be listed, shown, exported and backed up (no write permission: ${name})`, async () => {
      const data = await createReadOnlyStore()
      chmodSync(join(data, 'assay.db'), fileMode)
      chmodSync(data, folderMode)
      await checkReads(data)
      const { status, stderr } = run(['keys', 'create', '--data', data])
      assert.equal(status, 1)
      assert.match(stderr, /^assay: Cannot open the store .*: this user can read it, but not write/)
    })

  test('can be read while a service uses it', async (t) => {
    const data = await createReadOnlyStore()
    const args = [MAIN, 'serve', '--port', '0', '--data', data, '--log-level', 'silent']
    const service = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'inherit'] })
    t.after(() => service.kill('SIGKILL'))
    await once(service.stdout, 'data')
    const imported = await runAssay(
      ['import', '-', '--data', data, '--evaluation', 'f'],
      {},
      'question,answer,score\nWhat?,That,1\n',
    )
    assert.equal(imported.code, 0, imported.stderr)
    chmodSync(data, 0o555)
    for (const file of readdirSync(data).filter((name) => name.startsWith('assay.db')))
      chmodSync(join(data, file), 0o444)
    const { status, stdout, stderr } = run(['export', 'f', '--data', data])
    assert.equal(status, 0, stderr)
    assert.equal(stdout, (await runAssayCommand(['export', 'f', '--data', data])).stdout)
  })
})
