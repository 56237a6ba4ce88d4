// Evaluations with repeats, made from the rows of the sample: the outputs of other revisions are the repeats.
import type { Assay, ScenarioWrite } from '../../client/client.ts'

/** Each repeat of a row is the row of one of these evaluations. */
const SOURCES = [
  'support-answer-r4',
  'support-answer-r5',
  'support-answer-r6',
  'support-answer-r5',
  'support-answer-r4',
]

export const BASELINE = 'repeated-r4'
export const CANDIDATE = 'repeated-r5'

/**
 * Adds two evaluations with `rows` rows and 5 repeats each. The repeats of the candidate are shifted by one, and the first row of
 * the candidate fails every time, while that of the baseline passes every time. The third row of both has a repeat without results.
 */
export async function addRepeatedEvaluations(client: Assay, rows = 20): Promise<void> {
  const sources = await Promise.all(SOURCES.map((id) => client.listEvaluationScenarios(id)))
  for (const [id, revision, shift] of [
    [BASELINE, 4, 0],
    [CANDIDATE, 5, 1],
  ] as const) {
    await client.addEvaluation({
      id,
      name: `Repeated r${revision}`,
      variant_id: 'support-answer',
      revision,
      status: 'running',
    })
    const written = Array.from({ length: rows * SOURCES.length }, (_, index): ScenarioWrite => {
      const [row, repeat] = [Math.floor(index / SOURCES.length), index % SOURCES.length]
      const source = sources[(repeat + row * shift) % SOURCES.length]?.[row]
      if (!source) throw new Error(`no row ${row}`)
      const passes = row > 0 ? undefined : shift === 0
      return {
        id: `${source.id}-${repeat + 1}`,
        inputs: source.inputs,
        outputs: source.outputs,
        correct_answers: source.correct_answers ?? [],
        results:
          row === 2 && repeat === 3
            ? []
            : source.results.map((result) =>
                passes !== undefined && result.evaluator_config === 'answer_correct'
                  ? { ...result, result: { type: 'bool', value: passes } }
                  : result,
              ),
        extra: { sample: source.id, repetition: repeat + 1 },
      }
    })
    await client.appendScenarios(id, written)
    await client.changeEvaluation(id, { status: 'finished' })
  }
}
