// Makes an importer of the description of a tool's tables: how they are recognized, and what their columns contain.
import type { ImportEvent } from '../../schema/import-events.ts'
import type { Importer, ImportOptions } from '../importer.ts'
import { repairNote } from '../read-records.ts'
import type { Source } from '../source.ts'
import { type ToolRun, toolFileOptions } from '../tool-run.ts'
import { CellConverter } from './cells.ts'
import { parseColumnOptions } from './column-options.ts'
import type { ColumnChoice } from './columns.ts'
import { type PresetColumns, TableMapping } from './mapping.ts'
import { normalizeRows } from './normalize-rows.ts'
import { describeRoles } from './roles-text.ts'
import { RowScenarios } from './row-scenarios.ts'
import { type Flatten, openTable, previewNames, type TableReader } from './rows.ts'
import { sampleTable } from './sample.ts'
import { tableRunEvents } from './table-runs.ts'

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
      const presetColumns = columns ?? (() => new Map<string, ColumnChoice>())
      const decidedRole = (name: string) =>
        columnOptions.get(name)?.role ?? (presetColumns([name]).has(name) ? 'preset' : undefined)
      const opened = await (open ? open(source, options) : openTable(source, options, flatten))
      const reader = normalizeRows(opened, decidedRole)
      const mappedProviders = [...columnOptions].flatMap(([name, { role }]) =>
        role === 'provider' ? [name] : [],
      )
      const sample = await sampleTable(reader, toolFileOptions(options), mappedProviders)
      const mapping = new TableMapping(sample, columnOptions, presetColumns)
      const details = (await describeRun?.(source, options)) ?? {}
      const created_at = details.created_at ?? source.modifiedAt?.toISOString()
      return {
        created_at,
        async *events() {
          yield { kind: 'columns', columns: mapping.describe() }
          const isEmpty = sample.columns.size === 0 || (reader.names === undefined && sample.rowCount === 0)
          const problem = sample.problem ?? (isEmpty ? undefined : mapping.findProblem(reader.names))
          if (problem !== undefined) {
            yield { kind: 'rejection', record: null, line: 1, pointer: '', detail: problem }
            return
          }
          const { providers } = mapping
          const variation = describeRoles(mapping.columns)
          yield* tableRunEvents(source, { importer: importer.name, details, providers, variation }, options)
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
  const scenarios = new RowScenarios(mapping)
  for await (const row of reader.rows(options)) {
    if (row.kind !== 'row') yield row
    else {
      const { values, events } = converter.convertRow(row, (name) => mapping.get(name))
      yield* events
      if (!events.some(({ kind }) => kind === 'rejection'))
        yield* scenarios.eventsOf(row, values, options.limits)
    }
  }
  yield* converter.columnNotes()
  yield* scenarios.notes()
}
