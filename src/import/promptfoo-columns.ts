// The columns of promptfoo's table: each is one prompt with one provider.
import type { Json } from '../json/value.ts'
import { Unreadable } from './importer.ts'

export interface Column {
  label: string
  /** The prompt before its variables are filled in, and the settings that go with it. */
  prompt: Json
  promptConfig: Json | undefined
  /** By its id, and what the rows call it. */
  provider: string | undefined
  called: string | undefined
  /** The settings of the provider. */
  config: Json | undefined
}

/** Nobody compares so many; each is an evaluation. */
const MOST_COLUMNS = 1000

/** Version 3 lists the columns; before it, and in JSONL, the rows tell. A column of which there is no row may lack. */
export class Columns {
  readonly #list: (Column | undefined)[] = []
  #ordinals: Map<number, number> | undefined
  /** Whether no row has to be asked. */
  readonly areKnown: boolean

  constructor(head: Json) {
    const listed = (head.get('results', 'prompts') ?? head.get('prompts'))?.elements ?? []
    if (listed.length > MOST_COLUMNS)
      throw new Unreadable(`It has ${listed.length} columns, more than ${MOST_COLUMNS}.`)
    const providers = providersOf(head)
    for (const prompt of listed) this.#list.push(columnOf(prompt, prompt.get('raw'), prompt.get('provider')))
    this.areKnown = listed.length > 0
    if (!this.areKnown) {
      const headed = head.get('table', 'head', 'prompts') ?? head.get('results', 'table', 'head', 'prompts')
      const only = providers.length === 1 ? providers[0] : undefined
      for (const prompt of headed?.elements.slice(0, MOST_COLUMNS) ?? [])
        this.#list.push(columnOf(prompt, prompt.get('raw') ?? prompt, prompt.get('provider') ?? only))
    }
    this.#settle(providers)
  }

  /** With the number that promptfoo gives each. */
  get all(): { number: number; column: Column }[] {
    return this.#list.flatMap((column, number) => (column ? [{ number, column }] : []))
  }

  /** Where a column stands among all. Asked once all are known. */
  ordinalOf(number: number): number | undefined {
    this.#ordinals ??= new Map(this.all.map(({ number }, ordinal) => [number, ordinal]))
    return this.#ordinals.get(number)
  }

  /** Whether ids have to tell columns apart. */
  get areSeveral(): boolean {
    return this.#list.length > 1
  }

  /** Of rows, those that nothing else names. */
  learn(row: Json): void {
    const number = row.get('promptIdx')?.number
    const prompt = row.get('prompt')
    if (this.areKnown || !prompt) return
    const isNew = number === undefined ? this.find(row) === undefined : this.#list[number] === undefined
    const at = number ?? this.#list.length
    if (!isNew || !Number.isInteger(at) || at < 0 || at >= MOST_COLUMNS) return
    const label = prompt.get('label') ?? prompt.get('display') ?? prompt
    this.#list[at] = columnOf(prompt, label, row.get('provider'))
  }

  /** The number of the column that a row is of. */
  find(row: Json): number | undefined {
    const number = row.get('promptIdx')?.number
    if (number !== undefined) return this.#list[number] ? number : undefined
    const prompt = row.get('prompt')
    const label = (prompt?.get('label') ?? prompt?.get('display') ?? prompt)?.plain
    if (label === undefined) return this.#list.length === 1 ? 0 : undefined
    const called = nameOf(row.get('provider'))
    const found = this.#list.findIndex(
      (column) =>
        column?.label === label &&
        (called === undefined || column.called === undefined || column.called === called),
    )
    return found === -1 ? undefined : found
  }

  /** What the configuration says of the providers. Several may have one name: then each has its share of columns. */
  #settle(providers: Json[]): void {
    const byName = Map.groupBy(this.all, ({ column }) => column.called)
    for (const [called, columns] of byName) {
      const named = providers.filter((provider) => called !== undefined && isCalled(provider, called))
      // Code that is a provider calls itself what it likes.
      const meant = named.length > 0 || providers.length !== 1 ? named : providers
      for (const [index, { column }] of columns.entries()) {
        const provider = meant[Math.floor((index * meant.length) / columns.length)]
        if (!provider) continue
        const [id, config] = [provider.get('id')?.string, provider.get('config')]
        if (named.length > 0) column.provider = id ?? column.provider
        column.config = config ?? provider.get(called ?? '')?.get('config')
      }
    }
  }
}

function columnOf(prompt: Json, raw: Json | undefined, provider: Json | undefined): Column {
  const label = prompt.get('label') ?? prompt.get('display') ?? raw ?? prompt
  const config = prompt.get('config')
  return {
    label: label.plain,
    prompt: raw ?? label,
    promptConfig: config?.text === '{}' ? undefined : config,
    provider: provider?.string ?? provider?.get('id')?.string ?? nameOf(provider),
    called: nameOf(provider),
    config: undefined,
  }
}

function providersOf(head: Json): Json[] {
  const given = head.get('config', 'providers')
  return given?.isArray ? given.elements : given ? [given] : []
}

/** A label stands for the id wherever there is one. */
function nameOf(provider: Json | undefined): string | undefined {
  return provider?.string ?? (provider?.get('label')?.string || provider?.get('id')?.string)
}

/** `{"id": …, "label": …}`, `{"openai:gpt-5": {…}}` or just a name. */
function isCalled(provider: Json, name: string): boolean {
  return (
    [provider.string, provider.get('id')?.string, provider.get('label')?.string].includes(name) ||
    provider.members.has(name)
  )
}
