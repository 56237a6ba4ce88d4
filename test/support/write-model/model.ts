// An in-memory model of what the service stores: two projects with evaluations and variants. It shares no code with the
// service.
import assert from 'node:assert/strict'
import { type Members, print, type Raw, type ScenarioMembers } from './documents.ts'

export type Noun = 'evaluation' | 'variant'
export type ProjectName = 'a' | 'b'

const UUID_7 = /^[\da-f]{8}-[\da-f]{4}-7[\da-f]{3}-[89ab][\da-f]{3}-[\da-f]{12}$/

/** What evaluations and variants have in common. The service assigns ids and times, and the model reads them from a response. */
export abstract class Resource {
  id: string | undefined
  created_at: string | undefined
  /** Undefined after a write that changed it, until the time is known. */
  updated_at: string | undefined
  /** The members of the request that created it. Undefined if another operation created it. */
  readonly writtenText: string | undefined
  #changeCount = 0
  readonly #requestTime = Date.now()
  #changeTime = this.#requestTime

  constructor(id: string | undefined, writtenText: string | undefined) {
    this.id = id
    this.writtenText = writtenText
  }

  /** The number of writes that changed it. Each of them changes its update time. */
  get changeCount(): number {
    return this.#changeCount
  }

  set changeCount(count: number) {
    this.#changeCount = count
    this.#changeTime = Date.now()
    this.updated_at = undefined
  }

  /** The JSON text in the form that the service returns. */
  abstract text(): string

