// Every method of the client, against the real service.
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { setTimeout } from 'node:timers/promises'
import { Assay, AssayError, type EvaluationScenario, type ScenarioWrite } from '../../client/client.ts'
import { schemaErrors } from '../wire.ts'
import { all, served } from './served.ts'

/** An id that means something else in a path, in a query and in HTML when it is not encoded. */
const ODD = 'a/b?c=d&e f%2F#ü<i>'

function scenario(id: string, isRight: boolean): ScenarioWrite {
  return {
    id,
    inputs: [{ name: 'question', type: 'text', value: `What is ${id}?` }],
    outputs: [{ result: { type: 'text', value: `It is ${id}.` }, cost: 0.001, latency: 0.5 }],
    results: [{ evaluator_config: 'exact', result: { type: 'bool', value: isRight } }],
    extra: { repetition: 1 },
  }
}

const it = await served()
{
  const { assay } = it
  await assay.addVariant({ id: ODD, name: 'Odd' })
  await assay.addVariantRevision(ODD, revision(0.2))
  await assay.addVariantRevision(ODD, revision(0.7))
  await assay.addEvaluation({ id: ODD, name: 'Base', variant_id: ODD, revision: 1 })
  await assay.appendScenarios(ODD, [scenario('one', true), scenario(ODD, true), scenario('three', false)])
  await assay.appendScenarios('candidate', [scenario('one', false), scenario(ODD, true)])
}

function revision(temperature: number) {
  return { modified_by: 'ann', config: { config_name: 'default', parameters: { temperature } } }
}

const ids = (items: { id: string }[]) => items.map(({ id }) => id)

describe('reads', () => {
  test('lists by pages and as a whole', async () => {
    const { assay } = it
    const first = await assay.listEvaluations({ limit: 1, include: 'scores' })
    assert.deepEqual(ids(first.items), ['candidate'])
    assert.equal(first.items[0]?.scores?.evaluators[0]?.mean, 0.5)
    assert.ok(first.cursor)
    const second = await assay.listEvaluations({ limit: 1, cursor: first.cursor, include: 'scores' })
    assert.deepEqual([ids(second.items), second.cursor], [[ODD], undefined])
    assert.deepEqual(ids(await all(assay.evaluations({ limit: 1 }))), ['candidate', ODD])
    assert.deepEqual(ids(await all(assay.evaluations({ variant_id: `eq.${ODD}` }))), [ODD])
    assert.deepEqual(ids(await all(assay.variants())), [ODD])
    assert.deepEqual((await assay.listVariants({ name: 'eq.Nobody' })).items, [])
  })

  test('one of each, whatever its id is', async () => {
    const { assay } = it
    assert.equal((await assay.getEvaluation(ODD)).name, 'Base')
    assert.equal((await assay.getVariant(ODD)).latest_revision, 2)
    assert.equal((await assay.getVariantRevision(ODD, 2)).config.parameters?.temperature, 0.7)
    const plain = await assay.getEvaluationScenario(ODD, ODD)
    assert.deepEqual([plain.id, plain.extra], [ODD, undefined])
    assert.deepEqual((await assay.getEvaluationScenario(ODD, ODD, { include: 'extra' })).extra, {
      repetition: 1,
    })
  })

  test('what changed between revisions', async () => {
    const { assay } = it
    const { changes } = await assay.diffVariantRevisions(ODD, 1, 2)
    assert.deepEqual(
      changes.map(({ path, old, new: now }) => [path, old, now]),
      [['temperature', 0.2, 0.7]],
    )
    const listed = await assay.listVariantRevisions(ODD, { include: 'evaluations,changes' })
    assert.deepEqual(
      listed.map(({ evaluations = [] }) => ids(evaluations)),
      [[ODD], []],
    )
    assert.deepEqual(await all(assay.revisions(ODD, { include: 'evaluations,changes' })), listed)
    const texts = await assay.listVariantRevisionTexts(ODD, { include: 'evaluations,changes' })
    assert.deepEqual(
      texts.map((text) => JSON.parse(text)),
      listed,
    )
  })

  test('all scenarios, as an array, one by one, and as they were written', async () => {
    const { assay } = it
    const listed = await assay.listEvaluationScenarios(ODD)
    assert.deepEqual(ids(listed), ['one', ODD, 'three'])
    assert.deepEqual(await all(assay.scenarios(ODD)), listed)
    const answer = await assay.exportScenarios(ODD, { order: 'result.exact.asc', limit: 1 }, 'csv')
    assert.match(await answer.text(), /^id,input\.question,.*\r\nthree,What is three\?,/)
    assert.ok(answer.headers.get('link'))
  })

  test('filters, also those with a name of their own', async () => {
    const { assay } = it
    const failed = { 'result.exact': 'is.false' } as const
    assert.deepEqual(ids(await assay.listEvaluationScenarios(ODD, failed)), ['three'])
    assert.deepEqual(ids(await all(assay.scenarios(ODD, failed))), ['three'])
    assert.equal((await assay.getEvaluationSummary(ODD, failed)).matched, 1)
    const rows = await assay.listEvaluationRows(ODD, { 'input.question': `eq.What is ${ODD}?`, preview: 4 })
    assert.deepEqual([rows.total, rows.rows[0]?.id, rows.rows[0]?.cut.length], [1, ODD, 2])
    const located = await assay.listEvaluationRows(ODD, { locate: 'three', base: 'candidate' })
    assert.deepEqual([located.located, located.base?.matched], [2, 2])
  })

  test('comparisons', async () => {
    const { assay } = it
    const evaluation = [ODD, 'candidate']
    const { candidates, warnings } = await assay.compareEvaluations({ evaluation, by: 'id' })
    assert.equal(candidates[0]?.evaluators[0]?.classes.regressed, 1)
    assert.ok(warnings.some(({ code }) => code === 'rows-missing'))
    const { rows } = await assay.listComparisonRows({ evaluation, by: 'id', show: 'regressed' })
    assert.deepEqual(
      rows.map(({ base }) => base?.id),
      ['one'],
    )
  })
})

