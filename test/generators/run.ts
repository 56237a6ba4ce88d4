// Generates clients from openapi.json with several generators, compiles them and uses them with a running service
// (npm run test:generators). It downloads the generators into node_modules/.cache.
import assert from 'node:assert/strict'
import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { GENERATORS, type Generator } from './generators.ts'
import { type RunningService, readWritten, startTemporaryService, WRITTEN, writeBaseline } from './service.ts'
import { installTool, missingTool, runCommands, toolFolder } from './tools.ts'

const STEPS = ['installed', 'generated', 'compiled', 'ran'] as const

interface Outcome {
  generator: string
  version: string
  /** What was done, in the order of the steps. */
  done: string[]
  /** Why it was skipped. */
  skipped?: string
  /** The output of the step that failed. */
  failure?: string
}

async function testGenerator(generator: Generator, service: RunningService, key: string): Promise<Outcome> {
  const { name, version, files, install, generate, compile, run } = generator
  const done: string[] = []
  const missing = missingTool(generator.tools)
  if (missing) return { generator: name, version, done, skipped: `skipped: ${missing} is not installed` }
  const folder = toolFolder(name)
  const steps: Record<(typeof STEPS)[number], () => Promise<void>> = {
    installed: () => installTool(name, install, files),
    generated: () => {
      // Files of an earlier run must not hide that a file is no longer generated.
      for (const output of ['api', 'api.ts', 'api.py', 'api.go', 'assay_client', 'dist', 'program'])
        rmSync(join(folder, output), { recursive: true, force: true })
      return runCommands(generate, folder)
    },
    compiled: () => runCommands(compile, folder),
    ran: async () => {
      await runCommands([[...run, service.origin, key, name]], folder)
      assert.deepEqual(await readWritten(service, key, name), WRITTEN)
    },
  }
  try {
    for (const step of STEPS) {
      await steps[step]()
      done.push(step)
    }
    return { generator: name, version, done }
  } catch (error) {
    return { generator: name, version, done, failure: (error as Error).message }
  }
}

function formatOutcome({ generator, version, done, skipped, failure }: Outcome): string {
  const cells = STEPS.map((step, index) => {
    if (skipped !== undefined) return ''
    if (done.includes(step)) return 'ok'
    return failure !== undefined && index === done.length ? 'failed' : '–'
  })
  return formatRow([generator, version, ...cells], skipped)
}

function formatRow([generator = '', version = '', ...cells]: string[], note = ''): string {
  const columns = [generator.padEnd(25), version.padEnd(8), ...cells.map((cell) => cell.padEnd(9))]
  return `${note ? `${columns.slice(0, 2).join(' ')} ${note}` : columns.join(' ').trimEnd()}\n`
}

const names = process.argv.slice(2)
const unknownName = names.find((name) => !GENERATORS.some((generator) => generator.name === name))
if (unknownName !== undefined) {
  const known = GENERATORS.map(({ name }) => name).join(', ')
  process.stderr.write(`Unknown generator ${unknownName}. Use one of: ${known}.\n`)
  process.exit(2)
}

const service = await startTemporaryService()
const outcomes: Outcome[] = []
try {
  const key = service.createKey('read,write')
  await writeBaseline(service, key)
  process.stdout.write(formatRow(['generator', 'version', ...STEPS]))
  for (const generator of GENERATORS) {
    if (names.length > 0 && !names.includes(generator.name)) continue
    const outcome = await testGenerator(generator, service, key)
    process.stdout.write(formatOutcome(outcome))
    outcomes.push(outcome)
  }
} finally {
  await service.stop()
}

const failures = outcomes.filter(({ failure }) => failure !== undefined)
const skipped = outcomes.filter(({ skipped }) => skipped !== undefined)
for (const { generator, failure } of failures) process.stdout.write(`\n${generator}: ${failure}\n`)
const passed = outcomes.length - failures.length - skipped.length
process.stdout.write(`\n${passed} passed, ${failures.length} failed, ${skipped.length} skipped\n`)
if (failures.length > 0) process.exitCode = 1
