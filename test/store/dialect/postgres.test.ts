// A store in PostgreSQL: rejected databases, transactions, and interrupted migrations.
import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { after, describe, type TestContext, test } from 'node:test'
import { setTimeout as delay } from 'node:timers/promises'
import pg from 'pg'
import { MAIN } from '../../../bench/service.ts'
import { openStoreAt } from '../../../bench/store.ts'
import { NEWEST_FIRST } from '../../../src/schema/filters/orders.ts'
import { parsedValue } from '../../../src/schema/validation/parsed-value.ts'
import { ensureProject } from '../../../src/store/access/projects.ts'
import { Connection, type Read, type Transaction } from '../../../src/store/dialect/dialect.ts'
import {
  createEvaluation,
  EVALUATIONS,
  findEvaluation,
  getEvaluation,
} from '../../../src/store/evaluations/evaluations.ts'
import { MIGRATIONS } from '../../../src/store/migrations/migrations.ts'
import { FULL_RANGE, readElementChunks } from '../../../src/store/reads/elements.ts'
import { readList } from '../../../src/store/reads/lists.ts'
import { SCENARIOS } from '../../../src/store/scenarios/scenarios.ts'
import type { Store } from '../../../src/store/store.ts'
import { freshDatabase, query, startCluster } from '../../postgres/cluster.ts'
import { freePort } from '../../postgres/server-folder.ts'
import { serverUrl } from '../../postgres/shared.ts'
import { startProxy } from '../../postgres/tcp-proxy.ts'
import { runAssayCommand } from '../../support/command-runner/run.ts'
import {
  type CommandResult,
  createTempFolder,
  createTestKey,
  createTestStore,
  runAssay,
  spawnServer,
  startTestService,
} from '../../support/harness.ts'
import { sendRequest } from '../../support/http.ts'
import { fullOnly, POSTGRES_ONLY, testOptions } from '../../support/options.ts'
import { createNewerVersion } from '../../support/upgraded-program.ts'
import { JSON_TYPE, revisionBody, revisionsPath, scenariosPath } from '../../support/write-requests.ts'

const skip = POSTGRES_ONLY
const SECRET = 'sesame-4711'
/** Shorter than the time that commands wait for a server. */
const IMMEDIATE_MS = 4000

const createDatabase = async () => freshDatabase(await serverUrl())

/** Opens a store that is closed after the tests. */
async function openTestStore(url: string): Promise<Store> {
  const store = await openStoreAt(url)
  after(() => store.close())
  return store
}

async function connectClient(context: TestContext, url: string): Promise<pg.Client> {
  const client = new pg.Client({ connectionString: url })
  client.on('error', () => undefined)
  await client.connect()
  context.after(() => client.end())
  return client
}

/** All columns, constraints and indexes of a database, as text. */
async function schemaOf(url: string): Promise<string> {
  const lines = await query(
    url,
    `SELECT concat_ws(' ', table_schema, table_name, column_name, data_type, collation_name, is_nullable,
       column_default, is_identity, identity_generation) AS line
     FROM information_schema.columns WHERE table_schema !~ '^(pg_|information_schema)'
     UNION ALL SELECT concat_ws(' ', conrelid::regclass, conname, pg_get_constraintdef(oid))
     FROM pg_constraint WHERE connamespace::regnamespace::text !~ '^(pg_|information_schema)'
     UNION ALL SELECT indexdef FROM pg_indexes WHERE schemaname !~ '^(pg_|information_schema)'
     ORDER BY 1`,
  )
  return lines.map(({ line }) => line).join('\n')
}

/** Expects two lines, the problem and what to do, without a password or a stack trace. */
function assertRejected({ code, stdout, stderr }: CommandResult, message: RegExp, expectedCode = 1): void {
  assert.equal(code, expectedCode, stderr)
  assert.equal(stdout, '')
  assert.ok(!stderr.includes(SECRET), stderr)
  // A service also writes the problem to its log.
  const lines = stderr.replace(/^\{.*\}\n/gm, '')
  assert.match(lines, /^assay: .+\n.+\n$/)
  assert.match(lines, message)
}

const runOn = (url: string, ...command: string[]) => runAssayCommand([...command, '--database', url])

/** Runs a command that must not wait for the server. */
async function runImmediately(url: string, ...command: string[]): Promise<CommandResult> {
  const start = performance.now()
  const result = await runOn(url, ...command)
  assert.ok(!testOptions.measures || performance.now() - start < IMMEDIATE_MS)
  return result
}

