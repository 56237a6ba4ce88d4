// lm-evaluation-harness: the samples of a task, with the results of the run beside them. Each task is an
// evaluation.
import type { Json } from '../json/value.ts'
import type { Found } from '../schema/findings.ts'
import { foreignLimits, type Run, runFindings, scenarioFindings, UniqueIds } from './foreign.ts'
import { type Importer, type ImportOptions, Unreadable } from './importer.ts'
import { type Group, SampleIndex } from './lm-eval-index.ts'
import {
  isBesideSamples,
  isResults,
  readResults,
  resultsOf,
  runOf,
  samplesOf,
  taskOf,
  timeOf,
} from './lm-eval-results.ts'
import { draftOf, evaluatorOf } from './lm-eval-sample.ts'
import type { Source } from './source.ts'

/** Samples of a task; without `file` those that are given. */
interface Task {
  task: string
  file?: string
}

interface Known {
  results: Json | undefined
  created_at: string | undefined
}

export const lmEval: Importer = {
  name: 'lm-eval',
  reads: 'samples_*.jsonl of lm-evaluation-harness (--log_samples), with results_*.json beside them',

  claims(source) {
    const { names = [] } = source.opening ?? {}
    const isNamed = /(^|[/\\])samples_[^/\\]*\.jsonl$/.test(source.name)
    return isResults(source) || (names.includes('doc') && (isNamed || names.includes('doc_id')))
  },

  isBeside: isBesideSamples,

  async open(source, options) {
    const how = { ...options, limits: foreignLimits(options.limits) }
    const isWhole = isResults(source)
    const results = isWhole ? await readResults(source, how) : await resultsOf(source, how)
    const tasks: Task[] =
      isWhole && results ? await samplesOf(source, results) : [{ task: taskOf(source.name, results) }]
    if (tasks.length === 0)
      throw new Unreadable(
        'It has the figures of whole tasks only, and no samples of the same run are beside it. ' +
          'lm_eval writes samples_*.jsonl with --log_samples.',
      )
    const created_at = timeOf(source, results)
    return { created_at, findings: () => readTasks(source, tasks, { results, created_at }, how) }
  },
}

async function* readTasks(
  source: Source,
  tasks: Task[],
  known: Known,
  options: ImportOptions,
): AsyncGenerator<Found> {
  for (const [evaluation, { task, file }] of tasks.entries()) {
    if (file === undefined) yield* readTask(source, task, evaluation, known, options)
    else {
      const given = tasks.length > 1 && options.evaluation
      const own = { ...options, onRead: () => undefined }
      if (given) own.evaluation = `${given}:${task}`
      const samples = await source.neighbour(file)
      try {
        for await (const found of readTask(samples, task, evaluation, known, own))
          yield 'detail' in found ? { ...found, detail: `${file}: ${found.detail}` } : found
      } finally {
        await samples.close()
      }
    }
  }
}

async function* readTask(
  samples: Source,
  task: string,
  evaluation: number,
  { results, created_at }: Known,
  options: ImportOptions,
): AsyncGenerator<Found> {
  const index = new SampleIndex(samples)
  yield* index.build(options)
  const evaluators = evaluatorsOf(index, results?.get('higher_is_better', task))
  yield* runFindings({ ...(await runOf(samples, task, results)), created_at, evaluators }, options)
  let order = 0
  const ids = new UniqueIds()
  for (const group of index.groups()) {
    yield* groupFindings(index, group, { evaluation, order }, options, ids)
    order += 1
  }
}

function evaluatorsOf({ metrics }: SampleIndex, isBetter: Json | undefined): NonNullable<Run['evaluators']> {
  return [...metrics].flatMap(([filter, names]) =>
    Array.from(names, (name) => ({
      name: evaluatorOf(name, filter, metrics.size > 1),
      higher_is_better: isBetter?.get(name)?.boolean,
    })),
  )
}

async function* groupFindings(
  index: SampleIndex,
  { lines, repetition }: Group,
  where: { evaluation: number; order: number },
  { limits }: ImportOptions,
  ids: UniqueIds,
): AsyncGenerator<Found> {
  const [first = 0, ...others] = lines
  const { place, row } = await index.read(first, limits)
  const rows: [Json, ...Json[]] = [row]
  for (const line of others) rows.push((await index.read(line, limits)).row)
  const doc = row.get('doc_id')?.plain ?? `record ${place.index + 1}`
  const id = repetition === undefined || repetition === 1 ? doc : `${doc} #${repetition}`
  // The ids 1 and "1" are two.
  const draft = draftOf(rows, ids.unique(id), index.metrics.size > 1)
  draft.repetition = repetition
  yield* scenarioFindings(draft, place, limits, where)
}
