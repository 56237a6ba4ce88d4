// Comparisons of generated evaluations, held against the same computed row by row and in exact arithmetic.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import type { Comparison, Measured, RowClass } from '../../src/schema/comparisons.ts'
import {
  type Classed,
  classOf,
  countRepeated,
  evaluatorsOf,
  figuresOf,
  isChanged,
  isHigherBetter,
  joinModel,
  type ModelEvaluation,
  type ModelJoin,
  type ModelRow,
  pairRows,
  writtenRow,
} from '../compared.ts'
import { type ExactFigures, exactChance } from '../exact-figures.ts'
import { freshStore, mint, serveStore } from '../harness.ts'
import { ask, checkDocumented, schemaErrors } from '../wire.ts'
import { EVALUATIONS, JSON_TYPE, scenariosOf } from '../writes.ts'

const RUNS = Number(process.env.COMPARISONS ?? 25)

const store = await freshStore()
const service = await serveStore(store)
const { key } = await mint(store, { scopes: ['read', 'write'] })
const headers = { authorization: key, 'content-type': JSON_TYPE }

const WILD = ['1e300', '1.7e308', '-1.7e308', '5e-324', '-3e-320', '1e-200', '1e400']
const TAME = ['0', '1', '-1', '0.1', '0.3', '2.5', '1e16', '-1e16', '-0', '3', '1e-90']
const tame = fc.constantFrom(...TAME)
const number = fc.oneof({ weight: 6, arbitrary: tame }, { weight: 1, arbitrary: fc.constantFrom(...WILD) })
const boolean = fc.constantFrom('true', 'false')
const rarely = fc.constantFrom('"good"', 'null', '"1"', '[1]')

function result(name: string, value: fc.Arbitrary<string>) {
  const any = fc.oneof({ weight: 9, arbitrary: value }, { weight: 1, arbitrary: rarely })
  const isError = fc.integer({ min: 0, max: 9 }).map((chance) => chance === 0)
  return fc.record({ name: fc.constant(name), value: any, isError })
}
const mostly = <Value>(value: fc.Arbitrary<Value>) =>
  fc.oneof({ weight: 8, arbitrary: fc.tuple(value) }, { weight: 1, arbitrary: fc.constant([]) })
/** One has verdicts, one ordinary numbers, one any number, and one now this, now that. */
const results = fc
  .tuple(
    fc.array(result('verdict', boolean), { maxLength: 2, size: 'max' }),
    mostly(result('number', tame)),
    mostly(result('wild', number)),
    mostly(result('mixed', fc.oneof(boolean, number))),
  )
  .map((some) => some.flat())

const amount = fc.option(
  fc.oneof(
    { weight: 8, arbitrary: fc.double({ min: 0, max: 10, noNaN: true }) },
    { weight: 1, arbitrary: fc.constantFrom(0, 1.5e308, -1.5e308, 1e-310) },
  ),
)
const row: fc.Arbitrary<Omit<ModelRow, 'id'>> = fc.record({
  inputs: fc
    .tuple(fc.constantFrom(1, 1, '1', 'a', 'b'), fc.constantFrom(undefined, undefined, undefined, 2, '2'))
    .map(([q, r]) => [{ name: 'q', value: q }, ...(r === undefined ? [] : [{ name: 'r', value: r }])]),
  output: fc.record({
    value: fc.constantFrom('"x"', '"y"', '1', 'null'),
    error: fc.constantFrom(null, null, null, 'Failed'),
    cost: amount,
    latency: amount,
  }),
  expected: fc.constantFrom(null, 'x', 'y'),
  results,
})
function rows(minLength: number, maxLength: number) {
  return fc.uniqueArray(fc.tuple(fc.nat(18), row), { selector: ([id]) => id, minLength, maxLength })
}

const evaluation = fc.record({
  declared: fc.array(
    fc.record(
      {
        name: fc.constantFrom('verdict', 'number', 'wild', 'elsewhere'),
        higher_is_better: fc.boolean(),
        threshold: fc.constantFrom(0, 0.5),
      },
      { requiredKeys: ['name'] },
    ),
    { maxLength: 3 },
  ),
  rows: fc.oneof({ weight: 1, arbitrary: rows(0, 3) }, { weight: 4, arbitrary: rows(8, 16) }),
})

let made = 0

