// Seeded data for benchmarks and memory tests: evaluations of any size, the same on every machine.
import { createWriteStream } from 'node:fs'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import type { Scope } from '../src/schema/keys.ts'
import type { EvaluationScenario } from '../src/schema/scenarios.ts'
import { written } from '../src/schema/written.ts'
import { addEvaluation } from '../src/store/evaluations.ts'
import { addKey } from '../src/store/keys.ts'
import { ensureProject } from '../src/store/projects.ts'
import { appendScenarios } from '../src/store/scenario-append.ts'
import { type ScenarioRow, scenarioRow } from '../src/store/scenario-rows.ts'
import type { Store } from '../src/store/store.ts'

/** About 2 kB a scenario. */
const WORDS_IN_OUTPUT = 150

/**
 * Adds an evaluation called `eval-<count>`, or as it is told, to the project default. Those of one size have the same ids
 * and inputs; what came out differs with the seed.
 */
export async function addLargeEvaluation(
  { writer }: Store,
  count: number,
  { id = `eval-${count}`, seed = 0 } = {},
): Promise<string> {
  await writer.transaction(async (transaction) => {
    const project = await ensureProject(transaction, 'default')
    const evaluation = { id, source: 'bench', created_at: '2026-11-01T00:00:00.000Z' }
    const key = await addEvaluation(transaction, project, written(evaluation))
    await appendScenarios(transaction, key, batches(id, count, seed))
  })
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

/** Makes a file of scenarios: one a line, or one array of them. */
export function writeScenarios(
  file: string,
  evaluation_id: string,
  count: number,
  shape: 'lines' | 'array',
): Promise<void> {
  const [before, between, after] = shape === 'lines' ? ['', '\n', '\n'] : ['[', ',', ']']
  function* texts(): Generator<string> {
    let first = true
    for (const scenario of scenarios(evaluation_id, count)) {
      yield `${first ? before : between}${JSON.stringify(scenario)}`
      first = false
    }
    yield after
  }
  return pipeline(Readable.from(texts()), createWriteStream(file))
}

function* batches(id: string, count: number, seed: number): Generator<ScenarioRow[]> {
  let batch: ScenarioRow[] = []
  for (const scenario of scenarios(id, count, seed)) {
    batch.push(scenarioRow(id, written(scenario)))
    if (batch.length < 100) continue
    yield batch
    batch = []
  }
  yield batch
}

export function* scenarios(evaluation_id: string, count: number, seed = 0): Generator<EvaluationScenario> {
  const asked = seeded(count)
  const random = seeded(count + seed)
  for (let position = 0; position < count; position += 1) {
    yield {
      id: `scenario-${position}`,
      evaluation_id,
      inputs: [{ name: 'question', type: 'text', value: prose(asked, 40) }],
      outputs: [
        {
          result: { type: 'text', value: prose(random, WORDS_IN_OUTPUT) },
          cost: random() / 100,
          latency: random() * 3,
        },
      ],
      correct_answers: [{ key: 'answer', value: prose(asked, 60) }],
      is_pinned: false,
      note: null,
      results: [
        { evaluator_config: 'exact_match', result: { type: 'bool', value: random() < 0.8 } },
        { evaluator_config: 'similarity', result: { type: 'number', value: random() } },
      ],
    }
  }
}

function prose(random: () => number, words: number): string {
  return Array.from({ length: words }, () => WORDS[Math.floor(random() * WORDS.length)]).join(' ')
}

const WORDS = Array.from({ length: 2000 }, (_, index) => ((index + 1) * 7919 * 31).toString(36))

/** mulberry32: small, fast, and the same everywhere. */
function seeded(seed: number): () => number {
  let state = seed
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296
  }
}
