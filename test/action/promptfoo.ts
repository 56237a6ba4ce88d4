// The GitHub Action from start to end (npm run test:action): a service, a repository with promptfoo and the workflow of
// docs/how-to/compare-in-ci.md, a baseline with two prompts, a regression after a prompt was inserted, the same job again, a fix, and
// jobs that cannot be judged. Downloads promptfoo and Node versions into node_modules/.cache.
import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { delimiter, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { bundleAction } from '../../package/action.ts'
import { startTemporaryService } from '../generators/service.ts'
import { downloadNode, installTool, toolFolder } from '../generators/tools.ts'
import { npmEnvironment } from '../support/npm-environment.ts'
import { type Result, runJob } from './runner.ts'

const ROOT = fileURLToPath(new URL('../..', import.meta.url))
const PROMPTFOO_VERSION = '0.123.1'
/** The oldest version that runs Assay, which the runner has, and an older one that a job can use. */
const [NODE, OLD_NODE] = ['24.11.0', '22.23.3']

/** The members of the configuration after its prompts. */
const CONFIG = `providers: [file://model.mjs]
defaultTest:
  assert:
    - type: icontains
      value: '{{expected}}'
      metric: answer_correct
tests:
  - vars: { question: Can I return boots that I wore once?, expected: 30 days }
  - vars: { question: How long can I return a tent?, expected: 30 days }
  - vars: { question: When do I have to send the jacket back?, expected: 30 days }
  - vars: { question: Is it too late for a return after two weeks?, expected: 30 days }
  - vars: { question: Can I return a gift?, expected: 30 days }
  - vars: { question: Who pays for the parcel?, expected: free }
  - vars: { question: What does a return from abroad cost?, expected: free }
  - vars: { question: Where is my order?, expected: in transit }
`
/** Answers only what its prompt contains. */
const MODEL = `export default class Model {
  id() {
    return 'model'
  }
  async callApi(prompt) {
    const [policy] = prompt.split('Question:')
    return { output: policy.trim() }
  }
}
`
const POLICY = 'Returns are possible within 30 days, and the parcel is free.\n\nQuestion: {{question}}\n'
const SHORTER = 'The parcel is free.\n\nQuestion: {{question}}\n'
const REWORDED = 'The parcel is free. You have 30 days.\n\nQuestion: {{question}}\n'

const print = (text: string) => process.stdout.write(`${text}\n`)
const temporary = mkdtempSync(join(tmpdir(), 'assay-action-'))
const [repository, programs, home] = ['repository', 'bin', 'home'].map((name) => join(temporary, name)) as [
  string,
  string,
  string,
]

function git(...args: string[]): string {
  const identity = ['-c', 'user.name=Maya', '-c', 'user.email=maya@evals.example']
  return execFileSync('git', [...identity, ...args], { cwd: repository, encoding: 'utf8' }).trim()
}

/** Commits a configuration with these prompts, by label. */
function commit(prompts: Record<string, string>, message: string): string {
  const entries = Object.keys(prompts).map((label) => `  - { id: file://${label}.txt, label: ${label} }`)
  const config = ['description: Return questions', 'prompts:', ...entries, CONFIG].join('\n')
  writeFileSync(join(repository, 'promptfooconfig.yaml'), config)
  for (const [label, text] of Object.entries(prompts)) writeFileSync(join(repository, `${label}.txt`), text)
  git('add', '--all')
  git('commit', '--quiet', '--message', message)
  return git('rev-parse', 'HEAD')
}

/** The workflow in the docs. */
function readWorkflow(): string {
  const page = readFileSync(join(ROOT, 'docs/how-to/compare-in-ci.md'), 'utf8')
  return /^```yaml\n(name: Evaluations\n.*?)^```/ms.exec(page)?.[1] ?? assert.fail('no workflow in the docs')
}

function createRepository(): void {
  mkdirSync(join(repository, '.github/workflows'), { recursive: true })
  git('init', '--quiet', '--initial-branch', 'main')
  for (const [file, text] of Object.entries({
    'model.mjs': MODEL,
    '.gitignore': 'node_modules\nresults.json\n',
    '.github/workflows/evaluations.yml': readWorkflow(),
  }))
    writeFileSync(join(repository, file), text)
  symlinkSync(join(toolFolder('promptfoo'), 'node_modules'), join(repository, 'node_modules'))
}

/** The files of a release that the Action uses. */
async function downloadAction(): Promise<string> {
  const folder = join(temporary, 'action')
  for (const file of ['action.yml', 'package.json']) cpSync(join(ROOT, file), join(folder, file))
  await bundleAction(join(folder, 'action/dist'))
  return folder
}

async function useNode(version: string): Promise<void> {
  rmSync(programs, { recursive: true, force: true })
  mkdirSync(programs)
  symlinkSync(await downloadNode(version), join(programs, 'node'))
}

for (const folder of [repository, home]) mkdirSync(folder)
const npmVariables = npmEnvironment(home) as Record<string, string>
const promptfoo = `promptfoo@${PROMPTFOO_VERSION}`
await installTool('promptfoo', [['npm', 'install', '--no-save', '--prefix', '.', promptfoo]])
const [actionPath, runnerNode] = await Promise.all([downloadAction(), downloadNode(NODE)])
const service = await startTemporaryService()
const key = service.createKey('read,write')

interface Run {
  sha: string
  /** The commit that the pull request is compared with. */
  base?: string
}

/** Runs the job of the workflow, and checks that it ends with this code. */
async function run(title: string, expectedCode: number, { sha, base }: Run): Promise<Result> {
  const startTime = performance.now()
  git('checkout', '--quiet', sha)
  const event = base === undefined ? {} : { pull_request: { base: { sha: base } } }
  const workflow = readFileSync(join(repository, '.github/workflows/evaluations.yml'), 'utf8')
  const result = await runJob(workflow, 'evaluate', {
    workspace: repository,
    actionPath,
    runnerNode,
    temp: join(temporary, 'runner'),
    env: {
      ...npmVariables,
      PATH: [programs, process.env.PATH].join(delimiter),
      GITHUB_SHA: sha,
      PROMPTFOO_DISABLE_TELEMETRY: '1',
      PROMPTFOO_DISABLE_UPDATE: '1',
    },
    contexts: {
      github: { sha, event },
      secrets: { ASSAY_KEY: key },
      vars: { ASSAY_URL: service.origin },
    },
  })
  const seconds = (performance.now() - startTime) / 1000
  print(`## ${title}: exit code ${result.code}, ${seconds.toFixed(1)} s\n`)
  if (result.summary) print(result.summary)
  assert.equal(result.code, expectedCode, result.log)
  assert.ok(!`${result.log}${result.summary}`.includes(key), 'the key is printed')
  return result
}

async function countScenarios(): Promise<Record<string, number>> {
  const response = await fetch(`${service.origin}/api/evaluations`, { headers: { authorization: key } })
  const evaluations = (await response.json()) as { id: string; scenario_count: number }[]
  return Object.fromEntries(evaluations.map(({ id, scenario_count }) => [id, scenario_count]))
}

try {
  createRepository()
  await useNode(NODE)
  const base = commit({ short: POLICY, detailed: POLICY }, 'Answer from the return policy')
  const baseline = await run('A push to the main branch', 0, { sha: base })
  assert.equal(baseline.summary, '')
  const counts = { [`${base}:0`]: 8, [`${base}:1`]: 8 }

  git('checkout', '--quiet', '-b', 'shorter')
  const prompts = { new: SHORTER, short: SHORTER, detailed: POLICY }
  const shorter = commit(prompts, 'Shorten a prompt, and insert another one before it')
  const regression = await run('A pull request with a regression', 1, { sha: shorter, base })
  // 5 of 8 rows regressed, which is by chance in one of 16 cases.
  const reason = `'${shorter}:1' (short, model): 'answer_correct' is worse: observed loss 62.5 points, more than 5 points.`
  assert.ok(regression.summary.startsWith(`**Gate failed**\n\n- \`${reason}`))
  assert.doesNotMatch(regression.summary, /:2' .* is worse/)
  assert.ok(regression.summary.includes(`\`'${shorter}:0' (new, model) is new`))
  const row = '| `answer_correct` | 87.5 % | 25.0 % | -62.5 pp |'
  assert.ok(regression.summary.includes(row))
  assert.match(regression.summary, /^All 5 regressions on `answer_correct`:$/m)
  for (const index of [0, 1, 2]) counts[`${shorter}:${index}`] = 8
  assert.deepEqual(await countScenarios(), counts)

  const repeated = await run('The same job again', 1, { sha: shorter, base })
  assert.ok(repeated.summary.includes(row))
  assert.deepEqual(await countScenarios(), counts)

  await useNode(OLD_NODE)
  const reworded = commit({ short: REWORDED, detailed: POLICY }, 'Add the return policy again')
  const fix = await run(`A fix, with Node ${OLD_NODE}`, 0, { sha: reworded, base })
  assert.ok(fix.summary.startsWith('**Gate passed**\n'))
  assert.match(fix.summary, /^\| `answer_correct` \| 87\.5 % \| 87\.5 % \| 0\.0 pp \|/m)

  await useNode(NODE)
  const unknown = { sha: reworded, base: '0'.repeat(40) }
  const missing = await run('A pull request whose baseline was never stored', 3, unknown)
  assert.match(missing.summary, /^\*\*Gate invalid\*\*\n\n- `.*no evaluation '0{40}'/)
  const removed = commit({ short: POLICY }, 'Remove a prompt')
  const withoutPrompt = await run('A prompt was removed', 3, { sha: removed, base })
  assert.match(withoutPrompt.summary, /^\*\*Gate invalid\*\*\n\n- `.*detailed/)
  for (const id of [`${reworded}:0`, `${reworded}:1`, removed]) counts[id] = 8
  assert.deepEqual(await countScenarios(), counts)
} finally {
  await service.stop()
  rmSync(temporary, { recursive: true, force: true })
}
