// A scenario as an importer puts it together: every value as the text it had in the file, and what has no place in
// a scenario kept beside it.
import { Json } from '../json/value.ts'

export interface DraftOutput {
  value?: Json | undefined
  error?: DraftError | undefined
  /** US dollars. */
  cost?: Json | undefined
  /** Seconds. */
  latency?: Json | number | undefined
}

export interface DraftError {
  message: string
  stacktrace?: string | undefined
}

/** Without value and error it was not scored. */
export interface DraftResult {
  value?: Json | boolean | number | undefined
  /** Of a result that was not scored. */
  type?: 'bool' | 'number' | 'text'
  error?: DraftError | undefined
  reason?: Json | undefined
  /** What else the evaluator said, by the names of the file. */
  extra?: Iterable<readonly [string, Json | undefined]>
}

/** No scenario has so many inputs, answers and results; a small file could ask for millions. */
export const MOST_PARTS = 10_000

/** Names in `extra` that have a meaning of ours. */
const OURS = new Set(['results', 'repetition'])

export class Draft {
  id: string
  is_pinned: boolean | undefined
  note: string | undefined
  /** Which run of the same inputs it is, counted from 1. */
  repetition: number | undefined
  readonly #inputs: Json[] = []
  readonly #outputs: Json[] = []
  readonly #answers: Json[] = []
  readonly #results: Json[] = []
  readonly #beside: Json[] = []
  readonly #extra = new Map<string, Json>()
  readonly #evaluators = new Map<string, number>()
  #parts = 0

  constructor(id: string) {
    this.id = id
  }

  /** Whether more was asked for than there may be; the rest is left out. */
  get isTooMuch(): boolean {
    return this.#parts > MOST_PARTS
  }

  #mayAdd(): boolean {
    this.#parts += 1
    return !this.isTooMuch
  }

  input(name: string, value: Json): void {
    if (!this.#mayAdd()) return
    const type = value.string === undefined ? 'json' : 'text'
    this.#inputs.push(named({ name: Json.of(name), type: Json.of(type), value }))
  }

  /** A list gives one answer an element. */
  answer(key: string, value: Json): void {
    for (const one of value.isArray ? value.elements : [value])
      if (this.#mayAdd()) this.#answers.push(named({ key: Json.of(key), value: Json.of(one.plain) }))
  }

  output({ value, error, cost, latency }: DraftOutput): void {
    if (error && value) this.extra('output', value)
    this.#outputs.push(
      named({
        result: error ? failed(error) : valued(value),
        cost: ifNumber(cost),
        latency: typeof latency === 'number' ? Json.of(latency) : ifNumber(latency),
      }),
    )
  }

  /** An evaluator that comes again is numbered. */
  result(evaluator: string, { value, type, error, reason, extra = [] }: DraftResult): void {
    if (!this.#mayAdd()) return
    const json = typeof value === 'object' ? value : value === undefined ? undefined : Json.of(value)
    const result = error ? failed(error) : valued(json, type ?? 'number')
    this.#results.push(named({ evaluator_config: Json.of(this.#numbered(evaluator)), result }))
    const kept = json && error ? { value: json } : {}
    this.#beside.push(Json.object([['reason', reason], ...Object.entries(kept), ...extra]))
  }

  #numbered(evaluator: string): string {
    const count = (this.#evaluators.get(evaluator) ?? 0) + 1
    this.#evaluators.set(evaluator, count)
    return count === 1 ? evaluator : this.#numbered(`${evaluator} #${count}`)
  }

  /** Under its name in the file; nothing where there is nothing. */
  extra(name: string, value: Json | undefined): void {
    if (value && !value.isNull) this.#extra.set(OURS.has(name) ? `source_${name}` : name, value)
  }

  /** The members that were not made use of. */
  rest(row: Json, used: ReadonlySet<string>): void {
    for (const [name, value] of row.members) if (!used.has(name)) this.extra(name, value)
  }

  get hasOutput(): boolean {
    return this.#outputs.length > 0
  }

  /** What is written of the scenario. `kept` may change what is kept beside it. */
  text(kept: (extra: Json) => Json = (extra) => extra): string {
    const hasBeside = this.#beside.some(({ text }) => text !== '{}')
    const extra = Json.object([
      ['results', hasBeside ? Json.array(this.#beside) : undefined],
      ['repetition', this.repetition === undefined ? undefined : Json.of(this.repetition)],
      ...this.#extra,
    ])
    const { text } = named({
      id: Json.of(this.id),
      inputs: Json.array(this.#inputs),
      outputs: Json.array(this.#outputs),
      correct_answers: this.#answers.length > 0 ? Json.array(this.#answers) : undefined,
      is_pinned: this.is_pinned === undefined ? undefined : Json.of(this.is_pinned),
      note: this.note === undefined ? undefined : Json.of(this.note),
      results: Json.array(this.#results),
      extra: extra.text === '{}' ? undefined : kept(extra),
    })
    return text
  }
}

function named(members: Record<string, Json | undefined>): Json {
  return Json.object(Object.entries(members))
}

function ifNumber(value: Json | undefined): Json | undefined {
  return value?.number === undefined ? undefined : value
}

function failed({ message, stacktrace }: DraftError): Json {
  const error = named({
    message: Json.of(message),
    stacktrace: stacktrace === undefined ? undefined : Json.of(stacktrace),
  })
  return named({ type: Json.of('error'), value: Json.of(null), error })
}

/** What was not scored has a type all the same. */
function valued(value: Json | undefined, type = 'text'): Json {
  return named({
    type: Json.of(value && !value.isNull ? typeOf(value) : type),
    value: value ?? Json.of(null),
  })
}

function typeOf(value: Json): string {
  if (value.string !== undefined) return 'text'
  if (value.number !== undefined) return 'number'
  return value.boolean === undefined ? 'json' : 'bool'
}
