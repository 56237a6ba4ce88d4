// Tests of assay compare: reports, exit codes of --fail-on-regression, and use in shell pipelines.
import assert from 'node:assert/strict'
import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { text } from 'node:stream/consumers'
import { describe, test } from 'node:test'
import { MAIN } from '../../bench/service.ts'
import { openStoreAt } from '../../bench/store.ts'
import { loadSample } from '../../src/cli/service/sample.ts'
import type { EvaluationScenario } from '../../src/schema/scenarios.ts'
import { parsedValue } from '../../src/schema/validation/parsed-value.ts'
import { ensureProject } from '../../src/store/access/projects.ts'
import { createEvaluation } from '../../src/store/evaluations/evaluations.ts'
import { runAssayCommand as runAssay } from '../support/command-runner/run.ts'
import { addScenarios } from '../support/corpus.ts'
import { createStoreLocation, createTempFolder } from '../support/harness.ts'
import { schemaErrors } from '../support/http.ts'
import { fullOnly, testOptions } from '../support/options.ts'

const { url, flags } = await createStoreLocation('sqlite')
const store = await openStoreAt(url)
await loadSample(store)

const HOSTILE = '|<b>`@x`\n[a](b)'

/** Adds an evaluation with one scenario per score; null means no score. */
async function add(id: string, scores: unknown[], evaluators: object[] = []): Promise<void> {
  await store.writer.transaction(async (transaction) => {
    const project = await ensureProject(transaction, 'default')
    const key = await createEvaluation(transaction, project, parsedValue({ id, evaluators } as never))
    const scenarios = scores.map((value, index) => ({
      id: `s/${index}`,
      evaluation_id: id,
      inputs: [{ name: 'question', type: 'text', value: `${HOSTILE} ${index}` }],
      outputs: [{ result: { type: 'text', value: `${HOSTILE} ${id} ${index}` } }],
      correct_answers: null,
      is_pinned: null,
      note: null,
      results: [
        { evaluator_config: 'score', result: { type: 'json', value } },
        { evaluator_config: 'label', result: { type: 'text', value: 'fine' } },
        { evaluator_config: 'a,b', result: { type: 'text', value: 'fine' } },
      ],
    }))
    await addScenarios(transaction, key, scenarios as EvaluationScenario[])
  })
}

/** Adds the verdicts of the repeats of each row. Each repeat has an id and inputs of its own, as some tools store them. */
async function addRepeats(id: string, rows: boolean[][]): Promise<void> {
  await store.writer.transaction(async (transaction) => {
    const project = await ensureProject(transaction, 'default')
    const key = await createEvaluation(transaction, project, parsedValue({ id } as never))
    const scenarios = rows.flatMap((verdicts, row) =>
      verdicts.map((value, index) => ({
        id: `row-${row}-epoch-${index + 1}`,
        evaluation_id: id,
        inputs: [{ name: 'seed', type: 'json', value: 10 * row + index }],
        outputs: [{ result: { type: 'text', value: `${id} ${index}` } }],
        correct_answers: null,
        is_pinned: null,
        note: null,
        results: [{ evaluator_config: 'exact', result: { type: 'bool', value } }],
        extra: { sample: `row-${row}`, repetition: index + 1 },
      })),
    )
    await addScenarios(transaction, key, scenarios as EvaluationScenario[])
  })
}

/** Adds one scenario with so many evaluators that its report exceeds the buffer of a pipe. */
async function addWide(id: string, value: boolean): Promise<void> {
  await store.writer.transaction(async (transaction) => {
    const project = await ensureProject(transaction, 'default')
    const key = await createEvaluation(transaction, project, parsedValue({ id } as never))
    const results = Array.from({ length: 2000 }, (_, index) => ({
      evaluator_config: `evaluator ${index}`,
      result: { type: 'bool', value },
    }))
    const emptyMembers = { inputs: [], outputs: [], correct_answers: null, is_pinned: null, note: null }
    await addScenarios(transaction, key, [
      { id: 'only', evaluation_id: id, results, ...emptyMembers },
    ] as EvaluationScenario[])
  })
}

const fill = (count: number, ...scores: unknown[]) =>
  Array.from({ length: count }, (_, index) => scores[index % scores.length])