describe('a database that cannot be opened', { skip: skip || fullOnly('starts a command per error') }, () => {
  test('reports an unreachable server after the pool timeout', async () => {
    const port = await freePort()
    for (const host of ['127.0.0.1', 'localhost']) {
      const url = `postgres://u:${SECRET}@${host}:${port}/x`
      const result = await runImmediately(url, 'serve', '--port', '0', '--pool-timeout', '300ms')
      assertRejected(
        result,
        new RegExp(`Cannot open the store in the database at ${host}:${port}/x: .*ECONNREFUSED`),
      )
    }
  })

  test('reports a wrong or missing password immediately', async (context) => {
    const cluster = await startCluster()
    context.after(() => cluster.remove())
    await query(cluster.url(), `CREATE ROLE locked LOGIN PASSWORD 'the right one'`)
    const rules = join(cluster.folder, 'data', 'pg_hba.conf')
    writeFileSync(rules, `host all locked 127.0.0.1/32 scram-sha-256\n${readFileSync(rules, 'utf8')}`)
    await query(cluster.url(), 'SELECT pg_reload_conf()')
    for (const [user, reason] of [
      [`locked:${SECRET}`, /password authentication failed for user "locked"/],
      ['locked', /password/],
    ] as const) {
      const url = `postgres://${user}@127.0.0.1:${cluster.port}/postgres`
      assertRejected(await runImmediately(url, 'keys', 'create'), reason)
    }
    const right = `postgres://locked:the%20right%20one@127.0.0.1:${cluster.port}/postgres`
    assertRejected(await runOn(right, 'keys', 'list'), /There is no store in the database/)
  })

  const missing: [name: string, change: (url: URL) => void, reason: RegExp][] = [
    [
      'a database that does not exist',
      (url) => (url.pathname = 'nowhere'),
      /database "nowhere" does not exist/,
    ],
    ['a role that does not exist', (url) => (url.username = 'missing'), /role "missing" does not exist/],
  ]
  for (const [name, change, reason] of missing) {
    test(`reports ${name} immediately`, async () => {
      const url = new URL(await serverUrl())
      url.password = SECRET
      change(url)
      assertRejected(await runImmediately(url.href, 'keys', 'create'), reason)
    })
  }

  // A password that is not percent-encoded makes the URL invalid or changes its meaning. No message shows the password.
  const misencoded: [url: string, code: number][] = [
    [`postgres://u:${SECRET}/x@127.0.0.1:1/x`, 2],
    [`postgres://u:${SECRET}#x@127.0.0.1:1/x`, 2],
    [`postgres://u:x?${SECRET}@127.0.0.1:1/x`, 2],
    [`postgres://u:${SECRET}@127.0.0.1:99999/x`, 2],
    [`postgres://u:${SECRET}@@127.0.0.1:1/x`, 1],
    [`postgres://u@127.0.0.1:1/x?password=${SECRET}`, 1],
  ]
  for (const [url, code] of misencoded) {
    test(`does not print the password of ${url.replace(SECRET, '…')}`, async () => {
      assertRejected(await runOn(url, 'serve', '--port', '0', '--pool-timeout', '100ms'), /store/, code)
    })
  }

  for (const url of [
    `mysql://u:${SECRET}@h/d`,
    `//u:${SECRET}@h/d`,
    `u:${SECRET}@h/d`,
    `postgres:u:${SECRET}@h/d`,
  ]) {
    test(`rejects the URL ${url.replace(SECRET, '…')} without printing its password`, async () => {
      assertRejected(await runOn(url, 'keys', 'list'), /is not supported/, 2)
    })
  }

  test('rejects replicas of a SQLite store', async () => {
    const data = join(createTempFolder(), 'data')
    const replica = ['--replica', `postgres://u:${SECRET}@h/d`]
    assertRejected(
      await runAssay(['serve', '--data', data, ...replica]),
      /SQLite does not support replicas/,
      2,
    )
    assert.ok(!existsSync(data))
  })
})

