// Imports a file into a test store and reads the result.
import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { openStoreAt } from '../../bench/store.ts'
import { importOptions } from '../../src/cli/import/input-files.ts'
import { importIntoStore } from '../../src/cli/target/store-import.ts'
import { chooseImporter, IMPORTERS } from '../../src/import/formats.ts'
import { Source } from '../../src/import/source.ts'
import type { ImportReport } from '../../src/schema/imports.ts'
import type { EvaluationScenario } from '../../src/schema/scenarios.ts'
import { readSettings } from '../../src/settings/settings.ts'
import { findProject } from '../../src/store/access/projects.ts'
import { getEvaluation } from '../../src/store/evaluations/evaluations.ts'
import { FULL_RANGE, readElementChunks } from '../../src/store/reads/elements.ts'
import { EXPORTED_SCENARIOS } from '../../src/store/scenarios/scenarios.ts'
import type { Store } from '../../src/store/store.ts'
import { getExportHeader } from '../../src/store/variants/export-header.ts'
import { createTempFolder } from './harness.ts'
import { afterAllFiles } from './process-end.ts'

/** A store, and the project that files are imported into. */
export type ImportStore = Store & { project?: string }

let sharedStore: Promise<Store> | undefined
let projectCount = 0

/** A new project in a store that all tests of this process share: each store starts a thread with its first write. */
export async function createImportStore(): Promise<ImportStore> {
  sharedStore ??= openSharedStore()
  projectCount += 1
  const project = `project-${projectCount}`
  return { ...(await sharedStore), project }
}

async function openSharedStore(): Promise<Store> {
  const folder = mkdtempSync(join(tmpdir(), 'assay-test-'))
  const store = await openStoreAt(`sqlite:${join(folder, 'assay.db')}`)
  afterAllFiles(async () => {
    await store.close()
    rmSync(folder, { recursive: true, force: true })
  })
  return store
}

/** The names of the importers that detect a file. */
export async function detectingImporters(path: string): Promise<string[]> {
  const source = await Source.open(path, createTempFolder())
  try {
    return IMPORTERS.filter((importer) => importer.detects(source)).map(({ name }) => name)
  } finally {
    await source.close()
  }
}

/** Imports a file like `assay import` with these options. */
export async function importInto(
  { project, ...store }: ImportStore,
  path: string,
  ...flags: string[]
): Promise<ImportReport> {
  const { settings } = readSettings('import', project ? ['--project', project, ...flags] : flags)
  const source = await Source.open(path, createTempFolder(), { maxExpandedBytes: settings.max_body_bytes })
  try {
    const { columns } = importOptions(settings)
    const importer = chooseImporter(source, settings.format, columns)
    assert.ok(importer, `no importer detects ${path}`)
    return await importIntoStore(store, { ...settings, data: createTempFolder() }, source, importer)
  } finally {
    await source.close()
  }
}

export interface Stored {
  evaluation: Record<string, unknown> & { id: string; variant_id: string | null; revision: number | null }
  variant: Record<string, unknown> | null
  revision: {
    revision: number
    modified_by: string
    config: { config_name: string; parameters: object }
  } | null
  scenarios: (EvaluationScenario & { extra: Record<string, unknown> | null; has_generated_id?: true })[]
}

/** The scenarios of an evaluation as in a full export, one per line. */
export async function scenarioLines(
  { reader, project: name = 'default' }: ImportStore,
  id: string,
): Promise<string> {
  return reader.snapshot('long', async (snapshot) => {
    const project = (await findProject(snapshot, name)) ?? -1
    const { key } = await getEvaluation(snapshot, { project, conceal: true, confined_to: null }, id)
    const pieces: Uint8Array[] = []
    for await (const piece of readElementChunks(snapshot, EXPORTED_SCENARIOS, key, FULL_RANGE, '\n'))
      pieces.push(Buffer.from(piece), Buffer.from('\n'))
    return Buffer.concat(pieces).toString()
  })
}

/** All stored data of an evaluation. */
export async function storedEvaluation(store: ImportStore, id: string): Promise<Stored> {
  const { project: name = 'default' } = store
  const header = await store.reader.snapshot('short', async (snapshot) => {
    const project = (await findProject(snapshot, name)) ?? -1
    const { key } = await getEvaluation(snapshot, { project, conceal: true, confined_to: null }, id)
    return getExportHeader(snapshot, key)
  })
  const lines = (await scenarioLines(store, id)).split('\n').filter((line) => line !== '')
  return { ...JSON.parse(header), scenarios: lines.map((line) => JSON.parse(line)) }
}
