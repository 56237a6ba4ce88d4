// The columns of a promptfoo table. Each column is one prompt with one provider, and becomes an evaluation.
import { UnreadableFile } from '../../errors.ts'
import { Json } from '../../json/value.ts'
import type { ImportEvent } from '../../schema/import-events.ts'
import { familyEvents } from '../family-variants.ts'
import { identifyFile } from '../file-identity.ts'
import type { ImportOptions } from '../importer.ts'
import { withoutSecrets } from '../secrets.ts'
import type { Source } from '../source.ts'
import { fileStem, toId } from '../tool-run.ts'
import { NameNumbers } from '../values.ts'

interface Column extends Labeled {
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

interface Labeled {
  label: string
  /** The label in the results. */
  writtenLabel: string
  /** The prompt template. */
  prompt: Json
}

/**
 * Sets the labels of all prompts: the label in the configuration, else the written label without the text of the prompt. A
 * label that different prompts would share stays longer.
 */
function assignLabels(prompts: readonly Labeled[], configuration: Json | undefined): void {
  const configuredLabels = labelsIn(configuration)
  const choices = prompts.map((prompt) => ({ prompt, labels: possibleLabels(prompt, configuredLabels) }))
  const uses = new Map<string, Set<string>>()
  for (const { prompt, labels } of choices)
    for (const label of labels) uses.set(label, (uses.get(label) ?? new Set()).add(prompt.writtenLabel))
  for (const { prompt, labels } of choices)
    prompt.label = labels.find((label) => uses.get(label)?.size === 1) ?? prompt.writtenLabel
}

/** A list of texts and of `{"id" or "raw": …, "label": …}`, or `{PATH: LABEL}`. Longest first, so that the best match is found. */
function labelsIn(configuration: Json | undefined): string[] {
  const labels = configuration?.isArray
    ? configuration.elements.map((prompt) => prompt.get('label'))
    : [...(configuration?.members.values() ?? [])]
  return labels.flatMap((label) => label?.string || []).sort((a, b) => b.length - a.length)
}

/** From the shortest. Files are written as `LABEL: PATH: TEXT`, `LABEL: TEXT` or `PATH: TEXT`. */
function possibleLabels({ writtenLabel, prompt }: Labeled, configuredLabels: string[]): string[] {
  const text = prompt.plain
  // YAML, Markdown and Jinja files are shortened.
  const endings = [text, text.slice(0, 80), `${text.slice(0, 50)}...`].map((part) => `: ${part}`)
  const ending = endings.find((ending) => writtenLabel.endsWith(ending))
  if (ending === undefined || configuredLabels.includes(writtenLabel)) return [writtenLabel]
  const labelWithoutText = writtenLabel.slice(0, -ending.length)
  const configured = configuredLabels.find((label) => `${labelWithoutText}: `.startsWith(`${label}: `))
  return [...(configured === undefined ? [] : [configured]), labelWithoutText, writtenLabel]
}

/** Longer prompt labels are shortened in the name of an evaluation. */
const MAX_LABEL_LENGTH = 40

export async function* columnEvents(
  source: Source,
  head: Json,
  columns: Columns,
  created_at: string | undefined,
  options: ImportOptions,
): AsyncGenerator<ImportEvent> {
  const evalId = head.get('evalId')?.string || head.get('id')?.string || undefined
  const config = head.get('config')
  const description = config?.get('description')?.string || undefined
  const title = description ?? fileStem(source.name)
  const version = head.get('metadata', 'promptfooVersion')?.string
  const columnRuns = columns.all.map(({ number, column }) => ({
    number,
    column,
    label: column.label,
    provider: withoutSecret(column.providerName ?? column.provider),
    parameters: Json.object([
      ['prompt', column.prompt],
      ['prompt_config', column.promptConfig],
      ['provider', toJson(column.provider)],
      ['config', column.config],
    ]),
  }))
  const names = nameColumns(title, columnRuns)
  const columnId = (runId: string, number: number) => toId(columns.hasSeveral ? `${runId}:${number}` : runId)
  /** Ids contain the position of a column. After columns were inserted or moved, other columns have these ids. */
  const isSameRun = async (runId: string) => {
    // The first column without a number can be another one now, if no other column is stored.
    let isOtherColumnKnown = false
    for (const [index, { number }] of columnRuns.entries()) {
      const id = columnId(runId, number)
      const named = await options.stored.findEvaluations(names[index] ?? title, 'promptfoo')
      if (named.every((evaluation) => evaluation.id !== id) && (await options.stored.findEvaluation(id)))
        return false
      isOtherColumnKnown ||= named.some((evaluation) => evaluation.id === id)
    }
    return isOtherColumnKnown || !columns.hasSeveral || !(await options.stored.findEvaluation(toId(runId)))
  }
  const { id, ...file } = await identifyFile(
    source,
    { id: evalId, name: names[0] ?? title, earlierName: title, source: 'promptfoo', isSameRun },
    options,
  )
  // While a file has only results of its first column, the id of that evaluation has no number. It stays the same.
  const hasUnnumbered =
    file.file !== undefined && (await options.stored.findEvaluation(toId(id))) !== undefined
  const runs = columnRuns.map(({ number, column, label, provider, parameters }, index) => ({
    ...file,
    id: number === 0 && hasUnnumbered ? toId(id) : columnId(id, number),
    family: toId(id),
    // A prompt without a label has its text as label.
    label: toId(label),
    provider,
    parameters,
    name: names[index],
    source: 'promptfoo',
    version,
    created_at,
    isVariantNamedByFile: description === undefined,
    config_name: label,
    author: head.get('metadata', 'author')?.string ?? head.get('author')?.string,
    metadata: Json.object([
      ['tags', config?.get('tags')],
      ['derivedMetrics', derivedMetrics(config, column)],
    ]),
  }))
  yield* familyEvents(title, runs, options)
}

/** The title, and what differs between the columns. */
function nameColumns(title: string, runs: { label: string; provider: string | undefined }[]): string[] {
  if (runs.length === 1) return [title]
  const hasOneLabel = new Set(runs.map(({ label }) => label)).size === 1
  const hasOneProvider = new Set(runs.map(({ provider }) => provider)).size === 1
  const names = new NameNumbers()
  return runs.map(({ label, provider }) => {
    const shortLabel = shorten(label)
    const both = provider === undefined ? shortLabel : `[${provider}] ${shortLabel}`
    const part = hasOneProvider ? shortLabel : hasOneLabel ? (provider ?? shortLabel) : both
    return `${title}: ${names.add(part)}`
  })
}

function shorten(label: string): string {
  const characters = [...label.replaceAll(/\s+/g, ' ').trim()]
  return characters.length <= MAX_LABEL_LENGTH
    ? characters.join('')
    : `${characters.slice(0, MAX_LABEL_LENGTH - 1).join('')}…`
}

/** The definitions of derived metrics, each with its value in a column. */
function derivedMetrics(config: Json | undefined, { namedScores }: Column): Json | undefined {
  const definitions = config?.get('derivedMetrics')?.elements ?? []
  const withScores = definitions.map((definition) => {
    const score = namedScores?.get(definition.get('name')?.string ?? '')
    return score ? Json.object(new Map(definition.members).set('score', score)) : definition
  })
  return withScores.length === 0 ? undefined : Json.array(withScores)
}

function withoutSecret(text: string | undefined): string | undefined {
  return text === undefined ? undefined : withoutSecrets(Json.of(text), () => undefined).string
}

function toJson(text: string | undefined): Json | undefined {
  return text === undefined ? undefined : Json.of(text)
}
