// The GitHub Action from start to end (npm run test:action): a service, a repository with promptfoo and the workflow of
// docs/how-to/compare-in-ci.md, a baseline, a regression, the same job again, and a fix. Downloads promptfoo and Node versions
// into node_modules/.cache, and the dependencies of the Action like a runner.
import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { delimiter, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { startTemporaryService } from '../generators/service.ts'
import { downloadNode, installTool, toolFolder } from '../generators/tools.ts'
import { npmEnvironment } from '../support/npm-environment.ts'
import { type Result, runJob } from './runner.ts'

const ROOT = fileURLToPath(new URL('../..', import.meta.url))
const PROMPTFOO_VERSION = '0.123.1'
/** The oldest version that runs Assay, and a version for which the Action has to install another one. */
const [NODE, OLD_NODE] = ['24.11.0', '22.23.3']

const CONFIG = `description: Return questions
prompts: [file://prompt.txt]
providers: [file://model.mjs]
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
const PROMPT = 'Returns are possible within 30 days, and the parcel is free.\n\nQuestion: {{question}}\n'
const SHORTER_PROMPT = 'The parcel is free.\n\nQuestion: {{question}}\n'
const REWORDED_PROMPT = 'The parcel is free. You have 30 days.\n\nQuestion: {{question}}\n'

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

function commit(prompt: string, message: string): string {
  writeFileSync(join(repository, 'prompt.txt'), prompt)
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
    'promptfooconfig.yaml': CONFIG,
    'model.mjs': MODEL,
    '.gitignore': 'node_modules\nresults.json\n',
    '.github/workflows/evaluations.yml': readWorkflow(),
  }))
    writeFileSync(join(repository, file), text)
  symlinkSync(join(toolFolder('promptfoo'), 'node_modules'), join(repository, 'node_modules'))
}

/** Copies the files of this repository to a new folder, without installed packages, like the checkout of an action. */
function checkOutAction(): string {
  const folder = mkdtempSync(join(temporary, 'action-'))
  const args = ['ls-files', '-z', '--cached', '--others', '--exclude-standard']
  const files = execFileSync('git', args, { cwd: ROOT, encoding: 'utf8' }).split('\0').filter(Boolean)
  for (const file of files) cpSync(join(ROOT, file), join(folder, file))
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
const service = await startTemporaryService()
const key = service.createKey('read,write')

interface Run {
  sha: string
  /** The commit that the pull request is compared with. */
  base?: string
  actionPath: string
}

/** Runs the job of the workflow, and checks that it ends with this code. */
async function run(title: string, expectedCode: number, { sha, base, actionPath }: Run): Promise<Result> {
  const startTime = performance.now()
  git('checkout', '--quiet', sha)
  const event = base === undefined ? {} : { pull_request: { base: { sha: base } } }
  const workflow = readFileSync(join(repository, '.github/workflows/evaluations.yml'), 'utf8')
  const result = await runJob(workflow, 'evaluate', {
    workspace: repository,
    actionPath,
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
  const actionPath = checkOutAction()
  const base = commit(PROMPT, 'Answer from the return policy')
  const baseline = await run('A push to the main branch', 0, { sha: base, actionPath })
  assert.equal(baseline.summary, '')

  git('checkout', '--quiet', '-b', 'shorter')
  const shorter = commit(SHORTER_PROMPT, 'Shorten the prompt')
  const regression = await run('A pull request with a regression', 1, { sha: shorter, base, actionPath })
  const row = '| `answer_correct` | 87.5 % | 25.0 % | -62.5 pp |'
  // 5 of 8 rows regressed, which is by chance in one of 16 cases.
  assert.ok(regression.summary.startsWith(`**\`${shorter}\` and \`${base}\` are tied on `))
  assert.ok(regression.summary.includes(row))
  assert.match(regression.summary, /^All 5 regressions on `answer_correct`:$/m)
  assert.match(
    regression.summary,
    /assay: '\w+' is worse on 'answer_correct' by 62\.5 pp \(no clear change\)/,
  )

  const repeated = await run('The same job again', 1, { sha: shorter, base, actionPath })
  assert.ok(repeated.summary.includes(row))
  assert.deepEqual(await countScenarios(), { [base]: 8, [shorter]: 8 })

  await useNode(OLD_NODE)
  const reworded = commit(REWORDED_PROMPT, 'Add the return policy again')
  const title = `A fix, with Node ${OLD_NODE} and a new checkout of the Action`
  const fix = await run(title, 0, { sha: reworded, base, actionPath: checkOutAction() })
  assert.match(fix.summary, /^\| `answer_correct` \| 87\.5 % \| 87\.5 % \| 0\.0 pp \|/m)
  assert.deepEqual(await countScenarios(), { [base]: 8, [shorter]: 8, [reworded]: 8 })
} finally {
  await service.stop()
  rmSync(temporary, { recursive: true, force: true })
}
