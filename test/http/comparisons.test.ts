// Comparisons: what is refused, how rows are paired, what is warned of, and the answer as a document.
import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import type { Comparison, RowClass } from '../../src/schema/comparisons.ts'
import { fillCorpus } from '../corpus.ts'
import { freshStore, mint, serveStore } from '../harness.ts'
import { type Answer, ask, checkDocumented, checkProblem, schemaErrors } from '../wire.ts'
import { EVALUATIONS, JSON_TYPE, scenariosOf } from '../writes.ts'

const store = await freshStore()
const service = await serveStore(store)
const { key } = await mint(store, { scopes: ['read', 'write'] })
const headers = { authorization: key, 'content-type': JSON_TYPE }
before(() => fillCorpus(store))

async function get(path: string, more: Record<string, string> = {}, method = 'GET'): Promise<Answer> {
  const answer = await ask(service.base, path, { ...headers, ...more }, method)
  checkDocumented(path, answer, method)
  return answer
}

const COMPARISONS = '/api/comparisons'
const ROWS = '/api/comparisons/rows'
const PAIR = 'evaluation=full&evaluation=shared'

describe('a comparison is refused', () => {
  const cases: [name: string, query: string, status: number, code: string, says: RegExp][] = [
    ['without evaluations', '', 400, 'invalid-request', /'evaluation' stands 2 to 4 times.*not 0 times/],
    ['of one evaluation', 'evaluation=full', 400, 'invalid-request', /2 to 4 times.*not 1 times/],
    [
      'of five',
      ['full', 'shared', 'empty', 'exact', 'fifth'].map((id) => `evaluation=${id}`).join('&'),
      400,
      'invalid-request',
      /not 5 times/,
    ],
    ['with itself', 'evaluation=full&evaluation=full', 400, 'invalid-request', /'full' is there twice/],
    ['with an unknown parameter', `${PAIR}&base=x`, 400, 'invalid-request', /takes evaluation, by/],
    ['with by twice', `${PAIR}&by=id&by=id`, 400, 'invalid-request', /'by' may stand once/],
    ['by what is no key', `${PAIR}&by=name`, 400, 'invalid-request', /auto, id, input, position.*not 'name'/],
    ['by nothing', `${PAIR}&by=`, 400, 'invalid-request', /not ''/],
    ['by an input without a name', `${PAIR}&by=input.`, 400, 'invalid-request', /They have '\w+'/],
    ['by an input that is not there', `${PAIR}&by=input.x%00`, 400, 'invalid-request', /They have '\w+'/],
    [
      'by an input that an empty one has not',
      'evaluation=full&evaluation=empty&by=input.question',
      400,
      'invalid-request',
      /no input in common/,
    ],
    ['of what is nowhere', 'evaluation=full&evaluation=none', 404, 'evaluation-not-found', /'none'/],
    ['of what has no id', 'evaluation=full&evaluation=', 404, 'evaluation-not-found', /''/],
    ['of another project', 'evaluation=full&evaluation=foreign', 403, 'access-denied', /another project/],
  ]
  for (const [name, query, status, code, says] of cases) {
    test(name, async () => {
      for (const path of [COMPARISONS, ROWS]) {
        const problem = checkProblem(await get(`${path}?${query}`), status, code)
        assert.match(problem.detail, says)
        const head = await get(`${path}?${query}`, {}, 'HEAD')
        assert.equal(head.status, status)
      }
    })
  }

  const windows: [name: string, query: string, says: RegExp][] = [
    ['a class that is none', 'show=worse', /all, regressed, improved, same, incomparable, missing/],
    ['an evaluator that is not there', 'on=x', /They have '\w+'/],
    ['an offset below zero', 'offset=-1', /whole number from 0/],
    ['no rows', 'limit=0', /from 1 to 1000/],
    ['too many rows', 'limit=1001', /from 1 to 1000/],
    ['no preview', 'preview=0', /from 1 to 100000/],
    ['a base', 'base=full', /'base'/],
    ['a filter that is none', 'latency=fast', /latency takes/],
    ['a filter on what no evaluation has', 'result.x=is.true', /No evaluation here has an evaluator 'x'/],
    ['a delta of what no evaluation has', 'delta.x=gt.0', /No evaluation here has an evaluator 'x'/],
    ['an error of what no evaluation has', 'error.x=eq.y', /No evaluation here has an evaluator 'x'/],
    ['an input that no evaluation has', 'input.x=eq.1', /No evaluation here has an input 'x'/],
    ['an order that is none', 'order=name', /'order' is one of position, latency.asc/],
    ['an order by what no evaluation has', 'order=delta.x.asc', /No evaluation here has an evaluator 'x'/],
    ['a side that is none', 'locate=a&side=left', /base, candidate/],
  ]
  for (const [name, query, says] of windows) {
    test(`a window with ${name}`, async () => {
      const problem = checkProblem(await get(`${ROWS}?${PAIR}&${query}`), 400, 'invalid-request')
      assert.match(problem.detail, says)
    })
  }
})

