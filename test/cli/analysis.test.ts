// Tests of assay breakdown, assay agreement and assay compare --by on the sample.
import assert from 'node:assert/strict'
import { readFileSync, writeFileSync } from 'node:fs'
import { describe, test } from 'node:test'
import type { Breakdown } from '../../src/schema/analysis/breakdowns.ts'
import { runAssayCommand } from '../support/command-runner/run.ts'
import { createSampleStore } from '../support/harness.ts'
import { schemaErrors } from '../support/http.ts'
import { testOptions } from '../support/options.ts'

const store = await createSampleStore()

const run = (...args: string[]) => runAssayCommand([...args, ...store.flags])
const COMPARE = ['compare', 'support-answer-r4', 'support-answer-r5']
const BREAKDOWN = ['breakdown', 'support-answer-r5']
const BY_TOPIC = ['--by', 'input.topic']

test('the outputs in the docs equal the printed ones', async () => {
  const page = new URL('../../docs/reference/commands.md', import.meta.url)
  const text = readFileSync(page, 'utf8')
  let updated = text
  const blocks = [...text.matchAll(/<!-- output of assay ([^\n]+) -->\n\n```text\n(.*?)```\n/gs)]
  assert.equal(blocks.length, 4)
  for (const [block, command = '', output = ''] of blocks) {
    const { code, stdout, stderr } = await run(...command.split(' '))
    assert.deepEqual([code, stderr], [0, ''])
    const newBlock = block.replace(/(?<=```text\n).*(?=```)/s, () => stdout)
    updated = updated.replace(block, () => newBlock)
    if (!testOptions.update)
      assert.equal(
        output,
        stdout,
        'run `node test/run.ts --update test/cli/analysis.test.ts` to update the docs',
      )
  }
  if (testOptions.update) writeFileSync(page, updated)
})

test('one command finds what got worse in revision 5', async () => {
  const { stdout } = await run(...COMPARE, ...BY_TOPIC)
  const explanation = stdout.slice(stdout.indexOf('Changes of')).replace(/\s+/g, ' ')
  assert.match(
    explanation,
    /answer_correct: worse, -22\.3 pp on 112 rows\. returns: -65\.0 pp on 20 rows, 52 %/,
  )
  const [, uncertain = ''] =
    /answer_correct: .*?not certain: (.+?) All other groups are tied\./.exec(explanation) ?? []
  assert.match(
    uncertain,
    /^refunds \(-63\.6 pp on 11 rows, 28 %\) and exchanges \(-75\.0 pp on 8 rows, 24 %\)\.$/,
  )
})

test('--json of compare contains a breakdown per candidate', async () => {
  const { stdout } = await run(...COMPARE, 'support-answer-r6', ...BY_TOPIC, '--json')
  const { breakdowns, ...comparison } = JSON.parse(stdout) as { breakdowns: Breakdown[] }
  assert.deepEqual(
    breakdowns.map(({ id, base }) => [id, base?.id]),
    [
      ['support-answer-r5', 'support-answer-r4'],
      ['support-answer-r6', 'support-answer-r4'],
    ],
  )
  for (const breakdown of breakdowns) assert.deepEqual(schemaErrors('Breakdown', breakdown), [])
  assert.deepEqual(schemaErrors('Comparison', comparison), [])
  const alone = await run(
    'breakdown',
    'support-answer-r6',
    ...BY_TOPIC,
    '--base',
    'support-answer-r4',
    '--json',
  )
  assert.deepEqual(JSON.parse(alone.stdout), breakdowns[1])
})

test('--on selects the evaluators that are explained, in both reports', async () => {
  for (const format of [[], ['--markdown']]) {
    const { stdout } = await run(...COMPARE, ...BY_TOPIC, '--on', 'cites_policy,answer_correct', ...format)
    assert.doesNotMatch(stdout, /faithfulness`?: |cost: /)
    assert.deepEqual(
      [...stdout.matchAll(/^(?:\| )?`?(\w+)`?[ |]+rows /gm)].map(([, name]) => name),
      ['cites_policy', 'answer_correct'],
    )
  }
})

test('groups by the result of an evaluator and by the error of the output', async () => {
  const { stdout } = await run(...BREAKDOWN, '--by', 'result.answer_correct')
  assert.match(stdout, /^support-answer-r5 by result\.answer_correct: 120 rows in \d groups\.\n/)
  assert.match(stdout, /^true +\d+ /m)
  assert.match(stdout, /^false +\d+ /m)
  assert.match((await run(...BREAKDOWN, '--by', 'error')).stdout, /^\(no error\) +1\d\d +0 /m)
})

describe('fails if something does not exist', () => {
  const AGREEMENT = ['agreement', 'support-answer-r6', '--evaluator', 'judge', '--with']
  const cases: [args: string[], code: number, expected: RegExp][] = [
    [[...COMPARE, '--by', 'input.unknown'], 2, /unknown/],
    [[...BREAKDOWN, '--by', 'result.unknown'], 2, /unknown/],
    [['breakdown', 'unknown', ...BY_TOPIC], 1, /no evaluation 'unknown'/],
    [[...BREAKDOWN, ...BY_TOPIC, '--base', 'nowhere'], 1, /no evaluation 'nowhere'/],
    [[...AGREEMENT, 'unknown'], 2, /unknown/],
    [[...AGREEMENT, 'judge'], 2, /two different evaluators/],
    [['agreement', 'unknown', '--evaluator', 'a', '--with', 'b'], 1, /no evaluation 'unknown'/],
  ]
  for (const [args, code, expected] of cases)
    test(args.join(' '), async () => {
      const finished = await run(...args)
      assert.deepEqual([finished.code, finished.stdout], [code, ''], finished.stderr)
      assert.match(finished.stderr, expected)
      assert.match(finished.stderr, /^assay: .+\n.+\n$/)
    })
})