async function write(generated: (typeof evaluation extends fc.Arbitrary<infer Of> ? Of : never)[]) {
  const models: ModelEvaluation[] = []
  for (const { declared, rows } of generated) {
    made += 1
    const id = `generated-${made}`
    const model = { id, declared, rows: rows.map(([name, row]) => ({ ...row, id: `s-${name}` })) }
    const about = JSON.stringify({ id, evaluators: declared })
    assert.equal((await ask(service.base, EVALUATIONS, headers, 'POST', about)).status, 201)
    const body = `[${model.rows.map(writtenRow).join(',')}]`
    const answer = await ask(service.base, scenariosOf(id), headers, 'POST', body)
    assert.equal(answer.status, 201, answer.text)
    models.push(model)
  }
  return models
}

async function read(path: string, schema: string) {
  const answer = await ask(service.base, path, headers)
  assert.equal(answer.status, 200, answer.text)
  checkDocumented(path, answer)
  const value = JSON.parse(answer.text)
  assert.deepEqual(schemaErrors(schema, value), [])
  return value
}

const asking = (models: ModelEvaluation[], by: string) =>
  `${models.map(({ id }) => `evaluation=${id}`).join('&')}&by=${by}`
const keys = fc.constantFrom('auto', 'auto', 'id', 'input', 'input.q', 'position')
/** Not every evaluation has the input. */
const has = (model: ModelEvaluation, name: string) =>
  model.rows.some(({ inputs }) => inputs.some((input) => input.name === name))
const joinable = (models: ModelEvaluation[], by: string) =>
  by === 'input.q' && !models.every((model) => has(model, 'q')) ? 'input' : by

test('figures, classes and warnings are those of a computation row by row', async () => {
  const generated = fc.array(evaluation, { minLength: 2, maxLength: 3 })
  await fc.assert(
    fc.asyncProperty(generated, keys, async (some, wanted) => {
      const models = await write(some)
      const by = joinable(models, wanted)
      checkComparison(await read(`/api/comparisons?${asking(models, by)}`, 'Comparison'), models, by)
    }),
    { numRuns: RUNS },
  )
})

function checkComparison(answered: Comparison, models: ModelEvaluation[], by: string): void {
  const [base, ...others] = models as [ModelEvaluation, ...ModelEvaluation[]]
  const tried = joinModel(base, others, by)
  const joined = tried.at(-1) as ModelJoin[]
  assert.deepEqual(answered.join, {
    by: joined[0]?.by,
    asked: by,
    tried: tried.map((joins) => ({
      by: joins[0]?.by,
      match_rate: Math.min(...joins.map(({ rate }) => rate)),
    })),
  })
  const names = [...new Set(models.flatMap(evaluatorsOf).values())]
  const ordered = [...new Set([...evaluatorsOf(base), ...names])]
  for (const [place, candidate] of others.entries()) {
    const got = answered.candidates[place] as Comparison['candidates'][number]
    const { pairs, rate } = joined[place] as ModelJoin
    const rows = pairs.map(
      (pair) => [base.rows[pair.base], candidate.rows[pair.position]] as [ModelRow, ModelRow],
    )
    const onlyBase = base.rows.length - pairs.length
    const onlyCandidate = candidate.rows.length - pairs.length
    assert.deepEqual(
      [got.matched, got.match_rate, got.only_in_base, got.only_in_candidate],
      [pairs.length, rate, onlyBase, onlyCandidate],
    )
    assert.equal(got.outputs_changed, rows.filter(([a, b]) => isChanged(a, b)).length)
    assert.equal(got.answers_differ, rows.filter(([a, b]) => a.expected !== b.expected).length)
    assert.deepEqual(
      got.evaluators.map(({ name }) => name),
      ordered,
    )
    for (const evaluator of got.evaluators) {
      const isHigher = isHigherBetter(base, candidate, evaluator.name)
      assert.equal(evaluator.higher_is_better, isHigher)
      const classed = rows.map(([a, b]) => classOf(a, b, evaluator.name, isHigher))
      checkEvaluator(evaluator, classed, pairs, onlyBase + onlyCandidate)
    }
    for (const column of ['cost', 'latency'] as const) {
      const numbers = rows.map(([a, b], index) => ({
        base: a.output[column],
        candidate: b.output[column],
        cluster: pairs[index]?.cluster,
      }))
      checkFigures(got[column], figuresOf(numbers), false)
    }
  }
  const codes = answered.warnings.map(({ code, evaluation, evaluator, rows }) => [
    code,
    evaluation,
    evaluator,
    rows,
  ])
  assert.deepEqual(codes.map(String).sort(), expectedWarnings(models, tried, by).map(String).sort())
}

