// The results of ten models on the same questions, as the tables of the guide "Choose a model".
import { createRandom } from '../../bench/data.ts'

const ROWS = 120
const TOPICS = ['returns', 'refunds', 'delivery', 'invoices']

/** Costs are in dollars per 1,000 answers, latencies in milliseconds. */
const MODELS: Record<string, { skill: number; cost: number; latency: number }> = {
  'claude-haiku': { skill: 0.81, cost: 0.9, latency: 900 },
  'claude-opus': { skill: 0.86, cost: 14, latency: 3200 },
  'claude-sonnet': { skill: 0.85, cost: 3.1, latency: 1800 },
  'gemini-flash': { skill: 0.77, cost: 0.4, latency: 700 },
  'gemini-pro': { skill: 0.83, cost: 2.6, latency: 2400 },
  gpt: { skill: 0.84, cost: 2.9, latency: 2000 },
  'gpt-mini': { skill: 0.75, cost: 0.5, latency: 1100 },
  llama: { skill: 0.65, cost: 0.7, latency: 1300 },
  mistral: { skill: 0.67, cost: 0.6, latency: 1000 },
  qwen: { skill: 0.63, cost: 0.3, latency: 1200 },
}

/** CSV by file name. Difficult questions are difficult for all models. */
export function modelTables(): Record<string, string> {
  const random = createRandom(48)
  const difficulties = Array.from({ length: ROWS }, () => random())
  const tables: Record<string, string> = {}
  for (const [model, { skill, cost, latency }] of Object.entries(MODELS)) {
    const lines = difficulties.map((difficulty, row) => {
      const isCorrect = 0.75 * difficulty + 0.25 * random() < skill
      const measures = [(cost / 1000) * (0.7 + 0.6 * random()), latency * (0.6 + 0.8 * random())]
      const [price, duration] = [measures[0]?.toFixed(6), measures[1]?.toFixed(0)]
      return `case-${row},Question ${row} about ${TOPICS[row % 4]}?,Answer of ${model},${isCorrect},${price},${duration}`
    })
    tables[`${model}.csv`] = `case_id,question,answer,correct,cost_usd,latency_ms\n${lines.join('\n')}\n`
  }
  return tables
}
