// Runs the tests: `node test/run.ts --help`.
import { globSync, statSync } from 'node:fs'
import { join, relative, resolve } from 'node:path'
import type { EventData } from 'node:test'
import { spec } from 'node:test/reporters'
import { launchTestServer, WITHOUT_BROWSER } from '../bench/chromium.ts'
import { startCluster } from './postgres/cluster.ts'
import { SIZES, type Size } from './sizes.ts'
import { CPU_LIMIT, cpuSeconds, startCalibration } from './support/cpu-time.ts'
import { FileQueue, TEST_PROCESS } from './support/file-queue.ts'
import type { Engine, Profile, TestOptions } from './support/options.ts'
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
} from './support/test-run.ts'

/** Some tests wait more than they compute, so that two cores can run more than two processes. */
const CONCURRENCY = 4
/** In the quick profile both engines run at the same time: the tests of PostgreSQL wait the most. */
const OVERLAPPING_CONCURRENCY: Record<Engine, number> = { sqlite: 2, postgres: 1 }

/** Files that do not share a process with others. */
const OWN_PROCESS_FILES = {
  'measures the memory of its process': ['test/import/inspect.test.ts', 'test/import/zip.test.ts'],
  'changes the umask of its process': ['test/web-build.test.ts'],
}

/** Files that need PostgreSQL, once. The longest file comes first. */
const POSTGRES_FILES = [
  'test/docs-commands.test.ts',
  'test/engines.test.ts',
  'test/http/server/instances.test.ts',
  'test/http/server/postgres-faults.test.ts',
  'test/http/server/postgres-pool.test.ts',
  'test/http/server/replicas.test.ts',
  'test/http/server/rolling-upgrade.test.ts',
  'test/store/dialect/postgres.test.ts',
  'test/store/dialect/postgres-timeouts.test.ts',
]

/** Files that open pages. */
const BROWSER_FILES = /^test\/(?:web|client)\//

/** Files that start first, so that a run does not end with one long file. */
const LONG_FILES = [
  'test/web/*.test.ts',
  'test/package.test.ts',
  'test/python/package.test.ts',
  'test/cli/serve.test.ts',
  'test/http/response/streaming.test.ts',
  'test/http/server/crash.test.ts',
  'test/store/migrations.test.ts',
]

/** Where the engine can make a difference. PostgreSQL runs these files, except those below. */
const ENGINE_FILES = ['test/store/**/*.test.ts', 'test/http/**/*.test.ts']

/** Files that PostgreSQL does not run, by reason. */
const SQLITE_FILES = {
  'does not use a database': [
    'test/http/request/invalid-bodies.test.ts',
    'test/http/routes/web.test.ts',
    'test/store/buffer/*.test.ts',
    'test/store/cache/*.test.ts',
    'test/store/scenarios/error-groups.test.ts',
    'test/store/statistics/*.test.ts',
  ],
  'measures the memory of the service, before data reaches the database': [
    'test/http/request/decompression-bombs.test.ts',
    'test/http/request/upload-memory.test.ts',
  ],
  'damages the database file': [
    'test/http/response/interrupted-responses.test.ts',
    'test/http/server/disk-faults.test.ts',
  ],
  'tests SQLite itself': ['test/store/dialect/sqlite.test.ts'],
}

/**
 * Files that PostgreSQL runs in the quick profile. engines.test.ts compares its responses and rows with those of SQLite,
 * which runs all files; the others test what PostgreSQL does in another way: locks, changes, replicas, statements.
 */
const QUICK_POSTGRES_FILES = [
  'test/docs-commands.test.ts',
  'test/engines.test.ts',
  'test/http/routes/changes.test.ts',
  'test/http/routes/filters.test.ts',
  'test/http/server/change-followers.test.ts',
  'test/http/server/instances.test.ts',
  'test/http/server/replicas.test.ts',
  'test/store/dialect/*.test.ts',
  'test/store/evaluations/*.test.ts',
  'test/store/query-plans.test.ts',
  'test/store/resources/*.test.ts',
]

/** An option of this command only; `npm run trust` has the others too. */
const LIMIT_CPU = '--limit-cpu'

const HELP = `Usage: node test/run.ts [quick|full] [options] [FILES…]

Runs the tests. FILES are test files, folders or glob patterns; without them, all tests run.

Profiles
  quick                 small sizes, without the longest tests (default)
  full                  everything, with larger sizes

Options
  --engine ENGINE       sqlite, postgres or both. Default: both, and with FILES sqlite
                        (postgres for files that always need PostgreSQL)
  --size NAME=VALUE     change one size, for example --size crash_rounds=50; repeatable
  --seed N              seed of generated data, default 1
  --update              rewrite the expected files instead of comparing with them
  --limit-cpu           exit with 1 if the run needs more CPU time than npm test may need
  --help                show this help

Sizes (quick, full, and npm run trust where it differs)
${Object.entries<Size>(SIZES)
  .map(
    ([name, { quick, full, trust, description }]) =>
      `  ${name.padEnd(22)}${[quick, full, trust]
        .filter((value) => value !== undefined)
        .join(', ')
        .padEnd(28)}${description}`,
  )
  .join('\n')}
`

