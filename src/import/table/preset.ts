// Makes an importer of the description of a tool's tables: how they are recognized, and what their columns contain.
import type { ImportEvent } from '../../schema/import-events.ts'
import { identifyFile } from '../file-identity.ts'
import type { Importer, ImportOptions } from '../importer.ts'
import { rejectionNote, repairNote } from '../read-records.ts'
import type { Source } from '../source.ts'
import { fileRun, fileStem, runEvents, scenarioEvents, type ToolRun, toolFileOptions } from '../tool-run.ts'
import { CellConverter } from './cells.ts'
import { parseColumnOptions } from './column-options.ts'
import { quoteList } from './columns.ts'
import { describeSeveralOutputs, type PresetColumns, TableMapping } from './mapping.ts'
import { describeRoles } from './roles-text.ts'
import { type Flatten, openTable, previewNames, type TableReader, type TableRow } from './rows.ts'
import { sampleTable } from './sample.ts'
import { buildScenario } from './scenario.ts'

export interface Preset
  extends Pick<Importer, 'name' | 'label' | 'description' | 'docs' | 'reference' | 'example'> {
  /** Whether a file has this format, judged by its first bytes. `names`: its columns, or the nested names of its first
   * record, joined by dots. Empty for other files. */
  detects(names: readonly string[], source: Source): boolean
  /** The roles of columns. The others are detected from their names and values. Options override both. */
  columns?: PresetColumns
  /** Turns a JSON record into columns, for records with nested values. Default: its members. */
  flatten?: Flatten
  /** Reads a file that is neither CSV nor JSON records. Throws UnreadableFile. */
  openTable?(source: Source, options: ImportOptions): Promise<TableReader>
  /** What the file says about the run. Default: it is named after the file. */
  describeRun?(source: Source, options: ImportOptions): Partial<ToolRun> | Promise<Partial<ToolRun>>
}

export function presetImporter({ detects, columns, flatten, describeRun, ...preset }: Preset): Importer {
  const { openTable: open, ...importer } = preset
  return {
    ...importer,
    detects: (source) => detects(previewNames(source), source),
    checkOptions(_source, options) {
      parseColumnOptions(options.columns)
    },
    async open(source, options) {
      const columnOptions = parseColumnOptions(options.columns)
      const reader = await (open ? open(source, options) : openTable(source, options, flatten))
      const sample = await sampleTable(reader, toolFileOptions(options))
      const mapping = new TableMapping(sample, columnOptions, columns ?? (() => new Map()))
      const details = (await describeRun?.(source, options)) ?? {}
      const created_at = details.created_at ?? source.modifiedAt?.toISOString()
      return {
        created_at,
        async *events() {
          yield { kind: 'columns', columns: mapping.describe() }
          const problem = sample.columns.size === 0 ? undefined : mapping.findProblem(reader.names)
          if (problem !== undefined) {
            yield { kind: 'rejection', record: null, line: 1, pointer: '', detail: problem }
            return
          }
          const description = {
            name: details.name ?? fileStem(source.name),
            source: details.source ?? importer.name,
            variation: describeRoles(mapping.columns),
          }
          const identity =
            details.id === undefined
              ? await identifyFile(source, description, options)
              : { id: options.evaluation ?? details.id }
          const isVariantNamedByFile = details.variant === undefined
          const run = {
            ...fileRun(source, importer.name, identity, options),
            ...details,
            isVariantNamedByFile,
          }
          yield* runEvents({ ...run, ...identity }, options)
          for (const detail of reader.repairs ?? []) yield repairNote(null, 1, '', detail)
          for (const detail of mapping.notes())
            yield { kind: 'note', record: null, line: 1, pointer: '', detail }
          const rowOptions = toolFileOptions(options)
          await reader.findRepeats?.({ ...rowOptions, onRead: () => undefined })
          yield* rowEvents(reader, mapping, rowOptions)
        },
      }
    },
  }
}

async function* rowEvents(
  reader: TableReader,
  mapping: TableMapping,
  options: ImportOptions,
): AsyncGenerator<ImportEvent> {
  const converter = new CellConverter()
  const sampledCount = mapping.columns.length
  let hasRows = false
  for await (const row of reader.rows(options)) {
    if (row.kind !== 'row') yield row
    else {
      hasRows = true
      yield* scenarioEventsOf(row, mapping, converter, options)
    }
  }
  yield* converter.columnNotes()
  if (mapping.columns.length > sampledCount) yield { kind: 'columns', columns: mapping.describe() }
  if (hasRows && mapping.unusedNames.length > 0) {
    const detail = `No record has a member ${quoteList(mapping.unusedNames)}.`
    yield { kind: 'rejection', record: null, line: 1, pointer: '', detail }
  }
}

function* scenarioEventsOf(
  row: TableRow,
  mapping: TableMapping,
  converter: CellConverter,
  options: ImportOptions,
): Generator<ImportEvent> {
  const { values, events } = converter.convertRow(row, (name) => mapping.get(name))
  yield* events
  if (events.some(({ kind }) => kind === 'rejection')) return
  const outputNames = values.filter(([{ role }]) => role === 'output').map(([{ name }]) => name)
  if (outputNames.length > 1) yield rejectionNote(row, '', describeSeveralOutputs(outputNames))
  else {
    const builder = buildScenario(row.index + 1, values, mapping.repeatsIds)
    if (row.repeat) {
      builder.sample = row.repeat.sample
      builder.repetition = row.repeat.repetition
    }
    yield* scenarioEvents(builder, row, options.limits)
  }
}
