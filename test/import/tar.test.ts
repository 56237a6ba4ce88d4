// Tests of uploads that are tar archives: archives of tar programs, our own, and damaged ones.
import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, test } from 'node:test'
import { Source } from '../../src/import/source.ts'
import { isTar, openTar } from '../../src/import/tar/read-tar.ts'
import { tarSize, writeTar } from '../../src/import/tar/write-tar.ts'
import { createTempFolder } from '../support/harness.ts'

const folder = createTempFolder()
const LONG_NAME = `long_${'é'.repeat(100)}.json`
const CONTENTS: Record<string, string> = {
  'first.json': '{"a":1}',
  'block.json': 'x'.repeat(512),
  'empty.json': '',
  'large.json': 'y'.repeat(300_000),
  [LONG_NAME]: 'long',
}
mkdirSync(join(folder, 'run'))
for (const [name, text] of Object.entries(CONTENTS)) writeFileSync(join(folder, 'run', name), text)
writeFileSync(join(folder, 'run', '.hidden'), 'hidden')

const upload = (bytes: Uint8Array[]) => Source.buffer(toStream(bytes), 'import', folder)
async function* toStream(bytes: Uint8Array[]): AsyncGenerator<Uint8Array> {
  yield* bytes
}

async function readText(source: Source): Promise<string> {
  let text = ''
  for await (const chunk of source.chunks()) text += chunk.toString()
  return text
}

async function readAll(archive: Source): Promise<Record<string, string>> {
  const main = await openTar(archive, undefined)
  const texts: Record<string, string> = {}
  for (const name of await main.listSiblings()) {
    const file = await main.openSibling(name)
    texts[name] = await readText(file)
    assert.equal(file.size, Buffer.byteLength(texts[name] ?? ''))
    await file.close()
  }
  return texts
}

function runTar(...args: string[]): Buffer {
  const { status, stdout, stderr } = spawnSync('tar', ['-C', folder, '-c', ...args], { maxBuffer: 1e8 })
  assert.equal(status, 0, stderr?.toString())
  return stdout
}

for (const format of ['gnu', 'pax'])
  test(`reads all files of a folder in the format ${format} of tar`, async () => {
    const archive = await upload([runTar(`--format=${format}`, 'run')])
    assert.ok(isTar(archive.head))
    assert.deepEqual(await readAll(archive), CONTENTS)
    await archive.close()
  })

test('opens the file with the given name, by default the first one', async () => {
  const archive = await upload([runTar('run/large.json', 'run/first.json')])
  const paths = [undefined, 'large.json', '/runs/first.json', 'C:\\runs\\first.json']
  const sizes = []
  for (const name of paths) {
    const source = await openTar(archive, name)
    sizes.push(source.size)
    assert.equal(source.name, name ?? 'large.json')
  }
  assert.deepEqual(sizes, [300_000, 300_000, 7, 7])
  const first = await openTar(archive, 'first.json')
  assert.deepEqual(first.jsonPreview?.names, ['a'])
  assert.equal(await readText(first), '{"a":1}')
  await archive.close()
})

test('writes archives that tar and Assay read', async () => {
  const files = await Promise.all(
    Object.keys(CONTENTS).map((name) => Source.open(join(folder, 'run', name), folder)),
  )
  const chunks: Uint8Array[] = []
  for await (const chunk of writeTar(files)) chunks.push(chunk)
  const bytes = Buffer.concat(chunks)
  assert.equal(bytes.length, tarSize(files))
  const archive = await upload([bytes])
  assert.deepEqual(await readAll(archive), CONTENTS)
  const target = createTempFolder()
  const { status, stderr } = spawnSync('tar', ['-x', '-C', target], { input: bytes })
  assert.equal(status, 0, stderr?.toString())
  for (const [name, text] of Object.entries(CONTENTS))
    assert.equal(readFileSync(join(target, name), 'utf8'), text)
  for (const source of [...files, archive]) await source.close()
})

test('an archive of a file that changes meanwhile breaks off', async () => {
  const path = join(folder, 'changing.json')
  writeFileSync(path, 'before')
  const file = await Source.open(path, folder)
  writeFileSync(path, 'afterwards')
  await assert.rejects(Array.fromAsync(writeTar([file])), { message: /changed while it was being sent/ })
  await file.close()
})

test('rejects a name that the archive does not have', async () => {
  const archive = await upload([runTar('run/large.json', 'run/first.json')])
  await assert.rejects(openTar(archive, 'other.json'), {
    name: 'UnreadableFile',
    message: /has no file 'other\.json'/,
  })
  await archive.close()
})

describe('rejects', () => {
  const complete = runTar('run/first.json', 'run/large.json')
  const damaged = (change: (bytes: Buffer) => void) => {
    const bytes = Buffer.from(complete)
    change(bytes)
    return bytes
  }
  for (const [name, bytes, message] of [
    ['an incomplete archive', complete.subarray(0, 100_000), /damaged or incomplete/],
    ['a wrong checksum', damaged((copy) => copy.write('x', 0)), /damaged or incomplete/],
    [
      'two files with one name',
      runTar('run/first.json', 'run/first.json', '--hard-dereference'),
      /several files with the name 'first\.json'/,
    ],
    ['an archive without files', runTar('--files-from=/dev/null', '--format=gnu'), /has no file/],
  ] as [string, Buffer, RegExp][])
    test(name, async () => {
      const archive = await upload([bytes])
      await assert.rejects(openTar(archive, undefined), { name: 'UnreadableFile', message })
      await archive.close()
    })
})