interface Sketch {
  id?: string
  /** Inputs by name. */
  in?: Record<string, unknown>
  /** Results by evaluator. */
  is?: Record<string, unknown>
  expected?: string
}

async function write(id: string, rows: Sketch[], about: object = {}): Promise<void> {
  const made = await ask(service.base, EVALUATIONS, headers, 'POST', JSON.stringify({ id, ...about }))
  assert.equal(made.status, 201, made.text)
  const scenarios = rows.map((row) => ({
    ...(row.id !== undefined && { id: row.id }),
    inputs: Object.entries(row.in ?? {}).map(([name, value]) => ({ name, type: 'any', value })),
    correct_answers: [{ key: 'answer', value: row.expected ?? '' }],
    results: Object.entries(row.is ?? {}).map(([evaluator_config, value]) => ({
      evaluator_config,
      result: value instanceof Error ? { type: 'error', error: { message: 'x' } } : { type: 'any', value },
    })),
  }))
  const sent = await ask(service.base, scenariosOf(id), headers, 'POST', JSON.stringify(scenarios))
  assert.equal(sent.status, 201, sent.text)
}

let made = 0

/** Base and candidates written; the comparison of them, and the ids. */
async function compare(evaluations: [rows: Sketch[], about?: object][], query = '') {
  made += 1
  const ids = evaluations.map((_, place) => `e-${made}-${place}`)
  for (const [place, [rows, about]] of evaluations.entries()) await write(ids[place] ?? '', rows, about)
  const asked = `${ids.map((id) => `evaluation=${id}`).join('&')}${query}`
  const answer = await get(`${COMPARISONS}?${asked}`)
  assert.equal(answer.status, 200, answer.text)
  const comparison = JSON.parse(answer.text) as Comparison
  assert.deepEqual(schemaErrors('Comparison', comparison), [])
  return { ids, comparison, asked, first: comparison.candidates[0] as Comparison['candidates'][number] }
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

async function rowsOf(asked: string): Promise<Window> {
  const answer = await get(`${ROWS}?${asked}`)
  assert.equal(answer.status, 200, answer.text)
  const window = JSON.parse(answer.text)
  assert.deepEqual(schemaErrors('ComparisonRows', window), [])
  return window
}

/** Positions of the base and the first candidate. */
async function pairsOf(asked: string): Promise<[number | null, number | null][]> {
  const { rows } = await rowsOf(asked)
  return rows.map(({ base, candidates: [first] }) => [base?.position ?? null, first?.row?.position ?? null])
}

const codes = ({ warnings }: Comparison) => warnings.map(({ code }) => code)
const asking = (question: unknown): Sketch => ({ in: { question } })
const scored = (id: string, value: unknown): Sketch => ({ id, is: { score: value } })

describe('rows are paired', () => {
  test('by id, also where their order is another', async () => {
    const base = [scored('a', 1), scored('b', 2), scored('c', 3)]
    const { comparison, asked } = await compare([[base], [base.toReversed()]])
    assert.deepEqual(comparison.join, { by: 'id', asked: 'auto', tried: [{ by: 'id', match_rate: 1 }] })
    assert.deepEqual(await pairsOf(asked), [
      [0, 2],
      [1, 1],
      [2, 0],
    ])
  })

  test('by their inputs where ids were given anew', async () => {
    const base = ['a', 'b', 'c'].map(asking)
    const { comparison, asked, first } = await compare([[base], [base.toReversed()]])
    assert.equal(comparison.join.by, 'input')
    assert.deepEqual(comparison.join.tried, [
      { by: 'id', match_rate: 0 },
      { by: 'input', match_rate: 1 },
    ])
    assert.equal(first.matched, 3)
    assert.deepEqual(await pairsOf(asked), [
      [0, 2],
      [1, 1],
      [2, 0],
    ])
  })

  test('whatever the order of inputs and members, and however a number or a character is written', async () => {
    const base = [{ in: { a: { x: 1, y: 'é' }, b: 2 } }]
    const candidate = [{ in: { b: 2.0, a: { y: 'e\u0301', x: 1 } } }]
    const { comparison, first } = await compare([[base], [candidate]])
    assert.equal(comparison.join.by, 'input')
    assert.equal(first.matched, 1)
  })

  test('by their place where nothing else matches, with a warning', async () => {
    const { comparison, first } = await compare([[['a', 'b'].map(asking)], [['c', 'd'].map(asking)]])
    assert.equal(comparison.join.by, 'position')
    assert.equal(first.matched, 2)
    assert.deepEqual(codes(comparison), ['joined-by-position'])
  })

  test('by a key by which 95 % of the smaller one match, and not by one that matches fewer', async () => {
    const rows = (count: number, same: number, prefix: string) =>
      Array.from({ length: count }, (_, row) => scored(row < same ? `s-${row}` : `${prefix}-${row}`, 1))
    const enough = await compare([[rows(40, 19, 'a')], [rows(20, 19, 'b')]])
    assert.deepEqual(enough.comparison.join.tried, [{ by: 'id', match_rate: 0.95 }])
    const fewer = await compare([[rows(40, 18, 'a')], [rows(20, 18, 'b')]])
    assert.notEqual(fewer.comparison.join.by, 'id')
  })

  test('by one key for all candidates: one that does not match decides', async () => {
    const base = [
      { id: 'a', ...asking(1) },
      { id: 'b', ...asking(2) },
    ]
    const { comparison } = await compare([[base], [base], [[asking(1), asking(2)]]])
    assert.equal(comparison.join.by, 'input')
    assert.deepEqual(
      comparison.candidates.map(({ matched }) => matched),
      [2, 2],
    )
  })

  test('by one input', async () => {
    const base = [{ in: { n: 1, note: 'x' } }, { in: { n: 2, note: 'y' } }, { in: { note: 'z' } }]
    const { comparison, asked } = await compare(
      [[base], [[{ in: { n: 2 } }, { in: { n: 1 } }]]],
      '&by=input.n',
    )
    assert.deepEqual(comparison.join, {
      by: 'input.n',
      asked: 'input.n',
      tried: [{ by: 'input.n', match_rate: 1 }],
    })
    assert.deepEqual(await pairsOf(asked), [
      [0, 1],
      [1, 0],
      [2, null],
    ])
  })

  test('by their place where that is asked for, without a warning', async () => {
    const base = [scored('a', 1), scored('b', 2)]
    const { comparison, asked } = await compare([[base], [base.toReversed()]], '&by=position')
    assert.deepEqual(comparison.warnings, [])
    assert.deepEqual(await pairsOf(asked), [
      [0, 0],
      [1, 1],
    ])
  })

  test('the first with the first and the second with the second where keys repeat; what is over is missing', async () => {
    const base = ['a', 'b', 'a', 'a'].map(asking)
    const { ids, comparison, asked, first } = await compare([[base], [['b', 'a', 'a'].map(asking)]])
    assert.deepEqual(await pairsOf(asked), [
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

  test('never 1 with "1", which is told', async () => {
    const base = [{ in: { n: 1 } }, { in: { n: 2 } }]
    const { comparison, asked } = await compare(
      [[base], [[{ in: { n: '1' } }, { in: { n: 2 } }]]],
      '&by=input.n',
    )
    assert.deepEqual(await pairsOf(asked), [
      [0, null],
      [1, 1],
      [null, 0],
    ])
    assert.deepEqual(codes(comparison), ['rows-missing', 'types-differ'])
    assert.equal(comparison.warnings[1]?.rows, 1)
  })

  test('not at all where one evaluation is empty: nothing of it is without a partner', async () => {
    const { comparison, first } = await compare([[[scored('a', 1)]], [[]]])
    assert.deepEqual(comparison.join.tried, [{ by: 'id', match_rate: 1 }])
    assert.deepEqual([first.matched, first.only_in_base], [0, 1])
    const [evaluator] = first.evaluators
    assert.deepEqual([evaluator?.n, evaluator?.delta, evaluator?.outcome], [0, null, null])
  })
})

describe('a comparison', () => {
  test('says better, worse or tied, by the direction that is declared', async () => {
    const rows = (shift: number) =>
      Array.from({ length: 9 }, (_, row) => scored(`s-${row}`, row + shift + (row % 2) / 9))
    const about = { evaluators: [{ name: 'score', higher_is_better: false }] }
    const base = rows(0)
    const word = async (candidate: Sketch[], declared = {}) =>
      (await compare([[base, declared], [candidate]])).first.evaluators[0]?.outcome
    assert.equal(await word(rows(1)), 'better')
    assert.equal(await word(rows(-1)), 'worse')
    assert.equal(await word(rows(1), about), 'worse')
    assert.equal(await word(rows(0)), 'tied')
    assert.equal(await word([scored('s-0', 5)]), 'tied')
  })

  test('keeps nothing, a text and a verdict apart from a score of zero', async () => {
    const base = [scored('a', 0), scored('b', 0), scored('c', 0), scored('d', 1), scored('e', 0)]
    const candidate = [
      scored('a', null),
      scored('b', 'text'),
      scored('c', false),
      scored('d', 0),
      scored('e', 0),
    ]
    const { first } = await compare([[base], [candidate]])
    assert.deepEqual(first.evaluators[0]?.classes, {
      regressed: 1,
      improved: 0,
      same: 1,
      incomparable: 3,
      missing: 0,
    })
  })

  test('of the example in the reference is as it says there', async () => {
    const row = (id: string, correct: unknown): Sketch => ({ id, is: { correct } })
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
    assert.deepEqual(correct?.classes, { regressed: 1, improved: 1, same: 1, incomparable: 1, missing: 2 })
    assert.deepEqual([first.match_rate, correct.n, correct.delta, correct.p_value], [0.8, 3, 0, 1])
    const figures = [correct.base_mean, correct.mean, ...(correct.interval ?? [])]
    assert.deepEqual(
      figures.map((figure) => figure?.toFixed(3)),
      ['0.667', '0.667', '-1.132', '1.132'],
    )
    assert.equal(correct.outcome, 'tied')
  })

  test('is exact where scores differ by much and the differences by little', async () => {
    const base = Array.from({ length: 40 }, (_, row) => scored(`s-${row}`, row))
    const candidate = base.map(({ id = '' }, row) => scored(id, row + 1e8 + (row % 2)))
    const { first } = await compare([[base], [candidate]])
    const [low = 0, high = 0] = first.evaluators[0]?.interval ?? []
    assert.equal(first.evaluators[0]?.delta, 1e8 + 0.5)
    // The deviation of 0 and 1 in turn, by the root of 40.
    assert.equal(((high - low) / 2).toFixed(6), (1.96 * Math.sqrt(10 / 39 / 40)).toFixed(6))
  })

  test('says what it can of numbers whose difference no double holds', async () => {
    const rows = (value: number) => ['a', 'b', 'c'].map((id) => scored(id, value))
    const { first, asked } = await compare([[rows(-1.7e308)], [rows(1.7e308)]])
    const [evaluator] = first.evaluators
    assert.deepEqual(
      [evaluator?.base_mean, evaluator?.mean, evaluator?.delta, evaluator?.interval, evaluator?.outcome],
      [-1.7e308, 1.7e308, null, null, 'better'],
    )
    assert.equal((await rowsOf(`${asked}&show=improved`)).total, 3)
  })

  test('has a p-value for verdicts alone', async () => {
    const rows = (verdict: boolean) =>
      Array.from({ length: 6 }, (_, row) => scored(`s-${row}`, verdict || row === 0))
    const { first } = await compare([[rows(true)], [rows(false)]])
    assert.equal(first.evaluators[0]?.p_value, 0.0625)
    const numbers = await compare([[[scored('a', 1)]], [[scored('a', 0)]]])
    assert.equal(numbers.first.evaluators[0]?.p_value, null)
  })

  test('lists the evaluators of the base, then those of candidates, and tells of those that one lacks', async () => {
    const base = [{ id: 'a', is: { z: 1, y: 2 } }]
    const { comparison, first, ids } = await compare([[base], [[{ id: 'a', is: { x: 1, y: 3 } }]]])
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

  test('warns of other answers, other settings, and a run that did not end well', async () => {
    const about = (threshold: number, status: string) => ({
      evaluators: [{ name: 'score', threshold }],
      source: 'Inspect AI 0.3.100',
      metadata: { status },
    })
    const base = [{ ...scored('a', 1), expected: 'x' }]
    const candidate = [{ ...scored('a', 1), expected: 'y' }]
    const { comparison } = await compare([
      [base, about(0.5, 'success')],
      [candidate, about(0.7, 'cancelled')],
    ])
    assert.deepEqual(codes(comparison), ['unfinished', 'answers-differ', 'evaluator-differs'])
  })

  test('carries a validator that changes with any of the evaluations', async () => {
    const { asked, ids } = await compare([[[scored('a', 1)]], [[scored('a', 2)]]])
    const path = `${COMPARISONS}?${asked}`
    const { etag = '' } = (await get(path)).headers
    assert.equal((await get(path, { 'if-none-match': etag })).status, 304)
    const body = JSON.stringify([{ id: 'b' }])
    await ask(service.base, scenariosOf(ids[1] ?? ''), headers, 'POST', body)
    const again = await get(path, { 'if-none-match': etag })
    assert.equal(again.status, 200)
    assert.equal(JSON.parse(again.text).candidates[0].only_in_candidate, 1)
  })
})

describe('joined rows', () => {
  test('of what is nowhere are not located, whichever side is asked for', async () => {
    const { asked } = await compare([[[scored('a', 1)]], [[scored('b', 1)]]], '&by=id')
    for (const query of ['locate=b', 'locate=a&side=candidate', 'locate=']) {
      const problem = checkProblem(await get(`${ROWS}?${asked}&${query}`), 404, 'scenario-not-found')
      assert.match(problem.detail, /no scenario with the id/)
      assert.equal((await get(`${ROWS}?${asked}&${query}`, {}, 'HEAD')).status, 404)
    }
    assert.equal((await rowsOf(`${asked}&locate=b&side=candidate`)).located, 1)
  })

  test('that regressed or improved come with the largest change first', async () => {
    const base = [scored('a', 5), scored('b', 5), scored('c', 5), scored('d', 5), scored('e', 5)]
    const candidate = [scored('a', 4), scored('b', 1), scored('c', 9), scored('d', 4), scored('e', 6)]
    const { asked } = await compare([[base], [candidate]])
    const shown = async (show: string) =>
      (await rowsOf(`${asked}&show=${show}`)).rows.map(({ base, candidates }) => [
        base?.id,
        candidates[0]?.delta,
      ])
    assert.deepEqual(await shown('regressed'), [
      ['b', -4],
      ['a', -1],
      ['d', -1],
    ])
    assert.deepEqual(await shown('improved'), [
      ['c', 4],
      ['e', 1],
    ])
  })

  test('are about the first evaluator that both have, unless another is asked for', async () => {
    const base = [{ id: 'a', is: { z: 1, y: 2 } }]
    const { asked } = await compare([[base], [[{ id: 'a', is: { x: 1, y: 3 } }]]])
    assert.equal((await rowsOf(asked)).on, 'y')
    const other = await rowsOf(`${asked}&on=x`)
    assert.equal(other.rows[0]?.candidates[0]?.class, 'incomparable')
  })

  test('behind the last one are none, and are counted all the same', async () => {
    const { asked } = await compare([[[scored('a', 1)]], [[scored('a', 2)]]])
    for (const [show, total] of Object.entries({ all: 1, improved: 1, same: 0, missing: 0 })) {
      const window = await rowsOf(`${asked}&show=${show}&offset=${Number.MAX_SAFE_INTEGER}`)
      assert.deepEqual([window.total, window.rows], [total, []])
    }
  })

  test('without any evaluator are all incomparable', async () => {
    const { asked } = await compare([[[asking(1)]], [[asking(1)]]])
    const { on, total } = await rowsOf(`${asked}&show=incomparable`)
    assert.deepEqual([on, total], [null, 1])
  })

  test('have the rows of every candidate beside that of the base, cut to the preview', async () => {
    const rows = [{ id: 'a', in: { q: 'a long question' }, is: { score: 1 } }]
    const { asked } = await compare([[rows], [rows], [[scored('b', 1)]]], '&by=id')
    const [row, ...more] = (await rowsOf(`${asked}&preview=6`)).rows
    assert.deepEqual(more, [])
    assert.deepEqual(
      row?.candidates.map((one) => one.row?.position ?? null),
      [0, null],
    )
    assert.deepEqual(row?.base?.cut, ['/inputs/0/value'])
  })
})
