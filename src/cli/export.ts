// assay export: the scenarios of one evaluation, as the API answers them, or everything that restores it.
import { createWriteStream } from 'node:fs'
import type { Writable } from 'node:stream'
import { finished } from 'node:stream/promises'
import { FORMATS, type Format, represent } from '../rendition/representation.ts'
import { scenarioTable } from '../rendition/scenarios.ts'
import { type Settings, wrongUse } from '../settings.ts'
import { EVERYTHING, readPieces } from '../store/elements.ts'
import { getPreface } from '../store/prefaces.ts'
import { getScenarioColumns, SCENARIOS, SCENARIOS_WITH_EXTRA } from '../store/scenarios.ts'
import type { Connection } from '../store/store.ts'
import type { Command } from './command.ts'
import { finishedFile } from './finished-file.ts'
import { getOwnEvaluation } from './owned.ts'
import { withStore } from './store.ts'

export const exportEvaluation: Command = {
  name: 'export',
  takes: 'EVALUATION',
  summary: 'Writes the scenarios of one evaluation to standard output or a file.',
  words: [1, 1],
  async run(settings, [id = '']) {
    const format = readFormat(settings)
    const { output } = settings
    await withStore(settings, (store) =>
      store.reader.snapshot('long', async (snapshot) => {
        const bytes = await contentOf(snapshot, settings, id, format)
        if (output === undefined) return writeAll(bytes, process.stdout)
        await finishedFile(store, output, async (temporary) => {
          const file = createWriteStream(temporary)
          await writeAll(bytes, file)
          file.end()
          await finished(file)
        })
      }),
    )
  },
}

function readFormat({ format, full }: Settings): Format {
  const known = FORMATS.find((name) => name === (format ?? (full ? 'ndjson' : 'json')))
  if (!known) throw wrongUse(`--format is '${format}', which is not one of ${FORMATS.join(', ')}.`, 'export')
  if (full && known !== 'ndjson') throw wrongUse('--full is written as NDJSON: leave --format out.', 'export')
  return known
}

async function contentOf(
  snapshot: Connection,
  { project, full }: Settings,
  id: string,
  format: Format,
): Promise<AsyncIterable<Uint8Array>> {
  const { key } = await getOwnEvaluation(snapshot, project, id)
  const columns = await getScenarioColumns(snapshot, key)
  const preface = full ? await getPreface(snapshot, key) : undefined
  const elements = full ? SCENARIOS_WITH_EXTRA : SCENARIOS
  const pieces = (separator: string) => readPieces(snapshot, elements, key, EVERYTHING, separator)
  return prefaced(preface, represent(format, pieces, scenarioTable(columns)))
}

async function* prefaced(
  preface: string | undefined,
  bytes: AsyncIterable<Uint8Array>,
): AsyncGenerator<Uint8Array> {
  if (preface !== undefined) yield Buffer.from(`${preface}\n`)
  yield* bytes
}

/** Ends early, and quietly, where nobody reads any more. */
async function writeAll(bytes: AsyncIterable<Uint8Array>, output: Writable): Promise<void> {
  for await (const chunk of bytes) {
    const error = await new Promise<NodeJS.ErrnoException | null | undefined>((resolve) => {
      output.write(chunk, resolve)
    })
    if (error?.code === 'EPIPE') return
    if (error) throw error
  }
}
