// What an address says about an evaluation, and what is made of it without a browser: filters in words, states, links, calls,
// figures.
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { EvaluationSummary } from 'assay-client'
import { stateChange } from '../../web/src/evaluation/chosen-state.ts'
import { binFilter, type Metric } from '../../web/src/evaluation/metrics.ts'
import { SpreadsheetGuard } from '../../web/src/evaluation/spreadsheet-safe.ts'
import { type EvaluatorSummary, stateCounts, stateFilters, stateOf } from '../../web/src/evaluation/states.ts'
import { tellingParameters } from '../../web/src/evaluation/telling-parameters.ts'
import { type Filter, readView } from '../../web/src/evaluation/view.ts'
import { viewCall } from '../../web/src/evaluation/view-call.ts'
import { LONGEST_LINK, viewLink } from '../../web/src/evaluation/view-link.ts'
import { choicesOf, filterValue, filterWords } from '../../web/src/filters/filter-words.ts'
import { snippet } from '../../web/src/format/snippets.ts'
import { parseSearch } from '../../web/src/search.ts'

const HARD = `a.b c&d=e'f"é%`

describe('the address of an evaluation', () => {
  test('is read as filters, order and what only a screen has', () => {
    const view = readView(
      parseSearch('?latency=gt.2&result.a.b=is.false&order=cost.desc&cols=x%252Cy,z&row=r1'),
    )
    assert.deepEqual(view.filters, [
      ['latency', 'gt.2'],
      ['result.a.b', 'is.false'],
    ])
    assert.deepEqual(view.columns, ['x,y', 'z'])
    assert.equal(view.order, 'cost.desc')
    assert.equal(view.row, 'r1')
    assert.deepEqual(view.ignored, [])
  })

  test('names what means nothing, and does without it', () => {
    const view = readView(parseSearch('?foo=1&density=huge&group=country&latency=gt.1&latency=lt.2'))
    assert.deepEqual(view.ignored.toSorted(), ['density=huge', 'foo', 'group=country', 'latency'])
    assert.equal(view.density, 'compact')
    assert.equal(view.group, undefined)
    assert.deepEqual(view.filters, [])
  })
})

describe('a copied link', () => {
  const page = 'http://h/evaluations/x'

  test('says density, shape and columns, and reads back as the same view', () => {
    const search = parseSearch('?q=a%26b&latency=gt.2')
    const shown = readView(search, { density: 'tall', shape: 'json' })
    const { link, areColumnsLeftOut } = viewLink(page, search, {
      ...shown,
      columns: [`input.${HARD}`, 'output'],
    })
    const read = readView(parseSearch(new URL(link).search))
    assert.equal(areColumnsLeftOut, false)
    assert.equal(read.density, 'tall')
    assert.equal(read.shape, 'json')
    assert.deepEqual(read.columns, [`input.${HARD}`, 'output'])
    assert.deepEqual(read.filters, shown.filters)
  })

  test('leaves the columns out where it would be too long', () => {
    const columns = Array.from({ length: 200 }, (_, index) => `input.column-${index}`)
    const { link, areColumnsLeftOut } = viewLink(page, {}, { ...readView({}), columns })
    assert.equal(areColumnsLeftOut, true)
    assert.ok(link.length < LONGEST_LINK)
    assert.doesNotMatch(link, /cols/)
  })
})

describe('states', () => {
  test('each is told by its filters, and going on to another leaves nothing of it behind', () => {
    for (const state of ['fail', 'pass', 'error', 'unscored', 'output_error'] as const) {
      const filters: Filter[] = [['latency', 'gt.2'], ...stateFilters(state, 'exact')]
      assert.equal(stateOf(filters, 'exact'), state)
      const change = stateChange({ filters, from: 'exact', to: 'other', state: 'fail' })
      const next = readView({ ...Object.fromEntries(filters), ...change }).filters.filter(
        ([, value]) => value,
      )
      assert.deepEqual(Object.fromEntries(next), { latency: 'gt.2', 'result.other': 'is.false' })
    }
  })

  test('counts of an evaluator add up to its rows, and verdicts are not invented for numbers', () => {
    const numbers = { n: 7, texts: 1, errors: 2, unscored: 3, output_errors: 4, passed: null, failed: null }
    const counts = stateCounts(numbers as EvaluatorSummary)
    assert.deepEqual(
      counts.map(([state]) => state),
      ['scored', 'labelled', 'error', 'unscored', 'output_error'],
    )
    assert.equal(
      counts.reduce((sum, [, count]) => sum + count, 0),
      17,
    )
  })
})

