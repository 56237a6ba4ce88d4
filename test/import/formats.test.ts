// Tests the list of importers: it is complete, and every importer has a fixture and a place in the help.
import assert from 'node:assert/strict'
import { existsSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { IMPORTERS } from '../../src/import/formats.ts'
import type { Importer } from '../../src/import/importer.ts'
import { IMPORT_FORMATS } from '../../src/schema/imports.ts'
import { runAssayCommand as runAssay } from '../support/command-runner/run.ts'

const ROOT = fileURLToPath(new URL('../..', import.meta.url))
/** Assay's own formats have no fixtures: test/cli/import.test.ts imports what the API returns. */
const OWN_FORMATS = ['scenarios', 'revisions']

test('the list contains every importer in src/import', async () => {
  const folder = join(ROOT, 'src/import')
  const files = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((name) =>
    name.endsWith('.ts'),
  )
  for (const file of files)
    for (const value of Object.values(await import(join(folder, file))))
      if (typeof (value as Partial<Importer> | undefined)?.detects === 'function')
        assert.ok(
          IMPORTERS.includes(value as Importer),
          `src/import/formats.ts does not list src/import/${file}`,
        )
})

test('the names of the formats are known without loading the importers', () => {
  assert.deepEqual(
    IMPORTERS.map(({ name }) => name),
    IMPORT_FORMATS,
  )
})

test('names and labels are unique', () => {
  for (const member of ['name', 'label'] as const)
    assert.equal(new Set(IMPORTERS.map((importer) => importer[member])).size, IMPORTERS.length)
})

test('every importer has a fixture', () => {
  for (const { name } of IMPORTERS.filter((importer) => !OWN_FORMATS.includes(importer.name))) {
    const folder = join(ROOT, 'test/fixtures/import', name)
    const files = existsSync(folder) ? readdirSync(folder).filter((file) => file !== 'expected') : []
    assert.ok(files.length > 0, `test/fixtures/import/${name} must contain a file to import`)
  }
})

test('assay import --help lists every format with its example', async () => {
  const { stdout } = await runAssay(['import', '--help'])
  for (const { name, description, example } of IMPORTERS)
    assert.match(
      stdout.replaceAll(/\s+/g, ' '),
      new RegExp(` ${RegExp.escape(`${name} ${description} ${example}`)}`),
    )
})
