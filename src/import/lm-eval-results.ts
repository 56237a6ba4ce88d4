// What lm-evaluation-harness writes of a whole run, and which of its files belong together.
import { hash } from 'node:crypto'
import { basename } from 'node:path'
import { Json } from '../json/value.ts'
import { type Run, stemOf } from './foreign.ts'
import { type ImportOptions, Unreadable } from './importer.ts'
import { readRest } from './reading.ts'
import type { Source } from './source.ts'

const STAMP = /_(\d{4}-\d\d-\d\dT\d\d-\d\d-\d\d(?:\.\d+)?)\.jsonl?$/
const SAMPLES = /^samples_(.+)_\d{4}-\d\d-\d\dT[\d.-]+\.jsonl$/
/** What versions without a time in their names called it. */
const UNDATED = 'results.json'

/** What is said of the prompt and of the model, besides config and the task's own. */
const SETTINGS = ['model_source', 'system_instruction', 'fewshot_as_multiturn', 'chat_template', 'git_hash']
const BY_TASK = ['results', 'n-shot', 'n-samples', 'task_hashes']
const USED = new Set([
  'configs',
  'config',
  'versions',
  'higher_is_better',
  'model_name',
  ...SETTINGS,
  ...BY_TASK,
])

export function isResults({ opening, name }: Source): boolean {
  if (opening?.shape !== 'lines' || !opening.paths.has('results')) return false
  if (['configs', 'versions'].every((member) => opening.paths.has(member))) return true
  // The figures of many tasks hide what follows.
  return STAMP.test(name) && [...opening.paths].some((path) => /^results\..+(\.alias|,[\w-]+)$/.test(path))
}

/** Whether a file only says more of samples beside it: they are imported, and it with them. */
export function isBesideSamples(name: string, names: readonly string[]): boolean {
  const stamp = stampOf(name)
  const isSamples = (other: string) => SAMPLES.test(other) && stampOf(other) === stamp
  return stamp !== undefined && name.endsWith('.json') && names.some(isSamples)
}

function stampOf(name: string): string | undefined {
  return STAMP.exec(name)?.[1]
}

/** The names of the files of samples beside a file of results, with the task of each. */
export async function samplesOf(source: Source, results: Json): Promise<{ file: string; task: string }[]> {
  const stamp = stampOf(source.name)
  const names = (await source.neighbours()).filter((name) => name.endsWith('.jsonl')).sort()
  return names
    .filter((name) => stampOf(name) === stamp && (stamp === undefined ? isOfTask(name) : SAMPLES.test(name)))
    .map((file) => ({ file, task: taskOf(file, results) }))

  function isOfTask(name: string): boolean {
    return tasksIn(results).some((task) => endsWithTask(stemOf(name), task))
  }
}

/** What the results beside a file of samples say; undefined where there are none. Throws Unreadable. */
export async function resultsOf(source: Source, options: ImportOptions): Promise<Json | undefined> {
  const stamp = stampOf(source.name)
  const isResultsName = (name: string) =>
    stamp === undefined ? name === UNDATED : name.endsWith('.json') && stampOf(name) === stamp
  for (const name of (await source.neighbours()).filter(isResultsName)) {
    const neighbour = await source.neighbour(name)
    try {
      if (isResults(neighbour)) return await readResults(neighbour, options)
    } catch (error) {
      if (!(error instanceof Unreadable)) throw error
      throw new Unreadable(`${name}, which belongs to it, cannot be read: ${error.message}`)
    } finally {
      await neighbour.close()
    }
  }
  return undefined
}

export function readResults(source: Source, options: ImportOptions): Promise<Json> {
  const how = { ...options, onRead: () => undefined }
  return readRest(source, { records: [], dropped: ['samples'] }, how)
}

export function taskOf(name: string, results: Json | undefined): string {
  const named = SAMPLES.exec(basename(name))?.[1]
  if (named !== undefined) return named
  const stem = stemOf(name)
  const tasks = results ? tasksIn(results) : []
  const fitting = tasks.filter((task) => endsWithTask(stem, task)).sort((a, b) => b.length - a.length)
  return fitting[0] ?? (tasks.length === 1 && tasks[0] ? tasks[0] : stem)
}

function tasksIn(results: Json): string[] {
  return [...(results.get('configs') ?? results.get('results') ?? results).members.keys()]
}

function endsWithTask(stem: string, task: string): boolean {
  return stem === task || stem.endsWith(`_${task}`)
}

/** The moment the run began, else that in the names of its files: local time, and so taken for UTC. */
export function timeOf(source: Source, results: Json | undefined): string | undefined {
  const date = new Date((results?.get('date')?.number ?? Number.NaN) * 1000)
  if (!Number.isNaN(date.getTime())) return date.toISOString()
  const [day, time] = stampOf(source.name)?.split('T') ?? []
  return time === undefined ? source.modified?.toISOString() : `${day}T${time.replaceAll('-', ':')}Z`
}

export async function runOf(
  samples: Source,
  task: string,
  results: Json | undefined,
): Promise<Omit<Run, 'created_at'>> {
  const run = { name: task, source: 'lm-evaluation-harness', variant: task, author: undefined }
  if (!results)
    return { ...run, id: await samples.contentId(), config_name: task, parameters: Json.object([]) }
  const model =
    results.get('model_name') ?? results.get('config', 'model_args') ?? results.get('config', 'model')
  const ofTask = results.get('task_hashes', task)?.plain ?? (await samples.contentId())
  const told = JSON.stringify([ofTask, model?.plain, results.get('date')?.text])
  const version = results.get('lm_eval_version')?.string
  return {
    ...run,
    source: version === undefined ? run.source : `${run.source} ${version}`,
    id: `${task}-${hash('sha256', told, 'hex').slice(0, 16)}`,
    config_name: model?.plain ?? task,
    parameters: Json.object([
      ['model_name', results.get('model_name')],
      ['config', results.get('config')],
      ['task_config', results.get('configs', task)],
      ['task_version', results.get('versions', task)],
      ...SETTINGS.map((name) => [name, results.get(name)] as const),
    ]),
    metadata: Json.object([
      ...BY_TASK.map((name) => [name, results.get(name, task)] as const),
      ...[...results.members].filter(([name, value]) => !USED.has(name) && !value.isNull),
    ]),
  }
}
