// What the pages of the docs expect to exist: files of evaluation tools, stores, services and variables.
import { chmodSync, cpSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

import { modelTables } from './model-tables.ts'

const ROOT = fileURLToPath(new URL('../..', import.meta.url))
const FIXTURES = join(ROOT, 'test/fixtures/import')

/** A store contains the sample, and what is below. Other pages start in a folder without a store. */
export const PRECONDITIONS: Record<string, { store?: 'assay-data' | '/var/lib/assay'; service?: true }> = {
  'README.md': { store: 'assay-data' },
  'docs/how-to/check-a-judge.md': { service: true },
  'docs/how-to/compare-in-ci.md': { service: true },
  'docs/how-to/explain-a-change.md': { service: true },
  'docs/how-to/move-to-postgres.md': { store: '/var/lib/assay' },
  'docs/how-to/re-score.md': { service: true },
  'docs/how-to/retention.md': { store: '/var/lib/assay' },
  'docs/how-to/rotate-keys.md': { store: '/var/lib/assay' },
  'docs/how-to/teams.md': { store: '/var/lib/assay', service: true },
  'docs/how-to/upgrade.md': { store: '/var/lib/assay' },
}

/** The key of an example, which the store has under another id. */
export const EXAMPLE_KEY_ID = 'RukVaawW4LD9'
/** An evaluation of the store with the scenarios of results.ndjson. */
export const EXAMPLE_EVALUATION = 'nightly-0412'
/** An evaluation of the store with the rows of results.json. */
export const BASELINE_EVALUATION = 'main'
/** The evaluations of the store that are not in the sample, with the files that they are imported from. */
export const EXAMPLE_FILES = { [EXAMPLE_EVALUATION]: 'results.ndjson', [BASELINE_EVALUATION]: 'results.json' }
/** A project of the store without evaluations. */
export const EMPTY_PROJECT = 'trial'

/** Files in the current folder, with their fixture or content. */
const FILES: Record<string, { fixture: string; replaced?: [string, string] } | { content: string }> = {
  'results.json': { fixture: 'promptfoo/echo-run.json' },
  'runs/promptfoo.json': { fixture: 'promptfoo/echo-run-edited.json' },
  'logs/2025-05-12T20-28-13-04-00_popularity.json': {
    fixture: 'inspect/2025-05-12T20-28-13-04-00_popularity.json',
  },
  'new-logs/capitals.eval': { fixture: 'inspect/capitals.eval' },
  'runs/test_run_20261115_123910.json': { fixture: 'deepeval/test_run_20261115_123910.json' },
  'runs/gpt2/samples_gsm8k_2026-01-21T03-44-18.458309.jsonl': {
    fixture: 'lm-eval/samples_math_perturbed_full_2026-01-21T03-44-18.458309.jsonl',
  },
  'runs/gpt2/results_2026-01-21T03-44-18.458309.json': {
    fixture: 'lm-eval/results_2026-01-21T03-44-18.458309.json',
    replaced: ['math_perturbed_full', 'gsm8k'],
  },
  'items.json': { fixture: 'openai/page.json' },
  'nightly-0412.json': { fixture: 'phoenix/returns-nightly.json' },
  'ragas-results.csv': { fixture: 'ragas/evaluate.csv' },
  'experiment-download.csv': { fixture: 'langsmith/experiment-download.csv' },
  'experiment.json': { fixture: 'braintrust/experiment.json' },
  'eval_results_table.json': { fixture: 'mlflow/eval_results_table.json' },
  'experiment-items.json': { fixture: 'langfuse/experiment-items.json' },
  'results.parquet': { fixture: 'parquet/codec-snappy.parquet' },
  'models.csv': { content: 'question,first,first_points,second,second_points\nq,a,1,b,2\n' },
  ...Object.fromEntries(
    Object.entries(modelTables()).map(([name, content]) => [`models/${name}`, { content }]),
  ),
  'answers.csv': { content: csvExample('docs/how-to/import-tables.md') },
  'runs.csv': { content: 'frage,antwort,soll,genau,kurz,lauf\nWie?,So.,So.,1,0,7\n' },
  'full-export.ndjson': { fixture: '../../../sample/evaluations/support-answer-r3.ndjson' },
  'revisions.json': {
    content:
      '[{ "modified_by": "Maya", "config": { "config_name": "default", "parameters": { "temperature": 0.2 } } }]',
  },
  'results.ndjson': { content: scenarios(['s-1', 's-2']) },
  // Writes results to standard output.
  'run-evaluation': { content: `#!/bin/sh\ncat <<'END'\n${scenarios(['s-1', 's-2'])}END\n` },
}

/** Scenarios with the results of an evaluator that a page deletes. */
function scenarios(ids: string[]): string {
  const outputs = [{ result: { type: 'text', value: 'Yes, within 30 days.' } }]
  const results = [{ evaluator_config: 'is_short', result: { type: 'bool', value: true } }]
  return ids.map((id) => `${JSON.stringify({ id, outputs, results })}\n`).join('')
}

function csvExample(page: string): string {
  const [, content] = /^```csv\n(.*?)^```$/ms.exec(readFileSync(join(ROOT, page), 'utf8')) ?? []
  if (content === undefined) throw new Error(`${page} contains no CSV`)
  return content
}

export function writeFiles(folder: string): void {
  for (const [name, source] of Object.entries(FILES)) {
    const path = join(folder, name)
    mkdirSync(dirname(path), { recursive: true })
    if ('content' in source) writeFileSync(path, source.content)
    else if (source.replaced)
      writeFileSync(path, readFileSync(join(FIXTURES, source.fixture), 'utf8').replaceAll(...source.replaced))
    else cpSync(join(FIXTURES, source.fixture), path)
  }
  chmodSync(join(folder, 'run-evaluation'), 0o755)
  const { version } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8'))
  mkdirSync(join(folder, 'ci'))
  for (const name of ['assay', 'assay-client', 'ci/assay'])
    writeFileSync(join(folder, `${name}-${version}.tgz`), '')
}

/** The files that services of others return, by a part of the URL. */
export const OTHER_SERVICES: [path: RegExp, file: string][] = [
  [/^\/v1\/evals\/.*\/output_items/, join(FIXTURES, 'openai/page.json')],
  [/^\/v1\/experiments\/.*\/json$/, join(FIXTURES, 'phoenix/returns-nightly.json')],
  [/^\/api\/public\/experiment-items\?/, join(FIXTURES, 'langfuse/experiment-items.json')],
]
