// Reports of a comparison: what they say, and that nothing in the data can be more in them than text.
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { comparisonMarkdown } from '../../src/cli/comparison-markdown.ts'
import { comparisonText } from '../../src/cli/comparison-text.ts'
import { code, codeName, pathStep, table } from '../../src/cli/markdown.ts'
import { refuseRegressions } from '../../src/cli/regressions.ts'
import { CommandError } from '../../src/errors.ts'
import type { ComparedEvaluator, Comparison } from '../../src/schema/comparisons.ts'

const CLASSES = { regressed: 4, improved: 1, same: 95, incomparable: 0, missing: 0 }
const NOTHING = { n: 0, base_mean: null, mean: null, delta: null, interval: null, outcome: null }

function evaluator(changes: Partial<ComparedEvaluator>): ComparedEvaluator {
  const figures = {
    n: 100,
    base_mean: 0.8,
    mean: 0.7,
    delta: -0.1,
    interval: [-0.15, -0.05],
    outcome: 'worse',
  }
  return {
    name: 'exact',
    higher_is_better: true,
    ...figures,
    p_value: null,
    classes: CLASSES,
    ...changes,
  } as ComparedEvaluator
}

function comparison(evaluators: ComparedEvaluator[], changes: Partial<Comparison> = {}): Comparison {
  const one = { name: null, variant_id: null, revision: null, scenario_count: 100, inputs: [] }
  return {
    evaluations: [
      { id: 'before', ...one },
      { id: 'after', ...one },
    ],
    join: { by: 'id', asked: 'auto', tried: [{ by: 'id', match_rate: 1 }] },
    candidates: [
      {
        id: 'after',
        matched: 100,
        match_rate: 1,
        only_in_base: 2,
        only_in_candidate: 0,
        outputs_changed: 7,
        answers_differ: 0,
        evaluators,
        cost: { ...NOTHING },
        latency: { n: 99, base_mean: 1.25, mean: 1, delta: -0.25, interval: [-0.3, -0.2], outcome: 'better' },
      },
    ],
    warnings: [],
    ...changes,
  }
}

const EVERY_KIND = [
  evaluator({ p_value: 0.04 }),
  evaluator({
    name: 'score',
    base_mean: 12.5,
    mean: 12.4996,
    delta: -0.0004,
    interval: [-1, 1],
    outcome: 'tied',
  }),
  evaluator({ name: 'tone', ...NOTHING }),
  evaluator({
    name: 'small',
    base_mean: 3e-20,
    mean: -3e-20,
    delta: -6e-20,
    interval: null,
    outcome: 'tied',
  }),
  evaluator({ name: 'large', base_mean: 1e308, mean: 1e308, delta: 0, interval: [0, 0], outcome: 'tied' }),
]

test('the table of a terminal has the verdict first and its columns in line', () => {
  assert.equal(
    comparisonText(comparison(EVERY_KIND)),
    `after against before: worse on exact, better on latency, tied on 3, nothing to compare on tone.

after: 100 scenarios paired by id, 2 only in the base.
               base   candidate      change       95 % interval  regressed  improved    n
exact        80.0 %      70.0 %    -10.0 pp    -15.0 to -5.0 pp          4         1  100  worse
score         12.50       12.50        0.00      -1.00 to +1.00          4         1  100  tied
tone              -           -           -                   -          4         1    0  not comparable
small     3.000e-20  -3.000e-20  -6.000e-20                   -          4         1  100  tied
large    1.000e+308  1.000e+308           0              0 to 0          4         1  100  tied
latency     1.250 s     1.000 s    -0.250 s  -0.300 to -0.200 s                        99  better
`,
  )
})

test('what a name holds cannot steer the terminal', () => {
  const report = comparisonText(comparison([evaluator({ name: '\u001b[2J\u202e\nx' })]))
  assert.doesNotMatch(report.replaceAll('\n', ''), /\p{Cc}|\u202e/u)
  assert.ok(report.startsWith('after against before: worse on \ufffd[2J\ufffd\ufffdx, better on latency.\n'))
})

