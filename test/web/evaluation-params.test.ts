// The logic of the evaluation page, without a browser: search params, links, states, filter labels, API calls, parameters,
// and histogram filters.
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { EvaluationSummary } from 'assay-client'
import { ROW_FIELDS } from '../../src/schema/filters/fields.ts'
import { evaluationSearch, readEvaluationParams } from '../../web/src/evaluation-state/search-params.ts'
import { filterLabel, filterValue, operatorsOf } from '../../web/src/filters/filter-labels.ts'
import { snippet } from '../../web/src/format/api-snippets.ts'
import { stateChange } from '../../web/src/pages/evaluation/filters/state-filter.ts'
import { mainParameters } from '../../web/src/pages/evaluation/header/main-parameters.ts'
import { binFilter, type Metric } from '../../web/src/pages/evaluation/metrics/metrics.ts'
import { rowsApiCall } from '../../web/src/queries/rows-call.ts'
import type { EvaluatorSummary } from '../../web/src/results/result-states.ts'
import { stateCounts, stateFilters, stateFromFilters } from '../../web/src/results/state-filters.ts'
import { MAX_LINK_LENGTH, viewLink } from '../../web/src/share/view-link.ts'
import { type Filter, withoutUnknownNames } from '../../web/src/state/row-params.ts'
import { parseSearch as parseUrl } from '../../web/src/state/search-params.ts'

const parseSearch = (text: string) => evaluationSearch(parseUrl(text) as never)

const SPECIAL_CHARACTERS = `a.b c&d=e'f"é%`

describe('the search params of an evaluation', () => {
  test('contain filters, order and display settings', () => {
    const params = readEvaluationParams(
      parseSearch('?latency=gt.2&result.a.b=is.false&order=cost.desc&cols=x%252Cy,z&row=r1'),
    )
    assert.deepEqual(params.filters, [
      ['latency', 'gt.2'],
      ['result.a.b', 'is.false'],
    ])
    assert.deepEqual(params.columns, ['x,y', 'z'])
    assert.equal(params.order, 'cost.desc')
    assert.equal(params.row, 'r1')
    assert.deepEqual(params.ignored, [])
  })

  test('list invalid params and ignore them', () => {
    const params = readEvaluationParams(
      parseSearch('?foo=1&density=huge&group=country&latency=gt.1&latency=lt.2'),
    )
    assert.deepEqual(params.ignored.toSorted(), ['density=huge', 'foo=1', 'group=country', 'latency'])
    assert.equal(params.density, 'default')
    assert.equal(params.group, undefined)
    assert.deepEqual(params.filters, [])
  })
})

describe('a copied link', () => {
  const page = 'http://h/evaluations/x'

  test('contains density, text format and columns, and restores the same params', () => {
    const search = parseSearch('?q=a%26b&latency=gt.2')
    const params = readEvaluationParams(search, { density: 'tall', textFormat: 'json' })
    const { link, areColumnsOmitted } = viewLink(page, search, {
      ...params,
      columns: [`input.${SPECIAL_CHARACTERS}`, 'output'],
    })
    const restoredParams = readEvaluationParams(parseSearch(new URL(link).search))
    assert.equal(areColumnsOmitted, false)
    assert.equal(restoredParams.density, 'tall')
    assert.equal(restoredParams.textFormat, 'json')
    assert.deepEqual(restoredParams.columns, [`input.${SPECIAL_CHARACTERS}`, 'output'])
    assert.deepEqual(restoredParams.filters, params.filters)
  })

  test('omits the columns if it would be too long', () => {
    const columns = Array.from({ length: 200 }, (_, index) => `input.column-${index}`)
    const { link, areColumnsOmitted } = viewLink(page, {}, { ...readEvaluationParams({}), columns })
    assert.equal(areColumnsOmitted, true)
    assert.ok(link.length < MAX_LINK_LENGTH)
    assert.doesNotMatch(link, /cols/)
  })
})

