// A store in PostgreSQL: what is refused before anything is changed, what transactions hold, and migrations that
// are interrupted.
import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { after, describe, type TestContext, test } from 'node:test'
import { setTimeout as delay } from 'node:timers/promises'
import pg from 'pg'
import { MAIN } from '../../bench/service.ts'
import { openAt } from '../../bench/store.ts'
import { written } from '../../src/schema/written.ts'
import type { Connection, Transaction, Value } from '../../src/store/dialect/dialect.ts'
import { addEvaluation, EVALUATIONS, findEvaluation, getEvaluation } from '../../src/store/evaluations.ts'
import { readFilters } from '../../src/store/list-filters.ts'
import { LIST_START, readList } from '../../src/store/lists.ts'
import { ensureProject } from '../../src/store/projects.ts'
import type { Store } from '../../src/store/store.ts'
import { assay, ENGINE, type Finished, freshFolder, mint, serveStore, spawnServer } from '../harness.ts'
import { freshDatabase, query, startCluster } from '../postgres/cluster.ts'
import { freePort } from '../postgres/kept-folder.ts'
import { serverUrl } from '../postgres/shared.ts'
import { ask } from '../wire.ts'
import { JSON_TYPE, revision, revisionsOf, scenariosOf } from '../writes.ts'

const skip = ENGINE === 'sqlite' && 'runs with the tests on PostgreSQL'
const SECRET = 'sesame-4711'
/** What is refused is refused at once, and not when the time for waiting is over. */
const AT_ONCE_MS = 4000

const fresh = async () => freshDatabase(await serverUrl())

async function openedStore(url: string): Promise<Store> {
  const store = await openAt(url)
  after(() => store.close())
  return store
}

async function client(context: TestContext, url: string): Promise<pg.Client> {
  const client = new pg.Client({ connectionString: url })
  client.on('error', () => undefined)
  await client.connect()
  context.after(() => client.end())
  return client
}

/** Everything that is made in a database, as text: columns, constraints and indexes. */
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

/** Two lines that say what and what to do, and neither a password nor a trace. */
function checkRefused({ code, stdout, stderr }: Finished, what: RegExp, expected = 1): void {
  assert.equal(code, expected, stderr)
  assert.equal(stdout, '')
  assert.ok(!stderr.includes(SECRET), stderr)
  // A service has said the same to its log.
  const told = stderr.replace(/^\{.*\}\n/gm, '')
  assert.match(told, /^assay: .+\n.+\n$/)
  assert.match(told, what)
}

const at = (url: string, ...command: string[]) => assay([...command, '--database', url])

describe('a database that cannot be opened is told in a line, without its password:', { skip }, () => {
  test('a server that is not there, when the time for waiting is over', async () => {
    const port = await freePort()
    for (const host of ['127.0.0.1', 'localhost']) {
      const url = `postgres://u:${SECRET}@${host}:${port}/x`
      const start = performance.now()
      const ended = await at(url, 'serve', '--port', '0', '--pool-timeout', '300ms')
      assert.ok(performance.now() - start < AT_ONCE_MS)
      checkRefused(
        ended,
        new RegExp(`Cannot open the store in the database at ${host}:${port}/x: .*ECONNREFUSED`),
      )
    }
  })

  test('a wrong password, and none, at once', async (context) => {
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
      const start = performance.now()
      checkRefused(await at(url, 'keys', 'create'), reason)
      assert.ok(performance.now() - start < AT_ONCE_MS)
    }
    const right = `postgres://locked:the%20right%20one@127.0.0.1:${cluster.port}/postgres`
    checkRefused(await at(right, 'keys', 'list'), /There is no store in the database/)
  })

  const unknown: [name: string, change: (url: URL) => void, reason: RegExp][] = [
    [
      'a database that is not there, at once',
      (url) => (url.pathname = 'nowhere'),
      /database "nowhere" does not exist/,
    ],
    ['a role that is not there, at once', (url) => (url.username = 'nobody'), /role "nobody" does not exist/],
  ]
  for (const [name, change, reason] of unknown) {
    test(name, async () => {
      const url = new URL(await serverUrl())
      url.password = SECRET
      change(url)
      const start = performance.now()
      checkRefused(await at(url.href, 'keys', 'create'), reason)
      assert.ok(performance.now() - start < AT_ONCE_MS)
    })
  }

  // Whoever does not encode a password has a URL that cannot be read, or says something else: neither shows it.
  const unreadable: [url: string, code: number][] = [
    [`postgres://u:${SECRET}/x@127.0.0.1:1/x`, 2],
    [`postgres://u:${SECRET}#x@127.0.0.1:1/x`, 2],
    [`postgres://u:x?${SECRET}@127.0.0.1:1/x`, 2],
    [`postgres://u:${SECRET}@127.0.0.1:99999/x`, 2],
    [`postgres://u:${SECRET}@@127.0.0.1:1/x`, 1],
    [`postgres://u@127.0.0.1:1/x?password=${SECRET}`, 1],
  ]
  for (const [url, code] of unreadable) {
    test(`what ${url.replace(SECRET, '…')} leads to`, async () => {
      checkRefused(await at(url, 'serve', '--port', '0', '--pool-timeout', '100ms'), /store/, code)
    })
  }

  for (const url of [
    `mysql://u:${SECRET}@h/d`,
    `//u:${SECRET}@h/d`,
    `u:${SECRET}@h/d`,
    `postgres:u:${SECRET}@h/d`,
  ]) {
    test(`a URL of no kind that is opened, ${url.replace(SECRET, '…')}`, async () => {
      checkRefused(await at(url, 'keys', 'list'), /is none that Assay can open/, 2)
    })
  }

  test('replicas of an embedded store, which has none', async () => {
    const data = join(freshFolder(), 'data')
    const replica = ['--replica', `postgres://u:${SECRET}@h/d`]
    checkRefused(await assay(['serve', '--data', data, ...replica]), /An embedded store has no replicas/, 2)
    assert.ok(!existsSync(data))
  })
})

