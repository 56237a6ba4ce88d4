// The SQLite file of a store: rejected files, settings, transactions, and several processes at once.
import assert from 'node:assert/strict'
import { existsSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { describe, test } from 'node:test'
import { setImmediate } from 'node:timers/promises'
import { openStoreAt } from '../../../bench/store.ts'
import { defaultSettings } from '../../../src/settings/settings.ts'
import { openStore } from '../../../src/store/store.ts'
import { runAssayCommand } from '../../support/command-runner/run.ts'
import { createTempFolder, createTestStore, runAssay } from '../../support/harness.ts'

const APPLICATION_ID = 0x41737379

async function newStoreFile(): Promise<string> {
  const file = join(createTempFolder(), 'assay.db')
  await (await openStoreAt(`sqlite:${file}`)).close()
  return file
}

describe('a file that is not a store', () => {
  const files: [name: string, createFile: (file: string) => void][] = [
    ['a text file', (file) => writeFileSync(file, 'id,output\n1,yes\n'.repeat(100))],
    ['a file with a single byte', (file) => writeFileSync(file, 'x')],
    [
      'a database of another program',
      (file) => {
        const database = new DatabaseSync(file)
        database.exec('CREATE TABLE contact (name TEXT)')
        database.close()
      },
    ],
    [
      'a database of another program with its own application id',
      (file) => {
        const database = new DatabaseSync(file)
        database.exec('PRAGMA application_id = 252006674; CREATE TABLE contact (name TEXT)')
        database.close()
      },
    ],
  ]
  for (const [name, createFile] of files) {
    test(`rejects ${name} and does not change it`, async () => {
      const folder = createTempFolder()
      const file = join(folder, 'assay.db')
      createFile(file)
      const bytesBefore = readFileSync(file)
      await assert.rejects(openStoreAt(`sqlite:${file}`), {
        name: 'CommandError',
        message: /is not an Assay store/,
      })
      assert.deepEqual(readFileSync(file), bytesBefore)
      assert.deepEqual(readdirSync(folder), ['assay.db'])
    })
  }

  test('rejects a store of a newer version and does not change it', async () => {
    const file = await newStoreFile()
    const database = new DatabaseSync(file)
    database.exec(`INSERT INTO migration VALUES ('9999-from-the-future', '2030-01-01T00:00:00.000Z')`)
    database.close()
    const bytesBefore = readFileSync(file)
    await assert.rejects(openStoreAt(`sqlite:${file}`), {
      name: 'CommandError',
      message: /newer version.*9999/,
    })
    assert.deepEqual(readFileSync(file), bytesBefore)
  })

  test('rejects a folder in place of the file', async () => {
    await assert.rejects(openStoreAt(`sqlite:${createTempFolder()}`), {
      name: 'CommandError',
      message: /Cannot open/,
    })
  })

  test('rejects a URL with an unsupported scheme', async () => {
    for (const url of ['mysql://x', 'postgres:', 'nothing', 'sqlite:']) {
      await assert.rejects(openStoreAt(url), { name: 'CommandError', exitCode: 2 })
    }
  })
})

test('creates a file with the page size, application id and journal mode of a store', async () => {
  const file = await newStoreFile()
  const database = new DatabaseSync(file)
  const pragma = (name: string) => Object.values(database.prepare(`PRAGMA ${name}`).get() ?? {})[0]
  assert.deepEqual(
    [pragma('page_size'), pragma('application_id'), pragma('journal_mode'), pragma('integrity_check')],
    [16384, APPLICATION_ID, 'wal', 'ok'],
  )
  database.close()
})

test('commits wait until their data is on the disk (synchronous = FULL)', async () => {
  const store = await createTestStore()
  const pragma = await store.writer.transaction((transaction) =>
    transaction.get<{ synchronous: number }>('PRAGMA synchronous'),
  )
  assert.equal(pragma?.synchronous, 2)
})

test('rejects a file with another page size', async () => {
  const file = join(createTempFolder(), 'assay.db')
  const database = new DatabaseSync(file)
  database.exec(`PRAGMA page_size = 4096; PRAGMA application_id = ${APPLICATION_ID}; CREATE TABLE x (y)`)
  database.close()
  await assert.rejects(openStoreAt(`sqlite:${file}`), { message: /page_size = 4096, but 16384 is required/ })
})

test('does not let the reader write', async () => {
  const store = await createTestStore()
  const { reader } = store
  const statement = `INSERT INTO project (name, created_at) VALUES ('x', 'y')`
  const isReadOnlyError = (error: Error) => /readonly/.test(String(error.cause))
  await assert.rejects(reader.get(statement), isReadOnlyError)
  await assert.rejects(
    reader.snapshot('short', (snapshot) => snapshot.get(statement)),
    isReadOnlyError,
  )
})

test('creates a store with its folders, and does not change it when it is opened again', async () => {
  const file = join(createTempFolder(), 'deep', 'er', 'assay.db')
  await (await openStoreAt(`sqlite:${file}`)).close()
  const bytesBefore = readFileSync(file)
  await (await openStoreAt(`sqlite:${file}`)).close()
  assert.deepEqual(readFileSync(file), bytesBefore)
})

test('throws unavailable when the file was deleted', async () => {
  const file = await newStoreFile()
  const store = await openStoreAt(`sqlite:${file}`)
  rmSync(file)
  // The outer snapshot can use an open connection; the inner one has to open its own.
  const innerSnapshot = () => store.reader.snapshot('short', (snapshot) => snapshot.get('SELECT 1'))
  await assert.rejects(store.reader.snapshot('short', innerSnapshot), {
    name: 'Problem',
    code: 'unavailable',
  })
  await store.close()
})

test('does not create a store for commands that need an existing one', async () => {
  const data = join(createTempFolder(), 'typo')
  for (const command of [['list'], ['revoke', 'aaaaaaaaaaaa'], ['rotate', 'aaaaaaaaaaaa']]) {
    const { code, stderr } = await runAssayCommand(['keys', ...command, '--data', data])
    assert.equal(code, 1)
    assert.match(stderr, /^assay: There is no store at .*typo/)
  }
  assert.ok(!existsSync(data))
})

test('ends a large transaction of this thread before its pages are copied from the log', async () => {
  const file = await newStoreFile()
  const store = await openStore({ ...defaultSettings(), database: `sqlite:${file}` }, { writesHere: true })
  const bytesBefore = statSync(file).size
  const name = 'x'.repeat(20_000_000)
  await store.writer.transaction((transaction) =>
    transaction.run("INSERT INTO project (name, created_at) VALUES (?, '')", name),
  )
  assert.equal(statSync(file).size, bytesBefore)
  await setImmediate()
  assert.ok(statSync(file).size > bytesBefore + name.length)
  await store.close()
})

test('leaves no -wal and no -shm file after the last connection is closed', async () => {
  const file = await newStoreFile()
  assert.ok(!existsSync(`${file}-wal`) && !existsSync(`${file}-shm`))
})

test('creates the folder and the file readable by their owner only', async () => {
  const data = join(createTempFolder(), 'data')
  await (await openStoreAt(`sqlite:${join(data, 'assay.db')}`)).close()
  assert.equal(statSync(data).mode & 0o077, 0)
  assert.equal(statSync(join(data, 'assay.db')).mode & 0o077, 0)
})

test('lets several processes create one store at the same time, and stores all their keys', async () => {
  const data = join(createTempFolder(), 'data')
  const processes = await Promise.all(
    Array.from({ length: 3 }, () => runAssay(['keys', 'create', '--data', data])),
  )
  assert.deepEqual(
    processes.map(({ code, stderr }) => [code, stderr]),
    processes.map(() => [0, "Created a key with the scope read for the project 'default'.\n"]),
  )
  const { stdout } = await runAssayCommand(['keys', 'list', '--data', data, '--json'])
  const listed = JSON.parse(stdout).map(({ public_id }: { public_id: string }) => public_id)
  assert.deepEqual(listed.sort(), processes.map(({ stdout }) => stdout.slice(6, 18)).sort())
})

test('rolls back a failed transaction and runs the next one', async () => {
  const store = await createTestStore()
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
  const names = await store.reader.all<{ name: string }>(
    'SELECT name FROM project WHERE key > 0 ORDER BY name',
  )
  assert.deepEqual(
    names.map(({ name }) => name),
    ['a', 'c'],
  )
})

test('rejects statements after SQLite has rolled back the transaction, as it does on a full disk', async () => {
  const store = await createTestStore()
  const add = 'INSERT INTO project (name, created_at) VALUES (?, ?)'
  const rolledBack = store.writer.transaction(async (transaction) => {
    await transaction.run('ROLLBACK')
    await transaction.run(add, 'stray', 'now')
  })
  await assert.rejects(rolledBack, /SQLite has rolled back the transaction/)
  assert.deepEqual(await store.reader.all('SELECT name FROM project WHERE key > 0'), [])
  await store.writer.transaction((transaction) => transaction.run(add, 'next', 'now'))
  assert.equal((await store.reader.all('SELECT name FROM project WHERE key > 0')).length, 1)
})