describe('a database that cannot be used as a store', { skip }, () => {
  const foreign: [name: string, create: string, reason: RegExp][] = [
    [
      'a table that has the name of an Assay table',
      'CREATE TABLE project (id int, title text)',
      /is not an Assay store|project/,
    ],
    [
      'a table that has the name of a table of a later migration',
      'CREATE TABLE idempotency (token text)',
      /is not an Assay store|idempotency/,
    ],
    [
      'an index that has the name of an Assay index',
      'CREATE TABLE contact (name text); CREATE INDEX evaluation_by_id ON contact (name)',
      /is not an Assay store|evaluation_by_id/,
    ],
    [
      'the migration table of another program, with names',
      `CREATE TABLE migration (name text, run_on timestamp); INSERT INTO migration VALUES ('20240101-users', now())`,
      /a table 'migration' that Assay did not create/,
    ],
    [
      'the migration table of another program, with numbers',
      'CREATE TABLE migration (id int, run_on timestamp); INSERT INTO migration VALUES (1, now())',
      /a table 'migration' that Assay did not create/,
    ],
  ]
  for (const [name, create, reason] of foreign) {
    test(`rejects ${name}, and does not change the database`, async () => {
      const url = await createDatabase()
      await query(url, create)
      const before = await schemaOf(url)
      assertRejected(await runOn(url, 'keys', 'create'), reason)
      assert.equal(await schemaOf(url), before)
    })
  }

  test('rejects a role that cannot create tables', async () => {
    const url = new URL(await createDatabase())
    const role = `guest_${url.pathname.slice(1)}`
    await query(url.href, `CREATE ROLE ${role} LOGIN`)
    const before = await schemaOf(url.href)
    url.username = role
    assertRejected(await runOn(url.href, 'keys', 'create'), /permission denied for schema public/)
    assert.equal(await schemaOf(url.href), before)
  })

  for (const encoding of ['SQL_ASCII', 'LATIN1']) {
    test(`rejects the encoding ${encoding}`, async () => {
      const url = new URL(await serverUrl())
      const name = `test_${encoding.toLowerCase()}_${process.pid}`
      await query(url.href, `CREATE DATABASE ${name} ENCODING '${encoding}' LOCALE 'C' TEMPLATE template0`)
      url.pathname = name
      assertRejected(await runOn(url.href, 'keys', 'create'), new RegExp(`has the encoding ${encoding}`))
      assert.equal(await schemaOf(url.href), '')
    })
  }

  test('rejects a store of a newer version and does not change it', async () => {
    const url = await createDatabase()
    await (await openStoreAt(url)).close()
    await query(url, `INSERT INTO migration VALUES ('9999-from-the-future', '2030-01-01T00:00:00.000Z')`)
    const before = await schemaOf(url)
    assertRejected(await runOn(url, 'keys', 'create'), /newer version.*9999/)
    assert.equal(await schemaOf(url), before)
    assert.deepEqual(await query(url, 'SELECT 1 FROM api_key'), [])
  })

  test('does not create a store for commands that need an existing one', async () => {
    const url = await createDatabase()
    const file = join(createTempFolder(), 'file')
    const commands = [
      'keys list',
      'keys revoke aaaaaaaaaaaa',
      'keys rotate aaaaaaaaaaaa',
      'check',
      'export x',
    ]
    for (const command of [...commands.map((command) => command.split(' ')), ['backup', file]]) {
      assertRejected(await runOn(url, ...command), /^assay: There is no store in the database at .*\/test_/)
    }
    assert.equal(await schemaOf(url), '')
    assert.ok(!existsSync(file))
  })
})

test('refers to pg_dump for backups and writes no file', { skip }, async () => {
  const url = await createDatabase()
  await (await openStoreAt(url)).close()
  const folder = createTempFolder()
  assertRejected(await runOn(url, 'backup', join(folder, 'copy')), /\npg_dump /)
  assert.deepEqual(readdirSync(folder), [])
})

test('creates a store in an empty database, and does not change it when it is opened again', {
  skip,
}, async () => {
  const url = await createDatabase()
  await (await openStoreAt(url)).close()
  const before = [await schemaOf(url), await query(url, 'SELECT * FROM migration')]
  await (await openStoreAt(url)).close()
  assert.deepEqual([await schemaOf(url), await query(url, 'SELECT * FROM migration')], before)
})