await add('half', fill(8, 0.5))
await add('less', fill(8, 0.38, 0.42))
await add('shifted', fill(8, 0.4))
await add('more', [0.9, 0.6, ...fill(6, 0.5)])
await add('mixed', [0.1, 0.3, 0.4, 0.9, ...fill(4, 0.5)])
await add('none', fill(8, null))
await add('low', fill(8, 0.5), [{ name: 'score', higher_is_better: false }])
await add('torn', [0.9, ...fill(7, null)])
await add('gaps', [...fill(4, 0.9), ...fill(4, null)])
await add('few', fill(4, 0.5))
await add('fewer', [0.5, 0.4, 0.5, 0.5])
await addRepeats('steady', fill(8, fill(5, true) as boolean[]) as boolean[][])
await addRepeats('shaky', [
  [true, true, true],
  [false, false, false],
  [true, false, true],
  ...(fill(5, [true, true, true]) as boolean[][]),
])
await addWide('wide', true)
await addWide('narrow', false)
await store.close()

const compare = (...args: string[]) => runAssay(['compare', ...args, ...flags])

test('the sample report in the docs equals the printed report', async () => {
  const page = new URL('../../docs/how-to/compare-in-ci.md', import.meta.url)
  const text = readFileSync(page, 'utf8')
  const [, command = ''] = /`assay (compare \S+ \S+ --markdown[^`]*)`/.exec(text) ?? []
  const { code, stdout, stderr } = await runAssay([...command.split(/\s+/), ...flags])
  assert.deepEqual([code, stderr], [0, ''])
  const parts = /(<!-- report -->\n)(.*)(<!-- end of the report -->\n)/s.exec(text)
  if (testOptions.update)
    writeFileSync(
      page,
      text.replace(parts?.[0] ?? '', () => `${parts?.[1]}\n${stdout}\n${parts?.[3]}`),
    )
  else
    assert.equal(
      parts?.[2],
      `\n${stdout}\n`,
      'run `node test/run.ts --update test/cli/compare.test.ts` to update the docs',
    )
})

test('pairs the rows of tables without an id column by their inputs', async () => {
  const rows = Array.from({ length: 40 }, (_, row) => `customer ${row},${row % 3}`)
  const shuffled = rows.map((_, row) => rows[(row * 17 + 5) % rows.length])
  for (const [id, lines] of [
    ['in order', rows],
    ['shuffled', shuffled],
  ] as const) {
    const file = join(createTempFolder(), 'table.csv')
    writeFileSync(file, ['input.customer,score.ok', ...lines].join('\n'))
    const { code, stderr } = await runAssay(['import', file, '--evaluation', id, ...flags])
    assert.equal(code, 0, stderr)
  }
  const {
    candidates,
    join: joined,
    warnings,
  } = JSON.parse((await compare('in order', 'shuffled', '--json')).stdout)
  assert.deepEqual([joined.by, candidates[0].matched, candidates[0].inputs_differ], ['input', 40, 0])
  assert.equal(candidates[0].evaluators[0].classes.same, 40)
  assert.deepEqual(warnings, [])
  const { stdout } = await compare('in order', 'shuffled', '--join', 'id')
  assert.match(stdout, /Warning: In 'shuffled', 40 rows have a generated id\./)
})

test('pairs the rows of two promptfoo runs by their inputs, with all repetitions', async () => {
  const verdicts = { Ana: [true, false], Bo: [false, true] }
  const rowsOf = (names: string[], run: string) =>
    names.flatMap((name, test) =>
      (verdicts[name as 'Ana'] ?? [true, true]).map((success, repetition) => ({
        id: `${run}-${name}-${repetition}`,
        testIdx: repetition * names.length + test,
        promptIdx: 0,
        vars: { name },
        response: { output: 'x' },
        success,
        failureReason: 0,
      })),
    )
  for (const [evalId, rows] of [
    ['run 1', rowsOf(['Ana', 'Bo'], '1')],
    ['run 2', rowsOf(['New', 'Bo', 'Ana'], '2').toReversed()],
  ] as const) {
    const file = join(createTempFolder(), 'out.json')
    const prompts = [{ raw: 'p', label: 'p', provider: 'echo' }]
    const runtimeOptions = { repeat: 2 }
    writeFileSync(
      file,
      JSON.stringify({ evalId, runtimeOptions, results: { version: 3, prompts, results: rows } }),
    )
    const { code, stderr } = await runAssay(['import', file, ...flags])
    assert.equal(code, 0, stderr)
  }
  const {
    candidates,
    join: joined,
    evaluations,
  } = JSON.parse((await compare('run 1', 'run 2', '--json')).stdout)
  assert.deepEqual([joined.by, candidates[0].matched, candidates[0].inputs_differ], ['input', 2, 0])
  assert.deepEqual([evaluations[0].scenario_count, evaluations[0].row_count], [4, 2])
  assert.equal(candidates[0].evaluators[0].classes.same, 2)
  const { stdout } = await compare('run 1', 'run 2', '--join', 'id')
  assert.match(stdout, /Warning: In 'run 2', 6 rows have a generated id\./)
})

test('--json prints the same document as the API', async () => {
  const { code, stdout } = await compare('support-answer-r4', 'support-answer-r5', '--json')
  assert.equal(code, 0)
  const document = JSON.parse(stdout)
  assert.deepEqual(schemaErrors('Comparison', document), [])
  assert.deepEqual(document.evaluations[0].id, 'support-answer-r4')
})

test('prints a verdict and a table for each candidate, and exits with 0 without --fail-on-regression', async () => {
  const { code, stdout } = await compare('half', 'less', 'more')
  assert.equal(code, 0)
  assert.match(
    stdout,
    /^less is worse than half on score: 8 rows .*\nmore and half are tied on score: .*\n\nless: 8 rows matched by id\./,
  )
})

test('compares rows with repeats, whatever the ids and the numbers of repeats are', async () => {
  const { stdout } = await compare('steady', 'shaky')
  assert.match(
    stdout,
    /^shaky and steady are tied on exact: 1 row regressed, 0 improved, 1 unclear, no clear change; a change of \d+ points or more would have been seen\.\n/,
  )
  assert.match(
    stdout,
    /^shaky: 8 rows matched by id\. Baseline: 8 rows × 5\. Candidate: 8 rows × 3\.\n.* regressed {2}improved {2}unclear +n\nexact +100\.0 % +83\.3 % +-16\.7 pp .* 1 +0 +1 +8 {2}tied, detectable: \d+ points$/m,
  )
  assert.doesNotMatch(stdout, /Warning/)
  const report = (await compare('steady', 'shaky', '--markdown')).stdout
  assert.match(report, /^One regression on `exact`:$/m)
  assert.match(report, /^\| `row-1-epoch-1` \| 5\/5 → 0\/3 \| `10` \| `steady 0` \| `shaky 0` \|$/m)
})

test('compares one evaluation with its default baseline', async () => {
  const verdict = async (...args: string[]) => (await compare(...args)).stdout.split('\n')[0] ?? ''
  assert.match(
    await verdict('support-answer-r5'),
    /^support-answer-r5 is worse than support-answer-r4 on answer_correct:/,
  )
  for (const [id, value] of [
    ['night 1', 'true'],
    ['night 2', 'false'],
  ] as const) {
    const file = join(createTempFolder(), 'table.csv')
    const rows = Array.from({ length: 8 }, (_, row) => `customer ${row},${value}`)
    writeFileSync(file, ['input.customer,score.ok', ...rows].join('\n'))
    const { code, stderr } = await runAssay([
      'import',
      file,
      '--evaluation',
      id,
      '--variant',
      'night',
      ...flags,
    ])
    assert.equal(code, 0, stderr)
  }
  assert.equal(
    await verdict('night 2'),
    'night 2 is worse than the previous run night 1 on ok: 8 rows regressed, 0 improved.',
  )
  const first = await compare('night 1')
  assert.deepEqual([first.code, first.stdout], [1, ''])
  assert.match(
    first.stderr,
    /^assay: 'night 1' has no baseline: it declares none, and its variant has no older, finished evaluation\.\nName the baseline/,
  )
})

test('ASSAY_TOLERANCE applies only with --fail-on-regression', async () => {
  const args = ['compare', 'steady', 'shaky', ...flags]
  const { code, stderr } = await runAssay(args, { ASSAY_TOLERANCE: '2' })
  assert.deepEqual([code, stderr], [0, ''])
  assert.equal((await runAssay([...args, '--fail-on-regression'], { ASSAY_TOLERANCE: '2' })).code, 2)
})

describe('the exit code of --fail-on-regression', () => {
  const cases: [args: string[], code: number, expected: RegExp][] = [
    [['half', 'more', '--on', 'score'], 0, /^$/],
    [
      ['half', 'less', '--on', 'score'],
      1,
      /^assay: Gate failed\. 'score' is certainly worse: .*\nSet --tol.*\n$/,
    ],
    [['half', 'less', '--on', 'score', '--tolerance', '0.1'], 0, /^$/],
    [['half', 'shifted', '--on', 'score'], 1, /'score' is certainly worse: all 8 rows lost 0\.1\.\n/],
    [['more', 'half', '--on', 'score'], 0, /^$/],
    [
      ['more', 'half', '--on', 'score', '--max-loss', '0.05'],
      1,
      /'score' is worse: observed loss 0\.0625, more/,
    ],
    [['half', 'more', 'less', '--on', 'score'], 1, /^assay: Gate failed\. less: 'score' is certainly worse/],
    [['low', 'mixed'], 0, /^$/],
    [['low', 'mixed', '--max-regressed', '0'], 1, /1 row regressed on 'score', more than 0\./],
    [['steady', 'shaky', '--max-loss', '0.2'], 0, /^$/],
    [
      ['steady', 'shaky'],
      1,
      /'exact' is worse: observed loss 16\.7 points, more than 5 points\. It can be chance/,
    ],
    [['half', 'more'], 3, /Nothing is checked: no evaluator gives verdicts or declares a direction/],
    [
      ['low', 'none'],
      3,
      /'score' scored 8 rows in the baseline, but 'none' has a score for only 0 of them\./,
    ],
    [['low', 'gaps'], 3, /'gaps' has a score for only 4 of them\./],
    [['none', 'half'], 3, /No evaluator has a score in the baseline/],
    [['half', 'more', '--on', 'label'], 3, /'label' has no score in the baseline\./],
    [
      ['half', 'less', '--on', 'score, label'],
      1,
      /'score' is certainly worse: .* 'label' has no score in the/,
    ],
    [['half', 'less', '--on', 'a,b'], 3, /'a,b' has no score in the baseline\./],
    [['half', 'less', '--on', 'a,b,score'], 2, /'a'\. Available evaluators: 'score', 'label', 'a,b'/],
    [
      ['half', 'less', '--on', 'unknown'],
      2,
      /'unknown'\. Available evaluators: 'score', 'label', 'a,b'\.\n.+\n$/,
    ],
    [['half', 'less', '--join', 'input.color'], 2, /color/],
    [['steady', 'shaky', '--tolerance', '2'], 2, /2 allows every loss\. Write 0\.02 for 2 points\.\n/],
    [['steady', 'shaky', '--max-loss', '1'], 2, /Write 0\.01 for 1 point\.\n/],
    [['steady', 'shaky', '--min-matched', '2'], 2, /from 0 to 1/],
    [['', 'shaky'], 2, /The id of an evaluation is empty\./],
    [['half', 'nowhere'], 3, /Gate invalid\. .*no evaluation 'nowhere'/],
  ]
  for (const [args, code, expected] of cases) {
    test(args.join(' '), async () => {
      const finished = await compare(...args, '--fail-on-regression')
      assert.equal(finished.code, code, finished.stderr)
      assert.match(finished.stderr, expected)
      const decision = { 0: 'passed', 1: 'failed', 3: 'invalid' }[code]
      if (decision) assert.match(finished.stdout, new RegExp(`^Gate ${decision}:\n- .+\n`))
      else assert.equal(finished.stdout, '')
    })
  }
})

test('the report begins with the decision of the gate, and lists what was not checked', async () => {
  const gate = ['half', 'less', '--on', 'score', '--fail-on-regression']
  const { stdout } = await compare(...gate)
  assert.match(
    stdout,
    /^Gate failed:\n- 'score' is certainly worse: .*\nNot checked: label, a,b\.\n\nless is worse than half on score: /,
  )
  assert.match(stdout, /\n\nThe 5 worst of 8 regressions on score:\n {2}s\/\d: 0\.5 → 0\.\d+\n {4}input {6}/)
  const markdown = (await compare(...gate, '--markdown', '--rows', '1')).stdout
  assert.match(
    markdown,
    /^\*\*Gate failed\*\*\n\n- `'score' is .*`\n\nNot checked: `label`, `a,b`\.\n\n\*\*`less`/,
  )
  assert.match(markdown, /^The worst of 8 regressions on `score`:$/m)
  const document = JSON.parse((await compare(...gate, '--json')).stdout)
  assert.equal(document.gate.decision, 'failed')
  assert.deepEqual(schemaErrors('Comparison', document.comparisons[0]), [])
  assert.doesNotMatch((await compare('half', 'less', '--rows', '0')).stdout, /regressions on/)
})

test('the gate explains the evaluator that decided, with its groups and worst rows', async () => {
  const args = ['support-answer-r4', 'support-answer-r5', '--by', 'input.topic']
  const { stdout } = await compare(...args, '--fail-on-regression', '--on', 'answer_correct')
  assert.match(
    stdout,
    /^Gate failed:\n- 'answer_correct' is certainly worse: observed loss 22\.3 points, true loss at least/,
  )
  assert.match(stdout, /^answer_correct: worse, -22\.3 pp on 112 rows\. returns: -65\.0 pp on 20 rows/m)
  assert.doesNotMatch(stdout, /^cites_policy: /m)
})

test('lists the worst regressions with the largest loss first, and escapes model output', async () => {
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
  for (const row of rows) assert.match(row, /``\\\|<b>`@x` \[a\]\(b\) \d`` \|/)
})

describe('in a shell pipeline', { skip: fullOnly('starts many shells') }, () => {
  const shell = (command: string, name = 'sh') =>
    spawnSync(name, ['-c', command], {
      encoding: 'utf8',
      env: { ...process.env, ASSAY: `${process.execPath} ${MAIN} compare`, FLAGS: flags.join(' ') },
    })
  const gate = '$ASSAY half less --on score --fail-on-regression $FLAGS'

  test('a reader that closes the pipe early receives the verdict, and the exit code is 0', () => {
    const { stdout, stderr } = shell(`{ $ASSAY half less $FLAGS; echo "exit $?" >&2; } | head -1`)
    assert.match(stdout, /^less is worse than half on score.*\n$/)
    assert.equal(stderr, 'exit 0\n')
  })

  test('--fail-on-regression stops the next command, but still prints its report', () => {
    assert.equal(shell(`${gate} > /dev/null 2>&1 && echo merged`).stdout, '')
    assert.equal(shell(`${gate} --tolerance 0.2 > /dev/null && echo merged`).stdout, 'merged\n')
    assert.match(
      shell(
        `${gate} --json 2> /dev/null | "${process.execPath}" -p 'JSON.parse(fs.readFileSync(0)).gate.decision'`,
      ).stdout,
      /^failed\n$/,
    )
  })

  const wideCommand = ['compare', 'wide', 'narrow', '--json', '--fail-on-regression', ...flags]

  test('a slow reader receives the whole report of a failed comparison', async () => {
    const child = spawn(process.execPath, [MAIN, ...wideCommand])
    const closeEvent = once(child, 'close')
    // The error is printed last, so afterwards the process only waits for the reader.
    const lines = createInterface({ input: child.stderr })[Symbol.asyncIterator]()
    assert.match(
      String((await lines.next()).value),
      /^assay: Gate failed\. 'evaluator 0' is worse: .* And 1,997 more\.$/,
    )
    await lines.next()
    const report = await text(child.stdout)
    assert.ok(report.length > 500_000)
    assert.equal(JSON.parse(report).comparisons[0].candidates[0].evaluators.length, 2000)
    assert.deepEqual(await closeEvent, [1, null])
  })

  test('a failed comparison exits when its output pipes are closed', async () => {
    const child = spawn(process.execPath, [MAIN, ...wideCommand])
    child.stdout.destroy()
    child.stderr.destroy()
    assert.deepEqual(await once(child, 'exit'), [1, null])
  })

  const bash = spawnSync('bash', ['-c', 'true']).status === 0
  test('with pipefail, the pipeline has its exit code', { skip: !bash && 'bash is not installed' }, () => {
    assert.equal(
      shell(`set -o pipefail; ${gate} --markdown 2> /dev/null | cat > /dev/null`, 'bash').status,
      1,
    )
    assert.equal(
      shell(
        `set -o pipefail; $ASSAY half more --on score --fail-on-regression $FLAGS | cat > /dev/null`,
        'bash',
      ).status,
      0,
    )
  })

  test('reports an error when the disk is full', () => {
    const { status, stderr } = shell('$ASSAY half more $FLAGS > /dev/full')
    assert.equal(status, 1)
    assert.match(stderr, /^assay: Cannot write to standard output: .*ENOSPC/)
  })
})
