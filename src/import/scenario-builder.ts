// Builds a scenario from the values of an imported file. Every value keeps its exact text; values without a scenario
// field go to `extra`.
import { Json } from '../json/value.ts'

export interface OutputParts {
  value?: Json | undefined
  error?: ErrorParts | undefined
  /** US dollars. */
  cost?: Json | undefined
  /** Seconds, or milliseconds. */
  latency?: Json | number | undefined
  latencyMs?: Json | undefined
}

export interface ErrorParts {
  message: string
  stacktrace?: string | undefined
}

/** Without value and error the scenario was not scored. */
export interface ResultParts {
  value?: Json | boolean | number | undefined
  /** The type of a result that was not scored. */
  type?: 'bool' | 'number' | 'text'
  error?: ErrorParts | undefined
  reason?: Json | undefined
  /** Further data of the evaluator, under the names in the file. */
  extra?: Iterable<readonly [string, Json | undefined]>
}

/** Limit of inputs, answers and results in one scenario. Without it, a small file could create millions. */
export const MAX_PARTS = 10_000

/** Names in `extra` that have a meaning in Assay. */
const RESERVED_NAMES = new Set(['results', 'sample', 'repetition'])

export class ScenarioBuilder {
  id: string
  /** Whether the importer made up the id, because the file has none or only a position. */
  hasGeneratedId: boolean
  is_pinned: boolean | undefined
  note: string | undefined
  /** The row of the test set, if the file has repetitions of it. The id of the scenario says the same otherwise. */
  sample: string | undefined
  /** Which repetition of the sample this is, counted from 1. */
  repetition: number | undefined
  readonly #inputs: Json[] = []
  readonly #outputs: Json[] = []
  readonly #answers: Json[] = []
  readonly #results: Json[] = []
  readonly #resultExtras: Json[] = []
  readonly #extra = new Map<string, Json>()
  readonly #evaluators = new Map<string, number>()
  #partCount = 0

  constructor(id: string, hasGeneratedId = false) {
    this.id = id
    this.hasGeneratedId = hasGeneratedId
  }

  /** Whether the limit was exceeded. Parts over the limit are not added. */
  get hasTooManyParts(): boolean {
    return this.#partCount > MAX_PARTS
  }

