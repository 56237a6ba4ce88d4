// Tests the memory use of large uploads: NDJSON, array and gzip bodies and file imports of upload_bytes bytes each.
import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createWriteStream } from 'node:fs'
import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { test } from 'node:test'
import { setTimeout as delay } from 'node:timers/promises'
import { createGzip } from 'node:zlib'
import { writePromptfoo } from '../../../bench/promptfoo-file.ts'
import { MAIN, stopService } from '../../../bench/service.ts'
import { sizes } from '../../sizes.ts'
import { createTempFolder, spawnServer } from '../../support/harness.ts'
import { fullOnly } from '../../support/options.ts'
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
const COUNT = Math.ceil(UPLOAD_BYTES / averageBytes())
const MAX_INCREASE_MIB = 128
const options = {
  skip: !canReadMemory && 'memory is read from /proc',
  timeout: 120_000 + UPLOAD_BYTES / 2000,
}

function averageBytes(): number {
  let bytes = 0
  for (const line of scenarioLines('measured', 1000)) bytes += Buffer.byteLength(line)
  return bytes / 1000
}

function gzipped(): Chunks {
  return Readable.from(inChunks(scenarioLines('gzip', COUNT))).pipe(createGzip({ level: 1 }))
}

const SHAPES: [name: string, headers: Record<string, string>, body: () => Chunks][] = [
  ['ndjson', { 'content-type': 'application/x-ndjson' }, () => inChunks(scenarioLines('ndjson', COUNT))],
  ['array', { 'content-type': 'application/json' }, () => inChunks(scenarioArray('array', COUNT))],
  ['gzip', { 'content-type': 'application/x-ndjson', 'content-encoding': 'gzip' }, gzipped],
]

test(
  `uploads of ${UPLOAD_BYTES} bytes use at most ${MAX_INCREASE_MIB} MiB more than the idle service`,
  options,
  async (t) => {
    const { data, flags, key } = await createStoreWithKey()
    const service = await spawnServer(flags)
    await delay(2000)
    const idle = memoryMiB(service.child.pid, 'VmRSS')
    for (const [name, headers, body] of SHAPES) {
      const start = performance.now()
      const url = `${service.base}/api/evaluations/${name}/evaluation_scenarios`
      const response = await upload(url, { ...headers, authorization: key }, body())
      const seconds = (performance.now() - start) / 1000
      assert.deepEqual([response.status, response.body], [201, { accepted: COUNT, unchanged: 0 }])
      const increase = memoryMiB(service.child.pid, 'VmHWM') - idle
      t.diagnostic(
        `${name}: ${COUNT} scenarios, ${response.sent} bytes sent, response after ${seconds.toFixed(1)} s`,
      )
      t.diagnostic(`${name}: the peak so far is ${increase} MiB over the idle ${idle} MiB`)
      assert.ok(increase <= MAX_INCREASE_MIB, `${name}: ${increase} MiB over the idle ${idle} MiB`)
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
    await pipeline(inChunks(scenarioLines('file', COUNT)), createWriteStream(file))
    const imported = await runAndMeasure(['import', file, '--json', '--evaluation', 'file', ...flags])
    assert.equal(imported.code, 0, imported.stderr)
    const { accepted, refused } = JSON.parse(imported.stdout)
    assert.deepEqual({ accepted, refused }, { accepted: COUNT, refused: 0 })
    t.diagnostic(`import: ${imported.peak} MiB, and check of an empty store: ${baseline.peak} MiB`)
    assert.ok(
      imported.peak - baseline.peak <= MAX_INCREASE_MIB,
      `${imported.peak} MiB, baseline ${baseline.peak} MiB`,
    )
  },
)

test(`the import of a promptfoo file of ${UPLOAD_BYTES} bytes uses at most ${MAX_INCREASE_MIB} MiB more than a check of an empty store`, {
  ...options,
  skip: options.skip || fullOnly('the other import tests the same limit'),
}, async (t) => {
  const { flags } = await createStoreWithKey()
  const baseline = await runAndMeasure(['check', ...flags])
  const file = join(createTempFolder(), 'promptfoo.json')
  const rows = await writePromptfoo(file, UPLOAD_BYTES)
  const imported = await runAndMeasure(['import', file, '--json', ...flags])
  assert.equal(imported.code, 0, imported.stderr)
  const { files } = JSON.parse(imported.stdout)
  const accepted = files[0].evaluations.map(({ accepted }: { accepted: number }) => accepted)
  assert.deepEqual(accepted, [Math.ceil(rows / 2), Math.floor(rows / 2)])
  t.diagnostic(`promptfoo: ${imported.peak} MiB, and check of an empty store: ${baseline.peak} MiB`)
  assert.ok(
    imported.peak - baseline.peak <= MAX_INCREASE_MIB,
    `${imported.peak} MiB, baseline ${baseline.peak} MiB`,
  )
})

interface MeasuredCommand {
  code: number | null
  stdout: string
  stderr: string
  /** Peak memory in MiB. */
  peak: number
}

async function runAndMeasure(args: string[]): Promise<MeasuredCommand> {
  const child = spawn(process.execPath, [MAIN, ...args], { stdio: ['ignore', 'pipe', 'pipe'] })
  let peak = 0
  const watch = setInterval(() => {
    // /proc reports no memory for a zombie process.
    peak = Math.max(peak, peakNow(child.pid) || 0)
  }, 10)
  const output = { stdout: '', stderr: '' }
  child.stdout.on('data', (chunk) => {
    output.stdout += chunk
  })
  child.stderr.on('data', (chunk) => {
    output.stderr += chunk
  })
  await once(child, 'close')
  clearInterval(watch)
  return { code: child.exitCode, ...output, peak }
}

function peakNow(pid: number | undefined): number {
  try {
    return memoryMiB(pid, 'VmHWM')
  } catch {
    return 0
  }
}
