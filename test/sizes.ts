// How much work each test campaign does, per profile and for `npm run trust`. Override one with `node test/run.ts --size NAME=VALUE`.
import { type Profile, testOptions } from './support/options.ts'

export type Sizes = Record<keyof typeof SIZES, number>

export type Size = Record<Profile, number> & {
  /** What `npm run trust` uses instead of the value of the full profile. */
  trust?: number
  description: string
}

export const SIZES = {
  crash_rounds: { quick: 1, full: 10, trust: 20, description: 'kills of a service while it writes' },
  import_crash_rounds: { quick: 1, full: 5, trust: 10, description: 'kills of an import while it writes' },
  migration_kills: { quick: 1, full: 10, trust: 30, description: 'kills of an upgrade' },
  followed_changes: {
    quick: 60,
    full: 2000,
    trust: 20_000,
    description: 'changes of eight writers that two clients follow',
  },
  followed_page_seconds: {
    quick: 3,
    full: 20,
    description: 'how long another process adds 50 rows per second to an evaluation that a page shows',
  },
  follower_kills: { quick: 1, full: 5, trust: 20, description: 'kills of a service during these changes' },
  backups: { quick: 1, full: 10, description: 'copies of a store while it is written' },
  replica_rounds: {
    quick: 3,
    full: 50,
    trust: 200,
    description: 'writes that are read back through a replica',
  },
  stale_rounds: {
    quick: 3,
    full: 100,
    trust: 500,
    description: 'writes that workers and a caching proxy must show in the next response',
  },
  fuzz_requests: { quick: 25, full: 3000, trust: 20_000, description: 'generated HTTP requests' },
  direct_reads: {
    quick: 15,
    full: 1000,
    description: 'generated reads that are sent to services with and without the direct path',
  },
  write_sequences: {
    quick: 12,
    full: 200,
    description: 'generated sequences of writes that are compared with a model',
  },
  paged_reads: {
    quick: 5,
    full: 300,
    description: 'generated reads page by page, while rows are deleted and appended',
  },
  json_values: {
    quick: 60,
    full: 1000,
    description: 'generated JSON values for the scanner and the parsers',
  },
  json_changes: { quick: 30, full: 500, description: 'generated pairs of JSON values for the diff' },
  json_texts: {
    quick: 40,
    full: 2000,
    trust: 10_000,
    description: 'generated JSON texts that are stored and read back',
  },
  streamed_scenarios: {
    quick: 2000,
    full: 30_000,
    trust: 100_000,
    description:
      'scenarios in the smaller evaluation of the memory test; the larger one has three times as many',
  },
  slow_clients: { quick: 5, full: 50, description: 'clients that read 10 kB per second' },
  aborted_reads: { quick: 10, full: 500, description: 'clients that disconnect during a response' },
  fairness_scenarios: {
    quick: 500,
    full: 20_000,
    trust: 100_000,
    description: 'scenarios that are read and imported while others read a few',
  },
  overload_seconds: { quick: 1, full: 3, trust: 15, description: 'duration of an overload' },
  upload_bytes: {
    quick: 4_000_000,
    full: 20_000_000,
    trust: 60_000_000,
    description: 'bytes of each upload in the memory tests',
  },
  budget_uploads: {
    quick: 4,
    full: 12,
    trust: 32,
    description: 'large uploads that are sent at the same time',
  },
  budget_upload_bytes: {
    quick: 1_200_000,
    full: 10_000_000,
    trust: 50_000_000,
    description: 'bytes of each of them',
  },
  slow_readers: {
    quick: 30,
    full: 100,
    trust: 500,
    description: 'clients that read one response at 2 kB per second',
  },
  slow_read_scenarios: {
    quick: 3000,
    full: 20_000,
    trust: 100_000,
    description: 'scenarios of about 2 kB in the response that they read',
  },
  slow_read_seconds: { quick: 3, full: 10, trust: 60, description: 'how long they read' },
  generated_evaluations: {
    quick: 2,
    full: 30,
    description: 'generated evaluations for filters and statistics',
  },
  comparisons: { quick: 2, full: 25, description: 'generated comparisons, checked against exact arithmetic' },
  gate_pairs: {
    quick: 10,
    full: 40,
    description: 'generated pairs of evaluations that the page, the command line and Python decide about',
  },
  change_grid_steps: {
    quick: 10,
    full: 20,
    description: 'resolution of the probabilities for which the coverage of intervals is enumerated',
  },
  mutations: { quick: 3, full: 500, description: 'broken files per import format' },
  idle_connections: {
    quick: 60,
    full: 1000,
    trust: 5000,
    description: 'connections that never send a complete request',
  },
  slow_connections: {
    quick: 0,
    full: 200,
    trust: 1000,
    description: 'connections of each attack with slow requests',
  },
  large_bombs: { quick: 0, full: 0, trust: 1, description: '1 sends decompression bombs of up to 4 GiB' },
  starvation_rows: {
    quick: 2000,
    full: 20_000,
    trust: 100_000,
    description: 'scenarios that eight clients query while others must be served',
  },
  starvation_reads: {
    quick: 20,
    full: 100,
    trust: 400,
    description: 'small queries and reads that are measured meanwhile',
  },
  python_versions: {
    quick: 1,
    full: 2,
    description: 'Python versions that run the tests of the Python package: oldest, newest, others',
  },
  python_rows: { quick: 1000, full: 100_000, description: 'rows that the Python client logs and reads back' },
  python_cases: { quick: 20, full: 200, description: 'tests whose results the pytest plugin sends' },
  response_seconds: { quick: 120, full: 600, description: 'time limit of a response that makes no progress' },
  test_seconds: { quick: 180, full: 1800, description: 'time limit of a single test' },
  file_minutes: { quick: 10, full: 60, description: 'time limit of a test file' },
} satisfies Record<string, Size>

/** The sizes of this run. */
export const sizes = sizesOf(testOptions.profile, testOptions.sizes)

export function sizesOf(profile: Profile, overrides: Record<string, number>): Sizes {
  const values = Object.entries(SIZES).map(([name, size]) => [name, overrides[name] ?? size[profile]])
  return Object.fromEntries(values)
}

/** The sizes of `npm run trust` that differ from those of the full profile. */
export function trustSizes(): Record<string, number> {
  const sizes = Object.entries<Size>(SIZES)
  return Object.fromEntries(
    sizes.flatMap(([name, { trust }]) => (trust === undefined ? [] : [[name, trust]])),
  )
}

export function isSizeName(name: string): name is keyof Sizes {
  return Object.hasOwn(SIZES, name)
}
