// Tests uploads with on_conflict=replace_all: afterwards the evaluation contains exactly the scenarios of the request.
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { runTask } from '../../../src/store/background/task.ts'
import { scenarioTables } from '../../../src/store/scenarios/derived-rows.ts'
import { REMOVE_DELETED } from '../../../src/store/scenarios/removal.ts'
import { checkProblem } from '../../support/http.ts'
import { EVALUATIONS, NDJSON, scenariosPath } from '../../support/write-requests.ts'
import { startWriteService } from '../../support/write-service.ts'

const { store, dump, send, sendOk, readJson, createEvaluation, checkClean } = await startWriteService()

const HUMAN = [{ name: 'review', kind: 'human' }]

const uploadPath = (id: string) => `${scenariosPath(id)}?on_conflict=replace_all`
const readScenarios = (id: string) => readJson(`${scenariosPath(id)}?include=extra`)

interface Counts {
  accepted: number
  unchanged: number
  replaced: number
  deleted: number
  dropped_notes: number
  dropped_human_results: number
  dropped_answers: number
}

const NO_COUNTS: Counts = {
  accepted: 0,
  unchanged: 0,
  replaced: 0,
  deleted: 0,
  dropped_notes: 0,
  dropped_human_results: 0,
  dropped_answers: 0,
}

async function checkUpload(id: string, scenarios: object[], expected: Partial<Counts>): Promise<void> {
  const response = await sendOk('POST', uploadPath(id), scenarios)
  assert.deepEqual(JSON.parse(response.text), { ...NO_COUNTS, ...expected })
  assert.equal(response.headers.etag, (await sendOk('GET', scenariosPath(id))).headers.etag)
  await checkClean()
}

const input = (value: string) => [{ name: 'question', type: 'text', value }]
const scenario = (id: string | undefined, answer: string, more: object = {}) => ({
  ...(id !== undefined && { id }),
  outputs: [{ result: { type: 'text', value: answer } }],
  ...more,
})
/** A scenario without an id, found by its input. */
const asked = (question: string, answer: string, more: object = {}) =>
  scenario(undefined, answer, { inputs: input(question), ...more })
const result = (evaluator_config: string, value: number) => ({
  evaluator_config,
  result: { type: 'number', value },
})

type Read = {
  id: string
  note: string | null
  is_pinned: boolean | null
  inputs: { value: string }[]
  outputs: { result: { value: string } }[]
  results: object[]
  extra: object | null
}
const answersOf = (scenarios: Read[]) => scenarios.map(({ id, outputs }) => [id, outputs[0]?.result.value])

describe('scenarios with ids', () => {
  test('are replaced, added and deleted, and have the order of the request', async () => {
    const id = await createEvaluation(['a', 'b', 'c', 'd'].map((name) => scenario(name, '1')))
    const records = [scenario('d', '2'), scenario('new', '1'), scenario('b', '1'), scenario('a', '3')]
    await checkUpload(id, records, { accepted: 1, unchanged: 1, replaced: 2, deleted: 1 })
    assert.deepEqual(answersOf(await readScenarios(id)), [
      ['d', '2'],
      ['new', '1'],
      ['b', '1'],
      ['a', '3'],
    ])
    const evaluation = await readJson(`${EVALUATIONS}/${id}`)
    assert.equal(evaluation.scenario_count, 4)
    const { action, counts, version } = (await readJson('/api/changes')).at(-1)
    assert.deepEqual([action, counts], ['scenarios.replaced', { scenarios: 2, added: 1, deleted: 1 }])
    const { headers } = await sendOk('GET', `${EVALUATIONS}/${id}`)
    assert.ok(String(headers.etag).includes(version))
  })

  test('can be replaced again, appended to and corrected afterwards', async () => {
    const id = await createEvaluation([scenario('a', '1'), scenario('b', '1')])
    await checkUpload(id, [scenario('b', '2'), scenario('c', '1')], { accepted: 1, replaced: 1, deleted: 1 })
    await sendOk('POST', scenariosPath(id), [scenario('d', '1'), scenario('c', '1')])
    await sendOk('PUT', `${scenariosPath(id)}/c`, scenario('c', '2'))
    await sendOk('DELETE', `${scenariosPath(id)}/b`)
    await checkUpload(id, [scenario('a', '1'), scenario('c', '1'), scenario('d', '1')], {
      accepted: 1,
      // The content that was first written is not the current one.
      replaced: 1,
      unchanged: 1,
    })
    await checkUpload(id, [], { deleted: 3 })
    assert.deepEqual(await readScenarios(id), [])
    await checkUpload(id, [scenario('a', '1')], { accepted: 1 })
  })

  test('in another order are a change', async () => {
    const id = await createEvaluation([scenario('a', '1'), scenario('b', '1')])
    const { headers } = await sendOk('GET', scenariosPath(id))
    await checkUpload(id, [scenario('b', '1'), scenario('a', '1')], { unchanged: 2 })
    assert.deepEqual(answersOf(await readScenarios(id)), [
      ['b', '1'],
      ['a', '1'],
    ])
    assert.notEqual((await sendOk('GET', scenariosPath(id))).headers.etag, headers.etag)
  })
})

