// Imports a file into a test store and reads the result.
import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { openStoreAt } from '../../bench/store.ts'
import { openStoreApi } from '../../src/cli/target/store-api.ts'
import { importIntoStore } from '../../src/cli/target/store-import.ts'
import { Target } from '../../src/cli/target/target.ts'
import { chooseImporter, IMPORTERS } from '../../src/import/formats.ts'
import { Source } from '../../src/import/source.ts'
import type { ImportReport } from '../../src/schema/imports.ts'
import type { EvaluationScenario } from '../../src/schema/scenarios.ts'
import { defaultSettings, readSettings } from '../../src/settings/settings.ts'
import type { Store } from '../../src/store/store.ts'
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
    const importer = chooseImporter(source, settings.format, settings.map)
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

/** The lines of a full export: the evaluation, then its scenarios. */
async function exportLines({ project = 'default', ...store }: ImportStore, id: string): Promise<string[]> {
  const api = openStoreApi(store, { ...defaultSettings(), project })
  try {
    return (await text(await new Target(api).exportFull(id, false))).split('\n')
  } finally {
    await api.close()
  }
}

/** The scenarios of an evaluation as in a full export, one per line. */
export async function scenarioLines(store: ImportStore, id: string): Promise<string> {
  return (await exportLines(store, id)).slice(1).join('\n')
}

/** All stored data of an evaluation. */
export async function storedEvaluation(store: ImportStore, id: string): Promise<Stored> {
  const [header = '', ...lines] = (await exportLines(store, id)).filter((line) => line !== '')
  return { ...JSON.parse(header), scenarios: lines.map((line) => JSON.parse(line)) }
}
