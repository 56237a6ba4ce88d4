// Every file among the fixtures, and what it becomes. The expected texts were read against their sources line by
// line; GOLDEN=write writes them anew, to be read again.
import assert from 'node:assert/strict'
import { existsSync, mkdirSync, readdirSync, readFileSync, utimesSync, writeFileSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { freshStore } from '../harness.ts'
import { claimants, importInto, type Stored, storedEvaluation } from './importing.ts'

const FIXTURES = fileURLToPath(new URL('../fixtures/import', import.meta.url))
const FILE_TIME = new Date('2026-01-01T00:00:00Z')

/** A folder for each format, named after it; what is expected lies in a folder of its own. */
for (const format of readdirSync(FIXTURES)) {
  const folder = join(FIXTURES, format)
  for (const name of readdirSync(folder, { recursive: true, encoding: 'utf8' }).sort()) {
    if (!/\.(json|jsonl|csv|tsv|eval)$/.test(name) || name.startsWith('expected')) continue
    const file = join(folder, name)

    test(`${format}/${name} is claimed by its importer alone`, async () => {
      assert.deepEqual(await claimants(file), [format])
    })

    test(`${format}/${name} becomes what it should, and the same again`, async () => {
      const store = await freshStore()
      // A file that does not say when it was made is as old as the file.
      utimesSync(file, FILE_TIME, FILE_TIME)
      const report = await importInto(store, file)
      assert.deepEqual([report.refused, report.stored], [0, true], JSON.stringify(report.refusals[0]))
      const evaluations: Stored[] = []
      for (const { id } of report.evaluations) evaluations.push(await storedEvaluation(store, id))
      const became = { ...report, file: basename(file), evaluations }
      const expected = join(folder, 'expected', `${name}.json`)
      const text = `${JSON.stringify(became, null, 2)}\n`
      if (process.env.GOLDEN === 'write') {
        mkdirSync(dirname(expected), { recursive: true })
        writeFileSync(expected, text)
      }
      assert.ok(existsSync(expected), `${expected} is missing`)
      assert.equal(text, readFileSync(expected, 'utf8'))

      const again = await importInto(store, file)
      const counts = [...again.evaluations, ...again.variants]
      assert.deepEqual(
        counts.filter(({ accepted }) => accepted > 0),
        [],
        'importing it again changes nothing',
      )
    })
  }
}
