// Tests every method of the client against a running service.
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { setTimeout } from 'node:timers/promises'
import { Assay, AssayError, type EvaluationScenario, type ScenarioWrite } from '../../client/client.ts'
import { collect, methodNames, startServiceWithClient } from '../support/client-service.ts'
import { schemaErrors } from '../support/http.ts'

/** An id with characters that must be encoded in paths, queries and HTML. */
const SPECIAL_ID = 'a/b?c=d&e f%2F#ü<i>'

const METHODS_WITHOUT_ID = [
  ...[
    'addEvaluation',
    'addVariant',
    'changes',
    'compareEvaluations',
    'compareReviewLabels',
    'createComparisonReview',
    'createShare',
    'etagOf',
    'evaluations',
  ],
  ...['getKey', 'getLeaderboard'],
  ...['importFile', 'listChanges', 'listComparisonRows', 'listComparisonRowsText'],
  ...['listEvaluations', 'listLeaderboardRows', 'listShares', 'listVariants', 'read', 'variants'],
]

function scenario(id: string, isRight: boolean): ScenarioWrite {
  return {
    id,
    inputs: [{ name: 'question', type: 'text', value: `What is ${id}?` }],
    outputs: [{ result: { type: 'text', value: `It is ${id}.` }, cost: 0.001, latency: 0.5 }],
    results: [{ evaluator_config: 'exact', result: { type: 'bool', value: isRight } }],
    extra: { repetition: 1 },
  }
}

const fixture = await startServiceWithClient()
{
  const { assay } = fixture
  await assay.addVariant({ id: SPECIAL_ID, name: 'Odd' })
  await assay.addVariantRevision(SPECIAL_ID, revision(0.2))
  await assay.addVariantRevision(SPECIAL_ID, revision(0.7))
  await assay.addEvaluation({ id: SPECIAL_ID, name: 'Base', variant_id: SPECIAL_ID, revision: 1 })
  await assay.appendScenarios(SPECIAL_ID, [
    scenario('one', true),
    scenario(SPECIAL_ID, true),
    scenario('three', false),
  ])
  await assay.appendScenarios('candidate', [scenario('one', false), scenario(SPECIAL_ID, true)])
}

function revision(temperature: number) {
  return { modified_by: 'ann', config: { config_name: 'default', parameters: { temperature } } }
}

function result(scenario_id: string, value: boolean) {
  return { scenario_id, evaluator_config: 'tone & style', result: { type: 'bool', value } }
}

const ids = (items: { id: string }[]) => items.map(({ id }) => id)

test('reviews: the owner creates and changes one, and a reviewer answers its rows', async () => {
  const { assay, baseUrl } = fixture
  const question = { evaluator: 'people', type: 'verdict' } as const
  const review = await assay.createReview('candidate', { id: SPECIAL_ID, questions: [question] })
  assert.partialDeepStrictEqual(review, (await assay.listReviews('candidate'))[0])
  assert.deepEqual(await assay.getReview(SPECIAL_ID), review)
  assert.equal((await assay.changeReview(SPECIAL_ID, { name: 'Pairs' })).name, 'Pairs')
  const { key } = await assay.createShare({ confined_to: { review_id: SPECIAL_ID }, name: 'Ana' })
  const reviewer = new Assay({ key, baseUrl })
  const form = await reviewer.getReviewForm(SPECIAL_ID)
  assert.deepEqual([form.reviewer, form.progress.remaining], ['Ana', 2])
  const { row } = await reviewer.getNextReviewRow(SPECIAL_ID)
  const id = row?.scenario.id ?? ''
  const { row: other } = await reviewer.getNextReviewRow(SPECIAL_ID, { after: id })
  assert.notEqual(other?.scenario.id, id)
  const answer = { evaluator: 'people', value: false, labels: ['Late'] }
  const stored = await reviewer.putReviewAnswers(SPECIAL_ID, id, { answers: [answer] })
  assert.partialDeepStrictEqual(stored, { id, answers: [{ by: 'Ana', labels: ['Late'] }] })
  assert.deepEqual(
    await assay.mergeReviewLabels(SPECIAL_ID, { evaluator: 'people', labels: ['Late'], to: 'Slow' }),
    {
      answers: 1,
    },
  )
  assert.deepEqual((await reviewer.getReviewRow(SPECIAL_ID, id)).answers[0]?.labels, ['Slow'])
  assert.equal((await reviewer.listReviewRows(SPECIAL_ID)).length, 2)
  assert.equal((await assay.getReview(SPECIAL_ID)).results[0]?.passed, 0)
  const compared = { evaluation: ['candidate', SPECIAL_ID] as [string, string], on: 'people' }
  assert.equal((await assay.compareReviewLabels(compared)).common_rows, 0)
  const preference = { evaluator: 'better', type: 'preference' } as const
  const evaluations: [string, string] = [SPECIAL_ID, 'candidate']
  const pairs = await assay.createComparisonReview({ id: 'pairs', evaluations, questions: [preference] })
  assert.equal(pairs.base_id, SPECIAL_ID)
  await assay.deleteReview('pairs')
  await reviewer.deleteReviewAnswers(SPECIAL_ID, id)
  await assay.deleteReview(SPECIAL_ID)
  assert.deepEqual(await assay.listReviews('candidate'), [])
})

