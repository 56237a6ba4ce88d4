// Runs test files with Node's test runner: what test/run.ts and test/trust/run.ts have in common.
import { join } from 'node:path'
import { run } from 'node:test'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { isSizeName, SIZES, sizesOf } from '../sizes.ts'
import { type FileQueue, TEST_PROCESS } from './file-queue.ts'
import { type Engine, type TestOptions, testEnvironment } from './options.ts'

export const ROOT = fileURLToPath(new URL('../..', import.meta.url))
export const ENGINE_NAMES: Record<Engine, string> = { sqlite: 'SQLite', postgres: 'PostgreSQL' }

export interface TestRun extends Omit<TestOptions, 'serverUrl' | 'browserUrl'> {
  /** Absolute paths. */
  files: string[]
  /** How many of the processes run at the same time. */
  concurrency: number
  signal: AbortSignal
  /** Files that share processes, as many as `concurrency`. Each of `files` has its own. */
  queue?: FileQueue
  /** The PostgreSQL server of the tests. */
  serverUrl?: string | undefined
  /** The browser of the tests. */
  browserUrl?: string | undefined
  /** Runs only the tests whose name matches. Tests of a queue have no such selection. */
  namePattern?: RegExp | undefined
}

export function runTestFiles({
  files,
  queue,
  concurrency,
  signal,
  namePattern,
  serverUrl,
  browserUrl,
  ...options
}: TestRun) {
  return run({
    files: [
      ...(queue ? Array.from({ length: Math.min(concurrency, queue.size) }, () => TEST_PROCESS) : []),
      ...files,
    ],
    concurrency,
    cwd: ROOT,
    signal,
    ...(queue && { argv: [queue.folder] }),
    ...(namePattern && { testNamePatterns: namePattern }),
    // The option timeout of run() does not end a file; this is the limit of each test in it.
    execArgv: [`--test-timeout=${sizesOf(options.profile, options.sizes).test_seconds * 1000}`],
    env: {
      NODE_COMPILE_CACHE: join(ROOT, 'node_modules/.cache/assay'),
      ...testEnvironment({ ...options, ...(serverUrl && { serverUrl }), ...(browserUrl && { browserUrl }) }),
    },
  })
}

export class UsageError extends Error {}

/** The options that both commands have. Throws UsageError. */
export function parseTestArgs(args: string[]) {
  try {
    return parseArgs({
      args,
      allowPositionals: true,
      options: {
        engine: { type: 'string' },
        size: { type: 'string', multiple: true, default: [] },
        seed: { type: 'string', default: '1' },
        update: { type: 'boolean', default: false },
        help: { type: 'boolean', short: 'h', default: false },
      },
    })
  } catch (error) {
    throw new UsageError((error as Error).message)
  }
}

export function parseSizes(texts: string[]): Record<string, number> {
  return Object.fromEntries(texts.map(parseSize))
}

function parseSize(text: string): [name: string, value: number] {
  const [name = '', value = ''] = text.split('=')
  if (!isSizeName(name)) {
    throw new UsageError(`Unknown size ${name}. The sizes are ${Object.keys(SIZES).join(', ')}.`)
  }
  return [name, parseInteger(value, `--size ${name}`)]
}

export function parseInteger(text: string, option: string): number {
  if (!/^\d+$/.test(text)) throw new UsageError(`${option} must be a whole number, not "${text}".`)
  return Number(text)
}

export function parseEngine(engine: string | undefined): Engine | 'both' | undefined {
  if (engine === undefined || engine === 'sqlite' || engine === 'postgres' || engine === 'both') return engine
  throw new UsageError(`Unknown engine ${engine}. Use sqlite, postgres or both.`)
}

/** A signal that is aborted when the process is interrupted. The run ends, with the exit code of the signal. */
export function abortOnInterrupt(): AbortSignal {
  const abort = new AbortController()
  for (const [signal, code] of [
    ['SIGINT', 130],
    ['SIGTERM', 143],
  ] as const) {
    process.once(signal, () => {
      process.exitCode = code
      abort.abort()
    })
  }
  return abort.signal
}

/** Runs a command, and prints its usage errors. */
export async function runCommand(main: () => Promise<void>): Promise<void> {
  try {
    await main()
  } catch (error) {
    if (!(error instanceof UsageError)) throw error
    process.stderr.write(`${error.message}\nRun with --help to see the options.\n`)
    process.exitCode = 2
  }
}

export function print(line: string): void {
  process.stdout.write(`${line}\n`)
}

export function formatDuration(milliseconds: number): string {
  const seconds = Math.round(milliseconds / 1000)
  return seconds < 60 ? `${seconds} s` : `${Math.floor(seconds / 60)} min ${seconds % 60} s`
}