describe('a database that is no store of ours is refused and left as it is:', { skip }, () => {
  const foreign: [name: string, make: string, reason: RegExp][] = [
    [
      'one with a table of one of our names',
      'CREATE TABLE project (id int, title text)',
      /is not a store of Assay|project/,
    ],
    [
      'one with a table of a name that a later migration uses',
      'CREATE TABLE idempotency (token text)',
      /is not a store of Assay|idempotency/,
    ],
    [
      'one with an index of one of our names',
      'CREATE TABLE contact (name text); CREATE INDEX evaluation_by_id ON contact (name)',
      /is not a store of Assay|evaluation_by_id/,
    ],
    [
      'one where another program notes its migrations by name',
      `CREATE TABLE migration (name text, run_on timestamp); INSERT INTO migration VALUES ('20240101-users', now())`,
      /a table 'migration' that is not of Assay/,
    ],
    [
      'one where another program notes its migrations by number',
      'CREATE TABLE migration (id int, run_on timestamp); INSERT INTO migration VALUES (1, now())',
      /a table 'migration' that is not of Assay/,
    ],
  ]
  for (const [name, make, reason] of foreign) {
    test(name, async () => {
      const url = await fresh()
      await query(url, make)
      const before = await schemaOf(url)
      checkRefused(await at(url, 'keys', 'create'), reason)
      assert.equal(await schemaOf(url), before)
    })
  }

  test('one where this user may make nothing', async () => {
    const url = new URL(await fresh())
    const role = `guest_${url.pathname.slice(1)}`
    await query(url.href, `CREATE ROLE ${role} LOGIN`)
    const before = await schemaOf(url.href)
    url.username = role
    checkRefused(await at(url.href, 'keys', 'create'), /permission denied for schema public/)
    assert.equal(await schemaOf(url.href), before)
  })

  for (const encoding of ['SQL_ASCII', 'LATIN1']) {
    test(`one that keeps its texts as ${encoding}`, async () => {
      const url = new URL(await serverUrl())
      const name = `test_${encoding.toLowerCase()}_${process.pid}`
      await query(url.href, `CREATE DATABASE ${name} ENCODING '${encoding}' LOCALE 'C' TEMPLATE template0`)
      url.pathname = name
      checkRefused(await at(url.href, 'keys', 'create'), new RegExp(`keeps its texts as ${encoding}`))
      assert.equal(await schemaOf(url.href), '')
    })
  }

  test('a store of a newer version', async () => {
    const url = await fresh()
    await (await openAt(url)).close()
    await query(url, `INSERT INTO migration VALUES ('9999-from-the-future', '2030-01-01T00:00:00.000Z')`)
    const before = await schemaOf(url)
    checkRefused(await at(url, 'keys', 'create'), /newer version.*9999/)
    assert.equal(await schemaOf(url), before)
    assert.deepEqual(await query(url, 'SELECT 1 FROM api_key'), [])
  })

  test('an empty one, by those who have no use for an empty store', async () => {
    const url = await fresh()
    const file = join(freshFolder(), 'file')
    const commands = [
      'keys list',
      'keys revoke aaaaaaaaaaaa',
      'keys rotate aaaaaaaaaaaa',
      'check',
      'export x',
    ]
    for (const command of [...commands.map((words) => words.split(' ')), ['backup', file]]) {
      checkRefused(await at(url, ...command), /^assay: There is no store in the database at .*\/test_/)
    }
    assert.equal(await schemaOf(url), '')
    assert.ok(!existsSync(file))
  })
})

