// Tests uploads and imports of scenarios whose id exists with different content: on_conflict=error, replace and skip.
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { checkProblem } from '../../support/http.ts'
import { fullOnly } from '../../support/options.ts'
import { EVALUATIONS, NDJSON, scenariosPath } from '../../support/write-requests.ts'
import { startWriteService } from '../../support/write-service.ts'

const { dump, send, sendOk, readJson, createEvaluation, checkClean } = await startWriteService()

type Rule = 'error' | 'replace' | 'skip'
const RULES: Rule[] = ['error', 'replace', 'skip']

const uploadPath = (id: string, rule: Rule) => `${scenariosPath(id)}?on_conflict=${rule}`
const upload = async (id: string, rule: Rule, scenarios: object[]) =>
  JSON.parse((await sendOk('POST', uploadPath(id, rule), scenarios)).text)

/** The ids and notes of all scenarios. */
const readNotes = async (id: string) =>
  (await readJson(scenariosPath(id))).map((scenario: { id: string; outputs: { cost: number }[] }) => [
    scenario.id,
    scenario.outputs[0]?.cost,
  ])

/** A scenario with different content for each number. */
const scenario = (id: string, cost: number, more: object = {}) => ({
  id,
  outputs: [{ result: { type: 'text', value: 'x' }, cost }],
  ...more,
})
const result = (evaluator_config: string, value: number) => ({
  evaluator_config,
  result: { type: 'number', value },
})

describe('on_conflict=error', () => {
  test('returns 409 with the first 100 conflicts and their number, and stores nothing', async () => {
    const stored = Array.from({ length: 120 }, (_, index) => scenario(`s-${index}`, 1))
    const id = await createEvaluation(stored)
    const before = await dump()
    const records = [scenario('new', 1), ...stored.map(({ id }) => scenario(id, 2)), scenario('s-0', 1)]
    const lines = records.map((record) => `${JSON.stringify(record)}\n`).join('')
    for (const path of [scenariosPath(id), uploadPath(id, 'error')]) {
      const response = await send('POST', path, lines, { 'content-type': NDJSON })
      const problem = checkProblem(response, 409, 'conflict') as unknown as {
        detail: string
        conflicts: object[]
        conflict_count: number
      }
      assert.equal(problem.conflict_count, 120)
      assert.equal(problem.conflicts.length, 100)
      assert.deepEqual(problem.conflicts.at(-1), { id: 's-99', pointer: '/100/id', line: 101 })
      assert.match(problem.detail, /'s-0' \(at \/1\/id, line 2\), 's-1' .* and 117 more\./)
      assert.match(problem.detail, /on_conflict=replace .* on_conflict=skip/)
      assert.equal(await dump(), before)
    }
    const one = await send('POST', scenariosPath(id), [scenario('s-7', 2)])
    const { detail } = checkProblem(one, 409, 'conflict')
    assert.match(
      detail,
      /^This scenario exists already with different content, .*: 's-7' \(at \/0\/id, line 1\)\./,
    )
    checkProblem(await send('POST', `${scenariosPath(id)}?on_conflict=merge`, []), 400, 'invalid-request')
  })
})

test('an import whose records exist with different content returns 409 and names on_conflict', async () => {
  const id = await createEvaluation([scenario('s-1', 1), scenario('s-2', 1)])
  const before = await dump()
  const lines = (...records: object[]) => records.map((record) => `${JSON.stringify(record)}\n`).join('')
  const importFile = (body: string, query = '') =>
    send('POST', `/api/imports?evaluation=${id}${query}`, body, { 'content-type': NDJSON })
  const different = lines(scenario('s-1', 2), scenario('s-2', 2))
  const problem = checkProblem(await importFile(different), 409, 'conflict') as unknown as {
    detail: string
    error_count: number
    report: { refused: number }
  }
  assert.match(
    problem.detail,
    /^2 records were rejected\. .*'s-1' already exists .*Set on_conflict to replace or skip\./,
  )
  assert.deepEqual([problem.error_count, problem.report.refused], [2, 2])
  checkProblem(await importFile(`${different}{"id":1}\n`), 422, 'invalid-content')
  assert.equal(await dump(), before)
  assert.equal((await importFile(different, '&on_conflict=replace')).status, 200)
})

