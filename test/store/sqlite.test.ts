// The embedded store as a file: what is refused, what is set, and several processes at once.
import assert from 'node:assert/strict'
import { existsSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { describe, test } from 'node:test'
import { openAt } from '../../bench/store.ts'
import { assay, freshFolder } from '../harness.ts'

const APPLICATION_ID = 0x41737379

async function newStoreFile(): Promise<string> {
  const file = join(freshFolder(), 'assay.db')
  await (await openAt(`sqlite:${file}`)).close()
  return file
}

describe('a file that is not ours is refused and left as it is', () => {
  const files: [name: string, make: (file: string) => void][] = [
    ['text', (file) => writeFileSync(file, 'id,output\n1,yes\n'.repeat(100))],
    ['a single byte', (file) => writeFileSync(file, 'x')],
    [
      'a database of another program',
      (file) => {
        const database = new DatabaseSync(file)
        database.exec('CREATE TABLE contact (name TEXT)')
        database.close()
      },
    ],
    [
      'a database of another program that marks its files',
      (file) => {
        const database = new DatabaseSync(file)
        database.exec('PRAGMA application_id = 252006674; CREATE TABLE contact (name TEXT)')
        database.close()
      },
    ],
  ]
  for (const [name, make] of files) {
    test(name, async () => {
      const folder = freshFolder()
      const file = join(folder, 'assay.db')
      make(file)
      const before = readFileSync(file)
      await assert.rejects(openAt(`sqlite:${file}`), {
        name: 'CommandError',
        message: /is not a store of Assay/,
      })
      assert.deepEqual(readFileSync(file), before)
      assert.deepEqual(readdirSync(folder), ['assay.db'])
    })
  }

  test('a store of a newer version', async () => {
    const file = await newStoreFile()
    const database = new DatabaseSync(file)
    database.exec(`INSERT INTO migration VALUES ('9999-from-the-future', '2030-01-01T00:00:00.000Z')`)
    database.close()
    const before = readFileSync(file)
    await assert.rejects(openAt(`sqlite:${file}`), {
      name: 'CommandError',
      message: /newer version.*9999/,
    })
    assert.deepEqual(readFileSync(file), before)
  })

  test('a folder where the file should be', async () => {
    await assert.rejects(openAt(`sqlite:${freshFolder()}`), {
      name: 'CommandError',
      message: /Cannot open/,
    })
  })

  test('a URL of no known kind', async () => {
    for (const url of ['mysql://x', 'postgres:', 'nothing', 'sqlite:']) {
      await assert.rejects(openAt(url), { name: 'CommandError', exitCode: 2 })
    }
  })
})

test('a new file has the page size, the mark and the journal mode', async () => {
  const file = await newStoreFile()
  const database = new DatabaseSync(file)
  const pragma = (name: string) => Object.values(database.prepare(`PRAGMA ${name}`).get() ?? {})[0]
  assert.deepEqual(
    [pragma('page_size'), pragma('application_id'), pragma('journal_mode'), pragma('integrity_check')],
    [16384, APPLICATION_ID, 'wal', 'ok'],
  )
  database.close()
})

test('a file whose page size is another is refused', async () => {
  const file = join(freshFolder(), 'assay.db')
  const database = new DatabaseSync(file)
  database.exec(`PRAGMA page_size = 4096; PRAGMA application_id = ${APPLICATION_ID}; CREATE TABLE x (y)`)
  database.close()
  await assert.rejects(openAt(`sqlite:${file}`), { message: /page_size = 4096 where 16384 is needed/ })
})

test('the reader cannot write', async () => {
  const store = await openAt(`sqlite:${await newStoreFile()}`)
  const { reader } = store
  const statement = `INSERT INTO project (name, created_at) VALUES ('x', 'y')`
  const refused = (error: Error) => /readonly/.test(String(error.cause))
  await assert.rejects(reader.get(statement), refused)
  await assert.rejects(
    reader.snapshot('short', (snapshot) => snapshot.get(statement)),
    refused,
  )
  await store.close()
})

test('an empty file becomes a store, and a second opening changes nothing', async () => {
  const file = join(freshFolder(), 'deep', 'er', 'assay.db')
  await (await openAt(`sqlite:${file}`)).close()
  const before = readFileSync(file)
  await (await openAt(`sqlite:${file}`)).close()
  assert.deepEqual(readFileSync(file), before)
})

test('a store that is gone answers that it may come back', async () => {
  const file = await newStoreFile()
  const store = await openAt(`sqlite:${file}`)
  rmSync(file)
  // The first may use a connection that is open already; the second needs one of its own.
  const second = () => store.reader.snapshot('short', (snapshot) => snapshot.get('SELECT 1'))
  await assert.rejects(store.reader.snapshot('short', second), { name: 'Problem', code: 'unavailable' })
  await store.close()
})

test('a store that is not there is not made by those who have no use for an empty one', async () => {
  const data = join(freshFolder(), 'typo')
  for (const command of [['list'], ['revoke', 'aaaaaaaaaaaa'], ['rotate', 'aaaaaaaaaaaa']]) {
    const { code, stderr } = await assay(['keys', ...command, '--data', data])
    assert.equal(code, 1)
    assert.match(stderr, /^assay: There is no store at .*typo/)
  }
  assert.ok(!existsSync(data))
})

test('the last one out leaves no -wal and no -shm', async () => {
  const file = await newStoreFile()
  assert.ok(!existsSync(`${file}-wal`) && !existsSync(`${file}-shm`))
})

test('a folder that is made is closed to others', async () => {
  const data = join(freshFolder(), 'data')
  await (await openAt(`sqlite:${join(data, 'assay.db')}`)).close()
  assert.equal(statSync(data).mode & 0o077, 0)
  assert.equal(statSync(join(data, 'assay.db')).mode & 0o077, 0)
})

test('eight processes may make one store at once: one migration, every key there', async () => {
  const data = join(freshFolder(), 'data')
  const made = await Promise.all(Array.from({ length: 8 }, () => assay(['keys', 'create', '--data', data])))
  assert.deepEqual(
    made.map(({ code, stderr }) => [code, stderr]),
    made.map(() => [0, '']),
  )
  const { stdout } = await assay(['keys', 'list', '--data', data, '--json'])
  const listed = JSON.parse(stdout).map(({ public_id }: { public_id: string }) => public_id)
  assert.deepEqual(listed.sort(), made.map(({ stdout }) => stdout.slice(6, 18)).sort())
})

test('a transaction that fails leaves nothing behind, and the next one goes on', async () => {
  const store = await openAt(`sqlite:${await newStoreFile()}`)
  const add = (name: string, fail: boolean) =>
    store.writer.transaction(async (transaction) => {
      await transaction.run('INSERT INTO project (name, created_at) VALUES (?, ?)', name, 'now')
      if (fail) throw new Error('not this one')
    })
  const outcomes = await Promise.allSettled([add('a', false), add('b', true), add('c', false)])
  assert.deepEqual(
    outcomes.map(({ status }) => status),
    ['fulfilled', 'rejected', 'fulfilled'],
  )
  const names = await store.reader.all<{ name: string }>('SELECT name FROM project ORDER BY name')
  assert.deepEqual(
    names.map(({ name }) => name),
    ['a', 'c'],
  )
  await store.close()
})

test('nothing is stored behind a transaction that has ended by itself, as it does on a full disk', async () => {
  const store = await openAt(`sqlite:${await newStoreFile()}`)
  const add = 'INSERT INTO project (name, created_at) VALUES (?, ?)'
  const ended = store.writer.transaction(async (transaction) => {
    await transaction.run('ROLLBACK')
    await transaction.run(add, 'stray', 'now')
  })
  await assert.rejects(ended, /has ended by itself/)
  assert.deepEqual(await store.reader.all('SELECT name FROM project'), [])
  await store.writer.transaction((transaction) => transaction.run(add, 'next', 'now'))
  assert.equal((await store.reader.all('SELECT name FROM project')).length, 1)
  await store.close()
})
