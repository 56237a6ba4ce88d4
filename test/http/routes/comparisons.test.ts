// GET /comparisons and /comparisons/rows: rejected requests, how rows are paired, warnings, and response headers.
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { Comparison, RowClass } from '../../../src/schema/comparisons.ts'
import { fillCorpus } from '../../support/corpus.ts'
import { checkProblem } from '../../support/http.ts'
import { EVALUATIONS, scenariosPath } from '../../support/write-requests.ts'
import { startWriteService } from '../../support/write-service.ts'

const { sendOk, get, readJson } = await startWriteService(fillCorpus)

const COMPARISONS = '/api/comparisons'
const ROWS = '/api/comparisons/rows'
const PAIR = 'evaluation=full&evaluation=shared'

describe('rejected comparison requests', () => {
  const cases: [name: string, query: string, status: number, code: string, detail: RegExp][] = [
    [
      'rejects a request without evaluations',
      '',
      400,
      'invalid-request',
      /'evaluation' 2 to 4 times.*not 0 times/,
    ],
    ['rejects one evaluation', 'evaluation=full', 400, 'invalid-request', /2 to 4 times.*not 1 times/],
    [
      'rejects five evaluations',
      ['full', 'shared', 'empty', 'exact', 'fifth'].map((id) => `evaluation=${id}`).join('&'),
      400,
      'invalid-request',
      /not 5 times/,
    ],
    [
      'rejects an evaluation compared with itself',
      'evaluation=full&evaluation=full',
      400,
      'invalid-request',
      /'full' was sent twice/,
    ],
    ['rejects an unknown parameter', `${PAIR}&base=x`, 400, 'invalid-request', /accepts evaluation, by/],
    [
      'rejects a repeated by parameter',
      `${PAIR}&by=id&by=id`,
      400,
      'invalid-request',
      /'by' can be sent only once/,
    ],
    [
      'rejects an unknown join key',
      `${PAIR}&by=name`,
      400,
      'invalid-request',
      /auto, id, input, position.*not 'name'/,
    ],
    ['rejects an empty join key', `${PAIR}&by=`, 400, 'invalid-request', /not ''/],
    [
      'rejects an input key without a name',
      `${PAIR}&by=input.`,
      400,
      'invalid-request',
      /they have in common: '\w+'/,
    ],
    [
      'rejects an input that does not exist',
      `${PAIR}&by=input.x%00`,
      400,
      'invalid-request',
      /they have in common: '\w+'/,
    ],
    [
      'rejects an input that an empty evaluation does not have',
      'evaluation=full&evaluation=empty&by=input.question',
      400,
      'invalid-request',
      /no input in common/,
    ],
    [
      'returns 404 when an evaluation does not exist',
      'evaluation=full&evaluation=none',
      404,
      'evaluation-not-found',
      /'none'/,
    ],
    ['returns 404 for an empty id', 'evaluation=full&evaluation=', 404, 'evaluation-not-found', /''/],
    [
      'returns 403 for an evaluation of another project',
      'evaluation=full&evaluation=foreign',
      403,
      'access-denied',
      /another project/,
    ],
  ]
  for (const [name, query, status, code, detail] of cases) {
    test(name, async () => {
      for (const path of [COMPARISONS, ROWS]) {
        const problem = checkProblem(await get(`${path}?${query}`), status, code)
        assert.match(problem.detail, detail)
        const head = await get(`${path}?${query}`, {}, 'HEAD')
        assert.equal(head.status, status)
      }
    })
  }

  const windows: [name: string, query: string, detail: RegExp][] = [
    ['an unknown class', 'show=worse', /all, regressed, improved, same, unclear, incomparable, missing/],
    ['an evaluator that does not exist', 'on=x', /They have '\w+'/],
    ['a negative offset', 'offset=-1', /whole number from 0/],
    ['a leading zero', 'offset=01', /whole number from 0/],
    ['a limit of 0', 'limit=0', /from 1 to 1000/],
    ['a limit above 1000', 'limit=1001', /from 1 to 1000/],
    ['a preview of 0', 'preview=0', /from 1 to 100000/],
    ['the base parameter', 'base=full', /'base'/],
    ['an invalid filter', 'latency=fast', /latency=eq\.1\.5/],
    [
      'a filter on an evaluator that no evaluation has',
      'result.x=is.true',
      /None of the evaluations has an evaluator 'x'/,
    ],
    [
      'a delta of an evaluator that no evaluation has',
      'delta.x=gt.0',
      /None of the evaluations has an evaluator 'x'/,
    ],
    [
      'an error of an evaluator that no evaluation has',
      'error.x=eq.y',
      /None of the evaluations has an evaluator 'x'/,
    ],
    ['an input that no evaluation has', 'input.x=eq.1', /None of the evaluations has an input 'x'/],
    ['an unknown order', 'order=name', /'order' must be one of position, latency.asc/],
    [
      'an order by an evaluator that no evaluation has',
      'order=delta.x.asc',
      /None of the evaluations has an evaluator 'x'/,
    ],
    ['an unknown side', 'locate=a&side=left', /base, candidate/],
  ]
  for (const [name, query, detail] of windows) {
    test(`rejects a rows request with ${name}`, async () => {
      const problem = checkProblem(await get(`${ROWS}?${PAIR}&${query}`), 400, 'invalid-request')
      assert.match(problem.detail, detail)
    })
  }
})

