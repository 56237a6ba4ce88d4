// assay compare: the same figures as the API, exit codes that a pipeline can rely on, and reports that tell the truth.
import assert from 'node:assert/strict'
import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync, writeFileSync } from 'node:fs'
import { createInterface } from 'node:readline'
import { text } from 'node:stream/consumers'
import { describe, test } from 'node:test'
import { MAIN } from '../../bench/service.ts'
import { openAt } from '../../bench/store.ts'
import { loadSample } from '../../src/cli/sample.ts'
import type { EvaluationScenario } from '../../src/schema/scenarios.ts'
import { written } from '../../src/schema/written.ts'
import { addEvaluation } from '../../src/store/evaluations.ts'
import { ensureProject } from '../../src/store/projects.ts'
import { addScenarios } from '../corpus.ts'
import { assay, freshPlace } from '../harness.ts'
import { schemaErrors } from '../wire.ts'

const { url, flags } = await freshPlace('sqlite')
const store = await openAt(url)
await loadSample(store)

const HOSTILE = '|<b>`@x`\n[a](b)'

/** One scenario for each score: a number, true or false, a label, or null for none. */
async function add(id: string, scores: unknown[], evaluators: object[] = []): Promise<void> {
  await store.writer.transaction(async (transaction) => {
    const project = await ensureProject(transaction, 'default')
    const key = await addEvaluation(transaction, project, written({ id, evaluators } as never))
    const scenarios = scores.map((value, place) => ({
      id: `s/${place}`,
      evaluation_id: id,
      inputs: [{ name: 'question', type: 'text', value: HOSTILE }],
      outputs: [{ result: { type: 'text', value: `${HOSTILE} ${id} ${place}` } }],
      correct_answers: null,
      is_pinned: null,
      note: null,
      results: [
        { evaluator_config: 'score', result: { type: 'json', value } },
        { evaluator_config: 'label', result: { type: 'text', value: 'fine' } },
      ],
    }))
    await addScenarios(transaction, key, scenarios as EvaluationScenario[])
  })
}

/** One scenario with so many evaluators that its report is longer than what a pipe holds. */
async function addWide(id: string, value: number): Promise<void> {
  await store.writer.transaction(async (transaction) => {
    const project = await ensureProject(transaction, 'default')
    const key = await addEvaluation(transaction, project, written({ id } as never))
    const results = Array.from({ length: 2000 }, (_, place) => ({
      evaluator_config: `evaluator ${place}`,
      result: { type: 'number', value },
    }))
    const rest = { inputs: [], outputs: [], correct_answers: null, is_pinned: null, note: null }
    await addScenarios(transaction, key, [
      { id: 'only', evaluation_id: id, results, ...rest },
    ] as EvaluationScenario[])
  })
}

await add('half', [0.5, 0.5, 0.5, 0.5])
await add('less', [0.4, 0.4, 0.4, 0.4])
await add('more', [0.9, 0.6, 0.5, 0.5])
await add('mixed', [0.1, 0.3, 0.4, 0.9])
await add('none', [null, null, null, null])
await add('low', [0.5, 0.5, 0.5, 0.5], [{ name: 'score', higher_is_better: false }])
await add('torn', [0.9, null, null, null])
await add('gaps', [0.9, 0.9, null, null])
await addWide('wide', 1)
await addWide('narrow', 0)
await store.close()

const compare = (...args: string[]) => assay(['compare', ...args, ...flags])

