// assay export: writes the scenarios of one evaluation as the API returns them, or a full export that can be restored.

import { createWriteStream } from 'node:fs'
import type { Writable } from 'node:stream'
import { finished } from 'node:stream/promises'
import { UsageError } from '../errors.ts'
import { FORMATS, type Format, serialize } from '../serialize/format.ts'
import { scenarioTable } from '../serialize/scenarios.ts'
import type { Settings } from '../settings/settings.ts'
import { FULL_RANGE, readElementChunks } from '../store/reads/elements.ts'
import { getScenarioColumns } from '../store/scenarios/columns.ts'
import { EXPORTED_SCENARIOS, SCENARIOS } from '../store/scenarios/scenarios.ts'
import type { Connection } from '../store/store.ts'
import { getExportHeader } from '../store/variants/export-header.ts'
import type { Command } from './command.ts'
import { writeFileAtomically } from './output/atomic-file.ts'
import { getFromProject } from './project-lookup.ts'
import { withStore } from './with-store.ts'

export const exportEvaluation: Command = {
  argumentCount: [1, 1],
  async run(settings, [id = '']) {
    const format = readFormat(settings)
    const { output } = settings
    await withStore(settings, (store) =>
      store.reader.snapshot('long', async (snapshot) => {
        const bytes = await openExport(snapshot, settings, id, format)
        if (output === undefined) return writeAll(bytes, process.stdout)
        await writeFileAtomically(store, output, async (temporaryPath) => {
          const file = createWriteStream(temporaryPath)
          await writeAll(bytes, file)
          file.end()
          await finished(file)
        })
      }),
    )
  },
}

function readFormat({ format, full }: Settings): Format {
  const name = FORMATS.find((known) => known === (format ?? (full ? 'ndjson' : 'json')))
  if (!name) throw new UsageError(`--format is '${format}', which is not one of ${FORMATS.join(', ')}.`)
  if (full && name !== 'ndjson') throw new UsageError('--full always writes NDJSON. Omit --format.')
  return name
}

async function openExport(
  snapshot: Connection,
  { project, full }: Settings,
  id: string,
  format: Format,
): Promise<AsyncIterable<Uint8Array>> {
  const { key } = await getFromProject(snapshot, project, 'evaluation', id)
  const columns = await getScenarioColumns(snapshot, key)
  const header = full ? await getExportHeader(snapshot, key) : undefined
  const elements = full ? EXPORTED_SCENARIOS : SCENARIOS
  const pieces = (separator: string) => readElementChunks(snapshot, elements, key, FULL_RANGE, separator)
  return prependHeader(header, serialize(format, pieces, scenarioTable(columns)))
}

async function* prependHeader(
  header: string | undefined,
  bytes: AsyncIterable<Uint8Array>,
): AsyncGenerator<Uint8Array> {
  if (header !== undefined) yield Buffer.from(`${header}\n`)
  yield* bytes
}

/** Stops without an error when the reader closes the pipe. */
async function writeAll(bytes: AsyncIterable<Uint8Array>, output: Writable): Promise<void> {
  for await (const chunk of bytes) {
    const error = await new Promise<NodeJS.ErrnoException | null | undefined>((resolve) => {
      output.write(chunk, resolve)
    })
    if (error?.code === 'EPIPE') return
    if (error) throw error
  }
}
