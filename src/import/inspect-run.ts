// What a log of Inspect says of the whole run.
import { Json } from '../json/value.ts'
import { normaliseTime } from '../schema/times.ts'
import { type Run, stemOf } from './foreign.ts'
import type { Source } from './source.ts'

/** What ran: of `eval`, besides the plan. */
const PARAMETERS = [
  'model',
  'model_base_url',
  'model_generate_config',
  'model_args',
  'model_roles',
  'task_version',
  'task_args',
  'solver',
  'solver_args',
  'sandbox',
  'revision',
  'packages',
]
/** Of `eval`, what the evaluation has a place for, or what repeats a parameter. */
const PLACED = new Set([
  ...PARAMETERS,
  'eval_id',
  'created',
  'task',
  'task_args_passed',
  'solver_args_passed',
])
/** Of the log, what is read elsewhere. */
const ELSEWHERE = new Set(['eval', 'plan', 'samples', 'reductions', 'location', 'etag'])

export function createdAt(head: Json): string | undefined {
  const times = [head.get('eval', 'created')?.string, head.get('stats', 'started_at')?.string]
  return times.find((time) => time !== undefined && normaliseTime(time) !== undefined)
}

export async function runOf(head: Json, source: Source, created_at: string | undefined): Promise<Run> {
  const about = head.get('eval')
  const task = about?.get('task')?.string
  const name = task ?? stemOf(source.name)
  const solver = about?.get('solver')?.string
  const version = about?.get('packages', 'inspect_ai')?.string
  return {
    id: idOf(about) ?? (await source.contentId()),
    name,
    source: version === undefined ? 'Inspect AI' : `Inspect AI ${version}`,
    created_at,
    variant: solver === undefined ? name : `${name}:${solver}`,
    config_name: about?.get('model')?.plain ?? name,
    parameters: Json.object([
      ...PARAMETERS.map((parameter) => [parameter, filled(about?.get(parameter))] as const),
      ['plan', head.get('plan')],
    ]),
    author: undefined,
    evaluators: evaluatorsOf(head),
    metadata: metadataOf(head, about),
  }
}

/** Logs of before 2025 name the run and the task. */
function idOf(about: Json | undefined): string | undefined {
  const own = about?.get('eval_id')?.string
  if (own) return own
  const parts = [about?.get('run_id')?.string, about?.get('task_id')?.string].filter(Boolean)
  return parts.length === 0 ? undefined : parts.join('-')
}

/** Under the names of the log. Its own tags and metadata, which can be edited, stand for those of `eval`. */
function metadataOf(head: Json, about: Json | undefined): Json {
  const members = new Map<string, Json | undefined>([['status', head.get('status') ?? Json.of('started')]])
  for (const [name, value] of about?.members ?? []) if (!PLACED.has(name)) members.set(name, value)
  for (const [name, value] of head.members)
    if (!ELSEWHERE.has(name)) members.set(name, filled(value) ?? members.get(name))
  members.set('dataset', without(about?.get('dataset'), 'sample_ids'))
  members.set('error', without(head.get('error'), 'traceback_ansi'))
  members.set('results', without(head.get('results'), 'sample_reductions'))
  return Json.object(Array.from(members, ([name, value]) => [name, filled(value)] as const))
}

/** As the results call them: an evaluator whose value has keys is one for each of them. */
function evaluatorsOf(head: Json): { name: string }[] {
  const names = new Set<string>()
  for (const score of head.get('results', 'scores')?.elements ?? []) {
    const [name, scorer] = [score.get('name')?.string, score.get('scorer')?.string]
    if (name !== undefined) names.add(scorer === undefined || scorer === name ? name : `${scorer}.${name}`)
  }
  return Array.from(names, (name) => ({ name }))
}

/** What the score of a sample is called where the sample does not say it. */
export function scorerOf(head: Json): string {
  const results = head.get('results')
  const named = results?.get('scores')?.elements[0] ?? results?.get('scorer')
  return (
    named?.get('name')?.string ?? head.get('eval', 'scorers')?.elements[0]?.get('name')?.string ?? 'score'
  )
}

/** Undefined in place of what holds nothing. */
export function filled(value: Json | undefined): Json | undefined {
  return !value || value.isNull || value.text === '{}' || value.text === '[]' ? undefined : value
}

/** The same without these members. */
export function without(value: Json | undefined, ...names: string[]): Json | undefined {
  if (!value?.isObject) return value
  return filled(Json.object(Array.from(value.members).filter(([name]) => !names.includes(name))))
}

/** Epochs of a sample stand behind each other. */
const MOST_EPOCHS = 1_000_000
const NATURAL = new Intl.Collator('en', { numeric: true })

/** Where a sample belongs: in the order of the test set, then of the epochs. Samples end in any order. */
export class SampleOrder {
  readonly #places = new Map<string, number>()

  constructor(ids: Iterable<string>) {
    for (const id of ids) this.#place(id)
  }

  static natural(ids: Iterable<string>): string[] {
    return [...new Set(ids)].sort((a, b) => NATURAL.compare(a, b) || (a < b ? -1 : 1))
  }

  of(id: string, epoch: number): number {
    return this.#place(id) * MOST_EPOCHS + Math.min(epoch, MOST_EPOCHS - 1)
  }

  #place(id: string): number {
    const place = this.#places.get(id) ?? this.#places.size
    this.#places.set(id, place)
    return place
  }
}

/** Samples may differ only in whether their id is a number or a text, or be called like the epoch of another. */
export class SampleIds {
  readonly #owners = new Map<string, number>()

  /** A sample may be asked for again, by its number in the file. */
  of(id: string, index: number): string {
    let own = id
    for (let count = 2; (this.#owners.get(own) ?? index) !== index; count += 1) own = `${id} #${count}`
    this.#owners.set(own, index)
    return own
  }
}