/** Cells of a row of a table, split as GitHub does: at bars that no backslash takes away. */
function cells(row: string): string[] {
  const parts = row.match(/(?:\\[!-/:-@[-`{-~]|[^|])+/g) ?? []
  return parts.map((part) => part.trim()).filter((part) => part !== '')
}

const HOSTILE = [
  'a | b',
  'a \\| b',
  'a \\\\| b \\',
  '`x` ``y``',
  '`',
  '<img src=x onerror=alert(1)>',
  '[click](javascript:alert(1))',
  '@everyone #1 https://evil.example',
  'line\nbreak\r\n| --- |',
  '\u202etxet',
  '&lt;b&gt; **bold** ~~x~~',
  '\u0000\u001b[31m',
  '$x$ ```` ',
]

describe('text of others is a span of code and nothing else', () => {
  for (const text of HOSTILE) {
    test(JSON.stringify(text), () => {
      const span = code(text)
      const [, marks = '', content = ''] = /^(`+)(.*?)\1$/s.exec(span) ?? []
      assert.ok(marks !== '', span)
      // No run of marks inside is as long as those around it.
      for (const [run] of content.matchAll(/`+/g)) assert.notEqual(run.length, marks.length)
      const [, , row = ''] = table(['', ''], [[span, 'end']], () => false)
      assert.deepEqual([cells(row).length, cells(row)[1]], [2, 'end'])
      assert.doesNotMatch(span, /[\p{Cc}\u202e]/u)
    })
  }
  test('and is cut by characters', () => {
    assert.equal(code('💡'.repeat(100), 80), `\`${'💡'.repeat(79)}…\``)
    assert.equal(code('x'.repeat(80), 80), `\`${'x'.repeat(80)}\``)
    assert.ok(code('`'.repeat(1_000_000), 80).length < 400)
    assert.equal(code(' \n '), '')
    assert.equal(code('\u200b\u3164'), '')
  })
})

test('a bar has a backslash inside of tables, where it shows as a bar, and nowhere else', () => {
  const report = comparisonMarkdown(comparison([evaluator({ name: 'a|b' })]), [], undefined)
  assert.match(report, /^\*\*`after` against `before`: worse on `a\|b`, better on latency\.\*\*\n/)
  assert.match(report, /^\| `a\\\|b` \|/m)
})

test('a name that cannot be seen shows that it is there', () => {
  for (const name of ['', ' ', '\u200b', '\u3164\u2800', '\u202e']) {
    assert.equal(codeName(name), '`\ufffd`')
    const report = comparisonMarkdown(comparison([evaluator({ name })]), [], undefined)
    assert.match(report, /worse on `\ufffd`,/)
  }
})

test('a verdict names ten and counts the others', () => {
  const many = (count: number) =>
    Array.from({ length: count }, (_, place) => evaluator({ name: `e${place}` }))
  const verdict = (count: number) => comparisonText(comparison(many(count))).split('\n')[0]
  assert.match(verdict(10) ?? '', /: worse on e0, .*, e8 and e9, better/)
  assert.match(verdict(11) ?? '', /: worse on e0, .*, e9 and 1 other, better/)
  assert.match(verdict(2000) ?? '', /: worse on e0, .*, e9 and 1,990 others, better/)
})

test('one scenario is one', () => {
  const compared = comparison([evaluator({})])
  const [candidate] = compared.candidates
  assert.ok(candidate)
  candidate.matched = 1
  assert.match(comparisonText(compared), /^after: 1 scenario paired by id/m)
})

test('the Markdown of hostile data has as many cells as that of any other', () => {
  for (const text of HOSTILE) {
    const row = { id: text, base_score: 'true', score: 'false', input: text, base_output: text, output: text }
    const worst = [{ candidate: 'after', evaluator: text, total: 9, rows: [row] }]
    const warning = {
      code: 'rows-missing',
      evaluation: null,
      evaluator: null,
      rows: 1,
      detail: text,
    } as const
    const compared = comparison([evaluator({ name: text })], { warnings: [warning] })
    const report = comparisonMarkdown(compared, worst, 'https://evals.example')
    const rows = report.split('\n').filter((line) => line.startsWith('|'))
    assert.deepEqual(rows.map((row) => cells(row).length).slice(-3), [5, 5, 5], report)
    assert.equal(
      report.split('\n').length,
      comparisonMarkdown(
        comparison([evaluator({})], { warnings: [{ ...warning, detail: 'x' }] }),
        [{ ...worst[0], evaluator: 'exact' } as (typeof worst)[0]],
        undefined,
      ).split('\n').length,
    )
  }
})

test('a row is linked where the service is known, and has its id where it is not', () => {
  const row = {
    id: 'a/b (c)*',
    base_score: 'true',
    score: 'false',
    input: 'q',
    base_output: 'x',
    output: 'y',
  }
  const worst = [{ candidate: 'after', evaluator: 'exact', total: 1, rows: [row] }]
  const compared = comparison([evaluator({ p_value: 0.5 })])
  assert.match(
    comparisonMarkdown(compared, worst, 'https://evals.example/x'),
    /^\| \[`a\/b \(c\)\*`\]\(https:\/\/evals\.example\/x\/evaluations\/after\/scenarios\/a%2Fb%20%28c%29%2a\) \| true → false \| `q` \| `x` \| `y` \|$/m,
  )
  assert.match(comparisonMarkdown(compared, worst, undefined), /^\| `a\/b \(c\)\*` \| true → false \|/m)
  assert.equal(decodeURIComponent(pathStep(`!'()*~_.-`)), `!'()*~_.-`)
})

describe('a regression is a mean that is worse by more than the tolerance', () => {
  const watched = new Map([['exact', 120]])
  const cases: [name: string, changes: Partial<ComparedEvaluator>, tolerance: number, says: RegExp | null][] =
    [
      ['worse', {}, 0, /^'after' is worse on 'exact' by 0\.1000\.$/],
      ['worse, a verdict', { p_value: 0.01 }, 0, /by 10\.0 pp\.$/],
      ['as much as is tolerated', { delta: 0.7 - 0.8 }, 0.1, null],
      ['a little more than is tolerated', { delta: -0.1000001 }, 0.1, /by 0\.1000\.$/],
      ['better', { delta: 0.1 }, 0, null],
      ['equal', { delta: 0 }, 0, null],
      ['higher where lower is better', { delta: 0.1, higher_is_better: false }, 0, /is worse/],
      ['lower where lower is better', { higher_is_better: false }, 0, null],
      ['hardly worse', { delta: -1e-9 }, 0, /by 1\.0e-9\.$/],
      ['what rounding leaves', { delta: -1e-16 }, 0, null],
      ['nothing to compare', NOTHING, 1, /^'after' has nothing to compare on 'exact'\.$/],
      ['half of the rows that the base has a score for', { delta: 0, n: 60 }, 0, null],
      [
        'fewer than half of them',
        { delta: 0.1, n: 59 },
        1,
        /^'after' can be compared in only 59 of the 120 rows that have a score on 'exact' in the base\.$/,
      ],
      ['not watched', { name: 'other' }, 0, null],
    ]
  for (const [name, changes, tolerance, says] of cases) {
    test(name, () => {
      const judge = () => refuseRegressions(comparison([evaluator(changes)]), watched, tolerance)
      if (says === null) judge()
      else
        assert.throws(judge, (error) => {
          assert.ok(error instanceof CommandError)
          assert.equal(error.exitCode, 1)
          assert.match(error.message, says)
          return true
        })
    })
  }
  test('ten failures are named and the others counted', () => {
    const names = Array.from({ length: 14 }, (_, place) => `e${place}`)
    const compared = comparison(names.map((name) => evaluator({ name })))
    const all = new Map(names.map((name) => [name, 100]))
    assert.throws(() => refuseRegressions(compared, all, 0), /'e9' by 0\.1000 and 4 others\.$/)
  })
  test('nothing is watched', () => {
    assert.throws(
      () => refuseRegressions(comparison([]), new Map(), 0),
      /no evaluator has a score in the base/,
    )
  })
})