test('opens two stores in one database, each in the schema of its URL', { skip }, async () => {
  const url = await createDatabase()
  await query(url, 'CREATE SCHEMA one; CREATE SCHEMA two')
  const stores = ['one', 'two'].map(async (schema) => {
    const store = await openTestStore(`${url}?options=${encodeURIComponent(`-c search_path=${schema}`)}`)
    await store.writer.transaction((transaction) => ensureProject(transaction, `of ${schema}`))
    return store.reader.all('SELECT name FROM project WHERE key > 0')
  })
  assert.deepEqual(await Promise.all(stores), [[{ name: 'of one' }], [{ name: 'of two' }]])
  assert.doesNotMatch(await schemaOf(url), /^public /m)
})

test('sorts and compares texts by bytes, whatever the locale of the database', { skip }, async () => {
  const server = new URL(await serverUrl())
  const name = `test_icu_${process.pid}`
  await query(
    server.href,
    `CREATE DATABASE ${name} LOCALE_PROVIDER icu ICU_LOCALE 'de' LOCALE 'C' TEMPLATE template0`,
  )
  server.pathname = name
  // In this locale, digits sort after a colon and letters sort regardless of case.
  const [row] = await query(server.href, `SELECT '2' > ':' AS digits, 'a' < 'B' AS letters`)
  assert.deepEqual(row, { digits: true, letters: true })
  const store = await openTestStore(server.href)
  const ids = ['b', 'B', 'a', 'ä', 'a\u0308', 'Z', ':', '9', '10', '💡', '\uffff']
  const project = await store.writer.transaction(async (transaction) => {
    const project = await ensureProject(transaction, 'default')
    for (const [minute, id] of ids.entries()) {
      const created_at = `2026-01-01T00:${10 + minute}:00.000Z`
      await createEvaluation(transaction, project, parsedValue({ id, created_at }))
    }
    return project
  })
  const selection = { list: EVALUATIONS, project, filters: [], order: NEWEST_FIRST }
  const { elements } = await readList(store.reader, selection, undefined, 100)
  assert.deepEqual(
    elements.map((text) => JSON.parse(text).id),
    ids.toReversed(),
  )
  const ordered = await store.reader.all<{ id: string }>('SELECT id FROM evaluation ORDER BY id')
  const sortedByBytes = ids.toSorted((a, b) => Buffer.compare(Buffer.from(a), Buffer.from(b)))
  assert.deepEqual(
    ordered.map(({ id }) => id),
    sortedByBytes,
  )
  const find = (id: string) => getEvaluation(store.reader, { project, conceal: true, confined_to: null }, id)
  const keys = await Promise.all(ids.map(async (id) => (await find(id)).key))
  assert.equal(new Set(keys).size, ids.length)
  await assert.rejects(find('A'), { code: 'evaluation-not-found' })
})

const ADD = 'INSERT INTO project (name, created_at) VALUES (?, ?)'
const add = (transaction: Transaction, name: string) => transaction.run(ADD, name, 'now')

async function namesIn({ reader }: Store): Promise<string[]> {
  const rows = await reader.all<{ name: string }>('SELECT name FROM project WHERE key > 0 ORDER BY name')
  return rows.map(({ name }) => name)
}

test('stores a body in its row, compressed with lz4 if the server supports it', { skip }, async () => {
  const url = await createDatabase()
  const { writer } = await openTestStore(url)
  const insert = 'INSERT INTO scenario (evaluation, position, id, body, digest) VALUES (1, ?, ?, ?, ?)'
  // The first one cannot be compressed, the second one can.
  const bodies = [randomBytes(2500).toString('base64').slice(0, 3000), 'compressible '.repeat(300)]
  await writer.transaction(async (transaction) => {
    for (const [position, body] of bodies.entries())
      await transaction.run(insert, position, `${position}`, body, new Uint8Array(32))
  })
  const [storage] = await query(
    url,
    `SELECT pg_relation_size(reltoastrelid)::int AS toast,
       (SELECT pg_column_compression(body) FROM scenario WHERE position = 1) AS compression,
       (SELECT 'lz4' = ANY (enumvals) FROM pg_settings WHERE name = 'default_toast_compression') AS has_lz4
     FROM pg_class WHERE oid = 'scenario'::regclass`,
  )
  const compression = storage?.has_lz4 ? 'lz4' : 'pglz'
  assert.deepEqual(storage, { toast: 0, compression, has_lz4: storage?.has_lz4 })
})

