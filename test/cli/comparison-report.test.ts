// Tests of the comparison reports: their content, escaping of user data, and the regression check.
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { failUnlessPassed, summarizeGates } from '../../src/cli/comparison/gate-summary.ts'
import { comparisonMarkdown } from '../../src/cli/comparison/markdown-report.ts'
import { comparisonText } from '../../src/cli/comparison/text-report.ts'
import { codeSpan, codeSpanOfName, encodePathSegment, markdownTable } from '../../src/cli/output/markdown.ts'
import { CommandError } from '../../src/errors.ts'
import type { ComparedEvaluator, Comparison } from '../../src/schema/comparisons.ts'
import type { Gate } from '../../src/schema/gate.ts'

const CLASSES = { regressed: 4, improved: 1, same: 95, unclear: 0, incomparable: 0, missing: 0 }
const NO_DATA = {
  n: 0,
  base_mean: null,
  mean: null,
  delta: null,
  interval: null,
  outcome: null,
  detectable: null,
}

function evaluator(changes: Partial<ComparedEvaluator>): ComparedEvaluator {
  const statistics = {
    n: 100,
    base_mean: 0.8,
    mean: 0.7,
    delta: -0.1,
    interval: [-0.15, -0.05],
    outcome: 'worse',
    detectable: 0.07,
  }
  return {
    name: 'exact',
    higher_is_better: true,
    ...statistics,
    is_verdict: false,
    p_value: null,
    labels: null,
    classes: CLASSES,
    ...changes,
  } as ComparedEvaluator
}

function comparison(evaluators: ComparedEvaluator[], changes: Partial<Comparison> = {}): Comparison {
  const evaluation = {
    name: null,
    variant_id: null,
    revision: null,
    scenario_count: 100,
    row_count: 100,
    inputs: [],
  }
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
        has_different_rows: false,
        evaluators,
        cost: { ...NO_DATA },
        latency: {
          n: 99,
          base_mean: 1.25,
          mean: 1,
          delta: -0.25,
          interval: [-0.3, -0.2],
          outcome: 'better',
          detectable: 0.07,
        },
        preferences: [],
        gate: { decision: 'passed', reasons: [], checks: [], unchecked: [] },
      },
    ],
    warnings: [],
    ...changes,
  }
}

const EVERY_KIND = [
  evaluator({ is_verdict: true, p_value: 0.04 }),
  evaluator({
    name: 'valid',
    is_verdict: true,
    interval: [-0.09, 0.03],
    outcome: 'tied',
    detectable: 0.0898,
  }),
  evaluator({
    name: 'score',
    base_mean: 12.5,
    mean: 12.4996,
    delta: -0.0004,
    interval: [-1, 1],
    outcome: 'tied',
  }),
  evaluator({ name: 'tone', ...NO_DATA }),
  evaluator({ name: 'few', n: 5, interval: null, outcome: 'too-few', detectable: null }),
  evaluator({ name: 'shifted', interval: null, outcome: null, detectable: null }),
  evaluator({
    name: 'small',
    base_mean: 3e-20,
    mean: -3e-20,
    delta: -6e-20,
    interval: null,
    outcome: 'tied',
    detectable: null,
  }),
  evaluator({
    name: 'large',
    base_mean: 1e308,
    mean: 1e308,
    delta: 0,
    interval: [0, 0],
    outcome: 'tied',
    detectable: null,
  }),
]

test('the text report starts with the verdict and aligns its columns', () => {
  assert.equal(
    comparisonText(comparison(EVERY_KIND), []),
    `after is worse than before on exact: 4 rows regressed, 1 improved. 20 % faster.

after: 100 rows matched by id, 2 only in the baseline.
           baseline   candidate      change  95 % confidence interval  regressed  improved    n
exact        80.0 %      70.0 %    -10.0 pp          -15.0 to -5.0 pp          4         1  100  worse
valid        80.0 %      70.0 %    -10.0 pp           -9.0 to +3.0 pp          4         1  100  tied, detectable: 9 points
score         12.50       12.50        0.00            -1.00 to +1.00          4         1  100  tied, detectable: 0.07
tone              -           -           -                         -          4         1    0  not comparable
few          0.8000      0.7000     -0.1000                         -          4         1    5  too few rows
shifted      0.8000      0.7000     -0.1000                         -          4         1  100  equal changes
small     3.000e-20  -3.000e-20  -6.000e-20                         -          4         1  100  tied
large    1.000e+308  1.000e+308           0                    0 to 0          4         1  100  tied
latency     1.250 s     1.000 s    -0.250 s        -0.300 to -0.200 s                        99  better
`,
  )
})