  /** Returns false if the limit is exceeded. */
  #addPart(): boolean {
    this.#partCount += 1
    return !this.hasTooManyParts
  }

  addInput(name: string, value: Json): void {
    if (!this.#addPart()) return
    this.#inputs.push(
      Json.fields({ name: Json.of(name), type: Json.of(value.isString ? 'text' : 'json'), value }),
    )
  }

  /** One input per member of an object. Any other value is one input. */
  addInputs(name: string, value: Json | undefined): void {
    if (value?.isObject) for (const [member, item] of value.members) this.addInput(member, item)
    else if (value) this.addInput(name, value)
  }

  /** A list adds one answer per element. */
  addCorrectAnswer(key: string, value: Json): void {
    for (const answer of value.isArray ? value.elements : [value])
      if (this.#addPart())
        this.#answers.push(Json.fields({ key: Json.of(key), value: Json.of(answer.plain) }))
  }

  addOutput({ value, error, cost, latency, latencyMs }: OutputParts): void {
    if (error && value) this.addExtra('output', value)
    const seconds = latencyMs?.number === undefined ? latency : latencyMs.number / 1000
    this.#outputs.push(
      Json.fields({
        result: error ? errorResult(error) : valueResult(value),
        cost: undefinedUnlessNumber(cost),
        latency: typeof seconds === 'number' ? toJsonNumber(seconds) : undefinedUnlessNumber(seconds),
      }),
    )
  }

  /** A second result of the same evaluator gets a numbered name. */
  addResult(evaluator: string, { value, type, error, reason, extra = [] }: ResultParts): void {
    if (!this.#addPart()) return
    const json = typeof value === 'object' ? value : value === undefined ? undefined : Json.of(value)
    const result = error ? errorResult(error) : valueResult(json, type ?? 'number')
    this.#results.push(Json.fields({ evaluator_config: Json.of(this.#uniqueName(evaluator)), result }))
    const extraValue = json && error ? { value: json } : {}
    this.#resultExtras.push(Json.object([['reason', reason], ...Object.entries(extraValue), ...extra]))
  }

  #uniqueName(evaluator: string): string {
    const count = (this.#evaluators.get(evaluator) ?? 0) + 1
    this.#evaluators.set(evaluator, count)
    return count === 1 ? evaluator : this.#uniqueName(`${evaluator} #${count}`)
  }

  /** Stores a value under its name in the file. Ignores undefined and null. */
  addExtra(name: string, value: Json | undefined): void {
    if (value && !value.isNull) this.#extra.set(RESERVED_NAMES.has(name) ? `source_${name}` : name, value)
  }

  /** Stores the values of members that should be numbers, but have another type. */
  addNonNumbers(values: Record<string, Json | undefined>): void {
    for (const [name, value] of Object.entries(values))
      if (value?.number === undefined) this.addExtra(name, value)
  }

  /** Calls `add` for each element of a list that is named, and stores the others, or a value that is not a list. */
  addNamed(list: string, value: Json | undefined, add: (name: string, element: Json) => void): void {
    const others: Json[] = []
    for (const element of value?.elements ?? []) {
      const name = element.get('name')?.string
      if (name === undefined) others.push(element)
      else add(name, element)
    }
    this.addExtra(list, others.length > 0 ? Json.array(others) : value?.isArray ? undefined : value)
  }

  /** Adds all members of a record that were not used. */
  addUnusedMembers(row: Json, used: ReadonlySet<string>): void {
    for (const [name, value] of row.members) if (!used.has(name)) this.addExtra(name, value)
  }

  /** The members of the scenario. `mapExtra` can change its `extra`. */
  members(mapExtra: (extra: Json) => Json = (extra) => extra): Map<string, Json> {
    const members = new Map([
      ['id', Json.of(this.id)],
      ['inputs', Json.array(this.#inputs)],
      ['outputs', Json.array(this.#outputs)],
    ])
    if (this.#answers.length > 0) members.set('correct_answers', Json.array(this.#answers))
    if (this.is_pinned !== undefined) members.set('is_pinned', Json.of(this.is_pinned))
    if (this.note !== undefined) members.set('note', Json.of(this.note))
    members.set('results', Json.array(this.#results))
    const hasResultExtras = this.#resultExtras.some(({ text }) => text !== '{}')
    const extra = Json.object([
      ['results', hasResultExtras ? Json.array(this.#resultExtras) : undefined],
      ['sample', this.sample === undefined ? undefined : Json.of(this.sample)],
      ['repetition', this.repetition === undefined ? undefined : Json.of(this.repetition)],
      ...this.#extra,
    ])
    if (extra.text !== '{}') members.set('extra', mapExtra(extra))
    return members
  }
}

export function isRepetition(number: number | undefined): number is number {
  return Number.isSafeInteger(number) && Number(number) > 0
}

/** A computed number. One outside the range of a double stays outside of it, so that the scenario is rejected. */
export function toJsonNumber(number: number): Json {
  return Number.isFinite(number) ? Json.of(number) : new Json(number < 0 ? '-1e400' : '1e400')
}

function undefinedUnlessNumber(value: Json | undefined): Json | undefined {
  return value?.number === undefined ? undefined : value
}

function errorResult({ message, stacktrace }: ErrorParts): Json {
  const error = Json.fields({
    message: Json.of(message),
    stacktrace: stacktrace === undefined ? undefined : Json.of(stacktrace),
  })
  return Json.fields({ type: Json.of('error'), value: Json.of(null), error })
}

/** `type` is used if there is no value. */
function valueResult(value: Json | undefined, type = 'text'): Json {
  return Json.fields({
    type: Json.of(value && !value.isNull ? typeOf(value) : type),
    value: value ?? Json.of(null),
  })
}

function typeOf(value: Json): string {
  if (value.isString) return 'text'
  if (value.number !== undefined) return 'number'
  return value.boolean === undefined ? 'json' : 'bool'
}