describe('a reader', { skip }, () => {
  test('reads the same bytes from a server without binary COPY', async (context) => {
    const url = await createDatabase()
    const store = await openTestStore(url)
    const texts = ['', 'é', '漢字 \u{1f600}', 'x'.repeat(3_000_000), '"', 'é'.repeat(400_000)]
    const key = await store.writer.transaction(async (transaction) => {
      const project = await ensureProject(transaction, 'default')
      const key = await createEvaluation(transaction, project, parsedValue({ id: 'e' }))
      const rows = texts.map((text, position) => [key, position, `${position}`, text, new Uint8Array(32)])
      await transaction.runMany([
        'INSERT INTO scenario (evaluation, position, id, body, digest) VALUES (?, ?, ?, ?, ?)',
        rows,
      ])
      return key
    })
    // A server rejects an unknown command with the same error as an unknown syntax.
    let rejectedCount = 0
    const rejectCopy = (bytes: Buffer) => {
      const text = bytes.toString('latin1')
      rejectedCount += text.split('COPY (').length - 1
      return Buffer.from(text.replaceAll('COPY (', 'COPX ('), 'latin1')
    }
    const { hostname: host, port } = new URL(url)
    const proxy = await startProxy({ host, port: Number(port) }, rejectCopy)
    context.after(() => proxy.close())
    const otherStore = await openTestStore(proxy.url(url))
    assert.equal(rejectedCount, 1)
    const readAll = async ({ reader }: Store) => {
      const chunks = await reader.snapshot('long', (snapshot) =>
        Array.fromAsync(readElementChunks(snapshot, SCENARIOS, key, FULL_RANGE, ',')),
      )
      return Buffer.concat(chunks.flatMap((chunk) => [chunk, Buffer.from(',')]))
    }
    const bytes = await readAll(otherStore)
    assert.ok(bytes.equals(Buffer.from(`${texts.join(',')},`)))
    assert.ok(bytes.equals(await readAll(store)))
    assert.equal(rejectedCount, 1)
    assert.equal(
      (await otherStore.reader.joinElements(`SELECT 1 AS ordinal, '' AS element WHERE 1 = 0`, ',')).length,
      0,
    )
  })

  test('cannot write and can still read afterwards', async () => {
    const store = await createTestStore()
    const { reader } = store
    const insert = `INSERT INTO project (name, created_at) VALUES ('x', 'y') RETURNING name AS element, 1 AS ordinal`
    const isReadOnlyError = (error: Error) => /read-only transaction/.test(String(error.cause))
    const attempts = [
      () => reader.get(insert),
      () => reader.all(insert),
      () => reader.get('CREATE TABLE stray (x int)'),
      () =>
        reader.get('SET SESSION CHARACTERISTICS AS TRANSACTION READ WRITE').then(() => reader.get(insert)),
      ...(['short', 'long'] as const).flatMap((length) => [
        () => reader.snapshot(length, (snapshot) => snapshot.get(insert)),
        () => reader.snapshot(length, (snapshot) => snapshot.all(insert)),
      ]),
    ]
    for (const attempt of attempts) await assert.rejects(attempt(), isReadOnlyError)
    await assert.rejects(reader.joinElements(insert, ','))
    assert.deepEqual(await namesIn(store), [])
  })
})

/** A promise that `open` resolves. */
function gate(): { opened: Promise<void>; open: () => void } {
  const { promise, resolve } = Promise.withResolvers<void>()
  return { opened: promise, open: resolve }
}

