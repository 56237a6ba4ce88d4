// Imports every fixture and compares the result with an expected file. `node test/run.ts --update` on this file rewrites
// the expected files; review the diff.
import assert from 'node:assert/strict'
import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, utimesSync, writeFileSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { createTempFolder } from '../support/harness.ts'
import {
  createImportStore,
  detectingImporters,
  importInto,
  type Stored,
  storedEvaluation,
} from '../support/import-file.ts'
import { testOptions } from '../support/options.ts'

const FIXTURES = fileURLToPath(new URL('../fixtures/import', import.meta.url))
/** Other test files read the fixtures while this one changes file times. */
const COPIES = createTempFolder()
cpSync(FIXTURES, COPIES, { recursive: true })
const FILE_TIME = new Date('2026-01-01T00:00:00Z')

/** One folder per format. Expected results are in its subfolder `expected`. */
for (const format of readdirSync(FIXTURES)) {
  const folder = join(FIXTURES, format)
  for (const name of readdirSync(folder, { recursive: true, encoding: 'utf8' }).sort()) {
    if (!/\.(json|jsonl|csv|tsv|eval|parquet)$/.test(name) || name.startsWith('expected')) continue
    const file = join(COPIES, format, name)

    test(`${format}/${name} is imported as expected by the only importer that detects it`, async () => {
      assert.deepEqual(await detectingImporters(file), [format])
      const store = await createImportStore()
      // The file time is used if a file contains no time.
      utimesSync(file, FILE_TIME, FILE_TIME)
      const report = await importInto(store, file)
      assert.deepEqual([report.refused, report.stored], [0, true], JSON.stringify(report.refusals[0]))
      // The import compares itself with the counts and means that the tool wrote into the file.
      assert.deepEqual(
        report.notes.filter(({ detail }) => /were imported|imported values/.test(detail)),
        [],
      )
      const evaluations: Stored[] = []
      for (const { id } of report.evaluations) {
        const stored = await storedEvaluation(store, id)
        // The update time is the time of the import.
        delete stored.evaluation.updated_at
        evaluations.push(stored)
      }
      const actual = { ...report, file: basename(file), evaluations }
      const expected = join(folder, 'expected', `${name}.json`)
      const text = `${JSON.stringify(actual, null, 2)}\n`
      if (testOptions.update) {
        mkdirSync(dirname(expected), { recursive: true })
        writeFileSync(expected, text)
      }
      assert.ok(existsSync(expected), `${expected} is missing`)
      assert.equal(text, readFileSync(expected, 'utf8'))

      // re-import.test.ts imports one file of each format again.
      if (testOptions.profile !== 'full') return
      const secondReport = await importInto(store, file)
      const counts = [...secondReport.evaluations, ...secondReport.variants]
      assert.deepEqual(
        counts.filter(({ accepted }) => accepted > 0),
        [],
        'importing it again changes nothing',
      )
    })
  }
}