function checkEvaluator(
  got: Comparison['candidates'][number]['evaluators'][number],
  classed: Classed[],
  pairs: { cluster: unknown }[],
  missing: number,
): void {
  const count = (name: RowClass) => classed.filter((one) => one.class === name).length
  const classes = {
    regressed: count('regressed'),
    improved: count('improved'),
    same: count('same'),
    incomparable: count('incomparable'),
    missing,
  }
  assert.deepEqual(got.classes, classes, got.name)
  const scored = classed.map(({ base, candidate }, row) => ({
    base: base?.number ?? null,
    candidate: candidate?.number ?? null,
    cluster: pairs[row]?.cluster,
  }))
  checkFigures(got, figuresOf(scored), got.higher_is_better)
  const comparable = classed.filter((one) => one.base)
  if (comparable.length > 0 && comparable.every(({ base }) => base?.isVerdict))
    near(got.p_value, exactChance(classes.regressed, classes.improved), 1, 'p')
  else assert.equal(got.p_value, null)
}

/** To 12 digits of what was added up. */
function near(got: number | null, wanted: number, size: number, what: string): void {
  if (!Number.isFinite(wanted)) assert.equal(got, null, what)
  else {
    assert.ok(got !== null, `${what}: null for ${wanted}`)
    // A sum at the very end of the range may be on either side of it.
    assert.ok(Math.abs(got - wanted) <= Math.max(2e-12 * size, 1e-322), `${what}: ${got} for ${wanted}`)
  }
}

function checkFigures(got: Measured, wanted: ExactFigures, isHigher: boolean): void {
  assert.equal(got.n, wanted.n)
  near(got.base_mean, wanted.base_mean, wanted.sizes.base, 'base_mean')
  near(got.mean, wanted.mean, wanted.sizes.candidate, 'mean')
  near(got.delta, wanted.delta, wanted.sizes.delta, 'delta')
  const [low, high] = wanted.interval ?? [Number.NaN, Number.NaN]
  const isKnown = Number.isFinite(low) && Number.isFinite(high)
  const size = wanted.sizes.delta + Math.abs(high) / 2 + Math.abs(low) / 2
  near(got.interval?.[0] ?? null, isKnown ? low : Number.NaN, size, 'low')
  near(got.interval?.[1] ?? null, isKnown ? high : Number.NaN, size, 'high')
  if (wanted.n === 0) assert.equal(got.outcome, null)
  else if (wanted.interval && Math.min(Math.abs(low), Math.abs(high)) > 1e-11 * size) {
    const side = low > 0 ? 1 : high < 0 ? -1 : 0
    const word = side === 0 ? 'tied' : side > 0 === isHigher ? 'better' : 'worse'
    assert.equal(got.outcome, word)
  } else if (!wanted.interval) assert.equal(got.outcome, 'tied')
}

type WarningKey = [code: string, evaluation: string | null, evaluator: string | null, rows: number | null]

function expectedWarnings(models: ModelEvaluation[], tried: ModelJoin[][], asked: string): WarningKey[] {
  const [base, ...candidates] = models as [ModelEvaluation, ...ModelEvaluation[]]
  const joined = tried.at(-1) as ModelJoin[]
  const by = joined[0]?.by ?? ''
  const found: WarningKey[] = []
  const add = (code: string, about: ModelEvaluation | null, rows: number) =>
    rows > 0 && found.push([code, about?.id ?? null, null, about && rows])
  add('joined-by-position', null, Number(by === 'position' && asked === 'auto'))
  for (const model of models) add('rows-repeated', model, countRepeated(model, by))
  for (const [place, candidate] of candidates.entries()) {
    const { pairs } = joined[place] as ModelJoin
    add('rows-missing', candidate, base.rows.length + candidate.rows.length - 2 * pairs.length)
    const differ = pairs.filter(
      (pair) => base.rows[pair.base]?.expected !== candidate.rows[pair.position]?.expected,
    )
    add('answers-differ', candidate, differ.length)
    if (by !== 'id' && asked !== 'position') {
      const key = by === 'position' ? 'input' : by
      add(
        'types-differ',
        candidate,
        pairRows(base, candidate, key, true).length - pairRows(base, candidate, key).length,
      )
    }
    const [ours, theirs] = [evaluatorsOf(base), evaluatorsOf(candidate)]
    for (const name of new Set([...ours, ...theirs]))
      if (!ours.includes(name) || !theirs.includes(name))
        found.push(['evaluator-missing', candidate.id, name, null])
      else if (isDeclaredOtherwise(base, candidate, name))
        found.push(['evaluator-differs', candidate.id, name, null])
  }
  return found
}

