// Checks that the tests detect broken code: applies each deliberate break to a copy of the checkout and runs its test.
import { cpSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, relative, sep } from 'node:path'
import { run } from 'node:test'
import { startCluster } from '../postgres/cluster.ts'
import { SIZES, type Size } from '../sizes.ts'
import { type Engine, testEnvironment } from '../support/options.ts'
import { BREAKS, type Break } from './breaks.ts'
import { applyBreak, findTestFile, ROOT } from './find.ts'

/** A test that runs longer hangs instead of failing. */
const TEST_SECONDS = 60
const FILE_SECONDS = 90
/** Tests that the quick profile skips run too, with its sizes. */
const QUICK_SIZES = Object.fromEntries(Object.entries<Size>(SIZES).map(([name, { quick }]) => [name, quick]))
/** Not copied. The packages are linked, because they are large and no break changes them. */
const EXCLUDED = new Set(['.git', 'node_modules', 'data', 'dist'])

const HELP = `Usage: node test/breaks/run.ts [NUMBERS or parts of NAMES…]

Applies each break of test/breaks/breaks.ts to a copy of the checkout, and runs the test that must detect it. The test must
pass without the break, and fail by an assertion with it. Exits with 1 if a break is not detected.
`

type TestResult = 'passed' | 'failed' | `skipped: ${string}` | `other failure: ${string}` | 'did not run'

interface TestRun {
  engine: Engine
  file: string
  names: string[]
}

class BrokenCheckout {
  readonly folder = mkdtempSync(join(tmpdir(), 'assay-breaks-'))
  #serverUrl: string | undefined

  constructor() {
    const isCopied = (path: string) =>
      !relative(ROOT, path)
        .split(sep)
        .some((name) => EXCLUDED.has(name))
    cpSync(ROOT, this.folder, { recursive: true, filter: isCopied })
    symlinkSync(join(ROOT, 'node_modules'), join(this.folder, 'node_modules'))
    process.once('exit', () => rmSync(this.folder, { recursive: true, force: true }))
    for (const signal of ['SIGINT', 'SIGTERM']) process.once(signal, () => process.exit(1))
  }

  async withBreak<Result>(deliberateBreak: Break, work: () => Promise<Result>): Promise<Result> {
    const { file, source } = applyBreak(deliberateBreak)
    const path = join(this.folder, file)
    const original = readFileSync(path)
    writeFileSync(path, source)
    try {
      return await work()
    } finally {
      writeFileSync(path, original)
    }
  }

  /** Runs the named tests of a file. A test with subtests has the result of the subtest that failed. */
  async runTests({ engine, file, names }: TestRun): Promise<TestResult[]> {
    // The server is stopped and removed when this process ends: see postgres/server-supervisor.ts.
    if (engine === 'postgres') this.#serverUrl ??= (await startCluster()).url()
    const results = new Map<string, TestResult>()
    const stream = run({
      files: [join(this.folder, file)],
      cwd: this.folder,
      signal: AbortSignal.timeout(FILE_SECONDS * 1000),
      testNamePatterns: names.map((name) => new RegExp(`${RegExp.escape(name)}$`)),
      // A service of a suite without a selected test would keep the process running.
      execArgv: [`--test-timeout=${TEST_SECONDS * 1000}`, '--test-force-exit'],
      env: {
        NODE_COMPILE_CACHE: join(ROOT, 'node_modules/.cache/assay'),
        ...testEnvironment({
          engine,
          profile: 'full',
          sizes: QUICK_SIZES,
          ...(engine === 'postgres' && { serverUrl: this.#serverUrl ?? '' }),
        }),
      },
    })
    let failedSubtest: TestResult | undefined
    stream.on('test:fail', ({ name, details: { error } }) => {
      const { failureType } = error as { failureType?: string }
      const result =
        failureType === 'testCodeFailure' && isAssertion(error.cause)
          ? 'failed'
          : (`other failure: ${error.message.split('\n')[0]}` as const)
      if (names.includes(name))
        results.set(name, failureType === 'subtestsFailed' ? (failedSubtest ?? result) : result)
      else failedSubtest = result
    })
    stream.on('test:pass', ({ name, skip }) => {
      // Several tests can have the same name, in different suites. One that fails is enough.
      if (names.includes(name) && !results.has(name))
        results.set(name, skip === undefined ? 'passed' : `skipped: ${skip}`)
    })
    for await (const _ of stream);
    return names.map((name) => results.get(name) ?? 'did not run')
  }
}

/** Whether the error, or what caused it, is a failed assertion. A failed property of fast-check has the assertion as its cause. */
function isAssertion(error: unknown): boolean {
  if (typeof error !== 'object' || error === null) return false
  const { code, cause } = error as { code?: unknown; cause?: unknown }
  return code === 'ERR_ASSERTION' || isAssertion(cause)
}

/** The tests of the breaks without a break, one run per file and engine. Throws if one of them does not pass. */
async function checkUnbroken(checkout: BrokenCheckout, breaks: Break[]): Promise<void> {
  const runs = Map.groupBy(breaks, (deliberateBreak) => {
    const { engine = 'sqlite' } = deliberateBreak
    return `${engine} ${findTestFile(deliberateBreak)}`
  })
  for (const [run, group] of runs) {
    const [engine, file] = run.split(' ') as [Engine, string]
    const names = [...new Set(group.map(({ test }) => test))]
    const results = await checkout.runTests({ engine, file, names })
    for (const [index, result] of results.entries())
      if (result !== 'passed') throw new Error(`Without a break, ${file} "${names[index]}" ${result}`)
  }
}

const ALL_BREAKS = Object.entries(BREAKS).flatMap(([area, breaks]) =>
  breaks.map((deliberateBreak) => ({ area, ...deliberateBreak })),
)

function selectBreaks(args: string[]): typeof ALL_BREAKS {
  if (args.length === 0) return ALL_BREAKS
  return args.flatMap((text) => {
    const matches = ALL_BREAKS.filter(({ name }, index) => String(index + 1) === text || name.includes(text))
    if (matches.length === 0) throw new Error(`No break has the number or the name "${text}".`)
    return /^\d+$/.test(text) ? matches.slice(0, 1) : matches
  })
}

async function main(args: string[]): Promise<void> {
  if (args.includes('--help')) {
    process.stdout.write(HELP)
    return
  }
  const breaks = selectBreaks(args)
  const checkout = new BrokenCheckout()
  await checkUnbroken(checkout, breaks)
  process.stdout.write('| # | area | break | test | detected | seconds |\n|---|---|---|---|---|---|\n')
  let detectedCount = 0
  for (const deliberateBreak of breaks) {
    const { area, name, test, engine = 'sqlite' } = deliberateBreak
    const file = findTestFile(deliberateBreak)
    const start = performance.now()
    const [result] = await checkout.withBreak(deliberateBreak, () =>
      checkout.runTests({ engine, file, names: [test] }),
    )
    if (result === 'failed') detectedCount += 1
    const seconds = ((performance.now() - start) / 1000).toFixed(1)
    const detected = result === 'failed' ? 'yes' : `no (${result})`
    const testText = `${file}: ${test}${engine === 'postgres' ? ' (PostgreSQL)' : ''}`
    const cells = [ALL_BREAKS.indexOf(deliberateBreak) + 1, area, name, testText, detected, seconds]
    process.stdout.write(`| ${cells.join(' | ')} |\n`)
  }
  process.stdout.write(`\n${detectedCount} of ${breaks.length} breaks detected\n`)
  if (detectedCount < breaks.length) process.exitCode = 1
}

await main(process.argv.slice(2))
