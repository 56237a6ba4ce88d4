// Tests of the comparison reports: their content, escaping of user data, and the regression check.
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { comparisonMarkdown } from '../../src/cli/comparison/markdown-report.ts'
import { failOnRegressions } from '../../src/cli/comparison/regression-gate.ts'
import { comparisonText } from '../../src/cli/comparison/text-report.ts'
import { codeSpan, codeSpanOfName, encodePathSegment, markdownTable } from '../../src/cli/output/markdown.ts'
import { CommandError } from '../../src/errors.ts'
import type { ComparedEvaluator, Comparison } from '../../src/schema/comparisons.ts'

const CLASSES = { regressed: 4, improved: 1, same: 95, incomparable: 0, missing: 0 }
const NO_DATA = { n: 0, base_mean: null, mean: null, delta: null, interval: null, outcome: null }

function evaluator(changes: Partial<ComparedEvaluator>): ComparedEvaluator {
  const statistics = {
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
    ...statistics,
    p_value: null,
    classes: CLASSES,
    ...changes,
  } as ComparedEvaluator
}

function comparison(evaluators: ComparedEvaluator[], changes: Partial<Comparison> = {}): Comparison {
  const evaluation = { name: null, variant_id: null, revision: null, scenario_count: 100, inputs: [] }
  return {
    evaluations: [
      { id: 'before', ...evaluation },
      { id: 'after', ...evaluation },
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
        inputs_differ: 0,
        evaluators,
        cost: { ...NO_DATA },
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
  evaluator({ name: 'tone', ...NO_DATA }),
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

test('the text report starts with the verdict and aligns its columns', () => {
  assert.equal(
    comparisonText(comparison(EVERY_KIND)),
    `after compared with before: worse on exact, better on latency, tied on 3, not comparable on tone.

after: 100 scenarios matched by id, 2 only in the baseline.
           baseline   candidate      change  95 % confidence interval  regressed  improved    n
exact        80.0 %      70.0 %    -10.0 pp          -15.0 to -5.0 pp          4         1  100  worse
score         12.50       12.50        0.00            -1.00 to +1.00          4         1  100  tied
tone              -           -           -                         -          4         1    0  not comparable
small     3.000e-20  -3.000e-20  -6.000e-20                         -          4         1  100  tied
large    1.000e+308  1.000e+308           0                    0 to 0          4         1  100  tied
latency     1.250 s     1.000 s    -0.250 s        -0.300 to -0.200 s                        99  better
`,
  )
})

test('replaces terminal control characters in names', () => {
  const report = comparisonText(comparison([evaluator({ name: '\u001b[2J\u202e\nx' })]))
  assert.doesNotMatch(report.replaceAll('\n', ''), /\p{Cc}|\u202e/u)
  assert.ok(
    report.startsWith('after compared with before: worse on \ufffd[2J\ufffd\ufffdx, better on latency.\n'),
  )
})

/** Splits a table row into cells as GitHub does: at pipes that are not escaped. */
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

describe('user data is formatted as a code span', () => {
  for (const text of HOSTILE) {
    test(JSON.stringify(text), () => {
      const span = codeSpan(text)
      const [, delimiter = '', content = ''] = /^(`+)(.*?)\1$/s.exec(span) ?? []
      assert.ok(delimiter !== '', span)
      // No run of backticks in the content is as long as the delimiter.
      for (const [run] of content.matchAll(/`+/g)) assert.notEqual(run.length, delimiter.length)
      const [, , row = ''] = markdownTable(['', ''], [[span, 'end']], () => false)
      assert.deepEqual([cells(row).length, cells(row)[1]], [2, 'end'])
      assert.doesNotMatch(span, /[\p{Cc}\u202e]/u)
    })
  }
  test('truncates by characters and omits invisible text', () => {
    assert.equal(codeSpan('💡'.repeat(100), 80), `\`${'💡'.repeat(79)}…\``)
    assert.equal(codeSpan('x'.repeat(80), 80), `\`${'x'.repeat(80)}\``)
    assert.ok(codeSpan('`'.repeat(1_000_000), 80).length < 400)
    assert.equal(codeSpan(' \n '), '')
    assert.equal(codeSpan('\u200b\u3164'), '')
  })
})

test('escapes pipes in tables, and only there', () => {
  const report = comparisonMarkdown(comparison([evaluator({ name: 'a|b' })]), [], undefined)
  assert.match(report, /^\*\*`after` compared with `before`: worse on `a\|b`, better on latency\.\*\*\n/)
  assert.match(report, /^\| `a\\\|b` \|/m)
})

test('shows a placeholder for an invisible name', () => {
  for (const name of ['', ' ', '\u200b', '\u3164\u2800', '\u202e']) {
    assert.equal(codeSpanOfName(name), '`\ufffd`')
    const report = comparisonMarkdown(comparison([evaluator({ name })]), [], undefined)
    assert.match(report, /worse on `\ufffd`,/)
  }
})

test('the verdict lists ten evaluators and the number of others', () => {
  const evaluators = (count: number) =>
    Array.from({ length: count }, (_, index) => evaluator({ name: `e${index}` }))
  const verdict = (count: number) => comparisonText(comparison(evaluators(count))).split('\n')[0]
  assert.match(verdict(10) ?? '', /: worse on e0, .*, e8 and e9, better/)
  assert.match(verdict(11) ?? '', /: worse on e0, .*, e9 and 1 other, better/)
  assert.match(verdict(2000) ?? '', /: worse on e0, .*, e9 and 1,990 others, better/)
})

test('uses the singular for one scenario', () => {
  const document = comparison([evaluator({})])
  const [candidate] = document.candidates
  assert.ok(candidate)
  candidate.matched = 1
  assert.match(comparisonText(document), /^after: 1 scenario matched by id/m)
})

test('hostile data does not change the structure of the Markdown report', () => {
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
    const document = comparison([evaluator({ name: text })], { warnings: [warning] })
    const report = comparisonMarkdown(document, worst, 'https://evals.example')
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

test('links scenarios if the URL of the service is known, otherwise prints their ids', () => {
  const row = {
    id: 'a/b (c)*',
    base_score: 'true',
    score: 'false',
    input: 'q',
    base_output: 'x',
    output: 'y',
  }
  const worst = [{ candidate: 'after', evaluator: 'exact', total: 1, rows: [row] }]
  const document = comparison([evaluator({ p_value: 0.5 })])
  assert.match(
    comparisonMarkdown(document, worst, 'https://evals.example/x'),
    /^\| \[`a\/b \(c\)\*`\]\(https:\/\/evals\.example\/x\/evaluations\/after\/scenarios\/a%2Fb%20%28c%29%2a\) \| true → false \| `q` \| `x` \| `y` \|$/m,
  )
  assert.match(comparisonMarkdown(document, worst, undefined), /^\| `a\/b \(c\)\*` \| true → false \|/m)
  assert.equal(decodeURIComponent(encodePathSegment(`!'()*~_.-`)), `!'()*~_.-`)
})

describe('--fail-on-regression', () => {
  const scoredCounts = new Map([['exact', 120]])
  const cases: [
    name: string,
    changes: Partial<ComparedEvaluator>,
    tolerance: number,
    expected: RegExp | null,
  ][] = [
    ['fails if the mean is worse', {}, 0, /^'after' is worse on 'exact' by 0\.1000\.$/],
    ['prints percentage points for a pass rate', { p_value: 0.01 }, 0, /by 10\.0 pp\.$/],
    ['passes if the loss equals the tolerance', { delta: 0.7 - 0.8 }, 0.1, null],
    ['fails if the loss is slightly above the tolerance', { delta: -0.1000001 }, 0.1, /by 0\.1000\.$/],
    ['passes if the mean is better', { delta: 0.1 }, 0, null],
    ['passes if the mean is equal', { delta: 0 }, 0, null],
    [
      'fails if the mean is higher and lower is better',
      { delta: 0.1, higher_is_better: false },
      0,
      /is worse/,
    ],
    ['passes if the mean is lower and lower is better', { higher_is_better: false }, 0, null],
    ['fails on a very small loss', { delta: -1e-9 }, 0, /by 1\.0e-9\.$/],
    ['ignores rounding errors', { delta: -1e-16 }, 0, null],
    ['fails if nothing can be compared', NO_DATA, 1, /^'after' is not comparable on 'exact'\.$/],
    ['passes if half of the rows scored in the baseline can be compared', { delta: 0, n: 60 }, 0, null],
    [
      'fails if fewer than half of them can be compared',
      { delta: 0.1, n: 59 },
      1,
      /^'after' has a score on 'exact' in only 59 of the 120 rows that are scored in the baseline\.$/,
    ],
    ['ignores evaluators that are not checked', { name: 'other' }, 0, null],
  ]
  for (const [name, changes, tolerance, expected] of cases) {
    test(name, () => {
      const check = () => failOnRegressions(comparison([evaluator(changes)]), scoredCounts, tolerance)
      if (expected === null) check()
      else
        assert.throws(check, (error) => {
          assert.ok(error instanceof CommandError)
          assert.equal(error.exitCode, 1)
          assert.match(error.message, expected)
          return true
        })
    })
  }
  test('lists ten failures and the number of others', () => {
    const names = Array.from({ length: 14 }, (_, index) => `e${index}`)
    const document = comparison(names.map((name) => evaluator({ name })))
    const counts = new Map(names.map((name) => [name, 100]))
    assert.throws(() => failOnRegressions(document, counts, 0), /'e9' by 0\.1000 and 4 others\.$/)
  })
  test('fails if no evaluator has a score in the baseline', () => {
    assert.throws(
      () => failOnRegressions(comparison([]), new Map(), 0),
      /no evaluator has a score in the baseline/,
    )
  })
})
