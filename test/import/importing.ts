// Imports a file into a fresh store, and tells what became of it.
import assert from 'node:assert/strict'
import { importFile } from '../../src/cli/import.ts'
import { findImporter, IMPORTERS } from '../../src/import/formats.ts'
import { Source } from '../../src/import/source.ts'
import type { ImportReport } from '../../src/schema/imports.ts'
import type { EvaluationScenario } from '../../src/schema/scenarios.ts'
import { readSettings } from '../../src/settings.ts'
import { EVERYTHING, readPieces } from '../../src/store/elements.ts'
import { getEvaluation } from '../../src/store/evaluations.ts'
import { getPreface } from '../../src/store/prefaces.ts'
import { findProject } from '../../src/store/projects.ts'
import { SCENARIOS_WITH_EXTRA } from '../../src/store/scenarios.ts'
import type { Store } from '../../src/store/store.ts'
import { freshFolder } from '../harness.ts'

/** The names of the importers that claim a file. */
export async function claimants(path: string): Promise<string[]> {
  const source = await Source.open(path, freshFolder())
  try {
    return IMPORTERS.filter((importer) => importer.claims(source)).map(({ name }) => name)
  } finally {
    await source.close()
  }
}

/** As `assay import` does with these flags. */
export async function importInto(store: Store, path: string, ...flags: string[]): Promise<ImportReport> {
  const { settings } = readSettings('import', flags)
  const source = await Source.open(path, freshFolder())
  try {
    const importer = findImporter(source, settings.format)
    assert.ok(importer, `no importer claims ${path}`)
    return await importFile(store, { ...settings, data: freshFolder() }, source, importer)
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
  scenarios: (EvaluationScenario & { extra: Record<string, unknown> | null })[]
}

/** The texts of an evaluation's scenarios, one a line, with extra. */
export async function scenarioLines({ reader }: Store, id: string): Promise<string> {
  return reader.snapshot('long', async (snapshot) => {
    const project = (await findProject(snapshot, 'default')) ?? -1
    const { key } = await getEvaluation(snapshot, { project, conceal: true, confined_to: null }, id)
    const pieces: Uint8Array[] = []
    for await (const piece of readPieces(snapshot, SCENARIOS_WITH_EXTRA, key, EVERYTHING, '\n'))
      pieces.push(Buffer.from(piece), Buffer.from('\n'))
    return Buffer.concat(pieces).toString()
  })
}

/** Everything that the store knows of an evaluation. */
export async function storedEvaluation(store: Store, id: string): Promise<Stored> {
  const preface = await store.reader.snapshot('short', async (snapshot) => {
    const project = (await findProject(snapshot, 'default')) ?? -1
    const { key } = await getEvaluation(snapshot, { project, conceal: true, confined_to: null }, id)
    return getPreface(snapshot, key)
  })
  const lines = (await scenarioLines(store, id)).split('\n').filter((line) => line !== '')
  return { ...JSON.parse(preface), scenarios: lines.map((line) => JSON.parse(line)) }
}