describe('result states', () => {
  test('are identified by their filters, and selecting another state removes those filters', () => {
    for (const state of ['fail', 'pass', 'error', 'unscored', 'output_error'] as const) {
      const filters: Filter[] = [['latency', 'gt.2'], ...stateFilters(state, 'exact')]
      assert.equal(stateFromFilters(filters, 'exact'), state)
      const change = stateChange({ query: { filters }, activeEvaluator: 'exact' }, 'fail', 'other')
      const changedFilters = readEvaluationParams({
        ...Object.fromEntries(filters),
        ...change,
      }).filters.filter(([, value]) => value)
      assert.deepEqual(Object.fromEntries(changedFilters), { latency: 'gt.2', 'result.other': 'is.false' })
    }
  })

  test('have counts that add up to all rows if no failed output is scored, without verdicts for plain scores', () => {
    const numbers = { n: 7, texts: 1, errors: 2, unscored: 3, output_errors: 4, passed: null, failed: null }
    const evaluators = [{ name: 'exact', ...numbers } as EvaluatorSummary]
    const counts = stateCounts({ output_errors: 4, evaluators }, 'exact')
    assert.deepEqual(
      counts.map(([state]) => state),
      ['scored', 'labeled', 'error', 'unscored', 'output_error'],
    )
    assert.equal(
      counts.reduce((sum, [, count]) => sum + count, 0),
      17,
    )
  })

  test('count and filter all failed outputs, with or without an evaluator that scored them', () => {
    const scored = { name: 'exact', n: 3, texts: 0, errors: 0, unscored: 0, output_errors: 0 }
    const evaluators = [{ ...scored, passed: 1, failed: 2 } as EvaluatorSummary]
    assert.deepEqual(stateCounts({ output_errors: 2, evaluators }, 'exact').at(-1), ['output_error', 2])
    assert.deepEqual(stateCounts({ output_errors: 2, evaluators: [] }, undefined), [['output_error', 2]])
    assert.deepEqual(stateCounts({ output_errors: 0, evaluators: [] }, undefined), [])
    assert.deepEqual(stateFilters('output_error', undefined), [['error', 'is.true']])
    assert.equal(stateFromFilters([['error', 'is.true']], undefined), 'output_error')
    assert.equal(stateFromFilters([['latency', 'gt.2']], undefined), undefined)
  })
})

describe('filter labels', () => {
  const LABELS: [Filter, string][] = [
    [['latency', 'gt.2'], 'latency > 2 s'],
    [['latency', 'lte.0.25'], 'latency ≤ 250 ms'],
    [['cost', 'gte.0.01'], 'cost ≥ $0.01'],
    [['result.exact.v2', 'is.false'], 'exact.v2 failed'],
    [['result.similarity', 'lt.0.5'], 'similarity < 0.5'],
    [['result.tone', 'eq.friendly'], 'tone = friendly'],
    [['input.zip', 'eq.01234'], 'zip = 01234'],
    [['delta.similarity', 'lt.0'], 'change of similarity < 0'],
    [['error', 'is.true'], 'output failed'],
    [['error', 'eq.Timeout after <n> ms'], 'output error: Timeout after <n> ms'],
    [['error.judge', 'eq.No JSON'], 'error of judge: No JSON'],
    [['is_pinned', 'is.false'], 'not pinned'],
    [['note', 'is.null'], 'without a note'],
    [['sample', 'eq.7'], 'sample = 7'],
    [['sample', 'contains.a'], 'sample contains a'],
    [['repetition', 'gt.2'], 'repetition > 2'],
    [['repetition', 'is.null'], 'without a repetition'],
    [['result.a', 'in.(1,"b,c")'], 'a in (1,"b,c")'],
    [['disagree', ['judge', 'human']], 'disagree: judge, human'],
    [['latency', 'foo'], 'latency=foo'],
  ]
  for (const [filter, label] of LABELS) {
    test(`${filter.join('=')} has the label “${label}”`, () => assert.equal(filterLabel(filter), label))
  }

  test('disagree is a search param with two different values, which the API call repeats', () => {
    const { filters } = readEvaluationParams(parseSearch('?disagree=judge&disagree=human'))
    assert.deepEqual(filters, [['disagree', ['judge', 'human']]])
    assert.match(rowsApiCall('x', { filters }).path, /\?disagree=judge&disagree=human$/)
    const knownNames = { evaluators: ['judge'], inputs: [], hasBaseline: false }
    assert.deepEqual(withoutUnknownNames({ filters, order: undefined }, knownNames).unknown, ['disagree'])
    for (const search of [
      '?disagree=judge',
      '?disagree=judge&disagree=judge',
      '?latency=gt.1&latency=lt.2',
    ]) {
      const params = readEvaluationParams(parseSearch(search))
      assert.deepEqual([params.filters, params.ignored.length], [[], 1])
    }
  })

  for (const [field, row] of ROW_FIELDS) {
    if (row.type === 'pair') continue
    const parameter = row.names ? `${row.prefix ?? field}.x` : field
    const values = [
      ...Object.keys(row.words ?? {}).map((word) => `is.${word}`),
      ...row.operators.map((operator) => `${operator}.1`),
    ]
    test(`${parameter} is a search param of the page, and every value of the API has a label`, () => {
      assert.deepEqual(readEvaluationParams({ [parameter]: 'is.true' }).filters, [[parameter, 'is.true']])
      for (const value of values) assert.notEqual(filterLabel([parameter, value]), `${parameter}=${value}`)
    })
    // The search box has its own input, and error groups are selected in the list of errors.
    if (row.type === 'search' || row.type === 'group') continue
    test(`${parameter} can be selected in the form with every operator of the API except in`, () => {
      const offered = operatorsOf(parameter).map((operator) => filterValue(operator, '1'))
      assert.deepEqual(offered.toSorted(), values.filter((value) => !value.startsWith('in.')).toSorted())
    })
  }

  test('typed values are converted to filter values of the API', () => {
    const [more] = operatorsOf('latency')
    const [equal] = operatorsOf('input.x')
    assert.ok(more && equal)
    assert.equal(filterValue(more, ' 1.50 '), 'gt.1.5')
    assert.equal(filterValue(more, 'fast'), undefined)
    assert.equal(filterValue(more, ''), undefined)
    assert.equal(filterValue(equal, ' 1.50 '), 'eq. 1.50 ')
  })
})

