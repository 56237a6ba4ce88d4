// Reads the run (evaluation, variant and revision) from the header of an Inspect log.
import { Json } from '../../json/value.ts'
import { normalizeTime } from '../../schema/times.ts'
import type { Source } from '../source.ts'
import { fileStem, type ToolRun } from '../tool-run.ts'

/** Members of `eval` that describe the configuration. */
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
/** Members of `eval` that are not metadata: they are used elsewhere or repeat a parameter. */
const NOT_METADATA = new Set([
  ...PARAMETERS,
  'eval_id',
  'created',
  'task',
  'task_args_passed',
  'solver_args_passed',
])
/** Members of the log that are not metadata. */
const LOG_NOT_METADATA = new Set(['eval', 'plan', 'samples', 'reductions', 'location', 'etag'])

export function createdAt(head: Json): string | undefined {
  const times = [head.get('eval', 'created')?.string, head.get('stats', 'started_at')?.string]
  return times.find((time) => time !== undefined && normalizeTime(time) !== undefined)
}

export async function runOf(head: Json, source: Source, created_at: string | undefined): Promise<ToolRun> {
  const info = head.get('eval')
  const task = info?.get('task')?.string
  const name = task ?? fileStem(source.name)
  const solver = info?.get('solver')?.string
  const version = info?.get('packages', 'inspect_ai')?.string
  return {
    id: idOf(info) ?? (await source.contentId()),
    name,
    source: version === undefined ? 'Inspect AI' : `Inspect AI ${version}`,
    created_at,
    variant: solver === undefined ? name : `${name}:${solver}`,
    config_name: info?.get('model')?.plain ?? name,
    parameters: Json.object([
      ...PARAMETERS.map((parameter) => [parameter, unlessEmpty(info?.get(parameter))] as const),
      ['plan', head.get('plan')],
    ]),
    author: undefined,
    evaluators: evaluatorsOf(head),
    metadata: metadataOf(head, info),
  }
}

/** Logs written before 2025 have a run id and a task id instead. */
function idOf(info: Json | undefined): string | undefined {
  const evalId = info?.get('eval_id')?.string
  if (evalId) return evalId
  const parts = [info?.get('run_id')?.string, info?.get('task_id')?.string].filter(Boolean)
  return parts.length === 0 ? undefined : parts.join('-')
}

/** Uses the names of the log. Tags and metadata of the log can be edited and override those of `eval`. */
function metadataOf(head: Json, info: Json | undefined): Json {
  const members = new Map<string, Json | undefined>([['status', head.get('status') ?? Json.of('started')]])
  for (const [name, value] of info?.members ?? []) if (!NOT_METADATA.has(name)) members.set(name, value)
  for (const [name, value] of head.members)
    if (!LOG_NOT_METADATA.has(name)) members.set(name, unlessEmpty(value) ?? members.get(name))
  members.set('dataset', without(info?.get('dataset'), 'sample_ids'))
  members.set('error', without(head.get('error'), 'traceback_ansi'))
  members.set('results', without(head.get('results'), 'sample_reductions'))
  return Json.object(Array.from(members, ([name, value]) => [name, unlessEmpty(value)] as const))
}

/** Named as in the results: an evaluator whose value is an object becomes one evaluator per key. */
function evaluatorsOf(head: Json): { name: string }[] {
  const names = new Set<string>()
  for (const score of head.get('results', 'scores')?.elements ?? []) {
    const [name, scorer] = [score.get('name')?.string, score.get('scorer')?.string]
    if (name !== undefined) names.add(scorer === undefined || scorer === name ? name : `${scorer}.${name}`)
  }
  return Array.from(names, (name) => ({ name }))
}

/** The name for scores that have no name in the sample. */
export function scorerOf(head: Json): string {
  const results = head.get('results')
  const named = results?.get('scores')?.elements[0] ?? results?.get('scorer')
  return (
    named?.get('name')?.string ?? head.get('eval', 'scorers')?.elements[0]?.get('name')?.string ?? 'score'
  )
}

/** Undefined instead of null or an empty object or array. */
export function unlessEmpty(value: Json | undefined): Json | undefined {
  return !value || value.isNull || value.text === '{}' || value.text === '[]' ? undefined : value
}

/** A copy without these members. */
export function without(value: Json | undefined, ...names: string[]): Json | undefined {
  if (!value?.isObject) return value
  return unlessEmpty(Json.object(Array.from(value.members).filter(([name]) => !names.includes(name))))
}

/** Keeps the epochs of a sample together in the order. */
const MAX_EPOCHS = 1_000_000
const NATURAL = new Intl.Collator('en', { numeric: true })

/** Orders samples by the test set, then by epoch. In the log they are in the order in which they finished. */
export class SampleOrder {
  readonly #positions = new Map<string, number>()

  constructor(ids: Iterable<string>) {
    for (const id of ids) this.#positionOf(id)
  }

  static natural(ids: Iterable<string>): string[] {
    return [...new Set(ids)].sort((a, b) => NATURAL.compare(a, b) || (a < b ? -1 : 1))
  }

  of(id: string, epoch: number): number {
    return this.#positionOf(id) * MAX_EPOCHS + Math.min(epoch, MAX_EPOCHS - 1)
  }

  #positionOf(id: string): number {
    const position = this.#positions.get(id) ?? this.#positions.size
    this.#positions.set(id, position)
    return position
  }
}

/** Makes ids unique: 1 and "1" are different samples, and an id can equal that of another sample's epoch. */
export class SampleIds {
  readonly #owners = new Map<string, number>()

  /** Returns the same id if called again with the same index in the file. */
  of(id: string, index: number): string {
    let unique = id
    for (let count = 2; (this.#owners.get(unique) ?? index) !== index; count += 1) unique = `${id} #${count}`
    this.#owners.set(unique, index)
    return unique
  }
}