test('records that equal the current or the merged scenario are unchanged with every rule', async () => {
  const human = [{ name: 'review', kind: 'human' }]
  const first = scenario('a', 1, { extra: { source: 1 } })
  const id = await createEvaluation([first, scenario('b', 1)], { evaluators: human })
  const path = `${scenariosPath(id)}/a`
  const reviewed = scenario('a', 2, { extra: { source: 2 }, results: [result('review', 1)] })
  await sendOk('PUT', path, reviewed)
  await sendOk('PATCH', path, { is_pinned: true, note: 'Odd.' })
  const before = await dump()
  const exported = await readJson(scenariosPath(id))
  const fullExport = await readJson(`${scenariosPath(id)}?include=extra`)
  for (const rule of RULES) {
    const isDefault = rule === 'error'
    const other = rule === 'replace' ? { replaced: 0 } : { skipped: 0 }
    const expected = (unchanged: number) => ({ accepted: 0, unchanged, ...(!isDefault && other) })
    // A repeated upload does not undo a correction, unless it says so.
    if (rule !== 'replace') assert.deepEqual(await upload(id, rule, [first]), expected(1), `${rule}: first`)
    assert.deepEqual(await upload(id, rule, [reviewed]), expected(1), `${rule}: current`)
    assert.deepEqual(await upload(id, rule, exported), expected(2), `${rule}: export`)
    assert.deepEqual(await upload(id, rule, fullExport), expected(2), `${rule}: with extra`)
  }
  const withoutResult = scenario('a', 2, { extra: { source: 2 }, note: 'Odd.' })
  assert.deepEqual(await upload(id, 'replace', [withoutResult]), { accepted: 0, unchanged: 1, replaced: 0 })
  assert.equal(await dump(), before)
})