test('scenarios with generated ids match by inputs, equal inputs in their order', async () => {
  const id = await createEvaluation([
    asked('x', 'first'),
    asked('y', '1'),
    asked('x', 'second'),
    scenario(undefined, 'without inputs'),
  ])
  const before: Read[] = await readScenarios(id)
  for (const [index, note] of ['first x', 'y', 'second x', 'none'].entries())
    await sendOk('PATCH', `${scenariosPath(id)}/${before[index]?.id}`, { note })
  const records = [
    asked('x', '2'),
    asked('x', 'second'),
    asked('y', '2'),
    asked('x', 'third'),
    scenario(undefined, 'without inputs'),
  ]
  await checkUpload(id, records, { accepted: 2, unchanged: 1, replaced: 2, deleted: 1, dropped_notes: 1 })
  const after: Read[] = await readScenarios(id)
  assert.deepEqual(
    after.map(({ note }) => note),
    ['first x', 'second x', 'y', null, null],
  )
  assert.ok(after.every((one) => !before.some((other) => other.id === one.id)))
})

test('a generated id never matches, and a given id is matched before inputs', async () => {
  const id = await createEvaluation([
    scenario('given', '1', { inputs: input('x'), note: 'given' }),
    asked('y', '1', { note: 'generated' }),
  ])
  const [, generated]: Read[] = await readScenarios(id)
  const records = [
    scenario(generated?.id, '2', { inputs: input('x') }),
    scenario('given', '2', { inputs: input('y') }),
  ]
  await checkUpload(id, records, { accepted: 1, replaced: 1, deleted: 1, dropped_notes: 1 })
  const after: Read[] = await readScenarios(id)
  assert.deepEqual(
    after.map(({ note }) => note),
    [null, 'given'],
  )
})