describe('transactions', { skip }, () => {
  test('store nothing when they fail, and later ones succeed', async () => {
    const store = await createTestStore()
    const failing = [
      async (transaction: Transaction) => {
        await add(transaction, 'thrown')
        throw new Error('not this one')
      },
      async (transaction: Transaction) => {
        await add(transaction, 'duplicate')
        await add(transaction, 'duplicate')
      },
      // Ignoring the error does not save a failed transaction.
      async (transaction: Transaction) => {
        await add(transaction, 'swallowed')
        await add(transaction, 'swallowed').catch(() => undefined)
      },
      async (transaction: Transaction) => {
        void add(transaction, 'unawaited').catch(() => undefined)
        void transaction.run('SELECT 1 / 0').catch(() => undefined)
      },
    ]
    for (const [index, work] of failing.entries()) {
      await assert.rejects(store.writer.transaction(work))
      await store.writer.transaction((transaction) => add(transaction, `good ${index}`))
    }
    assert.deepEqual(await namesIn(store), ['good 0', 'good 1', 'good 2', 'good 3'])
  })

  test('run concurrently and do not see uncommitted changes of each other', async () => {
    const store = await createTestStore()
    const first = gate()
    const slow = store.writer.transaction(async (transaction) => {
      await add(transaction, 'slow')
      await first.opened
    })
    await store.writer.transaction((transaction) => add(transaction, 'quick'))
    assert.deepEqual(await namesIn(store), ['quick'])
    first.open()
    await slow
    assert.deepEqual(await namesIn(store), ['quick', 'slow'])
  })

  test('wait for a lock of the same name, but not for other locks', async () => {
    const url = await createDatabase()
    const store = await openTestStore(url)
    const seen: string[] = []
    const hasLock = gate()
    const canEnd = gate()
    const lockAndRecord = (what: string, ...name: (string | number)[]) =>
      store.writer.transaction(async (transaction) => {
        await transaction.lock(...name)
        seen.push(what)
      })
    const first = store.writer.transaction(async (transaction) => {
      await transaction.lock('evaluation', 1, 'x')
      hasLock.open()
      await canEnd.opened
      seen.push('first')
    })
    await hasLock.opened
    const second = lockAndRecord('second', 'evaluation', 1, 'x')
    await waitUntilBlocked(url)
    await lockAndRecord('another id', 'evaluation', 1, 'y')
    await lockAndRecord('another project', 'evaluation', 2, 'x')
    await lockAndRecord('the same parts joined differently', 'evaluation', '1,"x"')
    canEnd.open()
    await Promise.all([first, second])
    assert.deepEqual(seen, [
      'another id',
      'another project',
      'the same parts joined differently',
      'first',
      'second',
    ])
  })

  test('see what was committed before they got their lock, at any default isolation level', async () => {
    const url = await createDatabase()
    for (const level of ['read committed', 'repeatable read', 'serializable']) {
      const options = encodeURIComponent(`-c default_transaction_isolation=${level.replace(' ', '\\ ')}`)
      const store = await openTestStore(`${url}?options=${options}`)
      const hasLock = gate()
      const canEnd = gate()
      const first = store.writer.transaction(async (transaction) => {
        await transaction.lock('x')
        hasLock.open()
        await add(transaction, level)
        await canEnd.opened
      })
      await hasLock.opened
      const second = store.writer.transaction(async (transaction) => {
        await transaction.lock('x')
        return transaction.all('SELECT 1 FROM project WHERE name = ?', level)
      })
      await waitUntilBlocked(url)
      canEnd.open()
      await first
      assert.equal((await second).length, 1, level)
    }
  })

  test('fail with unavailable for one of two in a deadlock, and commit the other', async () => {
    const store = await createTestStore()
    const both = [gate(), gate()]
    const outcomes = await Promise.allSettled(
      [
        ['a', 'b'],
        ['b', 'a'],
      ].map(([first = '', second = ''], index) =>
        store.writer.transaction(async (transaction) => {
          await transaction.lock(first)
          both[index]?.open()
          await Promise.all(both.map(({ opened }) => opened))
          await transaction.lock(second)
          await add(transaction, first)
        }),
      ),
    )
    const rejected = outcomes.filter((outcome) => outcome.status === 'rejected')
    assert.equal(rejected.length, 1)
    assert.equal(rejected[0]?.reason.code, 'unavailable')
    assert.deepEqual(await namesIn(store), [outcomes[0]?.status === 'fulfilled' ? 'a' : 'b'])
  })

  test('insert more rows than a statement can have parameters, all or none', {
    skip: fullOnly('engines.test.ts sends a body with so many values'),
  }, async () => {
    const store = await openStoreAt(await createDatabase(), { statement_timeout: 600_000 })
    after(() => store.close())
    const rows = Array.from({ length: 66_000 }, (_, index) => [`${index}`, 'now'])
    const repeated = [...rows, ...rows.slice(0, 10)]
    const count = await store.writer.transaction((transaction) =>
      transaction.runMany([`${ADD} ON CONFLICT (name) DO NOTHING`, repeated], [ADD, [['last', 'now']]]),
    )
    assert.equal(count, 66_001)
    assert.equal((await namesIn(store)).length, 66_001)
    const conflicting = store.writer.transaction((transaction) =>
      transaction.runMany([ADD, [...rows.map(([name]) => [`new ${name}`, 'now']), ['last', 'now']]]),
    )
    await assert.rejects(conflicting, { code: '23505' })
    assert.equal((await namesIn(store)).length, 66_001)
  })

  test('can take longer than the timeout of one statement when they send several at once', async () => {
    const store = await openStoreAt(await createDatabase(), { statement_timeout: 4000 })
    after(() => store.close())
    const sleepers = await store.writer.transaction((transaction) =>
      Promise.all(Array.from({ length: 8 }, () => transaction.all('SELECT pg_sleep(0.6)'))),
    )
    assert.equal(sleepers.length, 8)
  })

  test('insert no rows when there are none', async () => {
    const store = await createTestStore()
    const none = await store.writer.transaction((transaction) => transaction.runMany([ADD, []], [ADD, []]))
    assert.equal(none, 0)
    assert.equal(await store.writer.transaction((transaction) => transaction.runMany()), 0)
  })
})

