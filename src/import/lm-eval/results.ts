// Reads the results file of an lm-evaluation-harness run, and finds the files that belong to the same run.

import { hash } from 'node:crypto'
import { basename } from 'node:path'
import { UnreadableFile } from '../../errors.ts'
import { pointerStep } from '../../json/problem.ts'
import type { RecordLimits } from '../../json/records.ts'
import { Json } from '../../json/value.ts'
import type { ImportEvent } from '../../schema/import-events.ts'
import { readRest } from '../read-records.ts'
import type { Source } from '../source.ts'
import { fileStem } from '../tool-run.ts'
import { differenceNote, type ImportedStatistics } from '../tool-statistics.ts'
import { unusedMembers } from '../values.ts'
import { readTimestamp, SAMPLES_NAME } from './file-names.ts'
import { evaluatorOf } from './sample.ts'

const TOOL = 'lm-evaluation-harness'
/** The file name in versions that write no timestamp. */
const UNDATED_NAME = 'results.json'

/** Settings of the prompt and the model, besides `config` and those of the task. */
const SETTING_MEMBERS = [
  'model_source',
  'system_instruction',
  'fewshot_as_multiturn',
  'chat_template',
  'git_hash',
]
const PER_TASK_MEMBERS = ['results', 'n-shot', 'n-samples', 'task_hashes']
const USED_MEMBERS = new Set([
  'configs',
  'config',
  'versions',
  'higher_is_better',
  'model_name',
  ...SETTING_MEMBERS,
  ...PER_TASK_MEMBERS,
])

export function isResults({ jsonPreview, name }: Source): boolean {
  if (jsonPreview?.shape !== 'lines' || !jsonPreview.paths.has('results')) return false
  if (['configs', 'versions'].every((member) => jsonPreview.paths.has(member))) return true
  // With many tasks, the preview ends before the members that follow the results.
  return (
    readTimestamp(name) !== undefined &&
    [...jsonPreview.paths].some((path) => /^results\..+(\.alias|,[\w-]+)$/.test(path))
  )
}

/** Whether a results file belongs to samples in the same folder. It is imported together with them. */
export function isResultsCompanion(name: string, names: readonly string[]): boolean {
  const timestamp = readTimestamp(name)
  const isSamples = (other: string) => SAMPLES_NAME.test(other) && readTimestamp(other) === timestamp
  return timestamp !== undefined && name.endsWith('.json') && names.some(isSamples)
}

/** The sample files in the folder of a results file, with their tasks. */
export async function samplesOf(source: Source, results: Json): Promise<{ file: string; task: string }[]> {
  const names = await findSamplesFiles(source)
  return names
    .filter((name) => SAMPLES_NAME.test(name) || isOfTask(name))
    .map((file) => ({ file, task: taskOf(file, results) }))

  function isOfTask(name: string): boolean {
    return listTasks(results).some((task) => endsWithTask(fileStem(name), task))
  }
}

/** The names of the files in the folder of a results file that can be its samples. */
export async function findSamplesFiles(source: Source): Promise<string[]> {
  const timestamp = readTimestamp(source.name)
  const names = (await source.listSiblings()).filter((name) => name.endsWith('.jsonl')).sort()
  return names.filter(
    (name) => readTimestamp(name) === timestamp && (timestamp === undefined || SAMPLES_NAME.test(name)),
  )
}

/** The names of the files in the folder of a sample file that can be its results. */
export async function findResultsFiles(source: Source): Promise<string[]> {
  const timestamp = readTimestamp(source.name)
  const isResultsName = (name: string) =>
    timestamp === undefined
      ? name === UNDATED_NAME
      : name.endsWith('.json') && readTimestamp(name) === timestamp
  return (await source.listSiblings()).filter(isResultsName)
}

/** The results file for a sample file. Undefined if there is none. Throws UnreadableFile. */
export async function resultsOf(source: Source, limits: RecordLimits): Promise<Json | undefined> {
  for (const name of await findResultsFiles(source)) {
    const sibling = await source.openSibling(name)
    try {
      if (isResults(sibling)) return await readResults(sibling, limits)
    } catch (error) {
      if (!(error instanceof UnreadableFile)) throw error
      throw new UnreadableFile(`${name}, the results file of the same run, cannot be read: ${error.message}`)
    } finally {
      await sibling.close()
    }
  }
  return undefined
}