describe('on_conflict=replace', () => {
  test('replaces scenarios in their places with the rules of PUT, and appends the others', async () => {
    const human = [{ name: 'review', kind: 'human' }]
    const details = { results: [{ reason: 'Good.' }] }
    const id = await createEvaluation(
      [
        scenario('a', 1),
        scenario('b', 1, { results: [result('review', 5)], extra: details }),
        scenario('c', 1),
      ],
      { evaluators: human },
    )
    await sendOk('PATCH', `${scenariosPath(id)}/b`, { note: 'Odd.' })
    const records = [
      scenario('c', 2, { results: [result('late', 1)] }),
      scenario('d', 2),
      scenario('b', 2, { results: [result('model', 1)] }),
      scenario('a', 1),
    ]
    const { headers } = await sendOk('GET', scenariosPath(id))
    const response = await sendOk('POST', uploadPath(id, 'replace'), records)
    assert.deepEqual(JSON.parse(response.text), { accepted: 1, unchanged: 1, replaced: 2 })
    const after = await sendOk('GET', scenariosPath(id))
    assert.deepEqual(
      [after.headers.etag === headers.etag, after.headers.etag],
      [false, response.headers.etag],
    )
    assert.deepEqual(await readNotes(id), [
      ['a', 1],
      ['b', 2],
      ['c', 2],
      ['d', 2],
    ])
    const b = await readJson(`${scenariosPath(id)}/b?include=extra`)
    assert.deepEqual(
      [b.note, b.results, b.extra],
      ['Odd.', [result('model', 1), result('review', 5)], { results: [{}, { reason: 'Good.' }] }],
    )
    const changes = (await readJson('/api/changes')).slice(-2)
    assert.deepEqual(
      changes.map(({ action, counts, scenario_id }: Record<string, unknown>) => [
        action,
        counts,
        scenario_id,
      ]),
      [
        ['scenarios.appended', { scenarios: 1 }, null],
        ['scenarios.replaced', { scenarios: 2 }, null],
      ],
    )
    assert.equal(changes[0].version, changes[1].version)
    const { columns } = await readJson(`${EVALUATIONS}/${id}/summary`)
    assert.deepEqual(columns.evaluators, ['review', 'late', 'model'])
    await checkClean()
  })

  test('several records with one id are applied one after the other', async () => {
    const id = await createEvaluation([scenario('a', 1)])
    const records = [
      scenario('b', 1),
      scenario('a', 2),
      scenario('b', 2),
      scenario('b', 3),
      scenario('a', 1),
      scenario('b', 1),
      scenario('a', 3),
    ]
    assert.deepEqual(await upload(id, 'replace', records), { accepted: 1, unchanged: 0, replaced: 6 })
    assert.deepEqual(await readNotes(id), [
      ['a', 3],
      ['b', 1],
    ])
    // Two records equal what was first written.
    assert.deepEqual(await upload(id, 'skip', [...records, scenario('c', 1), scenario('c', 2)]), {
      accepted: 1,
      unchanged: 4,
      skipped: 4,
    })
    const problem = await send('POST', scenariosPath(id), [scenario('d', 1), scenario('d', 2)])
    checkProblem(problem, 409, 'conflict')
    await checkClean()
  })

  test('stores what was sent, also if it is what was first written', async () => {
    const id = await createEvaluation([scenario('a', 1, { extra: { source: 1 } })])
    await upload(id, 'replace', [scenario('a', 2, { extra: { source: 2 } })])
    const before = await readJson(`${scenariosPath(id)}/a?include=extra`)
    for (const [extra, expected] of [
      [{ extra: { source: 1 } }, 1],
      [{}, 1],
    ] as const) {
      const counts = await upload(id, 'replace', [scenario('a', 1, extra)])
      assert.equal(counts.accepted, 0)
      const stored = await readJson(`${scenariosPath(id)}/a?include=extra`)
      assert.deepEqual([stored.outputs[0].cost, stored.extra.source], [1, expected])
    }
    assert.equal(before.outputs[0].cost, 2)
    await checkClean()
  })

  test('replaces thousands of scenarios of all sizes', {
    skip: fullOnly('replaces thousands; the other tests replace a few'),
  }, async () => {
    const text = (index: number, length: number) => `${index}`.padEnd(length, 'x')
    const records = (version: number, count: number) =>
      Array.from({ length: count }, (_, index) => ({
        id: `s-${index}`,
        inputs: [
          { name: `in-${index % 7}`, type: 'text', value: text(index, index % 50 === 0 ? 60_000 : 9) },
        ],
        results: [result(`e-${(index + version) % 5}`, version)],
        extra: { version },
      }))
    const id = await createEvaluation(records(1, 1500))
    assert.deepEqual(await upload(id, 'replace', records(2, 2000)), {
      accepted: 500,
      unchanged: 0,
      replaced: 1500,
    })
    const scenarios = await readJson(`${scenariosPath(id)}?include=extra`)
    assert.deepEqual(
      scenarios.map(({ id, extra }: { id: string; extra: { version: number } }) => [id, extra.version]),
      records(2, 2000).map(({ id }) => [id, 2]),
    )
    await checkClean()
  })

  test('returns 422 with the position of a record whose details cannot be merged', async () => {
    const id = await createEvaluation(
      [scenario('a', 1), scenario('b', 1, { results: [result('review', 5)] })],
      { evaluators: [{ name: 'review', kind: 'human' }] },
    )
    const before = await dump()
    const records = [scenario('a', 2), scenario('b', 2, { extra: { results: 'text' } })]
    const { errors } = checkProblem(
      await send('POST', uploadPath(id, 'replace'), records),
      422,
      'invalid-content',
    ) as unknown as { errors: { pointer: string }[] }
    assert.deepEqual(
      errors.map(({ pointer }) => pointer),
      ['/1/extra/results'],
    )
    assert.equal(await dump(), before)
  })
})

test('on_conflict=skip leaves stored scenarios as they are and appends the others', async () => {
  const id = await createEvaluation([scenario('a', 1), scenario('b', 1)])
  const counts = await upload(id, 'skip', [scenario('b', 2), scenario('c', 2), scenario('a', 1)])
  assert.deepEqual(counts, { accepted: 1, unchanged: 1, skipped: 1 })
  assert.deepEqual(await readNotes(id), [
    ['a', 1],
    ['b', 1],
    ['c', 2],
  ])
  const before = await dump()
  assert.deepEqual(await upload(id, 'skip', [scenario('b', 3)]), { accepted: 0, unchanged: 0, skipped: 1 })
  assert.equal(await dump(), before)
})