interface Command extends Pick<TestOptions, 'profile' | 'sizes' | 'seed' | 'update'> {
  engine: Engine | 'both' | undefined
  /** Absolute paths; none stands for all tests. */
  files: string[]
}

function parseCommand(args: string[]): Command | 'help' {
  const { values, positionals } = parseTestArgs(args)
  if (values.help) return 'help'
  const [firstPositional] = positionals
  const isProfile = firstPositional === 'quick' || firstPositional === 'full'
  const profile: Profile = isProfile ? firstPositional : 'quick'
  return {
    profile,
    engine: parseEngine(values.engine),
    sizes: parseSizes(values.size),
    seed: parseInteger(values.seed, '--seed'),
    update: values.update,
    files: (isProfile ? positionals.slice(1) : positionals).flatMap(findFiles),
  }
}

function findFiles(pattern: string): string[] {
  const isFolder = statSync(pattern, { throwIfNoEntry: false })?.isDirectory()
  const matches = globSync(isFolder ? join(pattern, '**/*.test.ts') : pattern).map((file) => resolve(file))
  if (matches.length === 0) throw new UsageError(`No test file matches ${pattern}.`)
  return matches.sort()
}

/** The files in the repository that match, as absolute paths. Fails if a pattern of the lists above is outdated. */
function repositoryFiles(patterns: string[]): string[] {
  return patterns.flatMap((pattern) => {
    const matches = globSync(pattern, { cwd: ROOT }).map((file) => join(ROOT, file))
    if (matches.length === 0) throw new Error(`test/run.ts: no test file matches ${pattern}.`)
    return matches
  })
}

/** The files of a run, per engine. Each run reads all lists, so that an outdated pattern is noticed in a run of one file. */
function selectFiles({ profile, engine, files }: Command): Record<Engine, string[]> {
  const postgresOnly = repositoryFiles(POSTGRES_FILES)
  const longFiles = repositoryFiles(LONG_FILES)
  const skipped = repositoryFiles(Object.values(SQLITE_FILES).flat())
  const quick = repositoryFiles(QUICK_POSTGRES_FILES)
  if (files.length > 0) {
    if (engine === undefined) {
      return {
        sqlite: files.filter((file) => !postgresOnly.includes(file)),
        postgres: files.filter((file) => postgresOnly.includes(file)),
      }
    }
    return { sqlite: engine === 'postgres' ? [] : files, postgres: engine === 'sqlite' ? [] : files }
  }
  const otherFiles = without(repositoryFiles(['test/**/*.test.ts']), [...postgresOnly, ...longFiles]).sort()
  const sqlite = [...longFiles, ...otherFiles]
  const engineFiles = without(repositoryFiles(ENGINE_FILES), [...postgresOnly, ...skipped]).sort()
  const postgres = [...postgresOnly, ...engineFiles].filter(
    (file) => profile === 'full' || quick.includes(file),
  )
  return { sqlite: engine === 'postgres' ? [] : sqlite, postgres: engine === 'sqlite' ? [] : postgres }
}

function without(files: string[], excluded: string[]): string[] {
  return files.filter((file) => !excluded.includes(file))
}

interface Outcome {
  engine: Engine
  isSuccess: boolean
  summary: string
}

interface EngineRun {
  engine: Engine
  files: string[]
  command: Command
  signal: AbortSignal
  concurrency: number
  browserUrl: string | undefined
  write: (text: string) => void
}