interface RowSpec {
  id?: string
  /** Inputs by name. */
  inputs?: Record<string, unknown>
  /** Results by evaluator. */
  scores?: Record<string, unknown>
  expected?: string
}

async function write(id: string, rows: RowSpec[], members: object = {}): Promise<void> {
  await sendOk('POST', EVALUATIONS, { id, ...members })
  const scenarios = rows.map((row) => ({
    ...(row.id !== undefined && { id: row.id }),
    inputs: Object.entries(row.inputs ?? {}).map(([name, value]) => ({ name, type: 'any', value })),
    correct_answers: [{ key: 'answer', value: row.expected ?? '' }],
    results: Object.entries(row.scores ?? {}).map(([evaluator_config, value]) => ({
      evaluator_config,
      result: value instanceof Error ? { type: 'error', error: { message: 'x' } } : { type: 'any', value },
    })),
  }))
  await sendOk('POST', scenariosPath(id), scenarios)
}

let comparisonCount = 0

/** Stores the baseline and its candidates, and returns their comparison and ids. */
async function compare(evaluations: [rows: RowSpec[], members?: object][], query = '') {
  comparisonCount += 1
  const ids = evaluations.map((_, index) => `e-${comparisonCount}-${index}`)
  for (const [index, [rows, members]] of evaluations.entries()) await write(ids[index] ?? '', rows, members)
  const search = `${ids.map((id) => `evaluation=${id}`).join('&')}${query}`
  const comparison: Comparison = await readJson(`${COMPARISONS}?${search}`, 'Comparison')
  return { ids, comparison, search, first: comparison.candidates[0] as Comparison['candidates'][number] }
}

interface Window {
  total: number
  located?: number | null
  on: string | null
  rows: {
    base: { id: string; position: number; cut: string[] } | null
    candidates: { row: { position: number } | null; class: RowClass; delta: number | null }[]
  }[]
}

const readRows = (search: string): Promise<Window> => readJson(`${ROWS}?${search}`, 'ComparisonRows')

/** The positions of the baseline rows and of the first candidate's rows. */
async function pairsOf(search: string): Promise<[number | null, number | null][]> {
  const { rows } = await readRows(search)
  return rows.map(({ base, candidates: [first] }) => [base?.position ?? null, first?.row?.position ?? null])
}

const codes = ({ warnings }: Comparison) => warnings.map(({ code }) => code)
const rowWithQuestion = (question: unknown): RowSpec => ({ inputs: { question } })
const rowWithScore = (id: string, value: unknown): RowSpec => ({ id, scores: { score: value } })

