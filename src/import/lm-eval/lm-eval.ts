// Imports lm-evaluation-harness runs: the samples of each task, with the results file of the run. Each task becomes an
// evaluation.
import { UnreadableFile } from '../../errors.ts'
import type { Json } from '../../json/value.ts'
import type { ImportEvent } from '../../schema/import-events.ts'
import type { Importer, ImportOptions } from '../importer.ts'
import type { Source } from '../source.ts'
import { describeRun, runEvents, scenarioEvents, type ToolRun, UniqueIds } from '../tool-run.ts'
import { ImportedStatistics } from '../tool-statistics.ts'
import {
  findResultsFiles,
  findSamplesFiles,
  isResults,
  isResultsCompanion,
  readResults,
  resultsOf,
  runOf,
  samplesOf,
  statisticsNotes,
  taskOf,
  timeOf,
} from './results.ts'
import { buildScenario, evaluatorOf } from './sample.ts'
import { type Group, SampleIndex } from './sample-index.ts'

/** The samples of a task. Without `file` they are in the imported file itself. */
interface Task {
  task: string
  file?: string
}

interface RunContext {
  results: Json | undefined
  created_at: string | undefined
}

export const lmEval: Importer = {
  name: 'lm-eval',
  label: 'lm-evaluation-harness',
  description:
    'samples_TASK_TIME.jsonl from lm-evaluation-harness (--log_samples), with results_TIME.json in the same folder',
  docs: 'how-to/import-lm-eval.md',
  reference: 'reference/imports/lm-eval.md',
  example: 'assay import ./runs',

  detects(source) {
    const { names = [] } = source.jsonPreview ?? {}
    const hasSamplesName = /(^|[/\\])samples_[^/\\]*\.jsonl$/.test(source.name)
    return isResults(source) || (names.includes('doc') && (hasSamplesName || names.includes('doc_id')))
  },

  isCompanion: isResultsCompanion,

  findSiblings(source) {
    return isResults(source) ? findSamplesFiles(source) : findResultsFiles(source)
  },

  async open(source, options) {
    const isResultsFile = isResults(source)
    const results = isResultsFile
      ? await readResults(source, options.limits)
      : await resultsOf(source, options.limits)
    const tasks: Task[] =
      isResultsFile && results ? await samplesOf(source, results) : [{ task: taskOf(source.name, results) }]
    if (tasks.length === 0)
      throw new UnreadableFile(
        'The file has only the results of whole tasks, and its folder has no samples of the same run. ' +
          'Run lm_eval with --log_samples to write samples_*.jsonl.',
      )
    return {
      created_at: timeOf(source, results),
      async *events(created_at) {
        const context = { results, created_at }
        for (const { task, file } of tasks) {
          if (file === undefined) yield* readTask(source, task, context, options)
          else {
            const prefix = tasks.length > 1 && options.evaluation
            const taskOptions = prefix ? { ...options, evaluation: `${prefix}:${task}` } : options
            const samples = await source.openSibling(file)
            try {
              for await (const event of readTask(samples, task, context, taskOptions))
                yield 'detail' in event ? { ...event, detail: `${file}: ${event.detail}` } : event
            } finally {
              await samples.close()
            }
          }
        }
      },
    }
  },
}

async function* readTask(
  samples: Source,
  task: string,
  { results, created_at }: RunContext,
  options: ImportOptions,
): AsyncGenerator<ImportEvent> {
  if (samples.size === 0) {
    const detail = `The task ${task} has no samples. Run lm_eval with --log_samples.`
    yield { kind: 'rejection', record: null, line: 1, pointer: '', detail, isFatal: true }
    return
  }
  const index = new SampleIndex(samples)
  yield* index.build(options.limits)
  const evaluators = evaluatorsOf(index, results?.get('higher_is_better', task))
  const run = { ...(await runOf(samples, task, results)), created_at, evaluators }
  yield* runEvents(await describeRun(samples, run, options), options)
  let order = 0
  const ids = new UniqueIds()
  const imported = new ImportedStatistics()
  for (const group of index.groups()) {
    for await (const event of groupEvents(index, group, order, options, ids)) {
      imported.add(event)
      yield event
    }
    order += 1
  }
  yield* statisticsNotes(results, task, index.metrics, imported)
}

function evaluatorsOf(
  { metrics }: SampleIndex,
  higherIsBetter: Json | undefined,
): NonNullable<ToolRun['evaluators']> {
  return [...metrics].flatMap(([filter, names]) =>
    Array.from(names, (name) => ({
      name: evaluatorOf(name, filter, metrics.size > 1),
      higher_is_better: higherIsBetter?.get(name)?.boolean,
    })),
  )
}

async function* groupEvents(
  index: SampleIndex,
  { lines, repetition }: Group,
  order: number,
  { limits }: ImportOptions,
  ids: UniqueIds,
): AsyncGenerator<ImportEvent> {
  const [firstLine = 0, ...otherLines] = lines
  const { place, row } = await index.read(firstLine, limits)
  const rows: [Json, ...Json[]] = [row]
  for (const line of otherLines) rows.push((await index.read(line, limits)).row)
  const docId = row.get('doc_id')?.plain
  const doc = docId ?? `record ${place.index + 1}`
  const id = repetition === undefined || repetition === 1 ? doc : `${doc} #${repetition}`
  // The ids 1 and "1" are different documents.
  const builder = buildScenario(rows, ids.makeUnique(id), index.metrics.size > 1)
  builder.hasGeneratedId = docId === undefined
  builder.sample = repetition === undefined ? undefined : doc
  builder.repetition = repetition
  yield* scenarioEvents(builder, place, limits, { order })
}