function isDeclaredOtherwise(base: ModelEvaluation, candidate: ModelEvaluation, name: string): boolean {
  const [a, b] = [base, candidate].map(({ declared }) => declared.find((one) => one.name === name))
  if (!a || !b) return false
  return (a.higher_is_better ?? true) !== (b.higher_is_better ?? true) || a.threshold !== b.threshold
}

interface Shown {
  base: { id: string; position: number } | null
  candidates: {
    row: { id: string; position: number } | null
    class: RowClass
    delta: number | null
    output_changed: boolean | null
  }[]
}

test('the rows of all classes are exactly all rows, each in one window', async () => {
  const generated = fc.array(evaluation, { minLength: 2, maxLength: 3 })
  const on = fc.constantFrom('verdict', 'number', 'wild', 'mixed')
  await fc.assert(
    fc.asyncProperty(generated, keys, on, async (some, wanted, name) => {
      const models = await write(some)
      const by = joinable(models, wanted)
      const isKnown = models.some((model) => evaluatorsOf(model).includes(name))
      const path = `/api/comparisons/rows?${asking(models, by)}${isKnown ? `&on=${name}` : ''}`
      const all = await readWindows(path, 'all')
      const answered = await read(path, 'ComparisonRows')
      checkRows(all, models, by, answered.on)
      const classes = ['regressed', 'improved', 'same', 'incomparable', 'missing'] as const
      for (const name of classes) {
        const shown = await readWindows(path, name)
        const same = all.filter(({ candidates }) => candidates[0]?.class === name)
        assert.deepEqual(shown, isByChange(name) ? byChange(same) : same, name)
      }
    }),
    { numRuns: RUNS },
  )
})

const isByChange = (name: RowClass) => name === 'regressed' || name === 'improved'

/** Where the difference is outside of a double's range there is none larger. */
function byChange(rows: Shown[]): Shown[] {
  const change = ({ candidates }: Shown) => {
    const delta = candidates[0]?.delta ?? null
    return delta === null ? Infinity : Math.abs(delta)
  }
  const place = ({ base }: Shown) => base?.position ?? 0
  return rows.toSorted((a, b) => (change(a) === change(b) ? place(a) - place(b) : change(b) - change(a)))
}

async function readWindows(path: string, show: string): Promise<Shown[]> {
  const rows: Shown[] = []
  for (let offset = 0; ; offset += 5) {
    const window = await read(`${path}&show=${show}&offset=${offset}&limit=5`, 'ComparisonRows')
    assert.equal(window.offset, offset)
    assert.equal(window.rows.length, Math.max(0, Math.min(5, window.total - offset)))
    rows.push(...window.rows)
    if (window.rows.length < 5) {
      assert.equal(window.total, rows.length)
      return rows
    }
  }
}

function checkRows(all: Shown[], models: ModelEvaluation[], by: string, on: string | null): void {
  const [base, ...others] = models as [ModelEvaluation, ...ModelEvaluation[]]
  const joined = joinModel(base, others, by).at(-1) as ModelJoin[]
  const rows = base.rows.map((row, position) => ({
    base: row.id,
    candidates: others.map((candidate, place) => {
      const pair = joined[place]?.pairs.find((one) => one.base === position)
      const partner = pair && candidate.rows[pair.position]
      if (!partner) return ABSENT
      const classed = classOf(row, partner, on ?? '', isHigherBetter(base, candidate, on ?? ''))
      // JSON.stringify knows no negative zero.
      const delta =
        classed.base && classed.candidate ? classed.candidate.number - classed.base.number + 0 : null
      return {
        row: partner.id,
        class: classed.class,
        delta: Number.isFinite(delta) ? delta : null,
        output_changed: isChanged(row, partner),
      }
    }),
  }))
  const paired = new Set(joined[0]?.pairs.map(({ position }) => position))
  const alone = (others[0]?.rows ?? []).filter((_, position) => !paired.has(position))
  assert.deepEqual(
    all.map((row) => ({
      base: row.base?.id ?? null,
      candidates: row.candidates.map((one) => ({ ...one, row: one.row?.id ?? null })),
    })),
    [
      ...rows,
      ...alone.map(({ id }) => ({
        base: null,
        candidates: others.map((_, place) => (place === 0 ? { ...ABSENT, row: id } : ABSENT)),
      })),
    ],
  )
}

const ABSENT = { row: null, class: 'missing', delta: null, output_changed: null }