test('the report of the sample in the docs is the one that is printed', async () => {
  const page = new URL('../../docs/how-to/compare-in-ci.md', import.meta.url)
  const text = readFileSync(page, 'utf8')
  const [, command = ''] = /`assay (compare \S+ \S+ --markdown[^`]*)`/.exec(text) ?? []
  const { code, stdout, stderr } = await assay([...command.split(/\s+/), ...flags])
  assert.deepEqual([code, stderr], [0, ''])
  const parts = /(<!-- report -->\n)(.*)(<!-- end of the report -->\n)/s.exec(text)
  if (process.env.REPORT === 'write')
    writeFileSync(
      page,
      text.replace(parts?.[0] ?? '', () => `${parts?.[1]}\n${stdout}\n${parts?.[3]}`),
    )
  else assert.equal(parts?.[2], `\n${stdout}\n`, 'REPORT=write puts it there anew')
})

test('--json prints the document of the API', async () => {
  const { code, stdout } = await compare('support-answer-r4', 'support-answer-r5', '--json')
  assert.equal(code, 0)
  const document = JSON.parse(stdout)
  assert.deepEqual(schemaErrors('Comparison', document), [])
  assert.deepEqual(document.evaluations[0].id, 'support-answer-r4')
})

test('each candidate has a verdict and a table, and without --fail-on-regression nothing is a failure', async () => {
  const { code, stdout } = await compare('half', 'less', 'more')
  assert.equal(code, 0)
  assert.match(
    stdout,
    /^less against half: worse on score, .*\nmore against half: tied on score, .*\n\nless: 4 scenarios/,
  )
})

test('a tolerance in the environment is for the gate and breaks no plain comparison', async () => {
  const { code, stderr } = await assay(['compare', 'half', 'less', ...flags], { ASSAY_TOLERANCE: '0.2' })
  assert.deepEqual([code, stderr], [0, ''])
  const gate = ['compare', 'half', 'less', '--fail-on-regression', ...flags]
  assert.equal((await assay(gate, { ASSAY_TOLERANCE: '0.2' })).code, 0)
  assert.equal((await assay(gate, { ASSAY_TOLERANCE: '0.02' })).code, 1)
})

describe('the exit code of --fail-on-regression', () => {
  const cases: [args: string[], code: number, says: RegExp][] = [
    [['half', 'more'], 0, /^$/],
    [['half', 'less'], 1, /^assay: 'less' is worse on 'score' by 0\.1000\.\n--tolerance.*\n$/],
    [['half', 'less', '--tolerance', '0.1'], 0, /^$/],
    [['half', 'more', 'less'], 1, /^assay: 'less' is worse/],
    [['low', 'more'], 1, /'more' is worse on 'score' by 0\.1250/],
    [['half', 'none'], 1, /'none' has nothing to compare on 'score'/],
    [['half', 'torn'], 1, /'torn' can be compared in only 1 of the 4 rows that have a score on 'score'/],
    [['half', 'torn', '--on', 'score'], 1, /'torn' can be compared in only 1 of the 4 rows/],
    [['half', 'gaps'], 0, /^$/],
    [['none', 'half'], 1, /no evaluator has a score in the base/],
    [['half', 'more', '--on', 'label'], 1, /'more' has nothing to compare on 'label'/],
    [['half', 'less', '--on', 'nobody'], 2, /'nobody'\. There are 'score' and 'label'\.\n.+\n$/],
    [['half', 'less', '--by', 'input.colour'], 2, /colour/],
    [['half', 'nowhere'], 1, /no evaluation 'nowhere'/],
  ]
  for (const [args, code, says] of cases) {
    test(args.join(' '), async () => {
      const finished = await compare(...args, '--fail-on-regression')
      assert.equal(finished.code, code, finished.stderr)
      assert.match(finished.stderr, says)
      const isCompared =
        code === 0 ||
        / is worse | nothing to compare | can be compared |no evaluator has/.test(finished.stderr)
      assert.equal(finished.stdout.includes(' against '), isCompared, 'the report is printed all the same')
    })
  }
})

test('the worst rows come with the largest loss first, and what models wrote is text', async () => {
  const { stdout } = await compare('half', 'mixed', '--markdown', '--public-url', 'https://evals.example/')
  const rows = stdout.split('\n').filter((line) => line.startsWith('| [`'))
  assert.deepEqual(
    rows.map((row) =>
      /\(https:\/\/evals\.example\/evaluations\/mixed\/scenarios\/s%2F(\d)\) \| (\S+ → \S+) \|/
        .exec(row)
        ?.slice(1),
    ),
    [
      ['0', '0.5 → 0.1'],
      ['1', '0.5 → 0.3'],
      ['2', '0.5 → 0.4'],
    ],
  )
  for (const row of rows) assert.ok(row.includes('``\\|<b>`@x` [a](b)`` |'), row)
})

describe('inside a pipeline', () => {
  const shell = (command: string, name = 'sh') =>
    spawnSync(name, ['-c', command], {
      encoding: 'utf8',
      env: { ...process.env, ASSAY: `${process.execPath} ${MAIN} compare`, FLAGS: flags.join(' ') },
    })
  const gate = '$ASSAY half less --fail-on-regression $FLAGS'

  test('a reader that stops early has the verdict, and is no error', () => {
    const { stdout, stderr } = shell(`{ $ASSAY half less $FLAGS; echo "exit $?" >&2; } | head -1`)
    assert.match(stdout, /^less against half: worse on score.*\n$/)
    assert.equal(stderr, 'exit 0\n')
  })

  test('a gate stops what comes behind it, and its report goes on', () => {
    assert.equal(shell(`${gate} > /dev/null 2>&1 && echo merged`).stdout, '')
    assert.equal(shell(`${gate} --tolerance 0.2 > /dev/null && echo merged`).stdout, 'merged\n')
    assert.match(
      shell(
        `${gate} --json 2> /dev/null | "${process.execPath}" -p 'JSON.parse(fs.readFileSync(0)).candidates[0].id'`,
      ).stdout,
      /^less\n$/,
    )
  })

  const wide = ['compare', 'wide', 'narrow', '--json', '--fail-on-regression', ...flags]

  test('a gate that fails has its whole report read, however long it is and slow the reader', async () => {
    const child = spawn(process.execPath, [MAIN, ...wide])
    const closed = once(child, 'close')
    // The error comes last, so nothing but waiting for the reader is left to do.
    const lines = createInterface({ input: child.stderr })[Symbol.asyncIterator]()
    assert.match(String((await lines.next()).value), /^assay: 'narrow' is worse on .* and 1,990 others\.$/)
    await lines.next()
    const report = await text(child.stdout)
    assert.ok(report.length > 500_000)
    assert.equal(JSON.parse(report).candidates[0].evaluators.length, 2000)
    assert.deepEqual(await closed, [1, null])
  })

  test('a gate that fails ends where nobody reads its report or its error', async () => {
    const child = spawn(process.execPath, [MAIN, ...wide])
    child.stdout.destroy()
    child.stderr.destroy()
    assert.deepEqual(await once(child, 'exit'), [1, null])
  })

  const bash = spawnSync('bash', ['-c', 'true']).status === 0
  test('with pipefail its exit code is that of the pipeline', { skip: !bash && 'there is no bash' }, () => {
    assert.equal(
      shell(`set -o pipefail; ${gate} --markdown 2> /dev/null | cat > /dev/null`, 'bash').status,
      1,
    )
    assert.equal(
      shell(`set -o pipefail; $ASSAY half more --fail-on-regression $FLAGS | cat > /dev/null`, 'bash').status,
      0,
    )
  })

  test('a full disk is an error', () => {
    const { status, stderr } = shell('$ASSAY half more $FLAGS > /dev/full')
    assert.equal(status, 1)
    assert.match(stderr, /^assay: Cannot write: .*ENOSPC/)
  })
})
