// A full and a read-only disk under a running service, which runs as a user without privileges: reads continue, writes get an
// error, and writes succeed again without a restart.
import assert from 'node:assert/strict'
import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { chmodSync, mkdirSync, mkdtempSync, rmdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { isInstalled } from '../../../bench/load-generator.ts'
import { MAIN } from '../../../bench/service.ts'
import { openStoreAt } from '../../../bench/store.ts'
import { runAssayCommand } from '../../support/command-runner/run.ts'
import { createTempFolder, createTestKey, SQLITE_ONLY } from '../../support/harness.ts'
import { checkProblem, sendRequest } from '../../support/http.ts'
import { reportMeasurements } from '../../support/measurements.ts'
import { fullOnly } from '../../support/options.ts'
import { waitUntil } from '../../support/worker-service.ts'

const DISK_BYTES = 32 * 1024 * 1024
const UNPRIVILEGED_ID = 65534
const WITHOUT_ROOT = process.getuid?.() !== 0 && 'mounting a disk and changing the user need root'
const WITHOUT_STRACE = !isInstalled('strace') && 'strace is not on the PATH'
const PATH = '/api/evaluations/e/evaluation_scenarios'

interface DiskService {
  baseUrl: string
  child: ChildProcess
  disk: string
  data: string
  authorization: string
}

/** Mounts a small disk and starts a service on it as another user. */
async function startOnSmallDisk(t: TestContext): Promise<DiskService> {
  const disk = mkdtempSync(join(tmpdir(), 'assay-disk-'))
  assert.equal(
    spawnSync('mount', ['-t', 'tmpfs', '-o', `size=${DISK_BYTES},mode=777`, 'tmpfs', disk]).status,
    0,
  )
  t.after(() => {
    spawnSync('umount', ['-l', disk])
    rmdirSync(disk)
  })
  const data = join(disk, 'data')
  mkdirSync(data)
  const store = await openStoreAt(`sqlite:${join(data, 'assay.db')}`)
  const { key } = await createTestKey(store, { scopes: ['read', 'write'] })
  await store.close()
  chmodSync(data, 0o777)
  chmodSync(join(data, 'assay.db'), 0o666)
  // The compile cache of the tests is not writable for another user.
  const NODE_COMPILE_CACHE = createTempFolder()
  chmodSync(NODE_COMPILE_CACHE, 0o777)
  const child = spawn(
    process.execPath,
    [MAIN, 'serve', '--port', '0', '--data', data, '--log-level', 'silent'],
    {
      uid: UNPRIVILEGED_ID,
      gid: UNPRIVILEGED_ID,
      cwd: '/',
      env: { ...process.env, NODE_COMPILE_CACHE },
      stdio: ['ignore', 'pipe', 'inherit'],
    },
  )
  t.after(() => child.kill('SIGKILL'))
  const [line] = await once(child.stdout, 'data')
  const baseUrl = /^Listening on (\S+)/.exec(String(line))?.[1] ?? assert.fail(String(line))
  return { baseUrl, child, disk, data, authorization: key }
}

const sendScenarios = ({ baseUrl, authorization }: DiskService, ids: string[], noteLength = 10) => {
  const body = JSON.stringify(ids.map((id) => ({ id, note: 'x'.repeat(noteLength) })))
  return sendRequest(baseUrl, PATH, { authorization, 'content-type': 'application/json' }, 'POST', body)
}

async function readIds({ baseUrl, authorization }: DiskService): Promise<string[]> {
  const { status, text } = await sendRequest(baseUrl, PATH, { authorization })
  assert.equal(status, 200, text)
  return JSON.parse(text).map(({ id }: { id: string }) => id)
}

async function stopAndCheck({ child, data }: DiskService, count: number): Promise<void> {
  child.kill('SIGTERM')
  assert.deepEqual(await once(child, 'exit'), [0, null])
  const { code, stdout } = await runAssayCommand(['check', '--json', '--data', data])
  assert.equal(code, 0, stdout)
  const { scenarios, faults } = JSON.parse(stdout)
  assert.deepEqual({ scenarios, faults }, { scenarios: count, faults: [] })
}

test('on a full disk, reads continue, writes get 507, and writes succeed after space is freed', {
  skip: SQLITE_ONLY || WITHOUT_ROOT,
}, async (t) => {
  const service = await startOnSmallDisk(t)
  const stored: string[] = ['first']
  assert.equal((await sendScenarios(service, stored)).status, 201)
  const rejected = { small: 0, large: 0 }
  for (let round = 0; round < 3; round += 1) {
    const filler = join(service.disk, 'filler')
    assert.throws(() => writeFileSync(filler, Buffer.alloc(DISK_BYTES)), { code: 'ENOSPC' })
    for (let attempt = 0; rejected.small === round; attempt += 1) {
      // The write-ahead log can have reserved space for a few small writes.
      const id = `${round}-${attempt}`
      const response = await sendScenarios(service, [id])
      if (response.status === 201) stored.push(id)
      else {
        checkProblem(response, 507, 'insufficient-storage')
        assert.match(response.headers['retry-after'] ?? '', /^\d+$/)
        rejected.small += 1
      }
    }
    checkProblem(await sendScenarios(service, ['large'], 5_000_000), 507, 'insufficient-storage')
    rejected.large += 1
    assert.deepEqual(await readIds(service), stored)
    assert.equal((await sendRequest(service.baseUrl, '/livez')).status, 200)
    rmSync(filler)
    const response = await sendScenarios(service, [`freed-${round}`])
    assert.equal(response.status, 201, response.text)
    stored.push(`freed-${round}`)
    assert.deepEqual(await readIds(service), stored)
  }
  await stopAndCheck(service, stored.length)
  reportMeasurements(t, { rounds: 3, cases: rejected.small + rejected.large, lost: 0, wrong: 0 })
})

for (const error of ['EROFS', 'EIO', 'ENOSPC']) {
  test(`while the disk returns ${error} for writes, reads continue, and writes succeed afterwards`, {
    skip: SQLITE_ONLY || WITHOUT_ROOT || WITHOUT_STRACE || fullOnly('a full disk is enough'),
  }, async (t) => {
    const service = await startOnSmallDisk(t)
    const stored: string[] = ['first']
    assert.equal((await sendScenarios(service, stored)).status, 201)
    const strace = spawn(
      'strace',
      ['-f', '-p', String(service.child.pid), '-e', 'trace=pwrite64', '-e', `inject=pwrite64:error=${error}`],
      { stdio: ['ignore', 'ignore', 'pipe'] },
    )
    t.after(() => strace.kill('SIGKILL'))
    let output = ''
    strace.stderr.on('data', (chunk) => {
      output += chunk
    })
    await waitUntil(() => output.includes('attached'))
    let rejectedCount = 0
    // A thread can be attached a moment later than the others.
    await waitUntil(async () => {
      const id = `failed-${stored.length}`
      const { status, text, headers } = await sendScenarios(service, [id])
      if (status === 201) stored.push(id)
      else {
        assert.ok(status === 503 || status === 507, `${status} ${text}`)
        assert.ok(headers['retry-after'], text)
        rejectedCount += 1
      }
      return rejectedCount === 5
    })
    assert.deepEqual(await readIds(service), stored)
    strace.kill('SIGINT')
    await once(strace, 'exit')
    const response = await sendScenarios(service, ['afterwards'])
    assert.equal(response.status, 201, response.text)
    assert.deepEqual(await readIds(service), [...stored, 'afterwards'])
    await stopAndCheck(service, stored.length + 1)
    reportMeasurements(t, { rounds: 1, cases: rejectedCount, lost: 0, wrong: 0 })
  })
}
