// Tests of assay review, and of reviews in full exports, imports and copies.
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, test } from 'node:test'
import { runAssayCommand as runAssay } from '../support/command-runner/run.ts'
import { createStoreLocation, createTempFolder } from '../support/harness.ts'
import { startReviewService } from '../support/review-service.ts'

const service = await startReviewService()
const { store, baseUrl, key, createEvaluation, invite, sendOk, readJson } = service
const { flags } = store

async function run(args: string[], locationFlags = flags): Promise<string> {
  const { code, stdout, stderr } = await runAssay([...args, ...locationFlags])
  assert.equal(code, 0, stderr)
  return stdout.trimEnd()
}

const row = (id: string, isRight: boolean) => ({
  id,
  inputs: [{ name: 'question', type: 'text', value: id }],
  outputs: [{ result: { type: 'text', value: id } }],
  results: [{ evaluator_config: 'judge', result: { type: 'bool', value: isRight } }],
})

describe('assay review', async () => {
  const id = await createEvaluation(['a', 'b', 'c', 'd'].map((name) => row(name, name !== 'd')))
  const create = ['review', 'create', id, '--evaluator', 'human_verdict', '--review', 'october']
  await run([
    ...create,
    ...[
      '--filter',
      'result.judge=is.true',
      '--label',
      'Late,Rude',
      '--name',
      'October',
      '--second-reviewer',
      '1',
    ],
  ])
  const [ana, mira] = [await invite('october', 'Ana'), await invite('october', 'Mira')]
  for (const name of ['a', 'b', 'c'])
    await ana.put(name, name !== 'c', name === 'c' ? { labels: ['Late'] } : {})
  await mira.put('a', true)
  await mira.put('b', false, { note: 'Too, "late".' })

  test('create selects rows by filters, and list and show print reviews', async () => {
    assert.match(await run(['review', 'list', id]), /^october +\S+Z +human_verdict +October$/m)
    const text = await run(['review', 'show', 'october'])
    assert.match(text, /^October: 3 of 3 rows answered, 2 complete, 1 disputed\.$/m)
    assert.match(text, /^Ana +3 /m)
    assert.match(
      text,
      /^human_verdict: 2 results\. 50 % pass: after 2 rows known to ± \d+ points, after 60 more to about ± 13\. Reviewers agree on 1 of 2 rows\.$/m,
    )
    assert.match(text, /^Ana and Mira +2 +50 %$/m)
    assert.match(text, /^Late +1$/m)
    assert.match(text, /^Disputed: b \(Ana: true, Mira: false\)$/m)
    assert.deepEqual(
      JSON.parse(await run(['review', 'show', 'october', '--json'])),
      await readJson('/api/reviews/october'),
    )
  })

  test('export prints all answers, on a store and on a service', async () => {
    const answers = JSON.parse(await run(['review', 'export', 'october']))
    assert.equal(answers.length, 5)
    const csv = await run(['review', 'export', 'october', '--format', 'csv'])
    assert.match(csv, /^b,human_verdict,Mira,false,false,,"Too, ""late"".",\S+Z\r?$/m)
    const remote = await run(
      ['review', 'export', 'october', '--format', 'ndjson'],
      ['--url', baseUrl, '--key', key],
    )
    assert.deepEqual(
      remote.split('\n').map((line) => JSON.parse(line)),
      answers,
    )
  })

  test('create compares two evaluations, compare prints what people prefer, and full exports keep the sides', async () => {
    const rows = Array.from({ length: 10 }, (_, index) => row(`row-${index}`, index > 2))
    const [base, candidate] = [await createEvaluation(rows), await createEvaluation(rows)]
    const args = ['--evaluator', 'better', '--type', 'preference', '--review', 'sides']
    await run(['review', 'create', candidate, ...args, '--base', base])
    const { pairs } = await readJson('/api/reviews/sides')
    const jo = await invite('sides', 'Jo')
    for (const [index, { scenario_id, candidate_side }] of pairs.entries()) {
      const other = candidate_side === 'left' ? 'right' : 'left'
      const value = index < 6 ? candidate_side : index < 8 ? other : 'equal'
      await jo.send('PUT', `answers/${scenario_id}`, { answers: [{ evaluator: 'better', value }] })
    }
    const line = `People prefer ${candidate} in 75 % of 8 rows (95 % confidence interval 35 to 97), 2 ties. Review: sides.`
    const text = await run(['compare', base, candidate])
    assert.ok(text.replaceAll(/\s+/g, ' ').includes(line), text)
    const other = await createStoreLocation()
    for (const evaluation of [candidate, base]) {
      const file = join(createTempFolder(), 'full.ndjson')
      await run(['export', evaluation, '--full', '--output', file])
      await run(['import', file], other.flags)
    }
    assert.equal(await run(['compare', base, candidate], other.flags), text)
    const show = ['review', 'show', 'sides', '--json']
    assert.deepEqual(JSON.parse(await run(show, other.flags)), JSON.parse(await run(show)))
    await run(['check'], other.flags)
    await sendOk('DELETE', '/api/reviews/sides')
  })

  test('rejects wrong usage, an unknown review and an evaluator that cannot be used', async () => {
    for (const [args, code, message] of [
      [['review', 'create', id], 2, /Name the evaluator/],
      [['review', 'create', id, '--evaluator', 'x', '--type', 'stars'], 2, /--type is 'stars'/],
      [['review', 'create', id, '--evaluator', 'x', '--type', 'preference'], 2, /--base/],
      [['review', 'create', id, '--evaluator', 'judge'], 1, /people did not give/],
      [['review', 'show', 'nowhere'], 1, /has no review 'nowhere'/],
      [['review', 'export', 'october', '--format', 'xml'], 2, /--format is 'xml'/],
    ] as const) {
      const { code: actual, stderr } = await runAssay([...args, ...flags])
      assert.deepEqual([actual, message.test(stderr)], [code, true], stderr)
    }
  })

  test('a full export contains reviews and answers, and imports restore them', async () => {
    const file = join(createTempFolder(), 'full.ndjson')
    await run(['export', id, '--full', '--output', file])
    const other = await createStoreLocation()
    await run(['import', file], other.flags)
    const exported = join(createTempFolder(), 'again.ndjson')
    await run(['export', id, '--full', '--output', exported], other.flags)
    assert.equal(readFileSync(exported, 'utf8'), readFileSync(file, 'utf8'))
    assert.equal(
      await run(['review', 'show', 'october'], other.flags),
      await run(['review', 'show', 'october']),
    )
    await run(['check'], other.flags)
    await run(['import', file], other.flags)
    assert.equal((await run(['review', 'list', id, '--json'], other.flags)).split('"october"').length, 2)
    await run(['import', file, '--evaluation', 'second'], other.flags)
    const [second] = JSON.parse(await run(['review', 'list', 'second', '--json'], other.flags))
    assert.notEqual(second.id, 'october', 'an id belongs to one review of the project')
    assert.equal(JSON.parse(await run(['review', 'export', second.id], other.flags)).length, 5)
  })

  test('a copy of the project contains reviews', async () => {
    const other = await createStoreLocation()
    const [from, to] = [store, other].map(({ url }) => url)
    const { code, stderr } = await runAssay(['copy', from as string, to as string])
    assert.equal(code, 0, stderr)
    assert.equal(
      await run(['review', 'export', 'october'], other.flags),
      await run(['review', 'export', 'october']),
    )
  })

  test('replacing scenarios keeps answers, by replace_all only if the outputs are the same', async () => {
    const path = `/api/evaluations/${id}/evaluation_scenarios`
    await sendOk('PUT', `${path}/a`, { ...row('a', false), outputs: [] })
    const changed = [row('a', false), { ...row('b', true), outputs: [] }, row('c', true)]
    await sendOk('POST', `${path}?on_conflict=replace`, changed)
    const answersOf = async () =>
      (await service.rows('october')).map(({ scenario_id, answers }) => [scenario_id, answers.length]).sort()
    await sendOk('PATCH', '/api/reviews/october', { filters: null })
    assert.deepEqual(await answersOf(), [
      ['a', 2],
      ['b', 2],
      ['c', 1],
      ['d', 0],
    ])
    await sendOk('POST', `${path}?on_conflict=replace_all`, [
      { ...row('a', false), outputs: [] },
      { ...row('b', false), outputs: [] },
      row('c', false),
    ])
    assert.deepEqual(await answersOf(), [
      ['a', 0],
      ['b', 2],
      ['c', 1],
    ])
    await service.checkClean()
  })
})
