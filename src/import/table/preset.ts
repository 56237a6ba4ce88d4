// Makes an importer of the description of a tool's tables: how they are recognized, and what their columns contain.

import { Json } from '../../json/value.ts'
import type { ImportEvent } from '../../schema/import-events.ts'
import type { ColumnRole } from '../../schema/imports.ts'
import { familyEvents } from '../family-variants.ts'
import type { Importer, ImportOptions } from '../importer.ts'
import { repairNote } from '../read-records.ts'
import type { Source } from '../source.ts'
import { describeRun, fileStem, runEvents, type ToolRun, toId } from '../tool-run.ts'
import { CellConverter } from './cells.ts'
import { type ColumnChoice, describeRoles, parseColumnMap } from './columns.ts'
import { openMappedTable, type RowMapping, textOf } from './mapped-rows.ts'
import { type PresetColumns, TableMapping } from './mapping.ts'
import { splitList } from './name-lists.ts'
import { normalizeRows } from './normalize-rows.ts'
import { openTable, previewNames, type TableReader } from './rows.ts'
import { sampleTable } from './sample.ts'
import { RowScenarios } from './scenario.ts'

export interface Preset extends Pick<Importer, 'name' | 'label' | 'description' | 'example'> {
  docs?: string
  reference?: string
  /** Whether a file has this format, judged by its first bytes. `names`: its columns, or the nested names of its first
   * record, joined by dots. Empty for other files. */
  detects(names: readonly string[], source: Source): boolean
  /** The roles of columns. The others are detected from their names and values. Options override both. */
  columns?: PresetColumns
  /** How rows are changed before their columns get roles. */
  rows?: RowMapping
  /** Reads a file that is neither CSV nor JSON records. Throws UnreadableFile. */
  openTable?(source: Source, options: ImportOptions): Promise<TableReader>
  /** The columns that describe the run, in order of preference. Default: it is named after the file. */
  run?: { readonly [Member in 'id' | 'name' | 'created_at']?: readonly string[] }
}

export function presetImporter({
  detects,
  columns = () => new Map(),
  rows,
  run = {},
  openTable: open = rows ? (source, options) => openMappedTable(source, options, rows) : openTable,
  ...importer
}: Preset): Importer {
  return {
    docs: 'how-to/import-presets.md',
    reference: 'reference/imports/presets.md',
    ...importer,
    detects: (source) => detects(previewNames(source), source),
    checkOptions(_source, options) {
      parseColumnMap(options.map)
    },
    async open(source, options) {
      const columnOptions = parseColumnMap(options.map)
      const decidedRole = (name: string) =>
        columnOptions.get(name)?.role ?? (columns([name]).has(name) ? 'preset' : undefined)
      const opened = await open(source, options)
      const reader = normalizeRows(opened, decidedRole, options.limits)
      const mappedProviders = [...columnOptions].flatMap(([name, { role }]) =>
        role === 'provider' ? [name] : [],
      )
      const sample = await sampleTable(reader, options.limits, mappedProviders)
      const mapping = new TableMapping(sample, columnOptions, columns)
      const details = await readRun(opened, run)
      return {
        created_at: details.created_at,
        async *events(created_at) {
          yield { kind: 'columns', columns: mapping.describe() }
          const isEmpty = sample.columns.size === 0 || (reader.names === undefined && sample.rowCount === 0)
          const problem = sample.problem ?? (isEmpty ? undefined : mapping.findProblem(reader.names))
          if (problem !== undefined) {
            yield { kind: 'rejection', record: null, line: 1, pointer: '', detail: problem }
            return
          }
          const { providers } = mapping
          const variation = describeRoles(mapping.columns)
          const run = { source: importer.name, ...details, created_at }
          yield* tableRunEvents(source, { run, providers, variation }, options)
          for (const detail of reader.repairs ?? []) yield repairNote(null, 1, '', detail)
          for (const detail of mapping.notes())
            yield { kind: 'note', record: null, line: 1, pointer: '', detail }
          await reader.findRepeats?.()
          yield* rowEvents(reader, mapping, options)
        },
      }
    },
  }
}

/** What the first row says about the run. */
async function readRun(reader: TableReader, run: NonNullable<Preset['run']>): Promise<Partial<ToolRun>> {
  const members = Object.entries(run)
  if (members.length === 0) return {}
  for await (const row of reader.rows()) {
    if (row.kind !== 'row') continue
    const values = new Map(row.values)
    const texts = members.map(([member, names]) => [
      member,
      names.map((name) => textOf(values.get(name))).find((text) => text !== ''),
    ])
    return Object.fromEntries(texts.filter(([, text]) => text !== undefined))
  }
  return {}
}

async function* rowEvents(
  reader: TableReader,
  mapping: TableMapping,
  { limits }: ImportOptions,
): AsyncGenerator<ImportEvent> {
  const converter = new CellConverter()
  const scenarios = new RowScenarios(mapping)
  for await (const row of reader.rows()) {
    if (row.kind !== 'row') yield row
    else {
      const { values, events } = converter.convertRow(row, (name) => mapping.get(name))
      yield* events
      if (!events.some(({ kind }) => kind === 'rejection')) yield* scenarios.eventsOf(row, values, limits)
    }
  }
  yield* converter.columnNotes()
  yield* scenarios.notes()
}

/**
 * The columns with these names, by their `ROLE` or `ROLE:TYPE`. `NAME.*` matches all columns with that beginning, and
 * the rest of the name is the key.
 */
export function columnRoles(lists: { readonly [Role in ColumnRole | `${ColumnRole}:${string}`]?: string }) {
  const choices = new Map<string, ColumnChoice>()
  for (const [role, list] of Object.entries(lists))
    for (const name of splitList(list ?? '')) choices.set(name, parseRole(role))
  return (names: readonly string[]): Map<string, ColumnChoice> => {
    const columns = new Map<string, ColumnChoice>()
    for (const name of names) {
      const prefix = /^[^.]*\./.exec(name)?.[0] ?? ''
      const [exact, prefixed] = [choices.get(name), choices.get(`${prefix}*`)]
      if (exact) columns.set(name, exact)
      else if (prefix && prefixed) columns.set(name, { ...prefixed, key: name.slice(prefix.length) })
    }
    return columns
  }
}

function parseRole(text: string): ColumnChoice {
  const [role, type] = text.split(':')
  return { role, ...(type && { type }) } as ColumnChoice
}

interface TableRuns {
  /** What the file says about the run. */
  run: Parameters<typeof describeRun>[1]
  /** The models, each with an evaluation of its own. Empty if the table does not name them. */
  providers: readonly string[]
  /** What the scenarios depend on besides the content. */
  variation: string
}

async function* tableRunEvents(
  source: Source,
  { run, providers, variation }: TableRuns,
  options: ImportOptions,
): AsyncGenerator<ImportEvent> {
  const title = run.name ?? fileStem(source.name)
  const hasSeveral = providers.length > 1
  const nameOf = (provider: string | undefined) => (hasSeveral ? `${title}: ${provider}` : title)
  const details = { name: nameOf(providers[0]), earlierName: title, variation }
  const described = await describeRun(source, run, options, details)
  if (!hasSeveral) {
    yield* runEvents({ ...described, provider: providers[0] }, options)
    return
  }
  const runs = providers.map((provider) => ({
    ...described,
    id: toId(`${described.id}:${provider}`),
    family: toId(described.id),
    provider,
    name: nameOf(provider),
    config_name: provider,
    parameters: Json.object([['provider', Json.of(provider)]]),
  }))
  yield* familyEvents(described.variant, runs, options)
}
