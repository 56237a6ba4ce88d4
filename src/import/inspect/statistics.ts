// Compares the imported samples with the results of an Inspect log.
import type { Json } from '../../json/value.ts'
import type { ImportEvent } from '../../schema/import-events.ts'
import { differenceNote, type ImportedStatistics } from '../tool-statistics.ts'
import { evaluatorOf } from './run.ts'

/** Both are the mean of all samples. `accuracy` counts texts that are no known labels as 0. */
const MEANS = ['accuracy', 'mean']

export function* statisticsNotes(header: Json, imported: ImportedStatistics): Generator<ImportEvent> {
  const results = header.get('results')
  if (!results?.isObject) return
  const [total, completed] = ['total_samples', 'completed_samples'].map((name) => results.get(name)?.number)
  const count = imported.scenarios
  const isComplete = header.get('status')?.string === 'success' && !results.get('early_stopping')?.isObject
  if (total !== undefined && (total < count || (isComplete && total > count))) {
    yield differenceNote(
      '/results/total_samples',
      `Inspect counts ${total} samples, but ${count} were imported.`,
    )
    return
  }
  if (completed !== undefined && completed > count) {
    const detail = `Inspect counts ${completed} completed samples, but ${count} were imported.`
    yield differenceNote('/results/completed_samples', detail)
    return
  }
  // Other samples failed. If they have scores, the means of Inspect do not contain them.
  const areScoresComplete = completed === count || completed === count - imported.unscoredScenarios
  if (areScoresComplete) yield* meanNotes(header, imported)
}

function* meanNotes(header: Json, imported: ImportedStatistics): Generator<ImportEvent> {
  const epochs = header.get('eval', 'config', 'epochs')?.number ?? 1
  for (const [index, score] of (header.get('results', 'scores')?.elements ?? []).entries()) {
    const evaluator = evaluatorOf(score)
    if (evaluator === undefined || !['mean', undefined].includes(score.get('reducer')?.string)) continue
    const { count, texts } = imported.scoresOf(evaluator)
    // Inspect first reduces the epochs of a sample: without one of them the mean is another one.
    if (epochs > 1 && count + texts !== imported.scenarios) continue
    for (const metric of MEANS) {
      const value = score.get('metrics', metric)
      const mean = value?.get('value')?.number
      const hasParams = ['params', 'options'].some((member) => (value?.get(member)?.members.size ?? 0) > 0)
      const detail =
        mean === undefined || hasParams
          ? undefined
          : imported.describeMean(evaluator, 'Inspect', metric, mean)
      if (detail !== undefined) yield differenceNote(`/results/scores/${index}/metrics/${metric}`, detail)
    }
  }
}
