// Runs jobs and the Action like a runner of GitHub Actions, as far as action.yml and the docs use its features. Jobs have a Node
// version and a checkout of the repository already, so the actions of GitHub itself are skipped.
import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { mkdirSync, mkdtempSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseYaml } from '@redocly/openapi-core'

interface Step {
  uses?: string
  with?: Record<string, unknown>
  run?: string
  shell?: string
  env?: Record<string, unknown>
}

interface Action {
  inputs: Record<string, { required?: boolean; default?: string }>
  runs: { using: string; main: string }
}

interface Workflow {
  jobs: Record<string, { env?: Record<string, unknown>; steps: Step[] }>
}

/** The values that expressions can use, such as `github.sha`. */
export type Contexts = Record<string, unknown>

export interface Job {
  /** The folder of the repository that the job works in. */
  workspace: string
  /** The folder of the release that contains action.yml. */
  actionPath: string
  /** The Node of the runner, which actions use. */
  runnerNode: string
  /** An empty folder for files of the runner. */
  temp: string
  /** The environment of all steps. */
  env: Record<string, string>
  contexts: Contexts
}

export interface Result {
  code: number
  /** Standard output and standard error of all steps. */
  log: string
  /** What the steps have written to the step summary. */
  summary: string
  outputs: Record<string, string>
}

export function readAction(actionPath: string): Action {
  return parseYaml(readFileSync(join(actionPath, 'action.yml'), 'utf8')) as Action
}

/** Runs the steps of a job with one action that is not from GitHub: the one to test. Stops at the first step that fails. */
export async function runJob(workflow: string, name: string, job: Job): Promise<Result> {
  const { jobs } = parseYaml(workflow) as Workflow
  const { env, steps } = jobs[name] ?? assert.fail(`The workflow has no job ${name}`)
  const jobWithEnv = { ...job, env: { ...job.env, ...evaluateAll(env, job.contexts) } }
  return runSteps(steps, jobWithEnv, (step) => {
    if (step.uses === undefined) return runScript(step, jobWithEnv)
    if (step.uses.startsWith('actions/')) return Promise.resolve(NOTHING)
    return runAction(evaluateAll(step.with, job.contexts), jobWithEnv)
  })
}

/** Runs the Action, which gets its inputs as environment variables. */
export async function runAction(inputs: Record<string, string>, job: Job): Promise<Result> {
  const action = readAction(job.actionPath)
  assert.equal(action.runs.using, 'node24')
  for (const name of Object.keys(inputs)) assert.ok(name in action.inputs, `action.yml has no input ${name}`)
  const defaults = Object.entries(action.inputs).map(([name, input]) => [name, input.default])
  const values = { ...evaluateAll(Object.fromEntries(defaults), job.contexts), ...inputs }
  const variables = Object.entries(values).map(([name, value]) => [`INPUT_${name.toUpperCase()}`, value])
  const env = { ...job.env, ...Object.fromEntries(variables) }
  return runCommand(job.runnerNode, [join(job.actionPath, action.runs.main)], { ...job, env })
}

const NOTHING: Result = { code: 0, log: '', summary: '', outputs: {} }

async function runSteps(steps: Step[], job: Job, run: (step: Step) => Promise<Result>): Promise<Result> {
  mkdirSync(job.temp, { recursive: true })
  let total = NOTHING
  for (const step of steps) {
    const { code, log, summary } = await run(step)
    total = { ...total, code, log: total.log + log, summary: total.summary + summary }
    if (code !== 0) break
  }
  return total
}

/** The commands of GitHub for steps with and without a shell. */
const SHELLS = { bash: ['--noprofile', '--norc', '-eo', 'pipefail'], '': ['-e'] }

function runScript({ run = '', shell = '' }: Step, job: Job): Promise<Result> {
  const args = SHELLS[shell as keyof typeof SHELLS] ?? assert.fail(`unknown shell ${shell}`)
  const script = join(mkdtempSync(join(job.temp, 'script-')), 'script.sh')
  writeFileSync(script, run)
  return runCommand('bash', [...args, script], job)
}

async function runCommand(command: string, args: string[], { workspace, temp, env }: Job): Promise<Result> {
  mkdirSync(temp, { recursive: true })
  const folder = mkdtempSync(join(temp, 'step-'))
  const [summary, output] = [join(folder, 'summary.md'), join(folder, 'output')]
  for (const file of [summary, output]) writeFileSync(file, '')
  const child = spawn(command, args, {
    cwd: workspace,
    env: { ...env, RUNNER_TEMP: temp, GITHUB_STEP_SUMMARY: summary, GITHUB_OUTPUT: output },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let log = ''
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding('utf8').on('data', (text: string) => {
      log += text
    })
  const { promise, resolve, reject } = Promise.withResolvers<number>()
  child.on('error', reject)
  child.on('close', (code) => resolve(code ?? -1))
  const code = await promise
  const lines = readFileSync(output, 'utf8').split('\n').filter(Boolean)
  const outputs = Object.fromEntries(lines.map((line) => [line.split('=')[0], line.replace(/^[^=]*=/, '')]))
  return { code, log, summary: readFileSync(summary, 'utf8'), outputs }
}

function evaluateAll(values: Record<string, unknown> = {}, contexts: Contexts): Record<string, string> {
  return Object.fromEntries(
    Object.entries(values).map(([name, value]) => [name, evaluate(String(value ?? ''), contexts)]),
  )
}

/** Replaces expressions by their values. The only expressions are paths; a missing value is an empty text. */
function evaluate(text: string, contexts: Contexts): string {
  return text.replace(/\$\{\{(.*?)\}\}/g, (_, expression: string) => {
    assert.match(expression, /^ [\w-]+(\.[\w-]+)* $/, 'only paths are supported')
    const value = expression
      .trim()
      .split('.')
      .reduce<unknown>((object, member) => (object as Contexts | undefined)?.[member], contexts)
    return String(value ?? '')
  })
}