test('imports replace or skip conflicting scenarios', async () => {
  const id = await createEvaluation(
    [scenario('a', 1), scenario('b', 1, { results: [result('review', 5)] }), scenario('c', 1)],
    { evaluators: [{ name: 'review', kind: 'human' }] },
  )
  const records = [
    scenario('a', 2),
    scenario('b', 2, { extra: { results: 'text' } }),
    scenario('c', 1),
    scenario('d', 1),
  ]
  const file = records.map((record) => `${JSON.stringify(record)}\n`).join('')
  const importFile = (query: string) =>
    send('POST', `/api/imports?format=scenarios&evaluation=${id}${query}`, file)
  const before = await dump()
  checkProblem(await importFile(''), 409, 'conflict')
  checkProblem(await importFile('&on_conflict=replace'), 422, 'invalid-content')
  checkProblem(await importFile('&on_conflict=merge'), 400, 'invalid-request')
  assert.equal(await dump(), before)
  const skipped = JSON.parse((await importFile('&on_conflict=skip')).text)
  assert.deepEqual(skipped.evaluations, [
    { id, name: id, updated: [], accepted: 1, unchanged: 1, skipped: 2 },
  ])
  const replaced = JSON.parse((await importFile('&on_conflict=replace&skip_invalid=true')).text)
  assert.deepEqual(replaced.evaluations, [
    { id, name: id, updated: [], accepted: 0, unchanged: 2, replaced: 1 },
  ])
  assert.deepEqual(
    replaced.refusals.map(({ record, pointer }: { record: number; pointer: string }) => [record, pointer]),
    [[2, '/extra/results']],
  )
  await checkClean()
})

test('an Idempotency-Key with another on_conflict returns 422', async () => {
  const id = await createEvaluation([scenario('a', 1)])
  const headers = { 'idempotency-key': 'upload-once' }
  const records = [scenario('a', 2)]
  const first = await sendOk('POST', uploadPath(id, 'replace'), records, headers)
  const repeated = await sendOk('POST', uploadPath(id, 'replace'), records, headers)
  assert.equal(repeated.text, first.text)
  checkProblem(await send('POST', uploadPath(id, 'skip'), records, headers), 422, 'invalid-content')
})

describe('rows without ids of their own', () => {
  const table = (...questions: string[]) =>
    ['question,answer', ...questions.map((question, index) => `${question},answer ${index}`)].join('\n')
  const importTable = (id: string, rule: string, text: string) =>
    send('POST', `/api/imports?format=table&evaluation=${id}&on_conflict=${rule}`, text, {
      'content-type': 'text/csv',
    })

  async function createTable(id: string): Promise<string> {
    const response = await importTable(id, 'error', table('A?', 'B?', 'C?'))
    assert.equal(response.status, 200, response.text)
    await sendOk('PATCH', `${scenariosPath(id)}/3`, { note: 'Look at C.', is_pinned: true })
    return id
  }

  for (const rule of RULES)
    test(`${rule}: a row that was inserted before them is refused, and nothing changes`, async () => {
      const id = await createTable(`table-${rule}`)
      const before = await dump()
      for (const changed of [
        table('X?', 'A?', 'B?', 'C?'),
        table('B?', 'C?'),
        table('A?', 'B?', 'X?', 'C?'),
      ]) {
        const response = await importTable(id, rule, changed)
        const { detail } = checkProblem(response, 409, 'conflict')
        assert.match(
          detail,
          /^Record \d \(line \d\) has no id of its own, .* Nothing was stored\. .*--replace/,
        )
        assert.equal(await dump(), before)
      }
    })

  test('the same table, changed answers and rows at its end are accepted', async () => {
    const id = await createTable('table-changed')
    const again = JSON.parse((await importTable(id, 'error', table('A?', 'B?', 'C?', 'D?'))).text)
    assert.deepEqual([again.evaluations[0].unchanged, again.evaluations[0].accepted], [3, 1])
    const changed = table('A?', 'B?', 'C?', 'D?').replace('answer 2', 'better')
    const replaced = JSON.parse((await importTable(id, 'replace', changed)).text)
    assert.deepEqual([replaced.evaluations[0].replaced, replaced.evaluations[0].unchanged], [1, 3])
    const third = await readJson(`${scenariosPath(id)}/3`)
    assert.deepEqual([third.outputs[0].result.value, third.note], ['better', 'Look at C.'])
  })

  test('replace_all matches the rows by their inputs', async () => {
    const id = await createTable('table-all')
    await importTable(id, 'replace_all', table('X?', 'A?', 'B?', 'C?'))
    const rows = (await readJson(scenariosPath(id))) as { inputs: { value: string }[]; note: string | null }[]
    assert.deepEqual(
      rows.map(({ inputs, note }) => [inputs[0]?.value, note]),
      [
        ['X?', null],
        ['A?', null],
        ['B?', null],
        ['C?', 'Look at C.'],
      ],
    )
    await checkClean()
  })
})
