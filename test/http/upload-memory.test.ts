// Large uploads do not cost memory: an NDJSON body, an array, a compressed body and the import of a file, each
// of UPLOAD_BYTES (60 MB; the campaign: UPLOAD_BYTES=1000000000 node --test FILE), made on the fly.
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
import { writePromptfoo } from '../../bench/promptfoo-file.ts'
import { MAIN, stopService } from '../../bench/service.ts'
import { freshFolder, spawnServer } from '../harness.ts'
import {
  type Chunks,
  freshData,
  inPieces,
  memory,
  memoryIsVisible,
  scenarioArray,
  scenarioLines,
  upload,
} from '../upload.ts'

const UPLOAD_BYTES = Number(process.env.UPLOAD_BYTES ?? 60_000_000)
const COUNT = Math.ceil(UPLOAD_BYTES / averageBytes())
const MAX_OVER = 128
const options = {
  skip: !memoryIsVisible && 'memory is read from /proc',
  timeout: 120_000 + UPLOAD_BYTES / 2000,
}

function averageBytes(): number {
  let bytes = 0
  for (const line of scenarioLines('measured', 1000)) bytes += Buffer.byteLength(line)
  return bytes / 1000
}

function gzipped(): Chunks {
  return Readable.from(inPieces(scenarioLines('gzip', COUNT))).pipe(createGzip({ level: 1 }))
}

const SHAPES: [name: string, headers: Record<string, string>, body: () => Chunks][] = [
  ['ndjson', { 'content-type': 'application/x-ndjson' }, () => inPieces(scenarioLines('ndjson', COUNT))],
  ['array', { 'content-type': 'application/json' }, () => inPieces(scenarioArray('array', COUNT))],
  ['gzip', { 'content-type': 'application/x-ndjson', 'content-encoding': 'gzip' }, gzipped],
]

test(`bodies of ${UPLOAD_BYTES} bytes stay within ${MAX_OVER} MiB over idle`, options, async (t) => {
  const { data, flags, key } = await freshData()
  const service = await spawnServer(flags)
  await delay(2000)
  const idle = memory(service.child.pid, 'VmRSS')
  for (const [name, headers, body] of SHAPES) {
    const start = performance.now()
    const url = `${service.base}/api/evaluations/${name}/evaluation_scenarios`
    const answer = await upload(url, { ...headers, authorization: key }, body())
    const seconds = (performance.now() - start) / 1000
    assert.deepEqual([answer.status, answer.body], [201, { accepted: COUNT, unchanged: 0 }])
    const over = memory(service.child.pid, 'VmHWM') - idle
    t.diagnostic(
      `${name}: ${COUNT} scenarios, ${answer.sent} bytes sent, answered after ${seconds.toFixed(1)} s`,
    )
    t.diagnostic(`${name}: the peak so far is ${over} MiB over the ${idle} MiB of idle`)
    assert.ok(over <= MAX_OVER, `${name}: ${over} MiB over the ${idle} MiB of idle`)
  }
  await stopService(service)
  await rm(data, { recursive: true, force: true })
})

test(
  `the import of a file of ${UPLOAD_BYTES} bytes stays within ${MAX_OVER} MiB over a bare command`,
  options,
  async (t) => {
    const { flags } = await freshData()
    const bare = await peakOf(['check', ...flags])
    assert.equal(bare.code, 0, bare.stderr)
    const file = join(freshFolder(), 'scenarios.ndjson')
    await pipeline(inPieces(scenarioLines('file', COUNT)), createWriteStream(file))
    const imported = await peakOf(['import', file, '--json', '--evaluation', 'file', ...flags])
    assert.equal(imported.code, 0, imported.stderr)
    const { accepted, refused } = JSON.parse(imported.stdout)
    assert.deepEqual({ accepted, refused }, { accepted: COUNT, refused: 0 })
    t.diagnostic(`import: ${imported.peak} MiB, and check of an empty store: ${bare.peak} MiB`)
    assert.ok(imported.peak - bare.peak <= MAX_OVER, `${imported.peak} MiB, where ${bare.peak} is bare`)
  },
)

test(
  `the import of ${UPLOAD_BYTES} bytes of promptfoo stays within ${MAX_OVER} MiB over a bare command`,
  options,
  async (t) => {
    const { flags } = await freshData()
    const bare = await peakOf(['check', ...flags])
    const file = join(freshFolder(), 'promptfoo.json')
    const rows = await writePromptfoo(file, UPLOAD_BYTES)
    const imported = await peakOf(['import', file, '--json', ...flags])
    assert.equal(imported.code, 0, imported.stderr)
    const { files } = JSON.parse(imported.stdout)
    const accepted = files[0].evaluations.map(({ accepted }: { accepted: number }) => accepted)
    assert.deepEqual(accepted, [Math.ceil(rows / 2), Math.floor(rows / 2)])
    t.diagnostic(`promptfoo: ${imported.peak} MiB, and check of an empty store: ${bare.peak} MiB`)
    assert.ok(imported.peak - bare.peak <= MAX_OVER, `${imported.peak} MiB, where ${bare.peak} is bare`)
  },
)

interface Peak {
  code: number | null
  stdout: string
  stderr: string
  /** In MiB, as last seen while it ran. */
  peak: number
}

async function peakOf(args: string[]): Promise<Peak> {
  const child = spawn(process.execPath, [MAIN, ...args], { stdio: ['ignore', 'pipe', 'pipe'] })
  let peak = 0
  const watch = setInterval(() => {
    // Of a process that has ended and is still listed nothing is told.
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
    return memory(pid, 'VmHWM')
  } catch {
    return 0
  }
}
