// Adds 50 rows per second to an evaluation, as another process: node followed-rows.ts BASE_URL KEY EVALUATION FROM SECONDS
import { setTimeout } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { Assay, type ScenarioWrite } from '../../client/client.ts'

export const ROWS_PER_SECOND = 50
const ROWS_PER_WRITE = 5

/** Rows that alternate between passed and failed. Their latencies are spread, so that sorted rows move. */
export function scenarios(from: number, to: number): ScenarioWrite[] {
  return Array.from({ length: to - from }, (_, offset) => {
    const index = from + offset
    return {
      id: `s${index}`,
      inputs: [{ name: 'question', type: 'text', value: `text ${index}` }],
      outputs: [
        { result: { type: 'text', value: `answer ${index}` }, latency: ((index * 7919) % 1000) / 100 },
      ],
      results: [{ evaluator_config: 'exact', result: { type: 'bool', value: index % 2 === 0 } }],
    }
  })
}

async function addRows(client: Assay, evaluation: string, from: number, seconds: number): Promise<void> {
  const startedAt = Date.now()
  for (let added = 0; added < seconds * ROWS_PER_SECOND; added += ROWS_PER_WRITE) {
    await setTimeout(Math.max(0, startedAt + (added / ROWS_PER_SECOND) * 1000 - Date.now()))
    await client.appendScenarios(evaluation, scenarios(from + added, from + added + ROWS_PER_WRITE))
  }
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const [baseUrl = '', key = '', evaluation = '', from, seconds] = process.argv.slice(2)
  await addRows(new Assay({ baseUrl, key }), evaluation, Number(from), Number(seconds))
}
