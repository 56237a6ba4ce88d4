// Runs the checks of checks.ts in the full profile, one after the other: `npm run trust -- --help`.
import { join } from 'node:path'
import { spec } from 'node:test/reporters'
import { startCluster } from '../postgres/cluster.ts'
import { trustSizes } from '../sizes.ts'
import { type Measurements, parseMeasurements } from '../support/measurements.ts'
import type { Engine } from '../support/options.ts'
import {
  abortOnInterrupt,
  ENGINE_NAMES,
  formatDuration,
  parseEngine,
  parseInteger,
  parseSizes,
  parseTestArgs,
  print,
  ROOT,
  runCommand,
  runTestFiles,
  UsageError,
} from '../support/test-run.ts'
import { CHECKS, type Check, enginesOf, type TestSelection } from './checks.ts'
import { updateGuarantees } from './guarantees.ts'
import { addMeasurements, type CheckResult, formatTable } from './results.ts'

const HELP = `Usage: npm run trust [-- [NUMBERS…] [options]]

Runs the checks of docs/reference/guarantees.md at full strength, on both engines where both apply, and prints what
they measured. Times and memory are only meaningful if nothing else runs on the machine.

  NUMBERS               run only these checks, for example 3 7
  --engine ENGINE       sqlite, postgres or both (default)
  --size NAME=VALUE     change one size of test/sizes.ts; repeatable
  --seed N              seed of generated data, default 1
  --update              write the measurements into docs/reference/guarantees.md
  --help                show this help

The exit code is 1 if a check failed, or was not complete because a tool is not installed. A check that is known to fail
is reported as open.

Checks
${CHECKS.map(({ number, promise }) => `  ${String(number).padStart(2)}  ${promise}`).join('\n')}
`

interface Command {
  checks: Check[]
  engine: Engine | 'both'
  sizes: Record<string, number>
  seed: number
  update: boolean
}

function parseCommand(args: string[]): Command | 'help' {
  const { values, positionals } = parseTestArgs(args)
  if (values.help) return 'help'
  const numbers = positionals.map((text) => parseInteger(text, 'A check'))
  for (const number of numbers)
    if (!CHECKS.some((check) => check.number === number)) throw new UsageError(`There is no check ${number}.`)
  return {
    checks: CHECKS.filter(({ number }) => numbers.length === 0 || numbers.includes(number)),
    engine: parseEngine(values.engine) ?? 'both',
    sizes: { ...trustSizes(), ...parseSizes(values.size) },
    seed: parseInteger(values.seed, '--seed'),
    update: values.update,
  }
}

/** A test that is skipped for another reason than the engine needs a tool that is missing. */
const ENGINE_REASON = /SQLite|PostgreSQL/

interface SelectionResult {
  isSuccess: boolean
  /** Tests that ran. */
  testCount: number
  skipped: string[]
  measurements: Measurements
  output: string
}

async function runSelection(
  { file, name }: TestSelection,
  engine: Engine,
  { sizes, seed }: Command,
  serverUrl: string | undefined,
  signal: AbortSignal,
): Promise<SelectionResult> {
  const stream = runTestFiles({
    files: [join(ROOT, file)],
    namePattern: name,
    concurrency: 1,
    signal,
    profile: 'full',
    engine,
    sizes,
    seed,
    measures: true,
    update: false,
    serverUrl,
  })
  const result: SelectionResult = {
    isSuccess: false,
    testCount: 0,
    skipped: [],
    measurements: {},
    output: '',
  }
  stream.on('test:diagnostic', ({ message }) =>
    addMeasurements(result.measurements, parseMeasurements(message)),
  )
  stream.on('test:pass', ({ name, skip, details }) => {
    // A process that reported no test is reported as one test with the name of its file.
    if (name === join(ROOT, file)) return
    if (skip === undefined) result.testCount += details.type === 'suite' ? 0 : 1
    else if (!ENGINE_REASON.test(String(skip))) result.skipped.push(`${name}: ${skip}`)
  })
  stream.on('test:fail', () => {
    result.testCount += 1
  })
  stream.on('test:summary', ({ file, success }) => {
    if (file === undefined) result.isSuccess = success
  })
  for await (const chunk of stream.compose(new spec())) result.output += chunk
  return result
}

async function runCheck(
  check: Check,
  engine: Engine,
  command: Command,
  serverUrl: string | undefined,
  signal: AbortSignal,
): Promise<CheckResult> {
  const start = performance.now()
  const result: CheckResult = {
    number: check.number,
    engine,
    outcome: 'passed',
    measurements: {},
    duration: 0,
  }
  for (const selection of check.tests.filter(({ engines }) => engines.includes(engine))) {
    const { isSuccess, testCount, skipped, measurements, output } = await runSelection(
      selection,
      engine,
      command,
      serverUrl,
      signal,
    )
    addMeasurements(result.measurements, measurements)
    if (!isSuccess || testCount === 0) {
      result.outcome = check.openOn.includes(engine) ? 'open' : 'failed'
      print(`${output}\n${testCount === 0 ? `${selection.file}: no test ran\n` : ''}`)
    } else if (skipped.length > 0) {
      if (result.outcome === 'passed') result.outcome = 'incomplete'
      for (const reason of skipped) print(`Skipped: ${reason}`)
    }
  }
  result.duration = performance.now() - start
  return result
}

async function main(): Promise<void> {
  const command = parseCommand(process.argv.slice(2))
  if (command === 'help') {
    process.stdout.write(HELP)
    return
  }
  const start = performance.now()
  const signal = abortOnInterrupt()
  const results: CheckResult[] = []
  // The server is stopped and removed when this process ends: see postgres/server-supervisor.ts.
  let server: ReturnType<typeof startCluster> | undefined
  for (const check of command.checks) {
    for (const engine of enginesOf(check)) {
      if (signal.aborted || (command.engine !== 'both' && command.engine !== engine)) continue
      if (engine === 'postgres') server ??= startCluster()
      const serverUrl = engine === 'postgres' ? (await server)?.url() : undefined
      const result = await runCheck(check, engine, command, serverUrl, signal)
      results.push(result)
      print(
        `Check ${check.number}, ${ENGINE_NAMES[engine]}: ${result.outcome} in ${formatDuration(result.duration)}`,
      )
    }
  }
  print(`\n${formatTable(results)}\n\nTotal: ${formatDuration(performance.now() - start)}`)
  if (command.update && !signal.aborted) updateGuarantees(results)
  if (results.some(({ outcome }) => outcome === 'failed' || outcome === 'incomplete')) process.exitCode ||= 1
}

await runCommand(main)