describe('what is kept', () => {
  test('a record with a pin or note replaces the stored one, and others keep it', async () => {
    const id = await createEvaluation([
      scenario('a', '1', { note: 'old', is_pinned: true }),
      scenario('b', '1', { note: 'old', is_pinned: true }),
      scenario('c', '1', { note: 'old', is_pinned: true }),
    ])
    const records = [scenario('a', '2', { note: 'new' }), scenario('b', '1', { is_pinned: false })]
    await checkUpload(id, records, { replaced: 2, deleted: 1, dropped_notes: 2 })
    const after: Read[] = await readScenarios(id)
    assert.deepEqual(
      after.map(({ note, is_pinned }) => [note, is_pinned]),
      [
        ['new', true],
        ['old', false],
      ],
    )
  })

  test('a pin of false is not kept in scenarios that change, with or without a note', async () => {
    const stored = [
      scenario('a', '1', { is_pinned: false, note: 'n' }),
      scenario('b', '1', { is_pinned: false }),
    ]
    const id = await createEvaluation(stored)
    await checkUpload(id, [scenario('a', '2'), scenario('b', '2')], { replaced: 2 })
    assert.deepEqual(
      (await readScenarios(id)).map(({ is_pinned, note }: Read) => [is_pinned, note]),
      [
        [null, 'n'],
        [null, null],
      ],
    )
  })

  test('results of people stay only if the outputs are equal, and others never', async () => {
    const judged = (more: object = {}) => ({ results: [result('model', 1), result('review', 5)], ...more })
    const details = { extra: { results: [{ reason: 'ok' }, { reason: 'Good.', by: 'Ana' }] } }
    const id = await createEvaluation(
      [
        scenario('same', '1', judged(details)),
        scenario('changed', '1', judged()),
        scenario('gone', '1', judged()),
        scenario('own', '1', judged()),
      ],
      { evaluators: HUMAN },
    )
    const records = [
      scenario('same', '1', { results: [result('model', 2)] }),
      scenario('changed', '2'),
      scenario('own', '2', { results: [result('review', 3)] }),
    ]
    await checkUpload(id, records, { replaced: 3, deleted: 1, dropped_human_results: 2 })
    const [same, changed, own]: Read[] = await readScenarios(id)
    assert.deepEqual(same?.results, [result('model', 2), result('review', 5)])
    assert.deepEqual(same?.extra, { results: [{}, { reason: 'Good.', by: 'Ana' }] })
    assert.deepEqual([changed?.results, own?.results], [[], [result('review', 3)]])
    // The record that was uploaded first is still known.
    await checkUpload(id, records, { unchanged: 3 })
    const repeated = await sendOk('POST', scenariosPath(id), records)
    assert.deepEqual(JSON.parse(repeated.text), { accepted: 0, unchanged: 3 })
  })

  test('answers of reviewers stay only if the outputs are equal, and all others are counted', async () => {
    const answers = (...names: string[]) => ({
      extra: {
        answers: names.map((by, index) => ({
          evaluator: 'review',
          by,
          value: index % 2 === 0,
          answered_at: '2026-01-02T03:04:05.678Z',
        })),
      },
    })
    // Two reviewers disagree, so that rows have answers without a result.
    const id = await createEvaluation(
      ['same', 'changed', 'gone', 'own'].map((name) => scenario(name, '1', answers('Ana', 'Mira'))),
      { evaluators: HUMAN },
    )
    const records = [scenario('same', '1', { note: 'n' }), scenario('changed', '2')]
    const own = scenario('own', '2', answers('Ana'))
    await checkUpload(id, [...records, own], { replaced: 3, deleted: 1, dropped_answers: 2 + 2 + 1 })
    assert.deepEqual(
      (await readScenarios(id)).map(({ extra }: Read) => extra),
      [answers('Ana', 'Mira').extra, null, answers('Ana').extra],
    )
  })

  test('returns 422 with the position of a record whose details cannot be merged', async () => {
    const id = await createEvaluation([scenario('b', '1', { results: [result('review', 5)] })], {
      evaluators: HUMAN,
    })
    const before = await dump()
    const records = [scenario('a', '1'), scenario('b', '1', { extra: { results: 'text' } })]
    const lines = records.map((record) => `${JSON.stringify(record)}\n`).join('')
    const { errors } = checkProblem(
      await send('POST', uploadPath(id), lines, { 'content-type': NDJSON }),
      422,
      'invalid-content',
    ) as unknown as { errors: { pointer: string; line: number }[] }
    assert.deepEqual(
      errors.map(({ pointer, line }) => [pointer, line]),
      [['/1/extra/results', 2]],
    )
    assert.equal(await dump(), before)
  })

  test('the evaluation keeps its members', async () => {
    const id = await createEvaluation([scenario('a', '1')])
    const patch = { name: 'Name', status: 'running', tags: ['x'], metadata: { a: 1 }, baseline_id: 'base' }
    await sendOk('PATCH', `${EVALUATIONS}/${id}`, patch)
    const { updated_at: _, scores: __, ...before } = await readJson(`${EVALUATIONS}/${id}`)
    await checkUpload(id, [scenario('a', '2')], { replaced: 1 })
    const { updated_at, scores, ...after } = await readJson(`${EVALUATIONS}/${id}`)
    assert.deepEqual(after, before)
  })
})