async function runEngine(run: EngineRun): Promise<Outcome> {
  const { engine, files, command, signal, concurrency, browserUrl, write } = run
  const { profile, sizes, seed, update } = command
  const start = performance.now()
  write(`\n${ENGINE_NAMES[engine]}, ${profile} profile, ${count(files.length, 'file')}\n\n`)
  // The server is stopped and removed when this process ends: see postgres/server-supervisor.ts.
  const serverUrl = engine === 'postgres' ? (await startCluster()).url() : undefined
  const ownProcess = repositoryFiles(Object.values(OWN_PROCESS_FILES).flat())
  const queue = FileQueue.create(without(files, ownProcess))
  const stream = runTestFiles({
    files: files.filter((file) => ownProcess.includes(file)),
    queue,
    concurrency,
    signal,
    profile,
    engine,
    sizes,
    seed,
    measures: false,
    update,
    serverUrl,
    browserUrl,
  })
  const durations: { file: string; milliseconds: number }[] = []
  let isSuccess = false
  const counts = { passed: 0, failed: 0, skipped: 0 }
  function countTest(event: EventData.TestPass | EventData.TestFail, outcome: keyof typeof counts): void {
    const { name, nesting, file, details } = event
    // The test that imports a file of the queue.
    if (nesting === 0 && file === TEST_PROCESS)
      durations.push({ file: name, milliseconds: details.duration_ms })
    else if (details.type !== 'suite') counts[outcome] += 1
  }
  stream.on('test:pass', (event) => countTest(event, event.skip === undefined ? 'passed' : 'skipped'))
  stream.on('test:fail', (event) => countTest(event, 'failed'))
  stream.on('test:summary', ({ file, duration_ms, success }) => {
    if (file === undefined) isSuccess = success
    else if (file !== TEST_PROCESS) durations.push({ file: relative(ROOT, file), milliseconds: duration_ms })
  })
  for await (const chunk of stream.compose(new spec())) write(String(chunk))
  const missing = queue.unclaimed()
  queue.remove()
  if (missing.length > 0)
    write(`\nNot run:\n${missing.map((file) => `  ${relative(ROOT, file)}\n`).join('')}`)
  write(slowestFiles(durations))
  const { passed, failed, skipped } = counts
  const duration = formatDuration(performance.now() - start)
  return {
    engine,
    isSuccess: isSuccess && missing.length === 0 && !signal.aborted,
    summary: `${count(passed + failed + skipped, 'test')}, ${passed} passed, ${failed} failed, ${skipped} skipped in ${duration}`,
  }
}

const SLOWEST = 10

function slowestFiles(durations: { file: string; milliseconds: number }[]): string {
  if (durations.length <= SLOWEST) return ''
  const slowest = durations.toSorted((a, b) => b.milliseconds - a.milliseconds).slice(0, SLOWEST)
  const lines = slowest.map(
    ({ file, milliseconds }) => `  ${(milliseconds / 1000).toFixed(1).padStart(6)} s  ${file}\n`,
  )
  return `\nSlowest files:\n${lines.join('')}`
}

/** Prints the CPU time, including that of servers and browsers that still run. Returns whether it is within the limit. */
function printCpuTime(calibration: number): boolean {
  const seconds = cpuSeconds()
  if (seconds === undefined) return true
  const ratio = Math.round(seconds / calibration)
  const work = `${ratio} times the calibration of ${calibration.toFixed(3)} s`
  print(`CPU time: ${Math.round(seconds)} s, ${work}; the limit of npm test is ${CPU_LIMIT} times`)
  return ratio <= CPU_LIMIT
}

function count(amount: number, noun: string): string {
  return `${amount} ${noun}${amount === 1 ? '' : 's'}`
}

function writeText(text: string): void {
  process.stdout.write(text)
}

async function main(): Promise<void> {
  const start = performance.now()
  const args = process.argv.slice(2)
  const limitsCpu = args.includes(LIMIT_CPU)
  const command = parseCommand(args.filter((arg) => arg !== LIMIT_CPU))
  if (command === 'help') {
    process.stdout.write(HELP)
    return
  }
  const endCalibration = startCalibration()
  const signal = abortOnInterrupt()
  const files = selectFiles(command)
  const engines = (['sqlite', 'postgres'] as const).filter((engine) => files[engine].length > 0)
  const isOverlapping = command.profile === 'quick' && engines.length > 1
  const needsBrowser = files.sqlite.some((file) => BROWSER_FILES.test(relative(ROOT, file)))
  const browser = needsBrowser && !WITHOUT_BROWSER ? await launchTestServer() : undefined
  const run = (engine: Engine, concurrency: number, write: (text: string) => void) =>
    runEngine({
      engine,
      files: files[engine],
      command,
      signal,
      concurrency,
      browserUrl: browser?.wsEndpoint(),
      write,
    })
  const outcomes: Outcome[] = []
  if (isOverlapping) {
    // Printed after the output of SQLite.
    const texts: string[] = []
    outcomes.push(
      ...(await Promise.all([
        run('sqlite', OVERLAPPING_CONCURRENCY.sqlite, writeText),
        run('postgres', OVERLAPPING_CONCURRENCY.postgres, (text) => texts.push(text)),
      ])),
    )
    writeText(texts.join(''))
  } else {
    for (const engine of engines) {
      if (signal.aborted) continue
      outcomes.push(await run(engine, CONCURRENCY, writeText))
    }
  }
  print('')
  for (const { engine, summary } of outcomes) print(`${ENGINE_NAMES[engine]}: ${summary}`)
  print(`Total: ${formatDuration(performance.now() - start)}`)
  const isWithinLimit = printCpuTime(endCalibration())
  await browser?.close()
  if (!outcomes.every(({ isSuccess }) => isSuccess) || (limitsCpu && !isWithinLimit)) process.exitCode ||= 1
}

await runCommand(main)
