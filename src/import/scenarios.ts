// Assay's own scenarios: an array of them, or one a line, as the read of an evaluation's scenarios answers. In a
// full export a line stands before them, with the evaluation and the revision it ran.
import type { ContentError } from '../schema/check.ts'
import type { Finding, Found } from '../schema/findings.ts'
import { checkScenario, ScenarioWrite } from '../schema/scenarios.ts'
import { type Written, written } from '../schema/written.ts'
import type { Importer, ImportOptions } from './importer.ts'
import { readPreface } from './preface.ts'
import { readRecords, refusals } from './reading.ts'
import { judgeRecord } from './records.ts'
import type { Source } from './source.ts'

const TELLING = ['evaluation_id', 'inputs', 'outputs', 'correct_answers', 'results.evaluator_config']
/** Other tools have members of these names too, but not these alone. */
const MEMBERS = new Set(Object.keys(ScenarioWrite.properties))

export const scenarios: Importer = {
  name: 'scenarios',
  reads: 'scenarios as Assay answers or exports them, with inputs, outputs and results',

  claims({ opening }) {
    if (!opening) return false
    const isFull = opening.shape === 'lines' && opening.names[0] === 'evaluation'
    if (isFull || TELLING.some((path) => opening.paths.has(path))) return true
    const isForeign = [...opening.paths].some((path) => path.startsWith('results.'))
    return !isForeign && opening.names.length > 0 && opening.names.every((name) => MEMBERS.has(name))
  },

  async open(source, options) {
    return { findings: () => readScenarios(source, options) }
  },
}

async function* readScenarios(source: Source, options: ImportOptions): AsyncGenerator<Found> {
  let id: string | undefined
  for await (const record of readRecords(source, options)) {
    if ('kind' in record) {
      yield record
    } else if (record.index === 0 && record.scanned?.members?.has('evaluation')) {
      const preface = readPreface(record, options)
      if (preface.refused) yield* refusals(preface.refused)
      else {
        id = preface.id
        yield* preface.findings
      }
    } else {
      const judged = judgeRecord(record, checkScenario)
      if (judged.written && id === undefined) {
        id = options.evaluation ?? judged.written.value.evaluation_id ?? (await source.contentId())
        yield* begun(id, options)
      }
      const stranger = options.evaluation === undefined && ofAnother(judged.written, id)
      if (stranger) yield* refusals({ place: judged.place, errors: [stranger] })
      else if (judged.written) yield { kind: 'scenario', place: judged.place, written: judged.written }
      else yield* refusals(judged)
    }
  }
  if (id === undefined && options.evaluation !== undefined) yield* begun(options.evaluation, options)
}

/** An evaluation of which the file says nothing is named after its id. */
function* begun(id: string, { variant }: ImportOptions): Generator<Finding> {
  if (variant !== undefined) yield { kind: 'variant', id: variant, written: written({ name: variant }) }
  yield { kind: 'evaluation', id, written: written({ name: id, variant_id: variant ?? null }) }
}

function ofAnother(
  scenario: Written<{ evaluation_id?: string }> | undefined,
  id: string | undefined,
): ContentError | undefined {
  const named = scenario?.value.evaluation_id
  if (named === undefined || named === id) return undefined
  const detail = `This scenario is of '${named}', those before it of '${id}'. --evaluation ID takes them all into one.`
  return { pointer: '/evaluation_id', detail }
}