describe('row pairing', () => {
  test('pairs rows by id when their order differs', async () => {
    const base = [rowWithScore('a', 1), rowWithScore('b', 2), rowWithScore('c', 3)]
    const { comparison, search } = await compare([[base], [base.toReversed()]])
    assert.deepEqual(comparison.join, { by: 'id', asked: 'auto', tried: [{ by: 'id', match_rate: 1 }] })
    assert.deepEqual(await pairsOf(search), [
      [0, 2],
      [1, 1],
      [2, 0],
    ])
  })

  test('pairs rows by inputs when the ids do not match', async () => {
    const base = ['a', 'b', 'c'].map(rowWithQuestion)
    const { comparison, search, first } = await compare([[base], [base.toReversed()]])
    assert.equal(comparison.join.by, 'input')
    assert.deepEqual(comparison.join.tried, [
      { by: 'id', match_rate: 0 },
      { by: 'input', match_rate: 1 },
    ])
    assert.equal(first.matched, 3)
    assert.deepEqual(await pairsOf(search), [
      [0, 2],
      [1, 1],
      [2, 0],
    ])
  })

  test('pairs only given ids when ids are requested, and warns of generated ones', async () => {
    const base = [{ id: 'a', ...rowWithQuestion(1) }, rowWithQuestion(2), rowWithQuestion(3)]
    const candidate = [rowWithQuestion(3), rowWithQuestion(2), { id: 'a', ...rowWithQuestion(1) }]
    const automatic = await compare([[base], [candidate]])
    assert.equal(automatic.comparison.join.by, 'input')
    assert.deepEqual(await pairsOf(automatic.search), [
      [0, 2],
      [1, 1],
      [2, 0],
    ])
    assert.deepEqual(automatic.comparison.warnings, [])
    const { ids, comparison, search } = await compare([[base], [candidate]], '&by=id')
    assert.deepEqual((await pairsOf(search)).slice(0, 3), [
      [0, 2],
      [1, null],
      [2, null],
    ])
    assert.deepEqual(
      comparison.warnings.map(({ code, evaluation, rows }) => [code, evaluation, rows]),
      [
        ['ids-generated', ids[0], 2],
        ['ids-generated', ids[1], 2],
        ['rows-missing', ids[1], 4],
      ],
    )
  })

  test('warns of rows with the same id and different inputs', async () => {
    const base = [
      { id: 'a', ...rowWithQuestion(1) },
      { id: 'b', ...rowWithQuestion(2) },
      { id: 'c', ...rowWithQuestion(3) },
      { id: 'd' },
    ]
    const candidate = [
      { id: 'a', ...rowWithQuestion(2) },
      { id: 'b', ...rowWithQuestion('2') },
      { id: 'c', ...rowWithQuestion(1) },
      { id: 'd', ...rowWithQuestion(4) },
    ]
    const { ids, comparison, first } = await compare([[base], [candidate]])
    assert.equal(comparison.join.by, 'id')
    assert.deepEqual([first.inputs_differ, first.has_different_rows], [2, false])
    assert.deepEqual(
      comparison.warnings.map(({ code, evaluation, rows }) => [code, evaluation, rows]),
      [['inputs-differ', ids[1], 2]],
    )
  })

  test('ignores the order of inputs and members, number notation and Unicode normalization', async () => {
    const base = [{ inputs: { a: { x: 1, y: 'é' }, b: 2 } }]
    const candidate = [{ inputs: { b: 2.0, a: { y: 'e\u0301', x: 1 } } }]
    const { comparison, first } = await compare([[base], [candidate]])
    assert.equal(comparison.join.by, 'input')
    assert.equal(first.matched, 1)
  })

  test('pairs rows by position with a warning when no other key matches', async () => {
    const { comparison, first } = await compare([
      [['a', 'b'].map(rowWithQuestion)],
      [['c', 'd'].map(rowWithQuestion)],
    ])
    assert.equal(comparison.join.by, 'position')
    assert.equal(first.matched, 2)
    assert.deepEqual(codes(comparison), ['joined-by-position'])
  })

  test('uses a key only when at least 95 % of the smaller evaluation match', async () => {
    const rows = (count: number, same: number, prefix: string) =>
      Array.from({ length: count }, (_, row) => rowWithScore(row < same ? `s-${row}` : `${prefix}-${row}`, 1))
    const enough = await compare([[rows(40, 19, 'a')], [rows(20, 19, 'b')]])
    assert.deepEqual(enough.comparison.join.tried, [{ by: 'id', match_rate: 0.95 }])
    const fewer = await compare([[rows(40, 18, 'a')], [rows(20, 18, 'b')]])
    assert.notEqual(fewer.comparison.join.by, 'id')
  })

  test('uses one key for all candidates and rejects it when one candidate does not match', async () => {
    const base = [
      { id: 'a', ...rowWithQuestion(1) },
      { id: 'b', ...rowWithQuestion(2) },
    ]
    const { comparison } = await compare([[base], [base], [[rowWithQuestion(1), rowWithQuestion(2)]]])
    assert.equal(comparison.join.by, 'input')
    assert.deepEqual(
      comparison.candidates.map(({ matched }) => matched),
      [2, 2],
    )
  })

  test('pairs rows by a single input', async () => {
    const base = [{ inputs: { n: 1, note: 'x' } }, { inputs: { n: 2, note: 'y' } }, { inputs: { note: 'z' } }]
    const { comparison, search } = await compare(
      [[base], [[{ inputs: { n: 2 } }, { inputs: { n: 1 } }]]],
      '&by=input.n',
    )
    assert.deepEqual(comparison.join, {
      by: 'input.n',
      asked: 'input.n',
      tried: [{ by: 'input.n', match_rate: 1 }],
    })
    assert.deepEqual(await pairsOf(search), [
      [0, 1],
      [1, 0],
      [2, null],
    ])
  })

  test('pairs rows by position without a warning when requested', async () => {
    const base = [rowWithScore('a', 1), rowWithScore('b', 2)]
    const { comparison, search } = await compare([[base], [base.toReversed()]], '&by=position')
    assert.deepEqual(comparison.warnings, [])
    assert.deepEqual(await pairsOf(search), [
      [0, 0],
      [1, 1],
    ])
  })

  test('pairs repeated keys in order and counts the surplus as missing', async () => {
    const row = (question: string, expected: string): RowSpec => ({ inputs: { question }, expected })
    const base = [row('a', 'x'), row('b', 'x'), row('a', 'y'), row('a', 'z')]
    const candidate = [row('b', 'x'), row('a', 'x'), row('a', 'y')]
    const { ids, comparison, search, first } = await compare([[base], [candidate]])
    assert.deepEqual(await pairsOf(search), [
      [0, 1],
      [1, 0],
      [2, 2],
      [3, null],
    ])
    assert.deepEqual([first.matched, first.only_in_base, first.only_in_candidate], [3, 1, 0])
    assert.deepEqual(
      comparison.warnings.map(({ code, evaluation, rows }) => [code, evaluation, rows]),
      [
        ['rows-repeated', ids[0], 2],
        ['rows-missing', ids[1], 1],
        ['rows-repeated', ids[1], 1],
      ],
    )
  })

  test('does not pair 1 with "1" and returns a warning', async () => {
    const base = [{ inputs: { n: 1 } }, { inputs: { n: 2 } }]
    const { comparison, search } = await compare(
      [[base], [[{ inputs: { n: '1' } }, { inputs: { n: 2 } }]]],
      '&by=input.n',
    )
    assert.deepEqual(await pairsOf(search), [
      [0, null],
      [1, 1],
      [null, 0],
    ])
    assert.deepEqual(codes(comparison), ['rows-missing', 'types-differ'])
    assert.equal(comparison.warnings[1]?.rows, 1)
  })

  test('returns no pairs and a match rate of 1 when one evaluation is empty', async () => {
    const { comparison, first } = await compare([[[rowWithScore('a', 1)]], [[]]])
    assert.deepEqual(comparison.join.tried, [{ by: 'id', match_rate: 1 }])
    assert.deepEqual([first.matched, first.only_in_base], [0, 1])
    const [evaluator] = first.evaluators
    assert.deepEqual([evaluator?.n, evaluator?.delta, evaluator?.outcome], [0, null, null])
  })
})