test('finds an evaluation that is created between two lookups of its id', {
  skip,
}, async () => {
  const { reader, writer } = await createTestStore()
  const project = await writer.transaction((transaction) => ensureProject(transaction, 'p'))
  const create = () =>
    writer.transaction((transaction) => createEvaluation(transaction, project, parsedValue({ id: 'x' })))
  let lookups = 0
  class ConnectionWithWriteAfterFirstLookup extends Connection {
    readonly sql = reader.sql
    async read(read: Read) {
      const row = await reader.read(read)
      lookups += 1
      if (lookups === 1) await create()
      return row
    }
  }
  const connection = new ConnectionWithWriteAfterFirstLookup()
  await assert.doesNotReject(findEvaluation(connection, { project, conceal: false, confined_to: null }, 'x'))
})

test('accepts concurrent requests that create the same evaluation or variant', { skip }, async () => {
  const store = await createTestStore()
  const { key } = await createTestKey(store, { scopes: ['read', 'write'] })
  const { baseUrl } = await startTestService(store)
  const send = (to: string, body: string) =>
    sendRequest(baseUrl, to, { authorization: key, 'content-type': JSON_TYPE }, 'POST', body)
  for (let round = 0; round < (testOptions.profile === 'full' ? 20 : 5); round += 1) {
    const responses = await Promise.all(
      Array.from({ length: 8 }, (_, index) =>
        index % 2 === 0
          ? send(scenariosPath(`e-${round}`), `[{"id":"${index}"}]`)
          : send(revisionsPath(`v-${round}`), revisionBody(undefined, `,"revision":${index}`)),
      ),
    )
    for (const { status, text } of responses) assert.equal(status, 201, text)
  }
})