describe('filters in words', () => {
  const WORDS: [Filter, string][] = [
    [['latency', 'gt.2'], 'latency > 2 s'],
    [['latency', 'lte.0.25'], 'latency ≤ 250 ms'],
    [['cost', 'gte.0.01'], 'cost ≥ $0.01'],
    [['result.exact.v2', 'is.false'], 'exact.v2 failed'],
    [['result.similarity', 'lt.0.5'], 'similarity < 0.5'],
    [['result.tone', 'eq.friendly'], 'tone = friendly'],
    [['input.zip', 'eq.01234'], 'zip = 01234'],
    [['delta.similarity', 'lt.0'], 'Δ similarity < 0'],
    [['error', 'is.true'], 'output failed'],
    [['error', 'eq.Timeout after <n> ms'], 'output error: Timeout after <n> ms'],
    [['error.judge', 'eq.No JSON'], 'error of judge: No JSON'],
    [['is_pinned', 'is.false'], 'not pinned'],
    [['note', 'is.null'], 'without a note'],
    [['latency', 'foo'], 'latency=foo'],
  ]
  for (const [filter, words] of WORDS) {
    test(`${filter.join('=')} is “${words}”`, () => assert.equal(filterWords(filter), words))
  }

  test('what is typed becomes what the API reads', () => {
    const [more] = choicesOf('latency')
    const [equal] = choicesOf('input.x')
    assert.ok(more && equal)
    assert.equal(filterValue(more, ' 1.50 '), 'gt.1.5')
    assert.equal(filterValue(more, 'fast'), undefined)
    assert.equal(filterValue(more, ''), undefined)
    assert.equal(filterValue(equal, ' 1.50 '), 'eq. 1.50 ')
  })
})

describe('the call behind a view', () => {
  test('has the filters and the order, and the base only where something is compared', () => {
    const plain = viewCall(HARD, { filters: [[`input.${HARD}`, `eq.${HARD}`]], order: 'cost.asc', base: 'b' })
    const url = new URL(plain.path, 'http://h')
    assert.equal(decodeURIComponent(url.pathname.split('/')[3] ?? ''), HARD)
    assert.deepEqual(Object.fromEntries(url.searchParams), {
      [`input.${HARD}`]: `eq.${HARD}`,
      order: 'cost.asc',
    })
    const compared = viewCall('x', { filters: [['delta.y', 'lt.0']], base: 'b' })
    assert.equal(compared.path, '/api/evaluations/x/evaluation_scenarios?delta.y=lt.0&base=b')
    assert.match(compared.client, /^listEvaluationScenarios\("x", \{/)
  })

  test('as curl it survives a shell, and has no key in it', () => {
    const text = snippet('curl', viewCall("it's", { filters: [] }), 'http://h')
    assert.equal(
      text,
      `curl -H "Authorization: Bearer $ASSAY_KEY" 'http://h/api/evaluations/it'\\''s/evaluation_scenarios'`,
    )
  })
})

test('of many parameters a few are told, the model and the temperature first', () => {
  const parameters = {
    prompt: 'Answer.\nShort.',
    stream: true,
    timeout: 60,
    max_tokens: 220,
    temperature: 0.2,
    tools: [],
    model: 'm',
  }
  assert.deepEqual(tellingParameters(parameters), ['m', 'temperature 0.2', 'max_tokens 220', 'stream true'])
  const nested = { provider: 'openai:m', config: { temperature: 1, stop: ['x'] }, prompt: 'Answer briefly.' }
  assert.deepEqual(tellingParameters(nested), ['openai:m', 'temperature 1'])
  assert.deepEqual(tellingParameters(undefined), [])
})

test('a bar keeps rows from its lower end on, the lowest those below its upper end, a single value itself', () => {
  const bins: EvaluationSummary['latency']['bins'] = [
    { from: 0, to: 0.5, count: 1 },
    { from: 0.5, to: 1, count: 2 },
  ]
  const metric = { filter: 'latency', bins } as Metric
  const [low, high] = bins
  assert.ok(low && high)
  assert.deepEqual(binFilter(metric, low), ['latency', 'lt.0.5'])
  assert.deepEqual(binFilter(metric, high), ['latency', 'gte.0.5'])
  const single = { from: 3, to: 3, count: 9 }
  assert.deepEqual(binFilter({ ...metric, bins: [single] }, single), ['latency', 'eq.3'])
})

test('a guarded table begins no cell like a formula, wherever its pieces are cut, and changes nothing else', () => {
  const table = 'id,out\r\n=1,"=2"\r\n-3,"a ""=b"", -c\n=d"\r\n,"@e"\r\n"""=f",+g\r\n"",h=i\r\n'
  const expected = 'id,out\r\n\'=1,"\'=2"\r\n\'-3,"a ""=b"", -c\n=d"\r\n,"\'@e"\r\n"""=f",\'+g\r\n"",h=i\r\n'
  for (let cut = 0; cut <= table.length; cut++) {
    const guard = new SpreadsheetGuard()
    assert.equal(guard.guard(table.slice(0, cut)) + guard.guard(table.slice(cut)), expected)
  }
})