test('the verdict is about the first of the selected evaluators', () => {
  const report = comparisonText(comparison(EVERY_KIND), [], { evaluatorsOf: () => ['few', 'exact'] })
  assert.match(
    report,
    /^Too few rows to compare after with before on few: 5 with a score in both, at least 6 are needed\. Worse on exact, 20 % faster\.\n/,
  )
})

test('the verdict is about the first evaluator that is worse, and else about the first one that is better', () => {
  const of = (...outcomes: ('better' | 'worse' | 'tied')[]) =>
    comparisonText(comparison(outcomes.map((outcome) => evaluator({ name: outcome, outcome }))), [])
  assert.match(of('tied', 'better', 'worse'), /^after is worse than before on worse: .* Better on better,/)
  assert.match(of('tied', 'better'), /^after is better than before on better:/)
  const others = comparison([evaluator({ name: 'a', outcome: 'tied' }), evaluator({})])
  Object.assign(others.candidates[0] ?? {}, { has_different_rows: true })
  assert.match(comparisonText(others, []), /^after cannot be compared with before: these/)
})

test('without a change, the verdict is about the first evaluator that both evaluations have', () => {
  const warning = { code: 'evaluator-missing', evaluation: 'after', rows: null, detail: 'x' } as const
  const warnings = [{ ...warning, evaluator: 'old' }]
  const document = comparison([evaluator({ name: 'old', ...NO_DATA }), evaluator({ outcome: 'tied' })], {
    warnings,
  })
  assert.match(comparisonText(document, []), /^after and before are tied on exact:/)
})

test('evaluations without scores or rows in common have no verdict', () => {
  const document = comparison([evaluator(NO_DATA)])
  const [candidate] = document.candidates
  assert.ok(candidate)
  assert.match(
    comparisonText(document, []),
    /^after and before have no scores in common\. 7 of 100 matched outputs differ\.\n/,
  )
  candidate.matched = 0
  assert.match(comparisonText(document, []), /^after and before have no matching rows\.\n/)
})

test('different rows have neither verdict nor interval', () => {
  const document = comparison([evaluator({ outcome: null })])
  const [candidate] = document.candidates
  assert.ok(candidate)
  candidate.has_different_rows = true
  candidate.latency.outcome = null
  const report = comparisonText(document, [])
  assert.match(report, /^after cannot be compared with before: these runs do not have the same rows\.\n/)
  assert.match(report, /^exact +0\.8000 +0\.7000 +-0\.1000 +- +4 +1 +100 +different rows$/m)
})

test('rows with repeats are counted, and unclear ones have a column', () => {
  const classes = { ...CLASSES, unclear: 12 }
  const document = comparison([evaluator({ is_verdict: true, classes })])
  const [baseline, compared] = document.evaluations
  assert.ok(baseline && compared)
  baseline.scenario_count = 500
  compared.scenario_count = 298
  const report = comparisonText(document, [])
  assert.match(
    report,
    /^after is worse than before on exact: 4 rows regressed, 1 improved, 12 unclear\. 20 % faster\.\n/,
  )
  assert.match(
    report,
    /^after: 100 rows matched by id, 2 only in the baseline\. Baseline: 100 rows × 5\. Candidate: 100 rows, 298 scenarios\.$/m,
  )
  assert.match(report, / regressed {2}improved {2}unclear {4}n$/m)
  assert.match(report, /^exact .* 4 +1 +12 +100 {2}worse$/m)
})