describe('GET /comparisons', () => {
  test('returns an outcome according to the declared direction, or too-few for less than 6 rows', async () => {
    const rows = (shift: number) =>
      Array.from({ length: 9 }, (_, row) => rowWithScore(`s-${row}`, row + shift * (1 + (row % 3) / 10)))
    const lowerIsBetter = { evaluators: [{ name: 'score', higher_is_better: false }] }
    const base = rows(0)
    const outcomeOf = async (candidate: RowSpec[], declared = {}) =>
      (await compare([[base, declared], [candidate]])).first.evaluators[0]?.outcome
    assert.equal(await outcomeOf(rows(1)), 'better')
    assert.equal(await outcomeOf(rows(-1)), 'worse')
    assert.equal(await outcomeOf(rows(1), lowerIsBetter), 'worse')
    assert.equal(await outcomeOf(rows(0)), 'tied')
    assert.equal(await outcomeOf(rows(1).slice(0, 6)), 'better')
    assert.equal(await outcomeOf(rows(1).slice(0, 5)), 'too-few')
  })

  test('does not treat a missing score, a text or a verdict as a score of zero', async () => {
    const base = [
      rowWithScore('a', 0),
      rowWithScore('b', 0),
      rowWithScore('c', 0),
      rowWithScore('d', 1),
      rowWithScore('e', 0),
    ]
    const candidate = [
      rowWithScore('a', null),
      rowWithScore('b', 'text'),
      rowWithScore('c', false),
      rowWithScore('d', 0),
      rowWithScore('e', 0),
    ]
    const { first } = await compare([[base], [candidate]])
    assert.deepEqual(first.evaluators[0]?.classes, {
      regressed: 1,
      improved: 0,
      same: 1,
      unclear: 0,
      incomparable: 3,
      missing: 0,
    })
  })

  test('returns the statistics of the example in the reference', async () => {
    const row = (id: string, correct: unknown): RowSpec => ({ id, scores: { correct } })
    const base = [row('q1', true), row('q2', true), row('q3', false), row('q4', true), row('q5', true)]
    const candidate = [
      row('q1', true),
      row('q2', false),
      row('q3', true),
      row('q4', new Error()),
      row('q6', true),
    ]
    const { first } = await compare([[base], [candidate]], '&by=id')
    const [correct] = first.evaluators
    assert.deepEqual(correct?.classes, {
      regressed: 1,
      improved: 1,
      same: 1,
      unclear: 0,
      incomparable: 1,
      missing: 2,
    })
    assert.deepEqual([first.match_rate, correct.n, correct.delta], [0.8, 3, 0])
    const statistics = [correct.base_mean, correct.mean]
    assert.deepEqual(
      statistics.map((value) => value?.toFixed(3)),
      ['0.667', '0.667'],
    )
    assert.deepEqual(
      [correct.outcome, correct.interval, correct.p_value, correct.detectable],
      ['too-few', null, 1, null],
    )
  })

  test('keeps precision when scores differ widely and the differences vary little', async () => {
    const base = Array.from({ length: 40 }, (_, row) => rowWithScore(`s-${row}`, row))
    const candidate = base.map(({ id = '' }, row) => rowWithScore(id, row + 1e8 + (row % 2)))
    const { first } = await compare([[base], [candidate]])
    const [low = 0, high = 0] = first.evaluators[0]?.interval ?? []
    assert.equal(first.evaluators[0]?.delta, 1e8 + 0.5)
    // The standard error of alternating 0 and 1: their standard deviation divided by the square root of 40. The quantile of
    // Student's t with 39 degrees of freedom is 2.0227.
    assert.equal(((high - low) / 2).toFixed(3), (2.0227 * Math.sqrt(10 / 39 / 40)).toFixed(3))
  })

  test('returns a null delta and an outcome when the difference exceeds the range of a double', async () => {
    const rows = (values: number[]) =>
      Array.from({ length: 6 }, (_, row) => rowWithScore(`s-${row}`, values[row % values.length]))
    const { first, search } = await compare([[rows([-1.7e308])], [rows([1.6e308, 1.7e308])]])
    const [evaluator] = first.evaluators
    assert.deepEqual(
      [evaluator?.base_mean, evaluator?.mean, evaluator?.delta, evaluator?.interval, evaluator?.outcome],
      [-1.7e308, 1.65e308, null, null, 'better'],
    )
    assert.equal((await readRows(`${search}&show=improved`)).total, 6)
  })

  test('returns a p-value only for verdicts', async () => {
    const rows = (verdict: boolean) =>
      Array.from({ length: 6 }, (_, row) => rowWithScore(`s-${row}`, verdict || row === 0))
    const { first } = await compare([[rows(true)], [rows(false)]])
    assert.deepEqual(
      [first.evaluators[0]?.p_value, first.evaluators[0]?.is_verdict, first.evaluators[0]?.outcome],
      [0.0625, true, 'tied'],
    )
    const numberRows = (value: number) =>
      Array.from({ length: 6 }, (_, row) => rowWithScore(`s-${row}`, row === 0 ? 1 : value))
    const numbers = await compare([[numberRows(1)], [numberRows(0)]])
    const [evaluator] = numbers.first.evaluators
    assert.deepEqual([evaluator?.p_value, evaluator?.is_verdict, evaluator?.outcome], [null, false, 'worse'])
  })

  test('lists the baseline evaluators first and warns of evaluators that one evaluation lacks', async () => {
    const base = [{ id: 'a', scores: { z: 1, y: 2 } }]
    const { comparison, first, ids } = await compare([[base], [[{ id: 'a', scores: { x: 1, y: 3 } }]]])
    assert.deepEqual(
      first.evaluators.map(({ name, n, classes }) => [name, n, classes.incomparable]),
      [
        ['z', 0, 1],
        ['y', 1, 0],
        ['x', 0, 1],
      ],
    )
    assert.deepEqual(
      comparison.warnings.map(({ code, evaluation, evaluator }) => [code, evaluation, evaluator]),
      [
        ['evaluator-missing', ids[1], 'z'],
        ['evaluator-missing', ids[1], 'x'],
      ],
    )
    assert.match(comparison.warnings[1]?.detail ?? '', new RegExp(`'${ids[0]}' has no results`))
  })

  test('warns of different expected answers, different evaluator settings and unfinished runs', async () => {
    const members = (threshold: number, status: string) => ({
      evaluators: [{ name: 'score', threshold }],
      source: 'Inspect AI 0.3.100',
      metadata: { status },
    })
    const base = [{ ...rowWithScore('a', 1), expected: 'x' }]
    const candidate = [{ ...rowWithScore('a', 1), expected: 'y' }]
    const { comparison } = await compare([
      [base, members(0.5, 'success')],
      [candidate, members(0.7, 'cancelled')],
    ])
    assert.deepEqual(codes(comparison), ['unfinished', 'answers-differ', 'evaluator-differs'])
  })

  test('returns an ETag that changes with any of the evaluations', async () => {
    const { search, ids } = await compare([[[rowWithScore('a', 1)]], [[rowWithScore('a', 2)]]])
    const path = `${COMPARISONS}?${search}`
    const { etag = '' } = (await get(path)).headers
    assert.equal((await get(path, { 'if-none-match': etag })).status, 304)
    await sendOk('POST', scenariosPath(ids[1] ?? ''), [{ id: 'b' }])
    const conditionalResponse = await get(path, { 'if-none-match': etag })
    assert.equal(conditionalResponse.status, 200)
    assert.equal(JSON.parse(conditionalResponse.text).candidates[0].only_in_candidate, 1)
  })
})