test('a backup is left to the tools of PostgreSQL, and leaves no file', { skip }, async () => {
  const url = await fresh()
  await (await openAt(url)).close()
  const folder = freshFolder()
  checkRefused(await at(url, 'backup', join(folder, 'copy')), /\npg_dump /)
  assert.deepEqual(readdirSync(folder), [])
})

test('an empty database becomes a store, and a second opening changes nothing', { skip }, async () => {
  const url = await fresh()
  await (await openAt(url)).close()
  const before = [await schemaOf(url), await query(url, 'SELECT * FROM migration')]
  await (await openAt(url)).close()
  assert.deepEqual([await schemaOf(url), await query(url, 'SELECT * FROM migration')], before)
})

test('two stores are in one database, each in the schema that its URL names', { skip }, async () => {
  const url = await fresh()
  await query(url, 'CREATE SCHEMA one; CREATE SCHEMA two')
  const stores = ['one', 'two'].map(async (schema) => {
    const store = await openedStore(`${url}?options=${encodeURIComponent(`-c search_path=${schema}`)}`)
    await store.writer.transaction((transaction) => ensureProject(transaction, `of ${schema}`))
    return store.reader.all('SELECT name FROM project')
  })
  assert.deepEqual(await Promise.all(stores), [[{ name: 'of one' }], [{ name: 'of two' }]])
  assert.doesNotMatch(await schemaOf(url), /^public /m)
})

test('lists and comparisons go by bytes, whatever the language of the database', { skip }, async () => {
  const server = new URL(await serverUrl())
  const name = `test_icu_${process.pid}`
  await query(
    server.href,
    `CREATE DATABASE ${name} LOCALE_PROVIDER icu ICU_LOCALE 'de' LOCALE 'C' TEMPLATE template0`,
  )
  server.pathname = name
  // Digits stand behind a colon there, and letters beside each other whatever their case.
  const [row] = await query(server.href, `SELECT '2' > ':' AS digits, 'a' < 'B' AS letters`)
  assert.deepEqual(row, { digits: true, letters: true })
  const store = await openedStore(server.href)
  const ids = ['b', 'B', 'a', 'ä', 'a\u0308', 'Z', ':', '9', '10', '💡', '\uffff']
  const project = await store.writer.transaction(async (transaction) => {
    const project = await ensureProject(transaction, 'default')
    for (const [minute, id] of ids.entries()) {
      const created_at = `2026-01-01T00:${10 + minute}:00.000Z`
      await addEvaluation(transaction, project, written({ id, created_at }))
    }
    return project
  })
  const question = { list: EVALUATIONS, project, filter: readFilters({}, {}) }
  const { elements } = await readList(store.reader, question, LIST_START, 100)
  assert.deepEqual(
    elements.map((text) => JSON.parse(text).id),
    ids.toReversed(),
  )
  const ordered = await store.reader.all<{ id: string }>('SELECT id FROM evaluation ORDER BY id')
  const inBytes = ids.toSorted((a, b) => Buffer.compare(Buffer.from(a), Buffer.from(b)))
  assert.deepEqual(
    ordered.map(({ id }) => id),
    inBytes,
  )
  const find = (id: string) => getEvaluation(store.reader, { project, conceal: true, confined_to: null }, id)
  const keys = await Promise.all(ids.map(async (id) => (await find(id)).key))
  assert.equal(new Set(keys).size, ids.length)
  await assert.rejects(find('A'), { code: 'evaluation-not-found' })
})

const ADD = 'INSERT INTO project (name, created_at) VALUES (?, ?)'
const add = (transaction: Transaction, name: string) => transaction.run(ADD, name, 'now')

