// Generates evaluations of any size for benchmarks and tests. The data is seeded, so it is the same on every machine.
import { createWriteStream } from 'node:fs'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import type { EvaluationWrite } from '../src/schema/evaluations.ts'
import type { Scope } from '../src/schema/keys.ts'
import type { EvaluationScenario } from '../src/schema/scenarios.ts'
import { parsedValue } from '../src/schema/validation/parsed-value.ts'
import { addKey } from '../src/store/access/keys.ts'
import { ensureProject } from '../src/store/access/projects.ts'
import { createEvaluation } from '../src/store/evaluations/evaluations.ts'
import { appendScenarios } from '../src/store/scenarios/append.ts'
import { type ScenarioRow, scenarioRow } from '../src/store/scenarios/row.ts'
import type { Store } from '../src/store/store.ts'

/** Results in about 2 kB per scenario. */
const WORDS_IN_OUTPUT = 150
/** Scenarios per transaction. A larger one would need a log of several gigabytes. */
const TRANSACTION_SIZE = 50_000
const BATCH_SIZE = 100

/** Changes a generated scenario before it is stored. */
export type ScenarioChange = (scenario: EvaluationScenario, position: number) => EvaluationScenario

/**
 * Adds an evaluation to the project default. Evaluations of the same size have the same scenario ids and inputs; the
 * seed changes their outputs and results.
 */
export async function addLargeEvaluation(
  { writer }: Store,
  count: number,
  {
    id = `eval-${count}`,
    seed = 0,
    change = (scenario) => scenario,
    ...members
  }: Omit<EvaluationWrite, 'id'> & { id?: string; seed?: number; change?: ScenarioChange } = {},
): Promise<string> {
  const evaluation = { id, source: 'bench', created_at: '2026-11-01T00:00:00.000Z', ...members }
  const batches = generateBatches(id, count, seed, change)
  for (let added = 0; added === 0 || added < count; added += TRANSACTION_SIZE) {
    await writer.transaction(async (transaction) => {
      const project = await ensureProject(transaction, 'default')
      const key = await createEvaluation(transaction, project, parsedValue(evaluation))
      await appendScenarios(transaction, key, take(batches, TRANSACTION_SIZE / BATCH_SIZE))
    })
  }
  return id
}

export function addReadKey(store: Store): Promise<string> {
  return addBenchKey(store, 'read')
}

export function addWriteKey(store: Store): Promise<string> {
  return addBenchKey(store, 'write')
}

async function addBenchKey({ writer }: Store, scope: Scope): Promise<string> {
  const key = { project: 'default', name: 'bench', scopes: [scope], expires_at: null }
  return (await writer.transaction((transaction) => addKey(transaction, key))).key
}

/** Writes scenarios as NDJSON. */
export function writeScenarios(file: string, evaluation_id: string, count: number): Promise<void> {
  const lines = Iterator.from(scenarios(evaluation_id, count)).map(
    (scenario) => `${JSON.stringify(scenario)}\n`,
  )
  return pipeline(Readable.from(lines), createWriteStream(file))
}

/** The next items. The rest can be read afterwards. */
function* take<Item>(items: Iterator<Item>, count: number): Generator<Item> {
  for (let index = 0; index < count; index += 1) {
    const next = items.next()
    if (next.done) return
    yield next.value
  }
}

function* generateBatches(
  id: string,
  count: number,
  seed: number,
  change: ScenarioChange,
): Generator<ScenarioRow[]> {
  let batch: ScenarioRow[] = []
  let position = 0
  for (const scenario of scenarios(id, count, seed)) {
    batch.push(scenarioRow(id, parsedValue(change(scenario, position))))
    position += 1
    if (batch.length < BATCH_SIZE) continue
    yield batch
    batch = []
  }
  yield batch
}

export function* scenarios(evaluation_id: string, count: number, seed = 0): Generator<EvaluationScenario> {
  const inputRandom = createRandom(count)
  const random = createRandom(count + seed)
  for (let position = 0; position < count; position += 1) {
    yield {
      id: `scenario-${position}`,
      evaluation_id,
      inputs: [{ name: 'question', type: 'text', value: generateText(inputRandom, 40) }],
      outputs: [
        {
          result: { type: 'text', value: generateText(random, WORDS_IN_OUTPUT) },
          cost: random() / 100,
          latency: random() * 3,
        },
      ],
      correct_answers: [{ key: 'answer', value: generateText(inputRandom, 60) }],
      is_pinned: false,
      note: null,
      results: [
        { evaluator_config: 'exact_match', result: { type: 'bool', value: random() < 0.8 } },
        { evaluator_config: 'similarity', result: { type: 'number', value: random() } },
      ],
    }
  }
}

function generateText(random: () => number, words: number): string {
  return Array.from({ length: words }, () => WORDS[Math.floor(random() * WORDS.length)]).join(' ')
}

const WORDS = Array.from({ length: 2000 }, (_, index) => ((index + 1) * 7919 * 31).toString(36))

/** The random number generator mulberry32: small, fast and deterministic. */
export function createRandom(seed: number): () => number {
  let state = seed
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296
  }
}