describe('a repeated upload', () => {
  test('changes nothing, whatever the pins and notes are', async () => {
    const records = [
      scenario('a', '1', { results: [result('model', 1)] }),
      scenario('b', '1', { inputs: input('b'), extra: { b: 1 } }),
      scenario('c', '1', { note: 'own' }),
    ]
    const id = await createEvaluation([scenario('c', '0')], { evaluators: HUMAN })
    await checkUpload(id, records, { accepted: 2, replaced: 1 })
    await sendOk('PATCH', `${scenariosPath(id)}/a`, { note: 'Odd.', is_pinned: true })
    await sendOk('PATCH', `${scenariosPath(id)}/b`, { is_pinned: false })
    const review = { scenario_id: 'b', evaluator_config: 'review', result: { type: 'bool', value: true } }
    await sendOk('POST', `${EVALUATIONS}/${id}/results`, [review])
    await removeDeleted()
    const [before, changes] = [await readRows(), await readJson('/api/changes')]
    const { headers } = await sendOk('GET', scenariosPath(id))
    await checkUpload(id, records, { unchanged: 3 })
    assert.equal(await readRows(), before)
    assert.deepEqual(await readJson('/api/changes'), changes)
    assert.equal((await sendOk('GET', scenariosPath(id))).headers.etag, headers.etag)
  })

  test('changes nothing if all ids are generated', async () => {
    const records = [asked('x', '1'), asked('x', '2', { results: [result('model', 1)] }), asked('y', '1')]
    const id = await createEvaluation(records, { evaluators: HUMAN })
    const [first]: Read[] = await readScenarios(id)
    await sendOk('PATCH', `${scenariosPath(id)}/${first?.id}`, { note: 'Odd.' })
    const before = await sendOk('GET', scenariosPath(id))
    await checkUpload(id, records, { unchanged: 3 })
    const after = await sendOk('GET', scenariosPath(id))
    assert.deepEqual([after.text, after.headers.etag], [before.text, before.headers.etag])
  })
})

describe('the request', () => {
  test('creates an evaluation that does not exist', async () => {
    await checkUpload('replaced-new', [scenario('b', '1'), scenario('a', '1')], { accepted: 2 })
    assert.deepEqual(answersOf(await readScenarios('replaced-new')), [
      ['b', '1'],
      ['a', '1'],
    ])
  })

  test('counts an equal record with the same id as unchanged, and returns 409 for a different one', async () => {
    const id = await createEvaluation([scenario('a', '1')])
    await checkUpload(id, [scenario('a', '2'), scenario('a', '2')], { replaced: 1, unchanged: 1 })
    const before = await dump()
    for (const evaluation of [id, 'replaced-none']) {
      const response = await send('POST', uploadPath(evaluation), [scenario('b', '1'), scenario('b', '2')])
      const { detail } = checkProblem(response, 409, 'conflict')
      assert.match(detail, /^The body has several records with the same id .*: 'b' \(at \/1\/id, line 1\)\./)
    }
    assert.equal(await dump(), before)
  })

  test('stores nothing if one record is invalid', async () => {
    const id = await createEvaluation([scenario('a', '1')])
    const before = await dump()
    const records = [scenario('b', '1'), { id: 'c', unknown: 1 }]
    checkProblem(await send('POST', uploadPath(id), records), 422, 'invalid-content')
    assert.equal(await dump(), before)
  })

  test('supports If-Match and Idempotency-Key', async () => {
    const id = await createEvaluation([scenario('a', '1')])
    const { headers } = await sendOk('GET', scenariosPath(id))
    const once = { 'if-match': String(headers.etag), 'idempotency-key': 'replace-all' }
    const first = await sendOk('POST', uploadPath(id), [scenario('a', '2')], once)
    await sendOk('POST', uploadPath(id), [scenario('a', '3')], { 'if-match': String(first.headers.etag) })
    const repeated = await sendOk('POST', uploadPath(id), [scenario('a', '2')], once)
    assert.deepEqual([repeated.text, repeated.headers.etag], [first.text, first.headers.etag])
    assert.deepEqual(answersOf(await readScenarios(id)), [['a', '3']])
    const stale = await send('POST', uploadPath(id), [scenario('a', '2')], {
      'if-match': String(headers.etag),
    })
    checkProblem(stale, 412, 'precondition-failed')
  })
})

