// A service on a temporary store with keys, and the data that the programs of the generators read.
import { execFileSync } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { MAIN, startService, stopService } from '../../bench/service.ts'

export interface RunningService {
  origin: string
  /** Creates a key with these scopes. */
  createKey(scopes: string): string
  stop(): Promise<void>
  /** The log so far. */
  log(): string
}

export async function startTemporaryService(args: string[] = []): Promise<RunningService> {
  const data = mkdtempSync(join(tmpdir(), 'assay-generators-'))
  const service = await startService(['--data', data, ...args], { readsLog: true })
  function createKey(scopes: string): string {
    const args = [MAIN, 'keys', 'create', '--data', data, '--scope', scopes]
    return execFileSync(process.execPath, args, { encoding: 'utf8' }).trim()
  }
  async function stop(): Promise<void> {
    await stopService(service)
    rmSync(data, { recursive: true, force: true })
  }
  return { origin: service.baseUrl, createKey, stop, log: service.stderr }
}

const question = (value: unknown) => [
  { name: 'question', type: typeof value === 'string' ? 'text' : 'json', value },
]
const score = (value: number) => [{ evaluator_config: 'score', result: { type: 'number', value } }]

const BASELINE = [
  {
    id: 's1',
    inputs: question('One?'),
    outputs: [{ result: { type: 'json', value: { answer: ['yes', 1.5, null] } }, cost: 0.25, latency: 1.5 }],
    correct_answers: null,
    results: score(0.25),
  },
  {
    id: 's2',
    inputs: question({ text: 'Two?' }),
    outputs: [
      { result: { type: 'error', value: null, error: { message: 'Timeout', stacktrace: null } }, cost: null },
    ],
    correct_answers: [{ key: 'answer', value: 'two' }],
    is_pinned: true,
    note: 'Look again.',
    results: score(0.5),
  },
]

const REVISIONS = [
  { modified_by: 'Ada', config: { config_name: 'first', parameters: { temperature: 0.5, stop: ['\n'] } } },
  { modified_by: 'Ada', config: { config_name: 'second' } },
]

/** What every program writes, without null members. */
export const WRITTEN = [
  {
    id: 's1',
    inputs: question('One?'),
    outputs: [{ result: { type: 'json', value: { answer: ['no', 2.5, null] } }, cost: 0.5, latency: 2 }],
    results: score(0.75),
  },
  {
    id: 's2',
    inputs: question({ text: 'Two?' }),
    outputs: [{ result: { type: 'error', error: { message: 'Timeout' } } }],
    correct_answers: [{ key: 'answer', value: 'two' }],
    results: score(1),
  },
]

/** Writes the evaluation `baseline` and the variant `variant`. */
export async function writeBaseline({ origin }: RunningService, key: string): Promise<void> {
  async function post(path: string, body: unknown): Promise<void> {
    const headers = { authorization: key, 'content-type': 'application/json' }
    const response = await fetch(`${origin}/api/${path}`, {
      method: 'POST',
      headers,
      body: JSON.stringify(body),
    })
    if (!response.ok) throw new Error(`POST ${path}: ${await response.text()}`)
  }
  await post('evaluations', { id: 'baseline', evaluators: [{ name: 'score', higher_is_better: true }] })
  await post('evaluations/baseline/evaluation_scenarios', BASELINE)
  for (const revision of REVISIONS) await post('variants/variant/revisions', revision)
}

/** The scenarios of an evaluation, without null members and evaluation ids. */
export async function readWritten({ origin }: RunningService, key: string, id: string): Promise<unknown> {
  const url = `${origin}/api/evaluations/${id}/evaluation_scenarios`
  const response = await fetch(url, { headers: { authorization: key } })
  return JSON.parse(await response.text(), function (name, value) {
    const isOmitted = !Array.isArray(this) && (value === null || name === 'evaluation_id')
    return isOmitted ? undefined : value
  })
}
