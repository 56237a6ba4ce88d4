// Tests the memory use of large uploads: NDJSON, array and gzip bodies and file imports of upload_bytes bytes each.
import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createWriteStream } from 'node:fs'
import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { type TestContext, test } from 'node:test'
import { setTimeout as delay } from 'node:timers/promises'
import { createGzip } from 'node:zlib'
import { writePromptfoo } from '../../../bench/promptfoo-file.ts'
import { MAIN, stopService } from '../../../bench/service.ts'
import { sizes } from '../../sizes.ts'
import { createTempFolder, spawnServer } from '../../support/harness.ts'
import { fullOnly, testOptions } from '../../support/options.ts'
import {
  type Chunks,
  canReadMemory,
  createStoreWithKey,
  inChunks,
  memoryMiB,
  scenarioArray,
  scenarioLines,
  upload,
} from '../../support/upload.ts'

const UPLOAD_BYTES = sizes.upload_bytes
const MAX_INCREASE_MIB = 128
const options = {
  skip:
    fullOnly('large-uploads.test.ts checks the responses') || (!canReadMemory && 'memory is read from /proc'),
  timeout: 120_000 + UPLOAD_BYTES / 2000,
}

const SCENARIO_COUNT = options.skip ? 0 : Math.ceil(UPLOAD_BYTES / measureAverageBytes())

function measureAverageBytes(): number {
  let bytes = 0
  for (const line of scenarioLines('measured', 1000)) bytes += Buffer.byteLength(line)
  return bytes / 1000
}

function gzipLines(): Chunks {
  return Readable.from(inChunks(scenarioLines('gzip', SCENARIO_COUNT))).pipe(createGzip({ level: 1 }))
}

const BODY_FORMATS: [name: string, headers: Record<string, string>, body: () => Chunks][] = [
  [
    'ndjson',
    { 'content-type': 'application/x-ndjson' },
    () => inChunks(scenarioLines('ndjson', SCENARIO_COUNT)),
  ],
  ['array', { 'content-type': 'application/json' }, () => inChunks(scenarioArray('array', SCENARIO_COUNT))],
  ['gzip', { 'content-type': 'application/x-ndjson', 'content-encoding': 'gzip' }, gzipLines],
]

test(
  `uploads of ${UPLOAD_BYTES} bytes use at most ${MAX_INCREASE_MIB} MiB more than the idle service`,
  options,
  async (t) => {
    const { data, flags, key } = await createStoreWithKey()
    const service = await spawnServer(flags)
    // Until the memory that the start needed is released.
    if (testOptions.measures) await delay(2000)
    const idleMiB = memoryMiB(service.child.pid, 'VmRSS')
    for (const [name, headers, body] of BODY_FORMATS) {
      const start = performance.now()
      const url = `${service.baseUrl}/api/evaluations/${name}/evaluation_scenarios`
      const response = await upload(url, { ...headers, authorization: key }, body())
      const seconds = (performance.now() - start) / 1000
      assert.deepEqual([response.status, response.body], [201, { accepted: SCENARIO_COUNT, unchanged: 0 }])
      const increase = memoryMiB(service.child.pid, 'VmHWM') - idleMiB
      t.diagnostic(
        `${name}: ${SCENARIO_COUNT} scenarios, ${response.sent} bytes sent, response after ${seconds.toFixed(1)} s`,
      )
      t.diagnostic(`${name}: the peak so far is ${increase} MiB over the idle ${idleMiB} MiB`)
      if (testOptions.measures)
        assert.ok(increase <= MAX_INCREASE_MIB, `${name}: ${increase} MiB over the idle ${idleMiB} MiB`)
    }
    await stopService(service)
    await rm(data, { recursive: true, force: true })
  },
)

test(
  `the import of a file of ${UPLOAD_BYTES} bytes uses at most ${MAX_INCREASE_MIB} MiB more than a check of an empty store`,
  options,
  async (t) => {
    const { flags } = await createStoreWithKey()
    const baseline = await runAndMeasure(['check', ...flags])
    assert.equal(baseline.code, 0, baseline.stderr)
    const file = join(createTempFolder(), 'scenarios.ndjson')
    await pipeline(inChunks(scenarioLines('file', SCENARIO_COUNT)), createWriteStream(file))
    const importRun = await runAndMeasure(['import', file, '--json', '--evaluation', 'file', ...flags])
    assert.equal(importRun.code, 0, importRun.stderr)
    const { accepted, refused } = JSON.parse(importRun.stdout)
    assert.deepEqual({ accepted, refused }, { accepted: SCENARIO_COUNT, refused: 0 })
    checkPeak(t, importRun, baseline)
  },
)

test(
  `the import of a promptfoo file of ${UPLOAD_BYTES} bytes uses at most ${MAX_INCREASE_MIB} MiB more than a check of an empty store`,
  options,
  async (t) => {
    const { flags } = await createStoreWithKey()
    const baseline = await runAndMeasure(['check', ...flags])
    const file = join(createTempFolder(), 'promptfoo.json')
    const rows = await writePromptfoo(file, UPLOAD_BYTES)
    const importRun = await runAndMeasure(['import', file, '--json', ...flags])
    assert.equal(importRun.code, 0, importRun.stderr)
    const { files } = JSON.parse(importRun.stdout)
    const accepted = files[0].evaluations.map(({ accepted }: { accepted: number }) => accepted)
    assert.deepEqual(accepted, [Math.ceil(rows / 2), Math.floor(rows / 2)])
    checkPeak(t, importRun, baseline)
  },
)

interface MeasuredCommand {
  code: number | null
  stdout: string
  stderr: string
  peakMiB: number
}

function checkPeak(t: TestContext, importRun: MeasuredCommand, baseline: MeasuredCommand): void {
  const message = `import: ${importRun.peakMiB} MiB, and check of an empty store: ${baseline.peakMiB} MiB`
  t.diagnostic(message)
  if (testOptions.measures) assert.ok(importRun.peakMiB - baseline.peakMiB <= MAX_INCREASE_MIB, message)
}

async function runAndMeasure(args: string[]): Promise<MeasuredCommand> {
  const child = spawn(process.execPath, [MAIN, ...args], { stdio: ['ignore', 'pipe', 'pipe'] })
  let peakMiB = 0
  const timer = setInterval(() => {
    // /proc reports no memory for a zombie process.
    peakMiB = Math.max(peakMiB, readPeakMiB(child.pid) || 0)
  }, 10)
  const output = { stdout: '', stderr: '' }
  child.stdout.on('data', (chunk) => {
    output.stdout += chunk
  })
  child.stderr.on('data', (chunk) => {
    output.stderr += chunk
  })
  await once(child, 'close')
  clearInterval(timer)
  return { code: child.exitCode, ...output, peakMiB }
}

function readPeakMiB(pid: number | undefined): number {
  try {
    return memoryMiB(pid, 'VmHWM')
  } catch {
    return 0
  }
}
