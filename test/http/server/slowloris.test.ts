// Tests that clients that send or read as slowly as possible do not slow down others, with the four attacks of slowhttptest.
import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { type TestContext, test } from 'node:test'
import { addLargeEvaluation } from '../../../bench/data.ts'
import { isInstalled } from '../../../bench/load-generator.ts'
import { openStoreAt } from '../../../bench/store.ts'
import { quantile } from '../../../bench/timing.ts'
import { sizes } from '../../sizes.ts'
import { createStoreLocation, createTestKey, spawnServer } from '../../support/harness.ts'
import { sendRequest } from '../../support/http.ts'
import { reportMeasurements } from '../../support/measurements.ts'
import { fullOnly, testOptions } from '../../support/options.ts'

const SKIP =
  fullOnly('each attack takes 30 seconds') ||
  (!isInstalled('slowhttptest') && 'slowhttptest is not on the PATH (Debian: apt-get install slowhttptest)')

/** The attacks that need a key get it as a second line of the cookie header: slowhttptest has no option for it. */
const ATTACKS: [name: string, flags: string[], path: string, needsKey: boolean][] = [
  ['slow headers', ['-H'], '/livez', false],
  ['slow bodies', ['-B', '-s', '1000000', '-f', 'application/json'], '/api/evaluations', true],
  ['many ranges', ['-R'], '/api/openapi.json', false],
  [
    'slow reading',
    ['-X', '-n', '5', '-z', '32', '-k', '3'],
    '/api/evaluations/large/evaluation_scenarios',
    true,
  ],
]

/** Sends small requests on new connections until the attack ends. Returns their times in milliseconds. */
async function measureSmallReads(
  baseUrl: string,
  key: string,
  attackEnd: Promise<unknown>,
): Promise<number[]> {
  let isRunning = true
  void attackEnd.then(() => {
    isRunning = false
  })
  const times: number[] = []
  while (isRunning) {
    const startTime = performance.now()
    const { status } = await sendRequest(baseUrl, '/api/evaluations?limit=1', { authorization: key })
    times.push(performance.now() - startTime)
    assert.equal(status, 200)
  }
  return times
}

async function attack(t: TestContext, index: number): Promise<void> {
  const [, flags, path, needsKey] = ATTACKS[index] ?? ['', [], '', false]
  const { flags: storeFlags, url } = await createStoreLocation()
  const store = await openStoreAt(url)
  const { key } = await createTestKey(store, { scopes: ['read', 'write'] })
  const id = await addLargeEvaluation(store, 8000)
  await store.close()
  const { baseUrl, child } = await spawnServer(storeFlags)
  const args = [
    ...flags,
    ...['-c', String(sizes.slow_connections), '-r', '500', '-i', '5', '-l', '30', '-p', '5', '-v', '1'],
    ...(needsKey ? ['-j', `a=b\r\nAuthorization: ${key}`] : []),
    ...['-u', baseUrl + path.replace('large', id)],
  ]
  const attacker = spawn('slowhttptest', args, { stdio: ['ignore', 'pipe', 'pipe'] })
  t.after(() => attacker.kill('SIGKILL'))
  let output = ''
  for (const stream of [attacker.stdout, attacker.stderr])
    stream.on('data', (chunk) => {
      output += chunk
    })
  const times = await measureSmallReads(baseUrl, key, once(attacker, 'close'))
  const [p99, slowest] = [quantile(times, 0.99), Math.max(...times)]
  reportMeasurements(t, {
    cases: sizes.slow_connections,
    small_reads: times.length,
    small_read_p99_ms: Math.round(p99),
    small_read_max_ms: Math.round(slowest),
  })
  assert.ok(times.length > 0, output.slice(-2000))
  assert.equal(child.exitCode, null)
  if (testOptions.measures) assert.ok(p99 <= 500, `${p99} ms`)
  assert.equal((await sendRequest(baseUrl, '/livez')).status, 200)
}

for (const [index, [name]] of ATTACKS.entries())
  test(`small reads take at most 500 ms during an attack with ${name}`, { skip: SKIP }, (t) =>
    attack(t, index),
  )