describe('GET /comparisons/rows', () => {
  test('returns 404 when the scenario to locate does not exist on the requested side', async () => {
    const { search } = await compare([[[rowWithScore('a', 1)]], [[rowWithScore('b', 1)]]], '&by=id')
    for (const query of ['locate=b', 'locate=a&side=candidate', 'locate=']) {
      const problem = checkProblem(await get(`${ROWS}?${search}&${query}`), 404, 'scenario-not-found')
      assert.match(problem.detail, /no scenario with the id/)
      assert.equal((await get(`${ROWS}?${search}&${query}`, {}, 'HEAD')).status, 404)
    }
    assert.equal((await readRows(`${search}&locate=b&side=candidate`)).located, 1)
  })

  test('returns regressed and improved rows with the largest change first', async () => {
    const base = [
      rowWithScore('a', 5),
      rowWithScore('b', 5),
      rowWithScore('c', 5),
      rowWithScore('d', 5),
      rowWithScore('e', 5),
    ]
    const candidate = [
      rowWithScore('a', 4),
      rowWithScore('b', 1),
      rowWithScore('c', 9),
      rowWithScore('d', 4),
      rowWithScore('e', 6),
    ]
    const { search } = await compare([[base], [candidate]])
    const deltasOf = async (show: string) =>
      (await readRows(`${search}&show=${show}`)).rows.map(({ base, candidates }) => [
        base?.id,
        candidates[0]?.delta,
      ])
    assert.deepEqual(await deltasOf('regressed'), [
      ['b', -4],
      ['a', -1],
      ['d', -1],
    ])
    assert.deepEqual(await deltasOf('improved'), [
      ['c', 4],
      ['e', 1],
    ])
  })

  test('classifies rows by the first shared evaluator unless another is requested', async () => {
    const base = [{ id: 'a', scores: { z: 1, y: 2 } }]
    const { search } = await compare([[base], [[{ id: 'a', scores: { x: 1, y: 3 } }]]])
    assert.equal((await readRows(search)).on, 'y')
    const otherRows = await readRows(`${search}&on=x`)
    assert.equal(otherRows.rows[0]?.candidates[0]?.class, 'incomparable')
  })

  test('returns no rows and the total count for an offset past the end', async () => {
    const { search } = await compare([[[rowWithScore('a', 1)]], [[rowWithScore('a', 2)]]])
    for (const [show, total] of Object.entries({ all: 1, improved: 1, same: 0, missing: 0 })) {
      const window = await readRows(`${search}&show=${show}&offset=${Number.MAX_SAFE_INTEGER}`)
      assert.deepEqual([window.total, window.rows], [total, []])
    }
  })

  test('classifies all rows as incomparable when there is no evaluator', async () => {
    const { search } = await compare([[[rowWithQuestion(1)]], [[rowWithQuestion(1)]]])
    const { on, total } = await readRows(`${search}&show=incomparable`)
    assert.deepEqual([on, total], [null, 1])
  })

  test('returns the rows of every candidate with the baseline row, truncated to the preview length', async () => {
    const rows = [{ id: 'a', inputs: { q: 'a long question' }, scores: { score: 1 } }]
    const { search } = await compare([[rows], [rows], [[rowWithScore('b', 1)]]], '&by=id')
    const [row, ...more] = (await readRows(`${search}&preview=6`)).rows
    assert.deepEqual(more, [])
    assert.deepEqual(
      row?.candidates.map((one) => one.row?.position ?? null),
      [0, null],
    )
    assert.deepEqual(row?.base?.cut, ['/inputs/0/value'])
  })
})
