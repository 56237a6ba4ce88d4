// The options that test/run.ts passes to test processes, and the reasons to skip a test that follow from them.

export type Profile = 'quick' | 'full'
export type Engine = 'sqlite' | 'postgres'

export interface TestOptions {
  profile: Profile
  engine: Engine
  /** Values that replace those of the profile: see test/sizes.ts. */
  sizes: Record<string, number>
  /** The seed of generated data. */
  seed: number
  /** Assert times and memory. Only `npm run trust` does, because it runs one test at a time. */
  measures: boolean
  /** Rewrite the expected files instead of comparing with them. */
  update: boolean
  /** The PostgreSQL server that all test files share. Without it each file starts its own. */
  serverUrl?: string
  /** The browser that all test files share. Without it each process starts its own. */
  browserUrl?: string
}

const VARIABLE = 'ASSAY_TEST'

/** A file that runs without test/run.ts uses the quick sizes and SQLite. */
const DEFAULTS: TestOptions = {
  profile: 'quick',
  engine: 'sqlite',
  sizes: {},
  seed: 1,
  measures: false,
  update: false,
}

export const testOptions: TestOptions = { ...DEFAULTS, ...JSON.parse(process.env[VARIABLE] ?? '{}') }

/** The environment of a test process with these options, on top of those of this process. */
export function testEnvironment(changes: Partial<TestOptions>): NodeJS.ProcessEnv {
  return { ...process.env, [VARIABLE]: JSON.stringify({ ...testOptions, ...changes }) }
}

/** Skips a test in the quick profile, or only in the quick profile of one engine. */
export function fullOnly(reason: string, engine?: Engine): string | false {
  const isFull = testOptions.profile === 'full' || (engine !== undefined && engine !== testOptions.engine)
  return !isFull && `full profile only: ${reason}`
}

/** Skips a test on SQLite. */
export const POSTGRES_ONLY = testOptions.engine !== 'postgres' && 'PostgreSQL only'
