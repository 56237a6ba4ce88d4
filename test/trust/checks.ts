// The checks of `npm run trust`: what Assay promises, and the tests that check it. docs/reference/guarantees.md is generated from it.
import type { Engine } from '../support/options.ts'

export interface TestSelection {
  file: string
  /** Selects tests by name, if the file also tests other things. */
  name?: RegExp
  engines: readonly Engine[]
}

export interface Check {
  number: number
  promise: string
  tests: TestSelection[]
  /** Engines on which the check is known to fail. It is measured and reported, but does not fail the command. */
  openOn: readonly Engine[]
}

const BOTH: Engine[] = ['sqlite', 'postgres']
const SQLITE: Engine[] = ['sqlite']
const POSTGRES: Engine[] = ['postgres']

const select =
  (engines: Engine[]) =>
  (file: string, name?: RegExp): TestSelection => ({
    file: `test/${file}.test.ts`,
    engines,
    ...(name && { name }),
  })
const both = select(BOTH)
const sqlite = select(SQLITE)
const postgres = select(POSTGRES)

/** The engines of a check, in the order in which they run. */
export function enginesOf({ tests }: Check): Engine[] {
  return BOTH.filter((engine) => tests.some(({ engines }) => engines.includes(engine)))
}

const TESTS_BY_PROMISE: [promise: string, ...tests: TestSelection[]][] = [
  [
    'If a read fails after the response has started, every client sees an error: no incomplete body looks complete.',
    sqlite('http/response/interrupted-responses'),
    sqlite('http/response/streaming', /damaged|stored length/),
    postgres('http/server/postgres-faults', /every client detects|curl exits/),
  ],
  [
    'Reading an evaluation of any size needs at most 64 MiB (96 MiB with PostgreSQL) more memory than the idle service.',
    both('http/response/read-memory'),
  ],
  [
    'A write that got a response is stored, even if the service is killed at once. A write without a response is stored completely or not at all.',
    both('http/server/crash'),
  ],
  [
    'JSON values are returned token for token as they were written: the same digits, escapes, duplicate and reordered names.',
    both('http/response/fidelity'),
  ],
  [
    'A key never gets a byte of another project, on any route with any method. With `conceal`, an id of another project looks like an unknown id.',
    both('http/routes/isolation'),
    both('http/routes/foreign-ids'),
    both('http/routes/restricted-keys'),
    both('http/request/auth', /another project/),
  ],
  [
    'The page shows stored texts as text: no stored value runs as a script or loads anything from another host.',
    sqlite('web/stored-xss'),
    sqlite('web/markdown'),
  ],
  [
    'A 304 or a cached response is never stale, and an ETag belongs to one format and one encoding. This also holds with a caching proxy in front.',
    both('http/response/stale-reads'),
    both('http/response/caching-proxy'),
    both('http/response/response-caches'),
  ],
  [
    'If PostgreSQL fails, requests get 503 in time, nothing is stored twice, and requests succeed again within 5 seconds after it is back.',
    postgres('http/server/postgres-faults'),
  ],
  [
    'With a full disk or a read-only file, reads continue and writes get 503 or 507, and writes succeed again without a restart. A damaged, foreign or newer file is never changed.',
    sqlite('http/server/disk-faults'),
    sqlite('cli/damaged-store'),
    sqlite('cli/permissions'),
    sqlite('store/dialect/sqlite', /not a store|does not change|page size|full disk|was deleted/),
  ],
  [
    'No request causes a 500 or a response that openapi.json does not document.',
    both('http/request/fuzz'),
    sqlite('http/request/invalid-bodies'),
    sqlite('json/scan'),
  ],
  [
    'Secrets of keys are not in the data folder, in the database, in logs or in backups.',
    both('cli/key-secrets'),
    both('http/server/server', /without secrets/),
  ],
  [
    'A revoked or expired key is rejected from the next request on, by every process. With a rotation, the old key works until the overlap ends.',
    both('http/request/auth', /revoked|overlap|expires exactly/),
    both('http/response/stale-reads'),
    both('http/routes/shares', /expires|revok/),
    postgres('http/server/replicas', /revoked key/),
  ],
  [
    'On SIGTERM, running responses are completed, idle connections are closed, and the process exits with 0 in bounded time.',
    both('http/server/server', /SIGTERM|draining/),
    postgres('http/server/instances', /after SIGTERM/),
  ],
  [
    'Slow, stopped and aborted clients use no memory, descriptors or database snapshots for longer than the stated limits.',
    both('http/response/disconnected-clients'),
    both('http/response/streaming', /slow and disconnected/),
    both('http/response/slow-clients'),
  ],
  [
    'Malformed and very slow requests are rejected and closed, and other clients are served meanwhile.',
    sqlite('http/server/slowloris'),
    sqlite('http/server/server', /malformed/),
  ],
  [
    'Every error is a problem document with the right status, without internals.',
    both('http/server/error-catalog'),
  ],
  ['SQLite and PostgreSQL return the same bytes for the same data.', postgres('engines')],
  [
    'From version 1.0 on, a store of every earlier version is upgraded to the same schema as a new one, even if the upgrade is killed. A newer store, and one of a version before 1.0, is rejected with one line.',
    both('store/migrations'),
    postgres('store/dialect/postgres', /migrations|newer version/),
    sqlite('store/dialect/sqlite', /newer version/),
  ],
  [
    'A backup that is made during writes can be restored, and contains every write that was acknowledged before it.',
    sqlite('cli/backup'),
  ],
  [
    'Small reads stay fast while others read whole evaluations and import: 99 % take at most 100 ms.',
    both('http/server/fairness'),
  ],
  [
    'With three times more requests than the service can handle, at least 80 % of its capacity remains, and it recovers within 5 seconds.',
    both('http/server/overload'),
  ],
  [
    'Guessing keys is limited per address and costs no more for known keys than for unknown ones. Clients cannot choose their address with X-Forwarded-For.',
    both('http/request/auth', /checksum|rate-limited|X-Forwarded-For|unknown key|time to reject/),
  ],
  [
    'Bodies that are made to exhaust memory are rejected with little memory.',
    sqlite('http/request/decompression-bombs'),
    both('http/request/upload-memory'),
    sqlite('import/zip'),
    sqlite('import/inspect', /little memory/),
  ],
  [
    'Several instances can start at once on one PostgreSQL, also through PgBouncer in transaction mode: the schema is created once.',
    postgres('http/server/instances', /at once|PgBouncer|concurrent writes/),
  ],
  [
    'The service runs as a user without privileges, with a read-only root and one writable folder. Every dependency is locked and has an allowed license.',
    sqlite('deploy', /systemd|container|Docker/),
    sqlite('supply-chain'),
  ],
  [
    'Expensive queries of one project do not delay the queries of others by more than 250 ms.',
    both('http/server/starvation'),
  ],
  [
    '500 slow readers of one large response all make progress with at most 200 MB more memory, and small reads stay fast. Uploads share one disk budget.',
    both('http/server/slow-readers'),
    both('http/server/upload-budget'),
  ],
  [
    'After an upgrade that changes responses, no cache and no old ETag returns the old bytes.',
    both('http/response/response-format'),
  ],
  [
    'A damaged cache file is never sent: the response comes from the store, and the file is removed and logged once.',
    both('http/response/response-files'),
  ],
  [
    'With 5,000 idle connections from one address, a new client is served within one second.',
    sqlite('http/server/idle-connections'),
  ],
  [
    'A client that follows the change log gets every change exactly once, even if writers and services are killed.',
    both('http/server/change-followers'),
  ],
  [
    'During a rolling upgrade between versions from 1.0 on, instances of both versions serve correctly or the older one exits with one line, and nothing wrong is stored.',
    postgres('http/server/rolling-upgrade'),
    postgres('http/server/instances', /rolling restart/),
  ],
]

const OPEN_ON = new Map<number, readonly Engine[]>([
  // A read of 300,000 scenarios needs 73 MiB, 18 more than one of 100,000. At most 10 more are allowed.
  [2, POSTGRES],
  [20, POSTGRES],
  [21, BOTH],
  // Bodies of 2 GB need 254 MiB since they are parsed on threads, and gzip of 60 MB needs 133 MiB on PostgreSQL. The limit is 128.
  [23, BOTH],
  [27, POSTGRES],
])

export const CHECKS: Check[] = TESTS_BY_PROMISE.map(([promise, ...tests], index) => ({
  number: index + 1,
  promise,
  tests,
  openOn: OPEN_ON.get(index + 1) ?? [],
}))
