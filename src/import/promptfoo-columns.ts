// The columns of promptfoo's table: each is one prompt with one provider.
import { Json } from '../json/value.ts'
import { Unreadable } from './importer.ts'

interface Column {
  label: string
  /** The prompt before its variables are filled in. */
  prompt: Json
  provider: string | undefined
}

/** The columns of the table. Version 3 lists them; before it, and in JSONL, the rows tell. */
export class Columns {
  readonly list: Column[] = []
  readonly areKnown: boolean

  constructor(head: Json) {
    const listed = head.get('results', 'prompts') ?? head.get('prompts')
    const only = head.get('config', 'providers')?.elements
    for (const prompt of listed?.elements ?? []) this.#add(prompt, prompt.get('raw'))
    this.areKnown = this.list.length > 0
    if (this.list.length > MOST_COLUMNS)
      throw new Unreadable(`It has ${this.list.length} columns, more than ${MOST_COLUMNS}.`)
    if (this.areKnown) return
    const headed = head.get('table', 'head', 'prompts') ?? head.get('results', 'table', 'head', 'prompts')
    const provider = only?.length === 1 ? providerOf(only[0]) : undefined
    for (const prompt of headed?.elements ?? []) this.#add(prompt, prompt.get('raw') ?? prompt, provider)
  }

  #add(prompt: Json, raw: Json | undefined, otherwise?: string): void {
    const label = prompt.get('label') ?? prompt.get('display') ?? raw ?? prompt
    const provider = providerOf(prompt.get('provider')) ?? otherwise
    this.list.push({ label: label.plain, prompt: raw ?? label, provider })
  }

  /** Of rows that count their columns, those that nothing else names. */
  learn(row: Json): void {
    const index = row.get('promptIdx')?.number
    const prompt = row.get('prompt')
    if (this.areKnown || !prompt) return
    const label = prompt.get('label') ?? prompt.get('display') ?? prompt
    const column = { label: label.plain, prompt: label, provider: providerOf(row.get('provider')) }
    if (index === undefined) {
      if (this.find(row) === undefined && this.list.length < MOST_COLUMNS) this.list.push(column)
    } else if (index >= 0 && index < MOST_COLUMNS && this.list[index] === undefined) this.list[index] = column
  }

  /** A file may lack the rows of a column. */
  close(): void {
    for (let index = 0; index < this.list.length; index += 1)
      this.list[index] ??= { label: `column ${index}`, prompt: Json.of(''), provider: undefined }
  }

  find(row: Json): number | undefined {
    const index = row.get('promptIdx')?.number
    if (index !== undefined) return this.list[index] ? index : undefined
    const prompt = row.get('prompt')
    const label = (prompt?.get('label') ?? prompt?.get('display') ?? prompt)?.plain
    const provider = providerOf(row.get('provider'))
    const found = this.list.findIndex(
      (column) =>
        column.label === label &&
        (provider === undefined || column.provider === undefined || column.provider === provider),
    )
    if (found >= 0) return found
    return this.list.length === 1 && label === undefined ? 0 : undefined
  }
}

/** Nobody compares so many; each is an evaluation. */
const MOST_COLUMNS = 1000

function providerOf(provider: Json | undefined): string | undefined {
  return provider?.string ?? provider?.get('id')?.string ?? provider?.get('label')?.string
}
