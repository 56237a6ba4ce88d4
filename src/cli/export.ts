// assay export: writes the scenarios of one evaluation as the API returns them, or a full export that can be restored.

import { writeFile } from 'node:fs/promises'
import { UsageError } from '../errors.ts'
import { FORMATS, type Format } from '../serialize/format.ts'
import type { Settings } from '../settings/settings.ts'
import type { Command } from './command.ts'
import { writeFileAtomically } from './output/atomic-file.ts'
import { withTarget } from './target/open-target.ts'
import { resolveId } from './target/resolve-id.ts'
import { readRowSelection, resolveBaseline } from './target/row-selection.ts'
import type { Target } from './target/target.ts'
import { checkCsv } from './validation.ts'

export const exportEvaluation: Command = {
  argumentCount: [1, 1],
  async run(settings, [idOrName = '']) {
    const format = readFormat(settings)
    const rows = readRowSelection(settings)
    if (rows && settings.full) throw new UsageError('--full exports all rows. Omit --filter.')
    const isExcelSafe = checkCsv(settings.csv, format)
    const { output } = settings
    await withTarget(settings, async (target) => {
      const id = await resolveId(target, 'evaluation', idOrName)
      const options = { format, isExcelSafe, rows: rows && (await resolveBaseline(target, rows)) }
      const bytes = await (settings.full ? target.exportFull(id, false) : target.exportScenarios(id, options))
      await writeOutput(bytes, target, output)
    })
  },
}

function readFormat({ format, full }: Settings): Format {
  const name = FORMATS.find((known) => known === (format ?? (full ? 'ndjson' : 'json')))
  if (!name) throw new UsageError(`--format is '${format}', which is not one of ${FORMATS.join(', ')}.`)
  if (full && name !== 'ndjson') throw new UsageError('--full always writes NDJSON. Omit --format.')
  return name
}

async function writeOutput(
  bytes: AsyncIterable<Uint8Array>,
  target: Target,
  output: string | undefined,
): Promise<void> {
  if (output === undefined) return writeToStandardOutput(bytes)
  await writeFileAtomically(target, output, (temporaryPath) => writeFile(temporaryPath, bytes))
}

/** Stops without an error when the reader closes the pipe. */
async function writeToStandardOutput(bytes: AsyncIterable<Uint8Array>): Promise<void> {
  for await (const chunk of bytes) {
    const error = await new Promise<NodeJS.ErrnoException | null | undefined>((resolve) => {
      process.stdout.write(chunk, resolve)
    })
    if (error?.code === 'EPIPE') return
    if (error) throw error
  }
}