export function readResults(source: Source, limits: RecordLimits): Promise<Json> {
  return readRest(source, { records: [], dropped: ['samples'] }, limits)
}

export function taskOf(name: string, results: Json | undefined): string {
  const taskInName = SAMPLES_NAME.exec(basename(name))?.[1]
  if (taskInName !== undefined) return taskInName
  const stem = fileStem(name)
  const tasks = results ? listTasks(results) : []
  const matchingTasks = tasks.filter((task) => endsWithTask(stem, task)).sort((a, b) => b.length - a.length)
  return matchingTasks[0] ?? (tasks.length === 1 && tasks[0] ? tasks[0] : stem)
}

function listTasks(results: Json): string[] {
  return [...(results.get('configs') ?? results.get('results') ?? results).members.keys()]
}

function endsWithTask(stem: string, task: string): boolean {
  return stem === task || stem.endsWith(`_${task}`)
}

/** The start time of the run, else the time in its file names, which is local time and read as UTC. */
export function timeOf(source: Source, results: Json | undefined): string | undefined {
  const date = new Date((results?.get('date')?.number ?? Number.NaN) * 1000)
  if (!Number.isNaN(date.getTime())) return date.toISOString()
  const [day, time] = readTimestamp(source.name)?.split('T') ?? []
  return time === undefined ? undefined : `${day}T${time.replaceAll('-', ':')}Z`
}

export async function runOf(samples: Source, task: string, results: Json | undefined) {
  const run = { name: task, source: TOOL, variant: task, config_name: task }
  // The name of the task comes from the name of the file.
  if (!results) return { ...run, isVariantNamedByFile: true }
  const model =
    results.get('model_name') ?? results.get('config', 'model_args') ?? results.get('config', 'model')
  const taskHash = results.get('task_hashes', task)?.plain ?? (await samples.contentId())
  const identity = JSON.stringify([taskHash, model?.plain, results.get('date')?.text])
  return {
    ...run,
    version: results.get('lm_eval_version')?.string,
    id: `${task}-${hash('sha256', identity, 'hex').slice(0, 16)}`,
    config_name: model?.plain ?? task,
    parameters: Json.object([
      ['model_name', results.get('model_name')],
      ['config', results.get('config')],
      ['task_config', results.get('configs', task)],
      ['task_version', results.get('versions', task)],
      ...SETTING_MEMBERS.map((name) => [name, results.get(name)] as const),
    ]),
    metadata: Json.object([
      ...PER_TASK_MEMBERS.map((name) => [name, results.get(name, task)] as const),
      ...unusedMembers(results, USED_MEMBERS),
    ]),
  }
}

/** `metrics`: the names of the metrics of each filter. */
export function* statisticsNotes(
  results: Json | undefined,
  task: string,
  metrics: ReadonlyMap<string, ReadonlySet<string>>,
  imported: ImportedStatistics,
): Generator<ImportEvent> {
  const taskResults = results?.get('results', task)
  if (!results || !taskResults?.isObject) return
  const count = sampleCount(results, task)
  if (count !== undefined && count !== imported.scenarios) {
    const detail = `${TOOL} counts ${count} samples of ${task}, but ${imported.scenarios} were imported.`
    yield differenceNote(`/results${pointerStep(task)}`, detail)
    return
  }
  const means = new Set(
    results
      .get('configs', task, 'metric_list')
      ?.elements.filter((metric) => metric.get('aggregation')?.string === 'mean')
      .map((metric) => metric.get('metric')?.string),
  )
  for (const [filter, names] of metrics) {
    for (const name of names) {
      const member = `${name},${filter}`
      const mean = taskResults.get(member)?.number
      // Other metrics are aggregated in another way, or the file does not say how.
      if (mean === undefined || !means.has(name)) continue
      const detail = imported.describeMean(evaluatorOf(name, filter, metrics.size > 1), TOOL, name, mean)
      if (detail !== undefined)
        yield differenceNote(`/results${pointerStep(task)}${pointerStep(member)}`, detail)
    }
  }
}

/** `n-samples` does not count samples that were selected by their ids, so it is exact only with a limit. */
function sampleCount(results: Json, task: string): number | undefined {
  const length = results.get('results', task, 'sample_len')?.number
  const [original, effective] = ['original', 'effective'].map(
    (name) => results.get('n-samples', task, name)?.number,
  )
  return length ?? (effective !== original ? effective : undefined)
}
