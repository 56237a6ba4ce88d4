// Reads the results file of an lm-evaluation-harness run, and finds the files that belong to the same run.
import { hash } from 'node:crypto'
import { basename } from 'node:path'
import { Json } from '../../json/value.ts'
import { type ImportOptions, UnreadableFile } from '../importer.ts'
import { readRest } from '../read-records.ts'
import type { Source } from '../source.ts'
import { fileStem, type ToolRun } from '../tool-run.ts'

const STAMP = /_(\d{4}-\d\d-\d\dT\d\d-\d\d-\d\d(?:\.\d+)?)\.jsonl?$/
const SAMPLES = /^samples_(.+)_\d{4}-\d\d-\d\dT[\d.-]+\.jsonl$/
/** The file name in versions that write no timestamp. */
const UNDATED = 'results.json'

/** Settings of the prompt and the model, besides `config` and those of the task. */
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

export function isResults({ jsonPreview: opening, name }: Source): boolean {
  if (opening?.shape !== 'lines' || !opening.paths.has('results')) return false
  if (['configs', 'versions'].every((member) => opening.paths.has(member))) return true
  // With many tasks, the preview ends before the members that follow the results.
  return STAMP.test(name) && [...opening.paths].some((path) => /^results\..+(\.alias|,[\w-]+)$/.test(path))
}

/** Whether a results file belongs to samples in the same folder. It is imported together with them. */
export function isResultsCompanion(name: string, names: readonly string[]): boolean {
  const stamp = stampOf(name)
  const isSamples = (other: string) => SAMPLES.test(other) && stampOf(other) === stamp
  return stamp !== undefined && name.endsWith('.json') && names.some(isSamples)
}

function stampOf(name: string): string | undefined {
  return STAMP.exec(name)?.[1]
}

/** The sample files in the folder of a results file, with their tasks. */
export async function samplesOf(source: Source, results: Json): Promise<{ file: string; task: string }[]> {
  const stamp = stampOf(source.name)
  const names = (await source.siblings()).filter((name) => name.endsWith('.jsonl')).sort()
  return names
    .filter((name) => stampOf(name) === stamp && (stamp === undefined ? isOfTask(name) : SAMPLES.test(name)))
    .map((file) => ({ file, task: taskOf(file, results) }))

  function isOfTask(name: string): boolean {
    return tasksIn(results).some((task) => endsWithTask(fileStem(name), task))
  }
}

/** The results file for a sample file. Undefined if there is none. Throws UnreadableFile. */
export async function resultsOf(source: Source, options: ImportOptions): Promise<Json | undefined> {
  const stamp = stampOf(source.name)
  const isResultsName = (name: string) =>
    stamp === undefined ? name === UNDATED : name.endsWith('.json') && stampOf(name) === stamp
  for (const name of (await source.siblings()).filter(isResultsName)) {
    const sibling = await source.openSibling(name)
    try {
      if (isResults(sibling)) return await readResults(sibling, options)
    } catch (error) {
      if (!(error instanceof UnreadableFile)) throw error
      throw new UnreadableFile(`${name}, the results file of the same run, cannot be read: ${error.message}`)
    } finally {
      await sibling.close()
    }
  }
  return undefined
}

export function readResults(source: Source, options: ImportOptions): Promise<Json> {
  const readOptions = { ...options, onRead: () => undefined }
  return readRest(source, { records: [], dropped: ['samples'] }, readOptions)
}

export function taskOf(name: string, results: Json | undefined): string {
  const named = SAMPLES.exec(basename(name))?.[1]
  if (named !== undefined) return named
  const stem = fileStem(name)
  const tasks = results ? tasksIn(results) : []
  const matching = tasks.filter((task) => endsWithTask(stem, task)).sort((a, b) => b.length - a.length)
  return matching[0] ?? (tasks.length === 1 && tasks[0] ? tasks[0] : stem)
}

function tasksIn(results: Json): string[] {
  return [...(results.get('configs') ?? results.get('results') ?? results).members.keys()]
}

function endsWithTask(stem: string, task: string): boolean {
  return stem === task || stem.endsWith(`_${task}`)
}

/** The start time of the run, else the time in its file names, which is local time and read as UTC. */
export function timeOf(source: Source, results: Json | undefined): string | undefined {
  const date = new Date((results?.get('date')?.number ?? Number.NaN) * 1000)
  if (!Number.isNaN(date.getTime())) return date.toISOString()
  const [day, time] = stampOf(source.name)?.split('T') ?? []
  return time === undefined ? source.modifiedAt?.toISOString() : `${day}T${time.replaceAll('-', ':')}Z`
}

export async function runOf(
  samples: Source,
  task: string,
  results: Json | undefined,
): Promise<Omit<ToolRun, 'created_at'>> {
  const run = { name: task, source: 'lm-evaluation-harness', variant: task, author: undefined }
  if (!results)
    return { ...run, id: await samples.contentId(), config_name: task, parameters: Json.object([]) }
  const model =
    results.get('model_name') ?? results.get('config', 'model_args') ?? results.get('config', 'model')
  const taskHash = results.get('task_hashes', task)?.plain ?? (await samples.contentId())
  const identity = JSON.stringify([taskHash, model?.plain, results.get('date')?.text])
  const version = results.get('lm_eval_version')?.string
  return {
    ...run,
    source: version === undefined ? run.source : `${run.source} ${version}`,
    id: `${task}-${hash('sha256', identity, 'hex').slice(0, 16)}`,
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
