// Runs the recipes of docs/how-to/compare-in-ci.md as a CI system would: several pushes to one pull request, with promptfoo and
// with pytest. promptfoo is replaced by files as it writes them; npm run test:action runs promptfoo itself.
import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { chmodSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { delimiter, dirname, join } from 'node:path'
import { text } from 'node:stream/consumers'
import { describe, test } from 'node:test'
import { parseYaml } from '@redocly/openapi-core'
import { MAIN } from '../bench/service.ts'
import type { Evaluation } from '../src/schema/evaluations.ts'
import type { EvaluationScenario } from '../src/schema/scenarios.ts'
import { installRequirements } from './python/environments.ts'
import { findInterpreters, selectInterpreters } from './python/interpreters.ts'
import { createTempFolder, createTestKey, createTestStore, startTestService } from './support/harness.ts'
import { fullOnly } from './support/options.ts'
import { ROOT } from './support/test-run.ts'

const PAGE = readFileSync(join(ROOT, 'docs/how-to/compare-in-ci.md'), 'utf8')

/** The code blocks of the page in this language, without the lines that set the URL and the key. */
function blocksIn(language: string): string[] {
  const blocks = [...PAGE.matchAll(new RegExp(`^\`\`\`${language}\\n(.*?)^\`\`\``, 'gms'))]
  return blocks.map(([, block = '']) => block.replaceAll(/^export ASSAY_.*\n/gm, ''))
}

/** The block that contains all of these texts. */
function recipe(language: string, ...texts: string[]): string {
  const found = blocksIn(language).find((block) => texts.every((part) => block.includes(part)))
  return found ?? assert.fail(`The page has no recipe with ${texts.join(' and ')}`)
}

interface Job {
  code: number
  /** Standard output and standard error. */
  log: string
  report: string
}

/** A repository with a service of its own, in which jobs run with the commands assay, npm, npx and pytest. */
async function createRepository() {
  const store = await createTestStore()
  const { baseUrl } = await startTestService(store)
  const { key } = await createTestKey(store, { scopes: ['read', 'write'] })
  const [folder, programs] = [createTempFolder(), createTempFolder()]
  const install = (name: string, script: string) => {
    writeFileSync(join(programs, name), `#!/bin/sh\n${script}\n`)
    chmodSync(join(programs, name), 0o755)
  }
  install('assay', `exec '${process.execPath}' '${MAIN}' "$@"`)
  install('npm', 'exit 0')
  // promptfoo eval -o FILE copies what writeResults has prepared.
  install('pytest', 'exec "$PYTHON" -m pytest "$@"')
  install('npx', 'if [ "$1" = promptfoo ]; then cp next.json "$4"; else exec "$@"; fi')

  /** Runs a recipe like most CI systems: it stops at the first command that fails. */
  async function run(script: string, env: Record<string, string> = {}): Promise<Job> {
    rmSync(join(folder, 'report.md'), { force: true })
    const child = spawn('bash', ['-e', '-c', script], {
      cwd: folder,
      env: {
        PATH: [programs, dirname(process.execPath), process.env.PATH].join(delimiter),
        HOME: folder,
        ASSAY_URL: baseUrl,
        ASSAY_KEY: key,
        ...env,
      },
    })
    const output = Promise.all([text(child.stdout), text(child.stderr)])
    const code = await new Promise<number>((resolve) => child.on('close', (code) => resolve(code ?? -1)))
    let report = ''
    try {
      report = readFileSync(join(folder, 'report.md'), 'utf8')
    } catch {
      // Some recipes write none.
    }
    return { code, log: (await output).join(''), report }
  }

  async function get<Result>(path: string): Promise<Result> {
    const response = await fetch(`${baseUrl}/api${path}`, { headers: { authorization: key } })
    assert.equal(response.status, 200, path)
    return (await response.json()) as Result
  }

  return {
    folder,
    run,
    show: (id: string) => get<Evaluation>(`/evaluations/${id}`),
    list: async () => (await get<Evaluation[]>('/evaluations')).map(({ id }) => id).sort(),
    scenarios: (id: string) => get<EvaluationScenario[]>(`/evaluations/${id}/evaluation_scenarios`),
    writeFile: (name: string, content: string) => writeFileSync(join(folder, name), content),
  }
}

let runCount = 0

/** What promptfoo writes for these prompts. Each result has a new id. */
function promptfooResults(prompts: Record<string, boolean[]>, latencyMs = 500): string {
  runCount += 1
  const columns = Object.entries(prompts)
  return JSON.stringify({
    evalId: `eval-${runCount}`,
    results: {
      version: 3,
      prompts: columns.map(([label]) => ({ raw: `${label} text`, label, provider: 'echo' })),
      results: columns.flatMap(([, passes], promptIdx) =>
        passes.map((success, testIdx) => ({
          id: `run-${runCount}-${promptIdx}-${testIdx}`,
          promptIdx,
          testIdx,
          vars: { question: `Question ${testIdx}`, topic: testIdx % 2 ? 'returns' : 'sizes' },
          response: { output: `Answer ${runCount}` },
          latencyMs: latencyMs + testIdx,
          success,
          failureReason: success ? 0 : 1,
        })),
      ),
    },
  })
}

const GOOD = [true, true, true, true]
const BAD = [true, false, true, false]

describe('commands with promptfoo', () => {
  const storeBaseline = 'assay import results.json --evaluation main'
  const pullRequest = recipe(
    'sh',
    'assay import results.json --evaluation pr-123',
    'assay compare main pr-123',
  )

  test('a second push is compared, not the rows of the first one, and the report explains why', async () => {
    const { run, writeFile, scenarios } = await createRepository()
    writeFile('results.json', promptfooResults({ short: GOOD }, 900))
    assert.equal((await run(recipe('sh', storeBaseline))).code, 0)
    writeFile('results.json', promptfooResults({ short: GOOD }))
    assert.equal((await run(pullRequest)).code, 0)
    writeFile('results.json', promptfooResults({ short: BAD }, 100))
    const { code, log, report } = await run(pullRequest, { ASSAY_BY: 'input.topic' })
    assert.equal(code, 1, log)
    assert.match(
      report,
      /^\*\*Gate failed\*\*\n\n- `'pass' is worse: observed loss 50 points, .* 2 of 4 rows/,
    )
    const [, changes = ''] = /^Changes of `pr-123` by `input\.topic`:\n\n(.*?)\n\n/ms.exec(report) ?? []
    assert.match(changes, /^- `pass`: /)
    assert.doesNotMatch(changes, /latency/)
    const rows = await scenarios('pr-123')
    assert.deepEqual([rows.length, new Set(rows.map(({ outputs }) => outputs[0]?.result.value)).size], [4, 1])
  })

  test('prompts are compared by label, although one was inserted before them', async () => {
    const { run, writeFile } = await createRepository()
    writeFile('results.json', promptfooResults({ short: GOOD, long: BAD }))
    assert.equal((await run(recipe('sh', storeBaseline))).code, 0)
    writeFile('results.json', promptfooResults({ inserted: BAD, short: BAD, long: BAD }))
    const { code, log, report } = await run(pullRequest)
    assert.equal(code, 1, log)
    assert.match(report, /^- `'pr-123:1' \(short, echo\): 'pass' is worse: observed loss 50 points, /m)
    assert.doesNotMatch(report, /pr-123:2' .* is worse/)
    assert.match(report, /'pr-123:0' \(inserted, echo\) is new/)
  })

  test('a tolerance in percent is an error that explains the unit', async () => {
    const { run, writeFile } = await createRepository()
    writeFile('results.json', promptfooResults({ short: GOOD }))
    await run(recipe('sh', storeBaseline))
    const { code, log } = await run(pullRequest, { ASSAY_TOLERANCE: '2' })
    assert.equal(code, 2)
    assert.match(log, /2 allows every loss\. Write 0\.02 for 2 points\./)
  })

  test('a missing baseline and a service that is away are invalid, not worse', async () => {
    const { run, writeFile } = await createRepository()
    writeFile('results.json', promptfooResults({ short: GOOD }))
    const missing = await run(pullRequest)
    assert.equal(missing.code, 3, missing.log)
    assert.match(missing.report, /^\*\*Gate invalid\*\*\n\n- `.*no evaluation 'main'/)
    const [compare = ''] = /^assay compare .*/m.exec(pullRequest) ?? []
    const away = await run(compare, { ASSAY_URL: 'http://127.0.0.1:9' })
    assert.equal(away.code, 3, away.log)
    assert.match(away.report, /^\*\*Gate invalid\*\*\n\n- `The connection to http:\/\/127\.0\.0\.1:9 failed/)
    const branches = await run(recipe('sh', '"$code" -eq 3'))
    assert.equal(branches.code, 3, branches.log)
    assert.match(branches.log, /Run the evaluation again/)
  })
})

test('GitLab: a job that is run again has each row once, with two prompts', async () => {
  const { evaluate } = parseYaml(recipe('yaml', 'CI_MERGE_REQUEST_DIFF_BASE_SHA', 'script:')) as {
    evaluate: { script: string[] }
  }
  const script = evaluate.script.join('\n')
  const { run, writeFile, list, show } = await createRepository()
  writeFile('next.json', promptfooResults({ short: GOOD, long: GOOD }))
  for (const _ of ['first', 'again']) {
    const { code, log } = await run(script, { CI_COMMIT_SHA: 'abc' })
    assert.equal(code, 0, log)
    writeFile('next.json', promptfooResults({ short: GOOD, long: GOOD }))
  }
  assert.deepEqual(await list(), ['abc:0', 'abc:1'])
  assert.deepEqual([(await show('abc:0')).scenario_count, (await show('abc:1')).scenario_count], [4, 4])
  writeFile('next.json', promptfooResults({ short: GOOD, long: BAD }))
  const variables = { CI_COMMIT_SHA: 'def', CI_MERGE_REQUEST_DIFF_BASE_SHA: 'abc' }
  const { code, log, report } = await run(script, variables)
  assert.equal(code, 1, log)
  assert.match(report, /^- `'def:1' \(long, echo\): 'pass' is worse: /m)
})

const [interpreter] = selectInterpreters(await findInterpreters(), 1)

describe('pytest', {
  skip: fullOnly('starts many processes') || (!interpreter && 'Python is not installed'),
}, () => {
  const baseline = recipe('sh', 'pytest --assay --assay-evaluation main')
  const pullRequest = recipe('sh', 'pytest --assay --assay-evaluation pr-123')
  const compareOnly = /^assay compare .*/m.exec(pullRequest)?.[0] ?? ''

  /** Ten tests. The bot answers questions below `known`. */
  async function createProject() {
    const repository = await createRepository()
    assert.ok(interpreter)
    const python = await installRequirements(interpreter, ['pytest'])
    const env = {
      PYTHON: python,
      PYTHONPATH: [repository.folder, join(ROOT, 'python/src')].join(delimiter),
      PYTEST_ADDOPTS: '-p assay_client.pytest_plugin -p no:cacheprovider',
    }
    mkdirSync(join(repository.folder, 'tests'))
    repository.writeFile(
      'tests/test_bot.py',
      `import pytest
from bot import answer

@pytest.mark.parametrize("number", range(10))
def test_answer(number, assay):
    assay.log(inputs={"question": f"Question {number}"})
    output = answer(number)
    assay.log(output=output, scores={"length": len(output)})
    assert output.startswith("Yes")
`,
    )
    const writeBot = (known: number, yes = 'Yes, within 30 days.') =>
      repository.writeFile(
        'bot.py',
        `def answer(number):\n    return ${JSON.stringify(yes)} if number < ${known} else "No."\n`,
      )
    writeBot(10)
    const stored = await repository.run(baseline, env)
    assert.equal(stored.code, 0, stored.log)
    const first = await repository.run(pullRequest, env)
    assert.equal(first.code, 0, first.log)
    return { ...repository, env, writeBot }
  }

  test('tests that fail make the gate fail, and pytest does not end the job', async () => {
    const { run, env, writeBot } = await createProject()
    writeBot(3)
    const { code, log, report } = await run(pullRequest, env)
    assert.equal(code, 1, log)
    assert.match(report, /^\*\*Gate failed\*\*\n\n- `'test' is certainly worse: observed loss 70 points/)
  })

  test('numbers without a direction are not checked: shorter answers pass', async () => {
    const { run, env, writeBot } = await createProject()
    writeBot(10, 'Yes.')
    const { code, log, report } = await run(pullRequest, env)
    assert.equal(code, 0, log)
    assert.match(report, /^\*\*Gate passed\*\*\n[\s\S]*\nNot checked: `length`\.\n/)
  })

  test('a push that cannot import the bot ends the job, and the gate is invalid', async () => {
    const { run, env, show, writeFile } = await createProject()
    writeFile('bot.py', 'import missing_module\n')
    const { code, log, report } = await run(pullRequest, env)
    assert.deepEqual([code === 0, report], [false, ''], log)
    assert.equal((await show('pr-123')).status, 'failed')
    const gate = await run(compareOnly, env)
    assert.equal(gate.code, 3, gate.log)
    assert.match(gate.report, /^\*\*Gate invalid\*\*\n\n- `The run of 'pr-123' failed/)
  })

  for (const [name, options] of [
    ['a selection of tests', '-k "1 or 2"'],
    ['a run that -x stops', '-x'],
  ] as const)
    test(`${name} is invalid: the rows of the first push are not compared`, async () => {
      const { run, env, writeBot } = await createProject()
      writeBot(2)
      const script = pullRequest.replace('pytest ', `pytest ${options} `)
      const { code, log, report } = await run(script, env)
      assert.equal(code, 3, log)
      assert.match(report, /^\*\*Gate invalid\*\*\n\n- `The run of 'pr-123' failed/)
    })

  test('a service that is away ends the job', async () => {
    const { run, env } = await createProject()
    const { code, log, report } = await run(pullRequest, { ...env, ASSAY_URL: 'http://127.0.0.1:9' })
    assert.deepEqual([code === 0, report], [false, ''], log)
    assert.match(log, /10 rows not sent\./)
  })
})