describe('migrations', { skip }, () => {
  const currentSchema = async () => {
    const url = await createDatabase()
    await (await openStoreAt(url)).close()
    return schemaOf(url)
  }

  const interruptions: [name: string, lock: string, unlock: string][] = [
    [
      'waits for another process to migrate',
      `SELECT pg_advisory_lock(('x' || substr(encode(sha256('["migration"]'), 'hex'), 1, 16))::bit(64)::bigint)`,
      'SELECT pg_advisory_unlock_all()',
    ],
    // CREATE TABLE waits for an uncommitted table of the same name.
    ['runs the first migration', 'BEGIN; CREATE TABLE variant ()', 'ROLLBACK'],
  ]
  for (const [name, lock, unlock] of interruptions) {
    test(`continue after a process was killed while it ${name}`, async (context) => {
      const expected = await currentSchema()
      const url = await createDatabase()
      const blocker = await connectClient(context, url)
      await blocker.query(lock)
      const child = spawn(process.execPath, [MAIN, 'keys', 'create', '--database', url], { stdio: 'ignore' })
      const exited = once(child, 'exit')
      await waitUntilBlocked(url)
      child.kill('SIGKILL')
      await exited
      await blocker.query(unlock)
      const { code, stderr } = await runOn(url, 'keys', 'create')
      assert.equal(code, 0, stderr)
      assert.equal(await schemaOf(url), expected)
    })
  }

  test('continue after a process was killed at any time', {
    skip: fullOnly('kills a process in each migration'),
  }, async () => {
    const expected = await currentSchema()
    // From before it connects until it has finished.
    for (let ms = 100; ms <= 300; ms += 40) {
      const url = await createDatabase()
      const child = spawn(process.execPath, [MAIN, 'keys', 'create', '--database', url], { stdio: 'ignore' })
      const exited = once(child, 'exit')
      await Promise.race([delay(ms), exited])
      child.kill('SIGKILL')
      await exited
      await (await openStoreAt(url)).close()
      assert.equal(await schemaOf(url), expected)
    }
  })

  test('do not block reads while they wait for a long read', async (context) => {
    const url = await createDatabase()
    await (await openStoreAt(url)).close()
    const main = createNewerVersion('ALTER TABLE evaluation ADD COLUMN newer TEXT;')
    const [longReader, reader] = [await connectClient(context, url), await connectClient(context, url)]
    await longReader.query('BEGIN; SELECT 1 FROM evaluation')
    const child = spawn(process.execPath, [main, 'migrate', '--database', url], { stdio: 'ignore' })
    const exited = once(child, 'exit')
    await waitUntilBlocked(url)
    await reader.query('SELECT 1 FROM evaluation')
    await longReader.query('ROLLBACK')
    assert.deepEqual(await exited, [0, null])
    assert.equal((await query(url, 'SELECT 1 FROM migration')).length, MIGRATIONS.length + 1)
  })

  test('run once when several processes start together, and each process creates its key', async () => {
    const url = await createDatabase()
    const results = await Promise.all(
      Array.from({ length: 3 }, () => runAssay(['keys', 'create', '--database', url])),
    )
    for (const { code, stderr } of results) {
      assert.equal(code, 0)
      assert.match(stderr, /^Created a key .*\n$/)
    }
    const listed = JSON.parse((await runOn(url, 'keys', 'list', '--json')).stdout) as { public_id: string }[]
    assert.deepEqual(
      listed.map(({ public_id }) => public_id).sort(),
      results.map(({ stdout }) => stdout.slice(6, 18)).sort(),
    )
    assert.equal((await query(url, 'SELECT 1 FROM migration')).length, MIGRATIONS.length)
  })
})

/** Waits until a transaction of Assay waits for a lock. */
async function waitUntilBlocked(url: string): Promise<void> {
  const blocked = `SELECT 1 FROM pg_stat_activity
    WHERE datname = current_database() AND application_name = 'assay' AND wait_event_type = 'Lock'`
  while ((await query(url, blocked)).length === 0) await delay(10)
}

/** Prints the URL of every module that is loaded. */
const PRINT_MODULES = `import { registerHooks } from 'node:module'
import { writeSync } from 'node:fs'
registerHooks({ load(url, context, next) { writeSync(2, url + '\\n'); return next(url, context) } })`

test('loads the PostgreSQL driver only for a store in PostgreSQL', {
  skip: skip || fullOnly('starts two commands that print all modules'),
}, async () => {
  const env = { NODE_OPTIONS: `--import=data:text/javascript,${encodeURIComponent(PRINT_MODULES)}` }
  const driver = /node_modules\/pg[-/]|dialect\/postgres/
  const postgres = await runAssay(['keys', 'create', '--database', await createDatabase()], env)
  assert.match(postgres.stderr, driver)
  const data = join(createTempFolder(), 'data')
  const sqlite = await runAssay(['keys', 'create', '--data', data], env)
  assert.match(sqlite.stderr, /store\/dialect\/sqlite\/sqlite\.ts/)
  assert.doesNotMatch(sqlite.stderr, driver)
  const service = await spawnServer(['--data', data, '--log-level', 'silent'], env)
  assert.equal((await fetch(`${service.baseUrl}/readyz`)).status, 200)
  assert.doesNotMatch(service.stderr(), driver)
  service.child.kill('SIGTERM')
})

test('a damaged table or index is reported as store-damaged', { skip }, async (t) => {
  const url = await createDatabase()
  const store = await openTestStore(url)
  const client = await connectClient(t, url)
  for (const code of ['XX001', 'XX002']) {
    await client.query(
      `CREATE OR REPLACE FUNCTION read_damaged() RETURNS integer LANGUAGE plpgsql AS
       $$ BEGIN RAISE EXCEPTION 'invalid page in block 3' USING ERRCODE = '${code}'; END $$`,
    )
    await assert.rejects(store.reader.get('SELECT read_damaged()'), (error: Error) => {
      assert.equal((error as Error & { code: string }).code, 'store-damaged')
      assert.doesNotMatch(error.message, /block 3/)
      assert.match((error.cause as Error).message, /block 3/)
      return true
    })
  }
})