describe('read operations', () => {
  test('list methods return pages, and iterators return all items', async () => {
    const { assay } = fixture
    const firstPage = await assay.listEvaluations({ limit: 1, include: 'scores' })
    assert.deepEqual(ids(firstPage.items), ['candidate'])
    assert.equal(firstPage.items[0]?.scores?.evaluators[0]?.mean, 0.5)
    assert.ok(firstPage.cursor)
    const secondPage = await assay.listEvaluations({ limit: 1, cursor: firstPage.cursor, include: 'scores' })
    assert.deepEqual([ids(secondPage.items), secondPage.cursor], [[SPECIAL_ID], undefined])
    assert.deepEqual(ids(await collect(assay.evaluations({ limit: 1 }))), ['candidate', SPECIAL_ID])
    assert.deepEqual(ids(await collect(assay.evaluations({ variant_id: `eq.${SPECIAL_ID}` }))), [SPECIAL_ID])
    assert.deepEqual(ids(await collect(assay.variants())), [SPECIAL_ID])
    assert.deepEqual((await assay.listVariants({ name: 'eq.Unknown' })).items, [])
  })

  test('changes iterates over pages, and continues after a cursor', async () => {
    const { assay } = fixture
    const { items } = await assay.listChanges()
    const changes = await collect(assay.changes({ limit: 1 }))
    assert.deepEqual(changes, items)
    const actions = changes.slice(0, 3).map(({ action }) => action)
    assert.deepEqual(actions, ['variant.created', 'revision.created', 'revision.created'])
    const after = changes[1]?.cursor as string
    assert.deepEqual(await collect(assay.changes({ after, limit: 2 })), changes.slice(2))
    const firstPage = await assay.listChanges({ limit: 2 })
    assert.equal(firstPage.cursor, after)
  })

  test('read returns the response of any path', async () => {
    const response = await fixture.assay.read(['evaluations', SPECIAL_ID], { _: 1 })
    assert.ok(response.headers.get('etag'))
    assert.equal((JSON.parse(await response.text()) as { id: string }).id, SPECIAL_ID)
    await assert.rejects(fixture.assay.read(['evaluations', '..']), TypeError)
  })

  test('get methods return one object, also when its id contains special characters', async () => {
    const { assay } = fixture
    assert.equal((await assay.getEvaluation(SPECIAL_ID)).name, 'Base')
    assert.equal((await assay.getVariant(SPECIAL_ID)).latest_revision, 2)
    assert.equal((await assay.getVariantRevision(SPECIAL_ID, 2)).config.parameters?.temperature, 0.7)
    const plainScenario = await assay.getEvaluationScenario(SPECIAL_ID, SPECIAL_ID)
    assert.deepEqual([plainScenario.id, plainScenario.extra], [SPECIAL_ID, undefined])
    assert.deepEqual(
      (await assay.getEvaluationScenario(SPECIAL_ID, SPECIAL_ID, { include: 'extra' })).extra,
      {
        repetition: 1,
      },
    )
  })

  test('revision methods return changes, evaluations and exact texts', async () => {
    const { assay } = fixture
    const { changes } = await assay.diffVariantRevisions(SPECIAL_ID, 1, 2)
    assert.deepEqual(
      changes.map(({ path, old, new: now }) => [path, old, now]),
      [['temperature', 0.2, 0.7]],
    )
    const revisionPage = await assay.listVariantRevisions(SPECIAL_ID, { include: 'evaluations,changes' })
    assert.deepEqual(
      revisionPage.map(({ evaluations = [] }) => ids(evaluations)),
      [[SPECIAL_ID], []],
    )
    assert.deepEqual(
      await collect(assay.revisions(SPECIAL_ID, { include: 'evaluations,changes' })),
      revisionPage,
    )
    const texts = await assay.listVariantRevisionTexts(SPECIAL_ID, { include: 'evaluations,changes' })
    assert.deepEqual(
      texts.map((text) => JSON.parse(text)),
      revisionPage,
    )
  })

  test('scenario methods return all scenarios as an array, as a stream and as an export', async () => {
    const { assay } = fixture
    const revisionPage = await assay.listEvaluationScenarios(SPECIAL_ID)
    assert.deepEqual(ids(revisionPage), ['one', SPECIAL_ID, 'three'])
    assert.deepEqual(await collect(assay.scenarios(SPECIAL_ID)), revisionPage)
    const response = await assay.exportScenarios(SPECIAL_ID, { order: 'result.exact.asc', limit: 1 }, 'csv')
    assert.match(await response.text(), /^id,input\.question,.*\r\nthree,What is three\?,/)
    assert.ok(response.headers.get('link'))
  })

  test('list, summary, breakdown and row methods accept filters', async () => {
    const { assay } = fixture
    const failedFilter = { 'result.exact': 'is.false' } as const
    assert.deepEqual(ids(await assay.listEvaluationScenarios(SPECIAL_ID, failedFilter)), ['three'])
    assert.deepEqual(ids(await collect(assay.scenarios(SPECIAL_ID, failedFilter))), ['three'])
    assert.equal((await assay.getEvaluationSummary(SPECIAL_ID, failedFilter)).matched, 1)
    const breakdown = await assay.getEvaluationBreakdown(SPECIAL_ID, { by: 'result.exact', ...failedFilter })
    assert.deepEqual(
      breakdown.groups.map(({ value, first }) => [value, first]),
      [[false, 'three']],
    )
    const rows = await assay.listEvaluationRows(SPECIAL_ID, {
      'input.question': `eq.What is ${SPECIAL_ID}?`,
      preview: 4,
    })
    assert.deepEqual([rows.total, rows.rows[0]?.id, rows.rows[0]?.cut.length], [1, SPECIAL_ID, 2])
    const located = await assay.listEvaluationRows(SPECIAL_ID, { locate: 'three', base: 'candidate' })
    assert.deepEqual([located.located, located.base?.matched], [2, 2])
  })

  test('leaderboard methods return ranks and rows', async () => {
    const { assay } = fixture
    const query = { evaluation: [SPECIAL_ID, 'candidate'], by: 'id' }
    const { evaluations, shared_rows } = await assay.getLeaderboard(query)
    assert.deepEqual(
      evaluations.map(({ rank }) => rank),
      [
        [1, 2],
        [1, 2],
      ],
    )
    const { rows } = await assay.listLeaderboardRows({ ...query, limit: 1 })
    assert.ok(shared_rows > 0 && rows.length === 1 && rows[0]?.cells.length === 2)
  })

  test('comparison methods return statistics and rows', async () => {
    const { assay } = fixture
    const evaluation = [SPECIAL_ID, 'candidate']
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

describe('write operations', () => {
  test('add, change and delete an evaluation', async () => {
    const { assay } = fixture
    const addedEvaluation = await assay.addEvaluation({
      name: 'Short-lived',
      evaluators: [{ name: 'exact' }],
    })
    assert.deepEqual(schemaErrors('Evaluation', addedEvaluation), [])
    const changedEvaluation = await assay.changeEvaluation(addedEvaluation.id, {
      name: null,
      metadata: { by: 'ann' },
      status: 'running',
      expected_count: 3,
      tags: ['nightly', 'b'],
    })
    assert.deepEqual([changedEvaluation.name, changedEvaluation.metadata], [null, { by: 'ann' }])
    const running = await collect(
      assay.evaluations({ status: 'eq.running', tags: ['has.b', 'has.nightly'], order: 'updated_at.desc' }),
    )
    assert.deepEqual(running, [changedEvaluation])
    assert.equal(await assay.deleteEvaluation(addedEvaluation.id), undefined)
    await assert.rejects(assay.getEvaluation(addedEvaluation.id), {
      code: 'evaluation-not-found',
      status: 404,
    })
  })

  test('add, change and delete a variant', async () => {
    const { assay } = fixture
    const { id } = await assay.addVariant({ name: 'Short-lived' })
    assert.equal((await assay.addVariantRevision(id, revision(1))).revision, 1)
    const renamed = await assay.changeVariant(id, { name: 'Renamed' })
    assert.deepEqual([renamed.name, renamed.revision_count], ['Renamed', 1])
    assert.deepEqual(schemaErrors('Variant', renamed), [])
    assert.deepEqual(await assay.getVariant(id), renamed)
    assert.equal(await assay.deleteVariantRevision(id, 1), undefined)
    await assert.rejects(assay.getVariantRevision(id, 1), { code: 'revision-not-found' })
    assert.equal(await assay.deleteVariant(id), undefined)
    await assert.rejects(assay.getVariant(id), { code: 'variant-not-found' })
  })

  test('markEvaluationScenario sets and clears pin and note', async () => {
    const { assay } = fixture
    const marked = await assay.markEvaluationScenario('candidate', SPECIAL_ID, {
      is_pinned: true,
      note: 'Odd.',
    })
    assert.deepEqual([marked.is_pinned, marked.note], [true, 'Odd.'])
    const cleared = await assay.markEvaluationScenario('candidate', SPECIAL_ID, {
      is_pinned: null,
      note: null,
    })
    assert.deepEqual([cleared.is_pinned, cleared.note], [null, null])
  })

  test('replaceEvaluationScenario and deleteEvaluationScenario correct one scenario', async () => {
    const { assay } = fixture
    const { id } = await assay.addEvaluation({ name: 'Corrected' })
    await assay.appendScenarios(id, [scenario('one', true), scenario('two', true)])
    const one = await assay.getEvaluationScenario(id, 'one')
    const replaced = await assay.replaceEvaluationScenario(
      id,
      'one',
      { results: [] },
      { ifMatch: assay.etagOf(one) },
    )
    assert.deepEqual([replaced.id, replaced.results], ['one', []])
    const stale = { ifMatch: assay.etagOf(one) }
    await assert.rejects(assay.deleteEvaluationScenario(id, 'one', stale), { code: 'precondition-failed' })
    const current = { ifMatch: assay.etagOf(replaced) }
    assert.equal(await assay.deleteEvaluationScenario(id, 'one', current), undefined)
    await assert.rejects(assay.replaceEvaluationScenario(id, 'one', {}), { code: 'scenario-not-found' })
    assert.deepEqual(ids(await assay.listEvaluationScenarios(id)), ['two'])
  })

  test('writes with ifMatch throw precondition-failed unless the ETag is current', async () => {
    const { assay } = fixture
    const failed = { status: 412, code: 'precondition-failed' }
    const { id } = await assay.addEvaluation({ name: 'Conditional' })
    await assay.appendScenarios(id, [scenario('one', true)])
    await assay.addVariantRevision(id, revision(1))
    const evaluation = await assay.getEvaluation(id)
    const one = await assay.getEvaluationScenario(id, 'one')
    const variant = await assay.getVariant(id)
    const revisions = await assay.listVariantRevisions(id)
    const staleEvaluation = { ifMatch: assay.etagOf(evaluation) }
    const staleScenario = { ifMatch: assay.etagOf(one) }
    const staleVariant = { ifMatch: assay.etagOf(revisions) }
    const marked = await assay.markEvaluationScenario(id, 'one', { note: 'First.' }, staleScenario)
    await assay.addVariantRevision(id, revision(2), { ifMatch: assay.etagOf(variant) })
    await assert.rejects(assay.markEvaluationScenario(id, 'one', { note: 'Second.' }, staleScenario), failed)
    await assert.rejects(assay.changeEvaluation(id, { name: 'Changed' }, staleEvaluation), failed)
    await assert.rejects(assay.appendScenarios(id, [scenario('two', true)], staleEvaluation), failed)
    await assert.rejects(assay.deleteEvaluation(id, staleEvaluation), failed)
    await assert.rejects(assay.addVariantRevision(id, revision(3), staleVariant), failed)
    await assert.rejects(assay.changeVariant(id, { name: 'Changed' }, staleVariant), failed)
    await assert.rejects(assay.deleteVariant(id, staleVariant), failed)
    await assay.markEvaluationScenario(id, 'one', { note: null }, { ifMatch: assay.etagOf(marked) })
    const scenarios = await assay.listEvaluationScenarios(id)
    assert.deepEqual(ids(scenarios), ['one'])
    await assay.deleteEvaluation(id, { ifMatch: assay.etagOf(scenarios) })
    assert.throws(() => assay.etagOf({ ...evaluation }), TypeError)
    assert.throws(() => assay.etagOf(scenarios[0] ?? {}), TypeError)
  })

  test('appendScenarios accepts an array, an iterable and an async iterable', async () => {
    const { assay } = fixture
    const records = ['a', 'b', 'ü'].map((id) => scenario(id, true))
    async function* generate() {
      yield* records
    }
    assert.deepEqual(await assay.appendScenarios('appended', records), { accepted: 3, unchanged: 0 })
    assert.deepEqual(await assay.appendScenarios('appended', new Set(records)), { accepted: 0, unchanged: 3 })
    assert.deepEqual(await assay.appendScenarios('appended', generate()), { accepted: 0, unchanged: 3 })
    assert.deepEqual(await assay.appendScenarios('appended', []), { accepted: 0, unchanged: 0 })
    assert.deepEqual(await assay.appendScenarios('appended', new Set()), { accepted: 0, unchanged: 0 })
    assert.deepEqual(ids(await assay.listEvaluationScenarios('appended')), ['a', 'b', 'ü'])
  })

  test('appendScenarios rejects, replaces or skips scenarios that exist with different content', async () => {
    const { assay } = fixture
    const first = ['a', 'b'].map((id) => scenario(id, true))
    const second = [...first.slice(0, 1), scenario('b', false), scenario('c', false)]
    await assay.appendScenarios('conflicts', first)
    for (const onConflict of [undefined, 'error'] as const) {
      const error = await assayErrorOf(assay.appendScenarios('conflicts', second, { onConflict }))
      assert.deepEqual([error.status, error.code], [409, 'conflict'])
      assert.deepEqual(error.conflicts, [{ id: 'b', pointer: '/1/id', line: 2 }])
      assert.equal(error.conflictCount, 1)
    }
    assert.deepEqual(await assay.appendScenarios('conflicts', second, { onConflict: 'skip' }), {
      accepted: 1,
      unchanged: 1,
      skipped: 1,
    })
    assert.deepEqual(await assay.appendScenarios('conflicts', second, { onConflict: 'replace' }), {
      accepted: 0,
      unchanged: 2,
      replaced: 1,
    })
    const { results } = await assay.getEvaluationScenario('conflicts', 'b')
    assert.deepEqual(results, scenario('b', false).results)
  })

  test('addResults accepts an array and an async iterable, and deleteResults deletes them', async () => {
    const { assay } = fixture
    const results = ['one', 'two'].map((id) => ({ ...result(id, true), reason: 'It is right.' }))
    async function* generate() {
      yield* results
    }
    const { id } = await assay.addEvaluation({ name: 'Re-scored' })
    await assay.appendScenarios(id, [scenario('one', true), scenario('two', false)])
    const etag = assay.etagOf(await assay.getEvaluation(id))
    assert.deepEqual(await assay.addResults(id, results), { added: 2, replaced: 0, unchanged: 0 })
    assert.deepEqual(await assay.addResults(id, generate()), { added: 0, replaced: 0, unchanged: 2 })
    const failed = { status: 412, code: 'precondition-failed' }
    await assert.rejects(assay.addResults(id, results, { ifMatch: etag }), failed)
    const names = { evaluator: 'tone & style', with: 'exact' }
    const { verdicts, rows } = await assay.getEvaluationAgreement(id, { ...names, 'result.exact': 'is.true' })
    assert.deepEqual([rows, verdicts?.n], [1, 1])
    await assert.rejects(assay.deleteResults(id, 'tone & style', { ifMatch: etag }), failed)
    const { extra } = await assay.getEvaluationScenario(id, 'one', { include: 'extra' })
    assert.deepEqual(extra, { repetition: 1, results: [{}, { reason: 'It is right.' }] })
    assert.equal(await assay.deleteResults(id, 'tone & style'), undefined)
    await assert.rejects(assay.deleteResults(id, 'tone & style'), { code: 'evaluator-not-found' })
    assert.equal((await assay.getEvaluationScenario(id, 'one')).results.length, 1)
  })

  test('deleteEvaluationScenarios deletes the scenarios that match filters', async () => {
    const { assay } = fixture
    const { id } = await assay.addEvaluation({ name: 'Some rows' })
    await assay.appendScenarios(id, [scenario('one', true), scenario('two', false), scenario('three', false)])
    const stale = assay.etagOf(await assay.getEvaluation(id))
    const filters = { 'result.exact': 'is.false', latency: ['gte.0'] }
    const deleted = await assay.deleteEvaluationScenarios(id, filters, { ifMatch: stale })
    assert.deepEqual(deleted, { deleted: 2 })
    const failed = { status: 412, code: 'precondition-failed' }
    await assert.rejects(assay.deleteEvaluationScenarios(id, filters, { ifMatch: stale }), failed)
    await assay.changeEvaluation(id, { name: 'Fewer rows' }, { ifMatch: assay.etagOf(deleted) })
    await assert.rejects(assay.deleteEvaluationScenarios(id, { q: undefined }), { code: 'invalid-request' })
    assert.deepEqual(
      (await assay.listEvaluationScenarios(id)).map(({ id }) => id),
      ['one'],
    )
  })

  test('deleteScenarioResult deletes the result of one scenario', async () => {
    const { assay } = fixture
    const evaluator = 'tone/style? 100 % "ü"'
    const { id } = await assay.addEvaluation({ name: 'One result' })
    await assay.appendScenarios(id, [scenario('one', true), scenario('two', false)])
    const stale = { ifMatch: assay.etagOf(await assay.getEvaluationScenario(id, 'one')) }
    const results = ['one', 'two'].map((scenario) => ({
      ...result(scenario, true),
      evaluator_config: evaluator,
    }))
    await assay.addResults(id, results)
    const deleteOne = (options = {}) => assay.deleteScenarioResult(id, 'one', evaluator, options)
    await assert.rejects(deleteOne(stale), { status: 412, code: 'precondition-failed' })
    assert.equal(await deleteOne(), undefined)
    await assert.rejects(deleteOne(), { status: 404, code: 'result-not-found' })
    const counts = (await assay.listEvaluationScenarios(id)).map(({ results }) => results.length)
    assert.deepEqual(counts, [1, 2])
  })

  test('appendScenarios sends all records of a large and slow iterable', async () => {
    const { assay } = fixture
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

  test('appendScenarios stores nothing and throws the error of an iterable that fails', async () => {
    const { assay } = fixture
    const failure = new Error('The disk failed.')
    async function* failing(): AsyncGenerator<ScenarioWrite> {
      yield scenario('first', true)
      throw failure
    }
    await assert.rejects(assay.appendScenarios('never', failing()), failure)
    await assert.rejects(assay.getEvaluation('never'), { code: 'evaluation-not-found' })
  })

  test('importFile accepts a string, bytes, a Blob and a stream, and reports upload progress', async () => {
    const { assay } = fixture
    const text = 'id,input.question,output\r\n1,Why?,Because.\r\n'
    const bytes = new TextEncoder().encode(text)
    const files = [text, bytes, new Blob([text]), new Blob([text]).stream()]
    for (const [index, file] of files.entries()) {
      const progress: number[] = []
      const report = await assay.importFile(
        file,
        { evaluation: `imported-${index}`, format: 'table', map: 'output=output' },
        { onProgress: (sentBytes) => progress.push(sentBytes) },
      )
      assert.deepEqual(report.evaluations, [
        { id: `imported-${index}`, name: 'import', updated: [], accepted: 1, unchanged: 0 },
      ])
      assert.equal(progress.at(-1), bytes.length)
    }
    const dry = await assay.importFile(new Blob([text]).stream(), { evaluation: 'dry', dry_run: true })
    assert.deepEqual([dry.stored, dry.first.length], [false, 1])
  })
})

describe('error responses', () => {
  test('a rejected write throws AssayError with all members of the problem document', async () => {
    const { assay } = fixture
    const invalid = { id: 'x', note: 1 } as unknown as ScenarioWrite
    const error = await assayErrorOf(assay.appendScenarios('refused', [scenario('w', true), invalid]))
    assert.deepEqual([error.status, error.code, error.title], [422, 'invalid-content', 'Invalid content'])
    assert.deepEqual(error.errors[0] && [error.errors[0].line, error.errors[0].pointer], [2, '/1/note'])
    assert.deepEqual([error.errorCount, error.retryAfter], [1, undefined])
    assert.match(error.instance ?? '', /^[\w-]{36}$/)
    assert.equal(error.message, error.detail)
  })

  test('a rejected import throws AssayError with the import report', async () => {
    const error = await assayErrorOf(
      fixture.assay.importFile('no table', { format: 'promptfoo', evaluation: 'x' }),
    )
    assert.equal(error.report?.stored, false)
  })

  test('an invalid or missing key throws AssayError with status 401', async () => {
    const { baseUrl, key } = fixture
    for (const wrong of [`${key}x`, () => undefined, '']) {
      const error = await assayErrorOf(new Assay({ key: wrong, baseUrl }).listEvaluations())
      assert.deepEqual([error.status, error.code], [401, 'unauthorized'])
    }
    // A key that is not a valid header value is not repeated in the error.
    const malformed = new Assay({ key: `${key}…`, baseUrl })
    await assert.rejects(malformed.listEvaluations(), {
      name: 'TypeError',
      message: 'The API key contains invalid characters. Use the key exactly as it was issued.',
    })
  })

  test('every method throws TypeError before a request is sent when an id is missing or would change the path', async () => {
    const { assay, sent: sentRequests } = fixture
    const requestCount = sentRequests.length
    for (const value of [undefined, null, '', '.', '..', Number.NaN, {}]) {
      const id = value as string
      const number = value as unknown as number
      const calls: Record<string, () => Promise<unknown>> = {
        revokeShare: () => assay.revokeShare(id),
        getEvaluation: () => assay.getEvaluation(id),
        changeEvaluation: () => assay.changeEvaluation(id, { name: 'x' }),
        deleteEvaluation: () => assay.deleteEvaluation(id),
        getEvaluationSummary: () => assay.getEvaluationSummary(id),
        getEvaluationAgreement: () => assay.getEvaluationAgreement(id, { evaluator: 'a', with: 'b' }),
        getEvaluationBreakdown: () => assay.getEvaluationBreakdown(id, { by: 'error' }),
        listEvaluationRows: () => assay.listEvaluationRows(id),
        listEvaluationScenarios: () => assay.listEvaluationScenarios(id),
        scenarios: () => collect(assay.scenarios(id)),
        exportScenarios: () => assay.exportScenarios(id, {}, 'csv'),
        getEvaluationScenario: () => assay.getEvaluationScenario(SPECIAL_ID, id),
        getEvaluationScenarioText: () => assay.getEvaluationScenarioText(id, 's-1'),
        getScenarioHistory: () => assay.getScenarioHistory(SPECIAL_ID, id),
        markEvaluationScenario: () => assay.markEvaluationScenario(SPECIAL_ID, id, { note: 'x' }),
        replaceEvaluationScenario: () => assay.replaceEvaluationScenario(SPECIAL_ID, id, {}),
        deleteEvaluationScenario: () => assay.deleteEvaluationScenario(SPECIAL_ID, id),
        deleteEvaluationScenarios: () => assay.deleteEvaluationScenarios(id, { q: 'x' }),
        appendScenarios: () => assay.appendScenarios(id, [{ id: 'a' }]),
        addResults: () => assay.addResults(id, [result('one', true)]),
        deleteResults: () => assay.deleteResults(id, 'exact'),
        deleteScenarioResult: () => assay.deleteScenarioResult(SPECIAL_ID, 's-1', id),
        listReviews: () => assay.listReviews(id),
        createReview: () => assay.createReview(id, { questions: [] }),
        getReview: () => assay.getReview(id),
        changeReview: () => assay.changeReview(id, { name: 'x' }),
        deleteReview: () => assay.deleteReview(id),
        mergeReviewLabels: () => assay.mergeReviewLabels(id, { evaluator: 'a', labels: ['b'], to: 'c' }),
        getReviewForm: () => assay.getReviewForm(id),
        getNextReviewRow: () => assay.getNextReviewRow(id),
        getNextReviewRowText: () => assay.getNextReviewRowText(id),
        listReviewRows: () => assay.listReviewRows(id),
        getReviewRow: () => assay.getReviewRow('review', id),
        getReviewRowText: () => assay.getReviewRowText('review', id),
        putReviewAnswers: () => assay.putReviewAnswers('review', id, { answers: [] }),
        deleteReviewAnswers: () => assay.deleteReviewAnswers('review', id),
        getVariant: () => assay.getVariant(id),
        changeVariant: () => assay.changeVariant(id, { name: 'x' }),
        deleteVariant: () => assay.deleteVariant(id),
        listVariantRevisions: () => assay.listVariantRevisions(id),
        revisions: () => collect(assay.revisions(id)),
        listVariantRevisionTexts: () => assay.listVariantRevisionTexts(id),
        getVariantRevision: () => assay.getVariantRevision(SPECIAL_ID, number),
        getVariantRevisionText: () => assay.getVariantRevisionText(SPECIAL_ID, number),
        deleteVariantRevision: () => assay.deleteVariantRevision(SPECIAL_ID, number),
        diffVariantRevisions: () => assay.diffVariantRevisions(SPECIAL_ID, 1, number),
        addVariantRevision: () =>
          assay.addVariantRevision(id, { modified_by: 'Ana', config: { config_name: 'c' } }),
      }
      for (const [method, call] of Object.entries(calls))
        await assert.rejects(call(), TypeError, `${method} with ${String(value)}`)
      const withoutId = methodNames().filter((name) => !(name in calls))
      assert.deepEqual(withoutId.sort(), METHODS_WITHOUT_ID)
    }
    for (const id of [undefined, null] as unknown as string[])
      await assert.rejects(assay.compareEvaluations({ evaluation: ['a', id] }), TypeError)
    assert.equal(sentRequests.length, requestCount)
  })

  test('a base URL with a wrong path throws route-not-found, and an invalid one throws TypeError', async () => {
    const { key, service } = fixture
    const misdirected = new Assay({ key, baseUrl: `${service.baseUrl}/elsewhere` })
    assert.equal((await assayErrorOf(misdirected.listEvaluations())).code, 'route-not-found')
    assert.throws(() => new Assay({ key, baseUrl: '/api' }), TypeError)
  })
})

async function assayErrorOf(call: Promise<unknown>): Promise<AssayError> {
  const error = await call.then(
    () => undefined,
    (error) => error,
  )
  assert.ok(error instanceof AssayError, String(error))
  return error
}

test('the key is sent in a header and never in the URL', async () => {
  const { sent: sentRequests, key } = fixture
  for (const { target, headers } of sentRequests) {
    assert.equal(headers.get('authorization'), `Bearer ${key}`)
    assert.ok(!target.includes(key))
  }
})

test('responses match the JSON schema', async () => {
  const revisionPage: EvaluationScenario[] = await fixture.assay.listEvaluationScenarios(SPECIAL_ID, {
    include: 'extra',
  })
  assert.deepEqual(
    revisionPage.flatMap((scenario) => schemaErrors('EvaluationScenario', scenario)),
    [],
  )
})