test('a large upload is stored with the same rules', async () => {
  const padding = { trace: 'x'.repeat(60_000) }
  const records = (answer: string) =>
    Array.from({ length: 40 }, (_, index) => asked(`${index}`, answer, { extra: { ...padding, answer } }))
  const own = (answer: string) => scenario('own', answer, { results: [result('model', 1)] })
  const id = await createEvaluation([...records('1'), own('1')], { evaluators: HUMAN })
  const [first]: Read[] = await readScenarios(id)
  await sendOk('PATCH', `${scenariosPath(id)}/${first?.id}`, { note: 'Odd.' })
  const review = { ...result('review', 1), scenario_id: 'own' }
  await sendOk('POST', `${EVALUATIONS}/${id}/results`, [review])
  const changed = [own('2'), ...records('2').toReversed(), asked('new', '2')]
  await checkUpload(id, changed, { accepted: 1, replaced: 41, dropped_human_results: 1 })
  const scenarios: Read[] = await readScenarios(id)
  assert.deepEqual(
    scenarios.map(({ inputs }) => inputs[0]?.value ?? 'own'),
    ['own', ...records('2').map((_, index) => `${39 - index}`), 'new'],
  )
  assert.deepEqual([scenarios.at(-2)?.note, scenarios.at(-2)?.extra], ['Odd.', { ...padding, answer: '2' }])
  await checkUpload(id, changed, { unchanged: 42 })
  await sendOk('POST', `${EVALUATIONS}/${id}/results`, [review])
  const misaligned = [...records('2'), { ...own('2'), extra: { results: 'text' } }]
  const problem = checkProblem(await send('POST', uploadPath(id), misaligned), 422, 'invalid-content')
  assert.match(problem.detail, /at \/40\/extra\/results/)
  const duplicate = [...records('2'), own('3'), own('4')]
  const { detail } = checkProblem(await send('POST', uploadPath(id), duplicate), 409, 'conflict')
  assert.match(detail, /'own' \(at \/41\/id/)
  await checkUpload(id, changed, { unchanged: 42 })
})

describe('imports', () => {
  const file = (records: object[]) => records.map((record) => `${JSON.stringify(record)}\n`).join('')
  const importFile = (id: string, query: string, records: object[]) =>
    send('POST', `/api/imports?format=scenarios&evaluation=${id}&${query}`, file(records))

  test('replace all scenarios, and set the baseline', async () => {
    const id = await createEvaluation([scenario('a', '1'), scenario('b', '1', { note: 'Odd.' })])
    const query = 'on_conflict=replace_all&baseline=main'
    const records = [scenario('c', '1'), scenario('b', '2')]
    const counts = { ...NO_COUNTS, accepted: 1, replaced: 1, deleted: 1 }
    const report = JSON.parse((await importFile(id, query, records)).text)
    assert.deepEqual(report.evaluations, [{ id, name: id, updated: ['baseline_id'], ...counts }])
    const [c, b]: Read[] = await readScenarios(id)
    assert.deepEqual([c?.id, b?.id, b?.note], ['c', 'b', 'Odd.'])
    assert.equal((await readJson(`${EVALUATIONS}/${id}`)).baseline_id, 'main')
    const again = JSON.parse((await importFile(id, query, records)).text)
    assert.deepEqual(again.evaluations, [{ id, name: id, updated: [], ...NO_COUNTS, unchanged: 2 }])
    await checkClean()
  })

  test('return 409 for a record with the id of another one, and store nothing', async () => {
    const id = await createEvaluation([scenario('a', '1')])
    const before = await dump()
    const records = [scenario('b', '1'), scenario('b', '2')]
    const response = await importFile(id, 'on_conflict=replace_all', records)
    const { detail } = checkProblem(response, 409, 'conflict')
    assert.match(detail, /\(record 2, line 2\): Another record of this file has the same id 'b'\./)
    checkProblem(await importFile(id, 'baseline=%09', records), 400, 'invalid-request')
    assert.equal(await dump(), before)
  })

  test('of promptfoo match the rows of a new run by their inputs', async () => {
    const answers = ['Paris', 'Rome', 'Oslo']
    const run = (outputs: string[]) => ({
      evalId: `eval-${outputs.join()}`,
      results: {
        version: 3,
        timestamp: '2026-01-01T00:00:00Z',
        prompts: [{ raw: '{{q}}', label: 'p', provider: 'echo' }],
        results: outputs.map((output, index) => ({
          id: `${outputs.join()}-${index}`,
          promptIdx: 0,
          testIdx: index,
          success: output !== 'bad',
          score: output === 'bad' ? 0 : 1,
          vars: { q: answers[index] },
          response: { output },
          prompt: { raw: answers[index], label: 'p' },
          provider: { id: 'echo' },
          testCase: { vars: { q: answers[index] } },
        })),
      },
      config: {},
    })
    const path = '/api/imports?format=promptfoo&evaluation=pr-123&on_conflict=replace_all'
    await sendOk('POST', path, JSON.stringify(run(answers)))
    const [first]: Read[] = await readScenarios('pr-123')
    await sendOk('PATCH', `${scenariosPath('pr-123')}/${encodeURIComponent(first?.id ?? '')}`, {
      note: 'Odd.',
    })
    const report = JSON.parse((await sendOk('POST', path, JSON.stringify(run(['bad', 'Rome', 'bad'])))).text)
    const { accepted, deleted, replaced, unchanged } = report.evaluations[0]
    assert.deepEqual([accepted, deleted, replaced + unchanged], [0, 0, 3])
    const after: Read[] = await readScenarios('pr-123')
    assert.deepEqual(
      after.map(({ outputs, note }) => [outputs[0]?.result.value, note]),
      [
        ['bad', 'Odd.'],
        ['Rome', null],
        ['bad', null],
      ],
    )
    await checkClean()
  })
})

test('concurrent uploads are applied one after the other', async () => {
  const id = await createEvaluation([scenario('a', '0')])
  const uploads = Array.from({ length: 12 }, (_, index) => {
    const own = [scenario('a', `${index}`), scenario(`own-${index}`, '1')]
    return index % 3 === 0
      ? sendOk('POST', scenariosPath(id), [scenario(`added-${index}`, '1')])
      : sendOk('POST', uploadPath(id), own)
  })
  await Promise.all(uploads)
  await checkClean()
  const scenarios: Read[] = await readScenarios(id)
  const [a, own, ...added] = scenarios
  assert.deepEqual([a?.id, own?.id], ['a', `own-${a?.outputs[0]?.result.value}`])
  assert.ok(added.every((one) => one.id.startsWith('added-')))
})

test('a reader that pages through the scenarios gets no error when they are replaced', async () => {
  const names = (prefix: string, count: number) =>
    Array.from({ length: count }, (_, index) => scenario(`${prefix}-${index}`, '1'))
  const id = await createEvaluation(names('old', 6))
  for (const query of ['limit=2', 'limit=2&order=position.desc', 'limit=2&q=1']) {
    const first = await sendOk('GET', `${scenariosPath(id)}?${query}`)
    await sendOk('POST', uploadPath(id), names(`new-${query.length}`, 5))
    let link: string | undefined = String(first.headers.link)
    let count = JSON.parse(first.text).length
    while (link) {
      const page = await sendOk('GET', String(/<(.*)>/.exec(link)?.[1]))
      count += JSON.parse(page.text).length
      link = page.headers.link as string | undefined
    }
    assert.ok(count >= 5 && count <= 11, `${query}: ${count}`)
  }
})

test('every row of the previous scenarios is removed in the background', async () => {
  const records = (answer: string) =>
    Array.from({ length: 30 }, (_, index) =>
      scenario(`s-${index}`, answer, {
        inputs: input(`${index}`),
        results: [result('model', index)],
        extra: { sample: `${index}` },
      }),
    )
  const id = await createEvaluation([...records('1'), asked('z', '1')])
  for (const answer of ['2', '3']) await sendOk('POST', uploadPath(id), records(answer))
  await removeDeleted()
  await checkClean()
  const evaluations = await store.reader.all<{ key: number }>('SELECT key FROM evaluation')
  const keys = new Set(evaluations.map(({ key }) => key))
  for (const table of [...scenarioTables(store.reader), 'evaluation_column', 'evaluation_scores']) {
    const rows = await store.reader.all<{ evaluation: number }>(`SELECT DISTINCT evaluation FROM ${table}`)
    for (const { evaluation } of rows) assert.ok(keys.has(evaluation), `${table} ${evaluation}`)
  }
  assert.equal((await readScenarios(id)).length, 30)
})

function removeDeleted(): Promise<void> {
  return runTask(store, REMOVE_DELETED)
}

/** All stored scenarios and evaluations. */
async function readRows(): Promise<string> {
  const scenarios = await store.reader.all(
    'SELECT evaluation, position, id, body, extra FROM scenario ORDER BY 1, 2',
  )
  const evaluations = await store.reader.all('SELECT key, project, id, version FROM evaluation ORDER BY key')
  return JSON.stringify([scenarios, evaluations])
}