describe('the API call of the current rows', () => {
  test('contains filters and order, and the baseline only if a filter needs it', () => {
    const plainCall = rowsApiCall(SPECIAL_CHARACTERS, {
      filters: [[`input.${SPECIAL_CHARACTERS}`, `eq.${SPECIAL_CHARACTERS}`]],
      order: 'cost.asc',
      base: 'b',
    })
    const url = new URL(plainCall.path, 'http://h')
    assert.equal(decodeURIComponent(url.pathname.split('/')[3] ?? ''), SPECIAL_CHARACTERS)
    assert.deepEqual(Object.fromEntries(url.searchParams), {
      [`input.${SPECIAL_CHARACTERS}`]: `eq.${SPECIAL_CHARACTERS}`,
      order: 'cost.asc',
    })
    const comparisonCall = rowsApiCall('x', { filters: [['delta.y', 'lt.0']], base: 'b' })
    assert.equal(comparisonCall.path, '/api/evaluations/x/evaluation_scenarios?delta.y=lt.0&base=b')
    assert.match(comparisonCall.client, /^listEvaluationScenarios\("x", \{/)
  })

  test('is escaped for a shell and contains no key', () => {
    const text = snippet('curl', rowsApiCall("it's", { filters: [] }), 'http://h')
    assert.equal(
      text,
      `curl -H "Authorization: Bearer $ASSAY_KEY" 'http://h/api/evaluations/it'\\''s/evaluation_scenarios'`,
    )
  })
})

test('the main parameters are at most four, the model and the temperature first', () => {
  const parameters = {
    prompt: 'Answer.\nShort.',
    stream: true,
    timeout: 60,
    max_tokens: 220,
    temperature: 0.2,
    tools: [],
    model: 'm',
  }
  assert.deepEqual(mainParameters(parameters), ['m', 'temperature 0.2', 'max_tokens 220', 'stream true'])
  const nested = { provider: 'openai:m', config: { temperature: 1, stop: ['x'] }, prompt: 'Answer briefly.' }
  assert.deepEqual(mainParameters(nested), ['openai:m', 'temperature 1'])
  const longName = `/models/${'checkpoint-'.repeat(6)}1`
  assert.deepEqual(mainParameters({ model_name: longName, adapter: longName }), [longName])
  assert.deepEqual(mainParameters(undefined), [])
})

test('a bar filters from its lower bound, the first bar below its upper bound, a single value by equality', () => {
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
