// Compares the imported samples of a task with the results file of the run.
import { pointerStep } from '../../json/problem.ts'
import type { Json } from '../../json/value.ts'
import type { ImportEvent } from '../../schema/import-events.ts'
import { differenceNote, type ImportedStatistics } from '../tool-statistics.ts'
import { evaluatorOf } from './sample.ts'

const TOOL = 'lm-evaluation-harness'

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
