// Generates a promptfoo result file of any size, the same on every machine: node bench/promptfoo-file.ts FILE BYTES
import { createWriteStream } from 'node:fs'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'

const COLUMNS = 2
/** promptfoo writes results in order of completion. This is the number of concurrent tests. */
const CONCURRENCY = 4

/** Writes a file of approximately this size and returns its number of rows. */
export async function writePromptfoo(file: string, bytes: number): Promise<number> {
  const rows = Math.max(COLUMNS, Math.ceil(bytes / JSON.stringify(rowOf(0), null, 2).length))
  await pipeline(Readable.from(chunks(rows)), createWriteStream(file))
  return rows
}

function* chunks(rows: number): Generator<string> {
  const prompts = Array.from({ length: COLUMNS }, (_, index) => ({
    raw: `Answer {{question}} in style ${index}`,
    label: `style ${index}`,
    provider: 'echo',
  }))
  const head = {
    evalId: 'eval-bench',
    results: { version: 3, timestamp: '2026-11-01T00:00:00.000Z', prompts },
  }
  yield `${JSON.stringify(head, null, 2).slice(0, -4)},\n    "results": [`
  for (let index = 0; index < rows; index += 1) {
    // Within a group of concurrent tests, the last one finishes first.
    const group = index - (index % CONCURRENCY)
    const reversed = Math.min(rows, group + CONCURRENCY) - 1 - (index - group)
    yield `${index === 0 ? '' : ','}\n${JSON.stringify(rowOf(reversed), null, 2)}`
  }
  const config = { description: 'Bench', providers: ['echo'], tests: [] }
  yield `\n    ]\n  },\n  "config": ${JSON.stringify(config)},\n  "metadata": {"promptfooVersion": "0.121.20"}\n}\n`
}

function rowOf(index: number): object {
  const [testIdx, promptIdx] = [Math.floor(index / COLUMNS), index % COLUMNS]
  const question = `Question ${testIdx}: ${'where does this road lead, and who built it? '.repeat(5)}`
  const output = `Answer ${index}: ${'it leads to the "old" harbour\nand was built by the town. '.repeat(12)}`
  const assertions = [
    { type: 'contains', value: 'harbour' },
    { type: 'llm-rubric', value: 'is polite', metric: 'politeness' },
  ]
  const componentResults = assertions.map((assertion, at) => ({
    pass: (index + at) % 7 !== 0,
    score: (index + at) % 7 === 0 ? 0 : 1,
    reason: 'Assertion checked',
    assertion,
  }))
  return {
    id: `row-${index}`,
    testIdx,
    promptIdx,
    vars: { question, expected: 'the harbour' },
    prompt: { raw: `Answer ${question}`, label: `style ${promptIdx}` },
    provider: { id: 'echo', label: '' },
    response: { output, tokenUsage: { total: index % 900 } },
    cost: (index % 100) / 1e4,
    latencyMs: index % 5000,
    success: componentResults.every(({ pass }) => pass),
    score: 0.5,
    namedScores: { politeness: (index % 10) / 10 },
    failureReason: 0,
    gradingResult: { pass: true, score: 0.5, reason: 'Checked', componentResults },
    testCase: { vars: { question }, assert: assertions },
  }
}

if (import.meta.main) {
  const [file = '', bytes = '1000000000'] = process.argv.slice(2)
  process.stdout.write(`${await writePromptfoo(file, Number(bytes))} rows\n`)
}