  /** Reads what the service assigned from its response. */
  learn(item: { id: string; created_at: string; updated_at: string }): void {
    this.id ??= learnId(item.id)
    this.created_at ??= learnTime(item.created_at, this.#requestTime)
    this.updated_at ??= learnTime(item.updated_at, this.#changeTime)
  }
}

export interface Scenario {
  /** Undefined until the generated id is known. */
  id: string | undefined
  members: ScenarioMembers
  /** The content as it was first written, without pin and note. */
  writtenText: string
}

/** Columns that are never null. */
const DEFAULT_COLUMNS = { status: '"finished"', tags: '[]' }

export class Evaluation extends Resource {
  /** Column values as JSON texts. */
  readonly columns: Record<string, string> = { ...DEFAULT_COLUMNS }
  scenarios: Scenario[] = []
  /** The names of CSV columns, in the order in which they were first written. */
  columnNames: Record<ColumnKind, string[]> = { inputs: [], answers: [], results: [] }

  text(): string {
    const column = (name: string) => `"${name}":${this.columns[name] ?? 'null'}`
    const start = ['name', 'variant_id', 'revision', 'baseline_id', 'family', 'label', 'provider', 'source']
      .map(column)
      .join()
    const count = this.scenarios.length
    const end = ['expected_count', 'tags', 'evaluators', 'metadata'].map(column).join()
    return `{"id":${JSON.stringify(this.id)},${start},"created_at":"${this.created_at}","updated_at":"${this.updated_at}",${column('status')},"scenario_count":${count},${end}}`
  }

  /** Sets columns and returns whether one of them changed. */
  set(members: Members): boolean {
    const oldText = JSON.stringify(this.columns)
    for (const [name, member] of Object.entries(members)) {
      if (member === undefined || name === 'id' || name === 'created_at') continue
      this.columns[name] = columnText(name, member)
      if (this.columns[name] === 'null') delete this.columns[name]
      Object.assign(this.columns, { ...DEFAULT_COLUMNS, ...this.columns })
    }
    return JSON.stringify(sorted(this.columns)) !== JSON.stringify(sorted(JSON.parse(oldText)))
  }

  scenarioText({ id, members }: Scenario, hasExtra = false): string {
    const { inputs = [], outputs = [], correct_answers, is_pinned, note, results = [], extra } = members
    const idText = members.id && members.id.compact !== 'null' ? members.id.compact : JSON.stringify(id)
    const end = hasExtra ? `,"extra":${extra?.compact ?? 'null'}` : ''
    return `{"id":${idText},"evaluation_id":${JSON.stringify(this.id)},"inputs":${print(inputs)},"outputs":${print(outputs)},"correct_answers":${correct_answers ? print(correct_answers) : 'null'},"is_pinned":${is_pinned?.compact ?? 'null'},"note":${note?.compact ?? 'null'},"results":${print(results)}${end}}`
  }

  /**
   * Call it after a change of scenarios, with the records that were written. Names that no scenario has are removed, and new
   * ones are added at the end.
   */
  updateColumns(written: ScenarioMembers[] = []): void {
    for (const kind of ['inputs', 'answers', 'results'] as const) {
      const usedNames = new Set(this.scenarios.flatMap(({ members }) => namesOf(members, kind)))
      const writtenNames = written.flatMap((members) => namesOf(members, kind))
      const names = new Set([...this.columnNames[kind], ...writtenNames, ...usedNames])
      this.columnNames[kind] = [...names].filter((name) => usedNames.has(name))
    }
  }

  learnScenarios(items: { id: string }[]): void {
    for (const [index, scenario] of this.scenarios.entries()) scenario.id ??= learnId(items[index]?.id)
  }
}

type ColumnKind = 'inputs' | 'answers' | 'results'

function namesOf(
  { inputs = [], correct_answers, results = [] }: ScenarioMembers,
  kind: ColumnKind,
): string[] {
  const names = {
    inputs: inputs.map(({ name }) => name),
    answers: Array.isArray(correct_answers) ? correct_answers.map(({ key }) => key) : [],
    results: results.map(({ evaluator_config }) => evaluator_config),
  }
  return names[kind].map((name) => name.value as string)
}

export interface Revision {
  number: number
  modifiedBy: Raw
  config: Raw
  message: string | null
  /** Undefined until the time that the service assigned is known. */
  created_at: string | undefined
  requestTime: number
}

export class Variant extends Resource {
  name: string | null = null
  revisions: Revision[] = []

  text(): string {
    const numbers = this.revisions.map(({ number }) => number)
    const latest = numbers.length === 0 ? null : Math.max(...numbers)
    return `{"id":${JSON.stringify(this.id)},"name":${JSON.stringify(this.name)},"created_at":"${this.created_at}","updated_at":"${this.updated_at}","revision_count":${numbers.length},"latest_revision":${latest}}`
  }

  sortedRevisions(): Revision[] {
    return this.revisions.toSorted((first, second) => first.number - second.number)
  }

  learnRevisions(items: { revision: number; created_at: string }[]): void {
    for (const revision of this.revisions) {
      const item = items.find(({ revision: number }) => number === revision.number)
      if (item) revision.created_at ??= learnTime(item.created_at, revision.requestTime)
    }
  }
}

export function revisionText({ number, modifiedBy, config, created_at }: Revision): string {
  return `{"revision":${number},"modified_by":${modifiedBy.compact},"config":${config.compact},"created_at":"${created_at}"}`
}

/** A response that an Idempotency-Key returns again. */
export interface StoredResponse {
  body: string
  query: string
  status: number
  location: string | undefined
  text: string
  /** The evaluations and variants that the request has written. Their deletion forgets the response. */
  written: string[]
}

export class Project {
  /** In the order of creation. */
  evaluations: Evaluation[] = []
  variants: Variant[] = []
  readonly responses = new Map<string, StoredResponse>()
  /** The highest number that each variant id ever had. */
  readonly #revisionNumbers = new Map<string, number>()

  find<Kind extends Noun>(noun: Kind, id: string): ResourceOf<Kind> | undefined {
    return this.#all(noun).find((resource) => resource.id === id) as ResourceOf<Kind> | undefined
  }

  highestNumber(variant: string): number {
    return this.#revisionNumbers.get(variant) ?? 0
  }

  useNumber(variant: string, number: number): void {
    this.#revisionNumbers.set(variant, Math.max(number, this.highestNumber(variant)))
  }

  delete(resource: Resource): void {
    this.evaluations = this.evaluations.filter((evaluation) => evaluation !== resource)
    this.variants = this.variants.filter((variant) => variant !== resource)
  }

  /** Of evaluations with the same creation time, this one was created last. */
  moveToEnd(evaluation: Evaluation): void {
    this.evaluations = [...this.evaluations.filter((other) => other !== evaluation), evaluation]
  }

  /** The responses with this location are not returned again. */
  forgetResponses(location: string): void {
    for (const [name, response] of this.responses)
      if (response.location === location) this.responses.delete(name)
  }

  /** Newest first. Of the same time, the one that was created last is first. */
  list(noun: Noun): Resource[] {
    const time = ({ created_at = '' }: Resource) => created_at
    return this.#all(noun)
      .toReversed()
      .sort((first, second) => (time(first) === time(second) ? 0 : time(first) < time(second) ? 1 : -1))
  }

  #all(noun: Noun): Resource[] {
    return noun === 'evaluation' ? this.evaluations : this.variants
  }
}

type ResourceOf<Kind extends Noun> = Kind extends 'evaluation' ? Evaluation : Variant

/** Everything that the service stores. */
export class World {
  readonly projects: Record<ProjectName, Project> = { a: new Project(), b: new Project() }

  other(project: Project): Project {
    return project === this.projects.a ? this.projects.b : this.projects.a
  }
}

/** A request member as the JSON text of its column. */
function columnText(name: string, member: Raw): string {
  if (['evaluators', 'metadata', 'revision', 'tags'].includes(name)) return member.compact
  if (name === 'expected_count') return JSON.stringify(member.value)
  return JSON.stringify(storedText(member.value as string | null))
}

/** A column cannot contain NUL and lone surrogates. */
export function storedText<Text extends string | null>(text: Text): Text {
  return (text?.toWellFormed().replaceAll('\0', '\ufffd') ?? null) as Text
}

/** The members of a document, independent of their order and of null members. */
export function writtenMembers(members: Members): string {
  const texts = Object.entries(members).map(([name, member]) => [name, member?.compact ?? 'null'])
  return JSON.stringify(sorted(Object.fromEntries(texts.filter(([, text]) => text !== 'null'))))
}

function sorted(object: Record<string, string>): [string, string][] {
  return Object.entries(object).sort(([first], [second]) => (first < second ? -1 : 1))
}

function learnId(id: string | undefined): string {
  assert.match(String(id), UUID_7)
  return String(id)
}

function learnTime(time: string, requestTime: number): string {
  assert.equal(new Date(time).toISOString(), time)
  assert.ok(Date.parse(time) >= requestTime && Date.parse(time) <= Date.now(), `${time} is not now`)
  return time
}