async function namesIn({ reader }: Store): Promise<string[]> {
  const rows = await reader.all<{ name: string }>('SELECT name FROM project ORDER BY name')
  return rows.map(({ name }) => name)
}

describe('a reader', { skip }, () => {
  test('cannot write, whatever it is asked, and goes on reading', async () => {
    const store = await openedStore(await fresh())
    const { reader } = store
    const insert = `INSERT INTO project (name, created_at) VALUES ('x', 'y') RETURNING name AS element, 1 AS place`
    const refused = (error: Error) => /read-only transaction/.test(String(error.cause))
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
    for (const attempt of attempts) await assert.rejects(attempt(), refused)
    await assert.rejects(reader.join(insert, ','))
    assert.deepEqual(await namesIn(store), [])
  })
})

/** Resolves when it is told to. */
function gate(): { opened: Promise<void>; open: () => void } {
  const { promise, resolve } = Promise.withResolvers<void>()
  return { opened: promise, open: resolve }
}

describe('transactions', { skip }, () => {
  test('that fail leave nothing behind, and the next ones go on', async () => {
    const store = await openedStore(await fresh())
    const failing = [
      async (transaction: Transaction) => {
        await add(transaction, 'thrown')
        throw new Error('not this one')
      },
      async (transaction: Transaction) => {
        await add(transaction, 'refused')
        await add(transaction, 'refused')
      },
      // What failed cannot be made good by not looking at it.
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

  test('run side by side, and see nothing of each other before they are over', async () => {
    const store = await openedStore(await fresh())
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

  test('that ask for the same name come one after the other; others pass', async () => {
    const url = await fresh()
    const store = await openedStore(url)
    const seen: string[] = []
    const hasLock = gate()
    const mayEnd = gate()
    const locked = (what: string, ...name: (string | number)[]) =>
      store.writer.transaction(async (transaction) => {
        await transaction.lock(...name)
        seen.push(what)
      })
    const first = store.writer.transaction(async (transaction) => {
      await transaction.lock('evaluation', 1, 'x')
      hasLock.open()
      await mayEnd.opened
      seen.push('first')
    })
    await hasLock.opened
    const second = locked('second', 'evaluation', 1, 'x')
    await untilBlocked(url)
    await locked('another id', 'evaluation', 1, 'y')
    await locked('another project', 'evaluation', 2, 'x')
    await locked('parts that read the same together', 'evaluation', '1,"x"')
    mayEnd.open()
    await Promise.all([first, second])
    assert.deepEqual(seen, [
      'another id',
      'another project',
      'parts that read the same together',
      'first',
      'second',
    ])
  })

  test('see what was stored before they got their name, whatever isolation is usual there', async () => {
    const url = await fresh()
    for (const level of ['read committed', 'repeatable read', 'serializable']) {
      const options = encodeURIComponent(`-c default_transaction_isolation=${level.replace(' ', '\\ ')}`)
      const store = await openedStore(`${url}?options=${options}`)
      const hasLock = gate()
      const mayEnd = gate()
      const first = store.writer.transaction(async (transaction) => {
        await transaction.lock('x')
        hasLock.open()
        await add(transaction, level)
        await mayEnd.opened
      })
      await hasLock.opened
      const second = store.writer.transaction(async (transaction) => {
        await transaction.lock('x')
        return transaction.all('SELECT 1 FROM project WHERE name = ?', level)
      })
      await untilBlocked(url)
      mayEnd.open()
      await first
      assert.equal((await second).length, 1, level)
    }
  })

  test('that wait for each other: one is told to try again, the other is stored', async () => {
    const store = await openedStore(await fresh())
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
    const refused = outcomes.filter((outcome) => outcome.status === 'rejected')
    assert.equal(refused.length, 1)
    assert.equal(refused[0]?.reason.code, 'unavailable')
    assert.deepEqual(await namesIn(store), [outcomes[0]?.status === 'fulfilled' ? 'a' : 'b'])
  })

  test('add more rows at once than a statement can have values, all or none', async () => {
    const store = await openedStore(await fresh())
    const rows = Array.from({ length: 70_000 }, (_, index) => [`${index}`, 'now'])
    const repeated = [...rows, ...rows.slice(0, 10)]
    const count = await store.writer.transaction((transaction) =>
      transaction.runMany([`${ADD} ON CONFLICT (name) DO NOTHING`, repeated], [ADD, [['last', 'now']]]),
    )
    assert.equal(count, 70_001)
    assert.equal((await namesIn(store)).length, 70_001)
    const taken = store.writer.transaction((transaction) =>
      transaction.runMany([ADD, [...rows.map(([name]) => [`new ${name}`, 'now']), ['last', 'now']]]),
    )
    await assert.rejects(taken, { code: '23505' })
    assert.equal((await namesIn(store)).length, 70_001)
  })

  test('add no rows at all', async () => {
    const store = await openedStore(await fresh())
    const none = await store.writer.transaction((transaction) => transaction.runMany([ADD, []], [ADD, []]))
    assert.equal(none, 0)
    assert.equal(await store.writer.transaction((transaction) => transaction.runMany()), 0)
  })
})

test('an id that is made between two looks at it is not taken for that of another project', {
  skip,
}, async () => {
  const { reader, writer } = await openedStore(await fresh())
  const project = await writer.transaction((transaction) => ensureProject(transaction, 'p'))
  const make = () =>
    writer.transaction((transaction) => addEvaluation(transaction, project, written({ id: 'x' })))
  let looks = 0
  const connection: Connection = {
    sql: reader.sql,
    all: (...asked) => reader.all(...asked),
    join: (...asked) => reader.join(...asked),
    numbers: (...asked) => reader.numbers(...asked),
    async get<Row>(statement: string, ...values: Value[]) {
      const row = await reader.get<Row>(statement, ...values)
      looks += 1
      if (looks === 1) await make()
      return row
    },
  }
  await assert.doesNotReject(findEvaluation(connection, { project, conceal: false, confined_to: null }, 'x'))
})

test('requests that make an evaluation or a variant together are all taken', { skip }, async () => {
  const store = await openedStore(await fresh())
  const { key } = await mint(store, { scopes: ['read', 'write'] })
  const { base } = await serveStore(store)
  const send = (to: string, body: string) =>
    ask(base, to, { authorization: key, 'content-type': JSON_TYPE }, 'POST', body)
  for (let round = 0; round < 20; round += 1) {
    const answers = await Promise.all(
      Array.from({ length: 8 }, (_, index) =>
        index % 2 === 0
          ? send(scenariosOf(`e-${round}`), `[{"id":"${index}"}]`)
          : send(revisionsOf(`v-${round}`), revision(undefined, `,"revision":${index}`)),
      ),
    )
    for (const { status, text } of answers) assert.equal(status, 201, text)
  }
})

/** In order, as text; read from the folder, so that none is forgotten. */
async function landedMigrations(): Promise<{ name: string; text: string }[]> {
  const folder = new URL('../../src/store/migrations/', import.meta.url)
  const files = readdirSync(folder).filter((file) => /^\d{4}-.*\.ts$/.test(file))
  return Promise.all(
    files.sort().map(async (file) => {
      const { postgres } = await import(new URL(file, folder).href)
      return { name: file.replace('.ts', ''), text: postgres }
    }),
  )
}

/** The database as that many migrations left it, when they were the only ones. */
async function migratedBy(count: number): Promise<string> {
  const url = await fresh()
  const table = 'CREATE TABLE migration (name TEXT NOT NULL PRIMARY KEY, applied_at TEXT NOT NULL)'
  const applied = (await landedMigrations()).slice(0, count)
  const notes = applied.map(({ name }) => `INSERT INTO migration VALUES ('${name}', 'then')`)
  await query(url, [table, ...applied.map(({ text }) => text), ...notes].join(';'))
  return url
}

describe('migrations', { skip }, () => {
  const made = async () => {
    const url = await fresh()
    await (await openAt(url)).close()
    return schemaOf(url)
  }

  test('bring a store of every version to this one, and keep what is in it', async () => {
    const expected = await made()
    const { length } = await landedMigrations()
    assert.ok(length > 1)
    for (let count = 1; count <= length; count += 1) {
      const url = await migratedBy(count)
      await query(
        url,
        `INSERT INTO project (name, created_at) VALUES ('p', '');
         INSERT INTO evaluation (project, id, created_at, version) SELECT key, 'e', '', 'v' FROM project`,
      )
      const store = await openedStore(url)
      assert.equal(await schemaOf(url), expected)
      const project = await store.writer.transaction((transaction) => ensureProject(transaction, 'p'))
      const { version } = await getEvaluation(
        store.reader,
        { project, conceal: true, confined_to: null },
        'e',
      )
      assert.equal(version, 'v')
    }
  })

  const moments: [name: string, landed: number, hold: string, release: string][] = [
    [
      'waits for another to migrate',
      0,
      `SELECT pg_advisory_lock(('x' || substr(encode(sha256('["migration"]'), 'hex'), 1, 16))::bit(64)::bigint)`,
      'SELECT pg_advisory_unlock_all()',
    ],
    // A name that another transaction has taken, and not yet committed, is waited for.
    ['is at the first migration', 0, 'BEGIN; CREATE TABLE variant ()', 'ROLLBACK'],
    ['is at the second migration', 1, 'BEGIN; LOCK TABLE variant', 'ROLLBACK'],
  ]
  for (const [name, landed, hold, release] of moments) {
    test(`go on where a process was killed that ${name}`, async (context) => {
      const expected = await made()
      const url = landed === 0 ? await fresh() : await migratedBy(landed)
      const holder = await client(context, url)
      await holder.query(hold)
      const child = spawn(process.execPath, [MAIN, 'keys', 'create', '--database', url], { stdio: 'ignore' })
      const exited = once(child, 'exit')
      await untilBlocked(url)
      child.kill('SIGKILL')
      await exited
      await holder.query(release)
      const { code, stderr } = await at(url, 'keys', 'create')
      assert.equal(code, 0, stderr)
      assert.equal(await schemaOf(url), expected)
    })
  }

  test('go on wherever a process was killed', async () => {
    const expected = await made()
    // From before it connects until it is done.
    for (let ms = 100; ms <= 300; ms += 40) {
      const url = await fresh()
      const child = spawn(process.execPath, [MAIN, 'keys', 'create', '--database', url], { stdio: 'ignore' })
      const exited = once(child, 'exit')
      await Promise.race([delay(ms), exited])
      child.kill('SIGKILL')
      await exited
      await (await openAt(url)).close()
      assert.equal(await schemaOf(url), expected)
    }
  })

  test('are done once by processes that begin together, each of which has its key', async () => {
    const url = await fresh()
    const ended = await Promise.all(Array.from({ length: 6 }, () => at(url, 'keys', 'create')))
    for (const { code, stderr } of ended) assert.deepEqual([code, stderr], [0, ''])
    const listed = JSON.parse((await at(url, 'keys', 'list', '--json')).stdout) as { public_id: string }[]
    assert.deepEqual(
      listed.map(({ public_id }) => public_id).sort(),
      ended.map(({ stdout }) => stdout.slice(6, 18)).sort(),
    )
    assert.equal((await query(url, 'SELECT 1 FROM migration')).length, (await landedMigrations()).length)
  })
})

async function untilBlocked(url: string): Promise<void> {
  const blocked = `SELECT 1 FROM pg_stat_activity
    WHERE datname = current_database() AND application_name = 'assay' AND wait_event_type = 'Lock'`
  for (const deadline = Date.now() + 20_000; (await query(url, blocked)).length === 0; await delay(10)) {
    assert.ok(Date.now() < deadline, 'nothing waits for the lock')
  }
}

/** Prints the address of every module that is loaded. */
const TELL_MODULES = `import { registerHooks } from 'node:module'
import { writeSync } from 'node:fs'
registerHooks({ load(url, context, next) { writeSync(2, url + '\\n'); return next(url, context) } })`

test('the driver is loaded for a store in PostgreSQL, and for no other', { skip }, async () => {
  const env = { NODE_OPTIONS: `--import=data:text/javascript,${encodeURIComponent(TELL_MODULES)}` }
  const driver = /node_modules\/pg[-/]|dialect\/postgres/
  const inPostgres = await assay(['keys', 'create', '--database', await fresh()], env)
  assert.match(inPostgres.stderr, driver)
  const data = join(freshFolder(), 'data')
  const embedded = await assay(['keys', 'create', '--data', data], env)
  assert.match(embedded.stderr, /store\/dialect\/sqlite\.ts/)
  assert.doesNotMatch(embedded.stderr, driver)
  const service = await spawnServer(['--data', data, '--log-level', 'silent'], env)
  assert.equal((await fetch(`${service.base}/readyz`)).status, 200)
  assert.doesNotMatch(service.stderr(), driver)
  service.child.kill('SIGTERM')
})