describe('writes', () => {
  test('an evaluation is added, changed and deleted', async () => {
    const { assay } = it
    const added = await assay.addEvaluation({ name: 'Short-lived', evaluators: [{ name: 'exact' }] })
    assert.deepEqual(schemaErrors('Evaluation', added), [])
    const changed = await assay.changeEvaluation(added.id, { name: null, metadata: { by: 'ann' } })
    assert.deepEqual([changed.name, changed.metadata], [null, { by: 'ann' }])
    assert.equal(await assay.deleteEvaluation(added.id), undefined)
    await assert.rejects(assay.getEvaluation(added.id), { code: 'evaluation-not-found', status: 404 })
  })

  test('a variant is added and deleted', async () => {
    const { assay } = it
    const { id } = await assay.addVariant({ name: 'Short-lived' })
    assert.equal((await assay.addVariantRevision(id, revision(1))).revision, 1)
    assert.equal(await assay.deleteVariant(id), undefined)
    await assert.rejects(assay.getVariant(id), { code: 'variant-not-found' })
  })

  test('a scenario is pinned and noted, and again not', async () => {
    const { assay } = it
    const marked = await assay.markEvaluationScenario('candidate', ODD, { is_pinned: true, note: 'Odd.' })
    assert.deepEqual([marked.is_pinned, marked.note], [true, 'Odd.'])
    const cleared = await assay.markEvaluationScenario('candidate', ODD, { is_pinned: null, note: null })
    assert.deepEqual([cleared.is_pinned, cleared.note], [null, null])
  })

  test('scenarios come from an array, an iterable or a stream of them', async () => {
    const { assay } = it
    const records = ['a', 'b', 'ü'].map((id) => scenario(id, true))
    async function* later() {
      yield* records
    }
    assert.deepEqual(await assay.appendScenarios('appended', records), { accepted: 3, unchanged: 0 })
    assert.deepEqual(await assay.appendScenarios('appended', new Set(records)), { accepted: 0, unchanged: 3 })
    assert.deepEqual(await assay.appendScenarios('appended', later()), { accepted: 0, unchanged: 3 })
    assert.deepEqual(await assay.appendScenarios('appended', []), { accepted: 0, unchanged: 0 })
    assert.deepEqual(await assay.appendScenarios('appended', new Set()), { accepted: 0, unchanged: 0 })
    assert.deepEqual(ids(await assay.listEvaluationScenarios('appended')), ['a', 'b', 'ü'])
  })

  test('an iterable is sent whole, in however many pieces, and as slowly as it comes', async () => {
    const { assay } = it
    const long = 'ü'.repeat(30_000)
    async function* slow() {
      for (let n = 0; n < 10; n++) {
        if (n % 4 === 0) await setTimeout(150)
        yield { id: `${n}`, note: long }
      }
    }
    assert.deepEqual(await assay.appendScenarios('slow', slow()), { accepted: 10, unchanged: 0 })
    const notes = (await assay.listEvaluationScenarios('slow')).map(({ id, note }) => [id, note])
    assert.deepEqual(
      notes,
      Array.from({ length: 10 }, (_, n) => [`${n}`, long]),
    )
  })

  test('an iterable that fails stores nothing, and its error is what is thrown', async () => {
    const { assay } = it
    const failure = new Error('The disk is gone.')
    async function* failing(): AsyncGenerator<ScenarioWrite> {
      yield scenario('first', true)
      throw failure
    }
    await assert.rejects(assay.appendScenarios('never', failing()), failure)
    await assert.rejects(assay.getEvaluation('never'), { code: 'evaluation-not-found' })
  })

  test('a file is imported, whatever it comes as, and tells how far it is', async () => {
    const { assay } = it
    const text = 'id,input.question,output\r\n1,Why?,Because.\r\n'
    const bytes = new TextEncoder().encode(text)
    const forms = [text, bytes, new Blob([text]), new Blob([text]).stream()]
    for (const [place, file] of forms.entries()) {
      const told: number[] = []
      const report = await assay.importFile(
        file,
        { evaluation: `imported-${place}`, format: 'table', input: 'input.question', output: 'output' },
        { onProgress: (sentBytes) => told.push(sentBytes) },
      )
      assert.deepEqual(report.evaluations, [{ id: `imported-${place}`, accepted: 1, unchanged: 0 }])
      assert.equal(told.at(-1), bytes.length)
    }
    const dry = await assay.importFile(new Blob([text]).stream(), { evaluation: 'dry', dry_run: true })
    assert.deepEqual([dry.stored, dry.first.length], [false, 1])
  })
})

