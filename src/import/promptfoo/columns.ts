// The columns of a promptfoo table. Each column is one prompt with one provider.
import type { Json } from '../../json/value.ts'
import { UnreadableFile } from '../importer.ts'
import { assignLabels, type Labeled } from './labels.ts'

export interface Column extends Labeled {
  promptConfig: Json | undefined
  /** The id of the provider, and its name in the rows. */
  provider: string | undefined
  providerName: string | undefined
  /** The settings of the provider. */
  config: Json | undefined
  /** The sums of named scores, and the values of derived metrics. */
  namedScores: Json | undefined
}

/** Each column becomes an evaluation. */
const MAX_COLUMNS = 1000

/** Version 3 lists the columns. In older versions and JSONL they are collected from the rows, so an empty one is missing. */
export class Columns {
  readonly #list: (Column | undefined)[] = []
  #ordinals: Map<number, number> | undefined
  /** Whether the file lists its columns. */
  readonly areKnown: boolean

  constructor(header: Json) {
    const listedPrompts = (header.get('results', 'prompts') ?? header.get('prompts'))?.elements ?? []
    if (listedPrompts.length > MAX_COLUMNS)
      throw new UnreadableFile(
        `The file has ${listedPrompts.length} columns, more than the limit of ${MAX_COLUMNS}.`,
      )
    const providers = providersOf(header)
    for (const prompt of listedPrompts)
      this.#list.push(columnOf(prompt, prompt.get('raw'), prompt.get('provider')))
    this.areKnown = listedPrompts.length > 0
    if (!this.areKnown) {
      const tableHead =
        header.get('table', 'head', 'prompts') ?? header.get('results', 'table', 'head', 'prompts')
      const onlyProvider = providers.length === 1 ? providers[0] : undefined
      for (const prompt of tableHead?.elements.slice(0, MAX_COLUMNS) ?? [])
        this.#list.push(columnOf(prompt, prompt.get('raw') ?? prompt, prompt.get('provider') ?? onlyProvider))
    }
    this.#assignProviders(providers)
    const columns = this.all.map(({ column }) => column)
    assignLabels(columns, header.get('config', 'prompts'))
  }

  /** All columns with their promptfoo numbers. */
  get all(): { number: number; column: Column }[] {
    return this.#list.flatMap((column, number) => (column ? [{ number, column }] : []))
  }

  /** The position of a column among all. Call it only after all columns are known. */
  ordinalOf(number: number): number | undefined {
    this.#ordinals ??= new Map(this.all.map(({ number }, ordinal) => [number, ordinal]))
    return this.#ordinals.get(number)
  }

  /** Whether ids need a column number to be unique. */
  get hasSeveral(): boolean {
    return this.#list.length > 1
  }

  /** Adds the column of a row, if the file does not list its columns. */
  addFromRow(row: Json): void {
    const number = row.get('promptIdx')?.number
    const prompt = row.get('prompt')
    if (this.areKnown || !prompt) return
    const isNew = number === undefined ? this.find(row) === undefined : this.#list[number] === undefined
    const index = number ?? this.#list.length
    if (!isNew || !Number.isInteger(index) || index < 0 || index >= MAX_COLUMNS) return
    const label = prompt.get('label') ?? prompt.get('display') ?? prompt
    this.#list[index] = columnOf(prompt, label, row.get('provider'))
  }

  /** The column number of a row. */
  find(row: Json): number | undefined {
    const number = row.get('promptIdx')?.number
    if (number !== undefined) return this.#list[number] ? number : undefined
    const prompt = row.get('prompt')
    const label = (prompt?.get('label') ?? prompt?.get('display') ?? prompt)?.plain
    if (label === undefined) return this.#list.length === 1 ? 0 : undefined
    const providerName = nameOf(row.get('provider'))
    const index = this.#list.findIndex(
      (column) =>
        column?.writtenLabel === label &&
        (providerName === undefined ||
          column.providerName === undefined ||
          column.providerName === providerName),
    )
    return index === -1 ? undefined : index
  }

  /** Assigns providers of the configuration to columns. Providers of the same name share the columns of that name equally. */
  #assignProviders(providers: readonly Json[]): void {
    const byName = Map.groupBy(this.all, ({ column }) => column.providerName)
    for (const [providerName, columns] of byName) {
      const namedProviders = providers.filter(
        (provider) => providerName !== undefined && hasName(provider, providerName),
      )
      // A provider that is code can have any name.
      const candidates = namedProviders.length > 0 || providers.length !== 1 ? namedProviders : providers
      for (const [index, { column }] of columns.entries()) {
        const provider = candidates[Math.floor((index * candidates.length) / columns.length)]
        if (!provider) continue
        const [id, config] = [provider.get('id')?.string, provider.get('config')]
        if (namedProviders.length > 0) column.provider = id ?? column.provider
        column.config = config ?? provider.get(providerName ?? '')?.get('config')
      }
    }
  }
}

function columnOf(prompt: Json, raw: Json | undefined, provider: Json | undefined): Column {
  const label = prompt.get('label') ?? prompt.get('display') ?? raw ?? prompt
  const config = prompt.get('config')
  return {
    label: label.plain,
    writtenLabel: label.plain,
    prompt: raw ?? label,
    promptConfig: config?.text === '{}' ? undefined : config,
    provider: provider?.string ?? provider?.get('id')?.string ?? nameOf(provider),
    providerName: nameOf(provider),
    config: undefined,
    namedScores: prompt.get('metrics', 'namedScores'),
  }
}

function providersOf(header: Json): readonly Json[] {
  const providers = header.get('config', 'providers')
  return providers?.isArray ? providers.elements : providers ? [providers] : []
}

/** The label, if there is one, else the id. */
function nameOf(provider: Json | undefined): string | undefined {
  return provider?.string ?? (provider?.get('label')?.string || provider?.get('id')?.string)
}

/** A provider is `{"id": …, "label": …}`, `{"openai:gpt-5": {…}}` or a name. */
function hasName(provider: Json, name: string): boolean {
  return (
    [provider.string, provider.get('id')?.string, provider.get('label')?.string].includes(name) ||
    provider.members.has(name)
  )
}