test('replaces terminal control characters in names', () => {
  const report = comparisonText(comparison([evaluator({ name: '\u001b[2J\u202e\nx' })]), [])
  assert.doesNotMatch(report.replaceAll('\n', ''), /\p{Cc}|\u202e/u)
  assert.ok(
    report.startsWith(
      'after is worse than before on \ufffd[2J\ufffd\ufffdx: 4 rows regressed, 1 improved. 20 % faster.\n',
    ),
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
  assert.match(report, /^\*\*`after` is worse than `before` on `a\|b`: 4 rows regressed, .*\*\*\n/)
  assert.match(report, /^\| `a\\\|b` \|/m)
})

test('shows a placeholder for an invisible name', () => {
  for (const name of ['', ' ', '\u200b', '\u3164\u2800', '\u202e']) {
    assert.equal(codeSpanOfName(name), '`\ufffd`')
    const report = comparisonMarkdown(comparison([evaluator({ name })]), [], undefined)
    assert.match(report, / on `\ufffd`: 4 rows/)
  }
})

test('the verdict lists three other evaluators and the number of others', () => {
  const evaluators = (count: number) =>
    Array.from({ length: count }, (_, index) => evaluator({ name: `e${index}` }))
  const verdict = (count: number) => comparisonText(comparison(evaluators(count)), []).split('\n')[0]
  assert.match(verdict(4) ?? '', / on e0: .* Also worse on e1, e2 and e3, 20 % faster\.$/)
  assert.match(verdict(2000) ?? '', / Also worse on e1, e2, e3 and 1996 more, 20 % faster\.$/)
})

test('uses the singular for one row', () => {
  const document = comparison([evaluator({})])
  const [candidate] = document.candidates
  assert.ok(candidate)
  candidate.matched = 1
  assert.match(comparisonText(document, []), /^after: 1 row matched by id/m)
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
  const document = comparison([evaluator({ is_verdict: true })])
  assert.match(
    comparisonMarkdown(document, worst, 'https://evals.example/x'),
    /^\| \[`a\/b \(c\)\*`\]\(https:\/\/evals\.example\/x\/evaluations\/after\/scenarios\/a%2Fb%20%28c%29%2a\) \| true → false \| `q` \| `x` \| `y` \|$/m,
  )
  assert.match(comparisonMarkdown(document, worst, undefined), /^\| `a\/b \(c\)\*` \| true → false \|/m)
  assert.equal(decodeURIComponent(encodePathSegment(`!'()*~_.-`)), `!'()*~_.-`)
})

function gate(decision: Gate['decision'], ...details: string[]): Gate {
  const reasons = details.map((detail) => ({ code: 'certain' as const, evaluator: 'exact', detail }))
  return { decision, reasons, checks: [], unchecked: ['length'] }
}

describe('the decision about several candidates', () => {
  const passed = { name: 'a', gate: gate('passed', 'a is not worse.') }
  const failed = { name: 'b', gate: gate('failed', 'b is worse.') }
  const invalid = { name: 'c', gate: gate('invalid', 'c is running.') }
  const cases: [name: string, candidates: (typeof passed)[], decision: string, reasons: string[]][] = [
    ['passes if all pass', [passed, passed], 'passed', ['a: a is not worse.', 'a: a is not worse.']],
    ['fails if one is worse', [passed, invalid, failed], 'failed', ['b: b is worse.', 'c: c is running.']],
    ['is invalid if one cannot be judged', [passed, invalid], 'invalid', ['c: c is running.']],
    ['names no candidate if there is only one', [failed], 'failed', ['b is worse.']],
    ['is invalid without a candidate', [], 'invalid', []],
  ]
  for (const [name, candidates, decision, reasons] of cases)
    test(name, () => {
      const summary = summarizeGates(candidates)
      assert.deepEqual([summary.decision, summary.reasons], [decision, reasons])
    })

  test('is invalid if a member of the family is missing', () => {
    const summary = summarizeGates([passed], ['main:1 is missing.'])
    assert.deepEqual([summary.decision, summary.reasons], ['invalid', ['main:1 is missing.']])
  })

  test('distinguishes the exit codes', () => {
    const codeOf = (...candidates: (typeof passed)[]) => {
      try {
        failUnlessPassed(summarizeGates(candidates))
      } catch (error) {
        assert.ok(error instanceof CommandError)
        return error.exitCode
      }
      return 0
    }
    assert.deepEqual([codeOf(passed), codeOf(failed), codeOf(invalid), codeOf(failed, invalid)], [0, 1, 3, 1])
  })

  test('the error message lists three reasons and the number of others', () => {
    const details = Array.from({ length: 14 }, (_, index) => `reason ${index}.`)
    const check = () => failUnlessPassed(summarizeGates([{ name: 'a', gate: gate('failed', ...details) }]))
    assert.throws(check, /^CommandError: Gate failed\. reason 0\. reason 1\. reason 2\. And 11 more\.$/)
  })
})
