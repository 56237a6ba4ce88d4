// Generates two evaluations about capital cities for tests of the web page: a baseline and a candidate, with pass/fail
// and numeric results, errors, scenarios without results, and one unique text to search for.
import { parsedValue } from '../src/schema/validation/parsed-value.ts'
import { ensureProject } from '../src/store/access/projects.ts'
import { createEvaluation } from '../src/store/evaluations/evaluations.ts'
import { appendScenarios } from '../src/store/scenarios/append.ts'
import { type ScenarioRow, scenarioRow } from '../src/store/scenarios/row.ts'
import type { Store, Transaction } from '../src/store/store.ts'
import { addRevision } from '../src/store/variants/revisions.ts'
import { createVariant } from '../src/store/variants/variants.ts'

const CAPITALS = [
  ['Australia', 'Canberra', 'Sydney'],
  ['Canada', 'Ottawa', 'Toronto'],
  ['Chad', "N'Djamena", 'Moundou'],
  ['Kazakhstan', 'Astana', 'Almaty'],
  ['Myanmar', 'Naypyidaw', 'Yangon'],
  ['Brazil', 'Brasília', 'São Paulo'],
  ['Switzerland', 'Bern', 'Zürich'],
] as const

export const NEEDLE = 'the heron waits at the mill'
const EVALUATORS = [{ name: 'exact_match' }, { name: 'similarity' }]

/** `wrong` is the percentage of wrong outputs. */
const RUNS = [
  { id: 'geo-v3', revision: 1, wrong: 16, seed: 1 },
  { id: 'geo-v4', revision: 2, wrong: 19, seed: 2 },
]

/** Adds `geo-v4` with `count` scenarios, its baseline `geo-v3` with `baselineCount` scenarios, and their variant `geo`. */
export async function addCapitalsEvaluations(
  { writer }: Store,
  count: number,
  { baselineCount = count, needlePosition = Math.floor(count * 0.87) } = {},
): Promise<void> {
  await writer.transaction(async (transaction) => {
    const project = await ensureProject(transaction, 'default')
    const variant = await createVariant(transaction, project, parsedValue({ id: 'geo', name: 'geo' }))
    for (const [index, model] of ['gpt-w', 'gpt-x'].entries()) {
      const config = {
        config_name: 'geo',
        parameters: { model, temperature: 0.2, prompt: 'Name the capital.' },
      }
      await addRevision(
        transaction,
        variant,
        parsedValue({ revision: index + 1, modified_by: 'ana', config }),
      )
    }
    for (const run of RUNS) {
      await addRun(transaction, project, run, run.id === 'geo-v3' ? baselineCount : count, needlePosition)
    }
  })
}

async function addRun(
  transaction: Transaction,
  project: number,
  { id, revision, wrong, seed }: (typeof RUNS)[number],
  count: number,
  needlePosition: number,
): Promise<void> {
  const baseline_id = id === 'geo-v3' ? null : 'geo-v3'
  const evaluation = { id, name: id, variant_id: 'geo', revision, baseline_id, evaluators: EVALUATORS }
  const key = await createEvaluation(transaction, project, parsedValue(evaluation))
  await appendScenarios(transaction, key, batches(id, count, { wrong, seed, needlePosition }))
}

interface ScenarioOptions {
  wrong: number
  seed: number
  needlePosition: number
}

function* batches(id: string, count: number, options: ScenarioOptions): Generator<ScenarioRow[]> {
  for (let from = 0; from < count; from += 500) {
    const length = Math.min(500, count - from)
    yield Array.from({ length }, (_, index) =>
      scenarioRow(id, parsedValue(capitalScenario(from + index, options))),
    )
  }
}

function capitalScenario(position: number, { wrong, seed, needlePosition }: ScenarioOptions) {
  const random = hash(position * 31 + seed)
  const [country, right, other] = CAPITALS[position % CAPITALS.length] ?? CAPITALS[0]
  const isRight = hash(position * 17 + seed * 5) % 100 >= wrong
  const failed = random % 320 === 0
  const note = position === needlePosition ? NEEDLE : null
  const error = { message: `HTTP 429 rate limit exceeded, try again in ${random % 60} s` }
  return {
    id: `q-${position}`,
    inputs: [
      { name: 'country', type: 'text', value: country },
      { name: 'number', type: 'number', value: position },
    ],
    outputs: [
      failed
        ? { result: { type: 'error', value: null, error } }
        : {
            result: { type: 'text', value: isRight ? right : `The capital of ${country} is ${other}.` },
            cost: 0.0001 + (random % 1000) / 1e7,
            latency: 0.3 + (random % 2500) / 1000,
          },
    ],
    correct_answers: [{ key: 'capital', value: right }],
    is_pinned: position % 25_000 === 3,
    note,
    results: failed
      ? []
      : [
          {
            evaluator_config: 'exact_match',
            result:
              random % 1500 === 7
                ? { type: 'error', error: { message: `Timeout after ${1000 + (random % 7)} ms` } }
                : { type: 'bool', value: isRight },
          },
          {
            evaluator_config: 'similarity',
            result: { type: 'number', value: isRight ? 1 : (random % 80) / 100 },
          },
        ],
  }
}

/** A deterministic pseudo-random number from 0 to 2³² − 1. */
function hash(number: number): number {
  let bits = Math.imul(number ^ (number >>> 16), 0x45d9f3b)
  bits = Math.imul(bits ^ (bits >>> 16), 0x45d9f3b)
  return (bits ^ (bits >>> 16)) >>> 0
}