describe('refusals', () => {
  test('are errors with all that the service says', async () => {
    const { assay } = it
    const wrong = { id: 'x', note: 1 } as unknown as ScenarioWrite
    const error = await refusal(assay.appendScenarios('refused', [scenario('w', true), wrong]))
    assert.deepEqual([error.status, error.code, error.title], [422, 'invalid-content', 'Invalid content'])
    assert.deepEqual(error.errors[0] && [error.errors[0].line, error.errors[0].pointer], [2, '/1/note'])
    assert.deepEqual([error.errorCount, error.retryAfter], [1, undefined])
    assert.match(error.instance ?? '', /^[\w-]{36}$/)
    assert.equal(error.message, error.detail)
  })

  test('of files have their report', async () => {
    const error = await refusal(it.assay.importFile('no table', { format: 'promptfoo', evaluation: 'x' }))
    assert.equal(error.report?.stored, false)
  })

  test('of keys, and of calls without one', async () => {
    const { baseUrl, key } = it
    for (const wrong of [`${key}x`, () => undefined, '']) {
      const error = await refusal(new Assay({ key: wrong, baseUrl }).listEvaluations())
      assert.deepEqual([error.status, error.code], [401, 'unauthorized'])
    }
    // What cannot stand in a field is not quoted in the error.
    const pasted = new Assay({ key: `${key}…`, baseUrl })
    await assert.rejects(pasted.listEvaluations(), new TypeError('The key has characters that no key has.'))
  })

  test('ids that would change the path are never sent', async () => {
    const { assay, sent } = it
    const before = sent.length
    for (const id of ['', '.', '..']) {
      await assert.rejects(assay.getEvaluationScenario(ODD, id), RangeError)
      await assert.rejects(assay.deleteEvaluation(id), RangeError)
      await assert.rejects(all(assay.scenarios(id)), RangeError)
    }
    assert.equal(sent.length, before)
  })

  test('a base URL that leads elsewhere is said to', async () => {
    const { key, service } = it
    const missed = new Assay({ key, baseUrl: `${service.base}/elsewhere` })
    assert.equal((await refusal(missed.listEvaluations())).code, 'route-not-found')
    assert.throws(() => new Assay({ key, baseUrl: '/api' }), TypeError)
  })
})

async function refusal(call: Promise<unknown>): Promise<AssayError> {
  const error = await call.then(
    () => undefined,
    (error) => error,
  )
  assert.ok(error instanceof AssayError, String(error))
  return error
}

test('the key is in a field, never in an address', async () => {
  const { sent, key } = it
  for (const { target, headers } of sent) {
    assert.equal(headers.get('authorization'), `Bearer ${key}`)
    assert.ok(!target.includes(key))
  }
})

test('answers are what the types say', async () => {
  const listed: EvaluationScenario[] = await it.assay.listEvaluationScenarios(ODD, { include: 'extra' })
  assert.deepEqual(
    listed.flatMap((one) => schemaErrors('EvaluationScenario', one)),
    [],
  )
})
