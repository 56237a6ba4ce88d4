// Tests the default baseline, which reads use if `base` has no value: which one is chosen, where it applies, and who can read it.
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { Evaluation } from '../../../src/schema/evaluations.ts'
import type { VariantRevision } from '../../../src/schema/revisions.ts'
import { createTestKey } from '../../support/harness.ts'
import { checkProblem } from '../../support/http.ts'
import { EVALUATIONS, revisionBody, revisionsPath, scenariosPath } from '../../support/write-requests.ts'
import { startWriteService } from '../../support/write-service.ts'

const { store, send, sendOk } = await startWriteService()

let count = 0
/** A new name, for a variant or an evaluation. */
const newName = (noun: string) => {
  count += 1
  return `${noun}-${count}`
}

async function createVariant(): Promise<string> {
  const id = newName('variant')
  await sendOk('POST', revisionsPath(id), revisionBody())
  return id
}

const scenario = (id: string, value: number) => ({
  id,
  inputs: [{ name: 'topic', type: 'text', value: 'x' }],
  correct_answers: [{ key: 'answer', value: id }],
  results: [{ evaluator_config: 'e', result: { type: 'number', value } }],
})

interface Options {
  variant_id?: string | null
  /** The day of its creation. */
  day: number
  status?: string
  baseline_id?: string
  scores?: number[]
}

/** Stores an evaluation and returns its id. */
async function add({ variant_id = null, day, scores = [0.5, 0.75], ...members }: Options): Promise<string> {
  const id = newName('evaluation')
  const created_at = `2026-10-${String(day).padStart(2, '0')}T08:00:00.000Z`
  const variant = variant_id === null ? {} : { variant_id, revision: 1 }
  await sendOk('POST', EVALUATIONS, { id, name: id, created_at, ...variant, ...members })
  const scenarios = scores.map((value, index) => scenario(`s-${index}`, value))
  if (scenarios.length > 0) await sendOk('POST', scenariosPath(id), scenarios)
  return id
}

const summaryPath = (id: string, query = '?base=') => `/api/evaluations/${id}/summary${query}`

/** The id of the default baseline and why it was chosen. */
async function readChoice(id: string): Promise<[string, string] | undefined> {
  const { base } = JSON.parse((await sendOk('GET', summaryPath(id))).text)
  return base && [base.id, base.chosen]
}

describe('the default baseline', () => {
  test('is the declared one, whatever other evaluations there are', async () => {
    const variant_id = await createVariant()
    const marked = await add({ variant_id, day: 1 })
    await add({ variant_id, day: 2, baseline_id: marked })
    const others = [
      await add({ day: 9 }),
      await add({ day: 1, status: 'running' }),
      await add({ day: 1, status: 'failed' }),
      await add({ variant_id: await createVariant(), day: 1 }),
    ]
    for (const baseline_id of others)
      assert.deepEqual(await readChoice(await add({ variant_id, day: 3, baseline_id })), [
        baseline_id,
        'declared',
      ])
  })

  test('is none if the declared one does not exist, is in another project, or is the evaluation itself', async () => {
    const variant_id = await createVariant()
    await add({ variant_id, day: 1 })
    const foreign = newName('evaluation')
    const { key } = await createTestKey(store, { scopes: ['read', 'write'], project: 'other' })
    const headers = { authorization: key }
    await sendOk('POST', EVALUATIONS, { id: foreign }, headers)
    await sendOk('POST', scenariosPath(foreign), [scenario('s-0', 1)], headers)
    for (const baseline_id of ['nowhere', foreign])
      assert.equal(await readChoice(await add({ variant_id, day: 2, baseline_id })), undefined)
    const id = await add({ variant_id, day: 2 })
    await sendOk('PATCH', `/api/evaluations/${id}`, { baseline_id: id })
    assert.equal(await readChoice(id), undefined)
  })

  test('is the newest older marked one, even if the previous one is newer', async () => {
    const variant_id = await createVariant()
    const [first, second] = [await add({ variant_id, day: 1 }), await add({ variant_id, day: 2 })]
    const previous = await add({ variant_id, day: 6 })
    const id = await add({ variant_id, day: 7 })
    assert.deepEqual(await readChoice(id), [previous, 'previous'])
    // An evaluation of another variant can mark it, too.
    await add({ day: 3, baseline_id: first })
    assert.deepEqual(await readChoice(id), [first, 'marked'])
    await add({ variant_id, day: 5, baseline_id: second })
    assert.deepEqual(await readChoice(id), [second, 'marked'])
    const newer = await add({ variant_id, day: 9 })
    await add({ variant_id, day: 10, baseline_id: newer })
    assert.deepEqual(await readChoice(id), [second, 'marked'])
  })

  test('is not marked by itself', async () => {
    const variant_id = await createVariant()
    const own = await add({ variant_id, day: 1 })
    await sendOk('PATCH', `/api/evaluations/${own}`, { baseline_id: own })
    const previous = await add({ variant_id, day: 2 })
    assert.deepEqual(await readChoice(await add({ variant_id, day: 3 })), [previous, 'previous'])
  })

  test('is the previous one without a marked one', async () => {
    const variant_id = await createVariant()
    await add({ variant_id, day: 1 })
    const previous = await add({ variant_id, day: 2 })
    const id = await add({ variant_id, day: 3 })
    await add({ variant_id, day: 4 })
    assert.deepEqual(await readChoice(id), [previous, 'previous'])
    const running = await add({ variant_id, day: 3, status: 'running' })
    assert.deepEqual(await readChoice(running), [id, 'previous'], 'the later one of the same time')
    assert.deepEqual(await readChoice(id), [previous, 'previous'])
  })

  test('is none for the first evaluation of a variant, and for one without a variant', async () => {
    const variant_id = await createVariant()
    const first = await add({ variant_id, day: 1 })
    await add({ variant_id, day: 2 })
    await add({ day: 1 })
    for (const id of [first, await add({ day: 3 })]) {
      assert.equal(await readChoice(id), undefined)
      assert.equal(
        (await sendOk('GET', summaryPath(id))).text,
        (await sendOk('GET', summaryPath(id, ''))).text,
      )
    }
  })

  for (const [kind, options] of Object.entries({
    running: { status: 'running' },
    failed: { status: 'failed' },
    empty: { scores: [] },
    newer: { day: 9 },
  })) {
    test(`is never a ${kind} evaluation that is marked or previous`, async () => {
      const variant_id = await createVariant()
      const [marked, previous] = [await add({ variant_id, day: 1 }), await add({ variant_id, day: 2 })]
      const skipped = await add({ variant_id, day: 3, ...options })
      const id = await add({ variant_id, day: 4 })
      assert.deepEqual(await readChoice(id), [previous, 'previous'])
      await add({ day: 1, baseline_id: skipped })
      assert.deepEqual(await readChoice(id), [previous, 'previous'])
      await add({ day: 1, baseline_id: marked })
      assert.deepEqual(await readChoice(id), [marked, 'marked'])
    })
  }

  test('is not an evaluation of the same variant in another project', async () => {
    const variant_id = await createVariant()
    const { key } = await createTestKey(store, { scopes: ['read', 'write'], project: 'other' })
    const headers = { authorization: key }
    await sendOk('POST', revisionsPath(variant_id), revisionBody(), headers)
    const foreign = newName('evaluation')
    const created_at = '2026-10-01T08:00:00.000Z'
    await sendOk('POST', EVALUATIONS, { id: foreign, variant_id, revision: 1, created_at }, headers)
    await sendOk('POST', scenariosPath(foreign), [scenario('s-0', 1)], headers)
    assert.equal(await readChoice(await add({ variant_id, day: 3 })), undefined)
  })

  test('is the next one when it is deleted', async () => {
    const variant_id = await createVariant()
    const ids = [await add({ variant_id, day: 1 }), await add({ variant_id, day: 2 })]
    const id = await add({ variant_id, day: 3 })
    assert.deepEqual(await readChoice(id), [ids[1], 'previous'])
    await sendOk('DELETE', `/api/evaluations/${ids[1]}`)
    assert.deepEqual(await readChoice(id), [ids[0], 'previous'])
    await sendOk('DELETE', `/api/evaluations/${ids[0]}`)
    assert.equal(await readChoice(id), undefined)
  })
})

/** Reads with a baseline, by name. Those of scenarios do not describe it. */
const READS: Record<string, (id: string, query: string) => string> = {
  summary: (id, query) => summaryPath(id, `?${query}`),
  rows: (id, query) => `/api/evaluations/${id}/rows?${query}`,
  'rows by row': (id, query) => `/api/evaluations/${id}/rows?group=row&${query}`,
  breakdown: (id, query) => `/api/evaluations/${id}/breakdown?by=input.topic&${query}`,
}

/** An evaluation whose first score is below and whose second one is above that of its previous one. */
async function createPair() {
  const variant_id = await createVariant()
  const base = await add({ variant_id, day: 1, scores: [0.5, 0.5] })
  return { variant_id, base, id: await add({ variant_id, day: 2, scores: [0.25, 0.75] }) }
}

describe('base without a value', () => {
  for (const [name, path] of Object.entries(READS)) {
    test(`reads the ${name} with the default baseline and says why it was chosen`, async () => {
      const { base, id } = await createPair()
      const byDefault = JSON.parse((await sendOk('GET', path(id, 'base='))).text)
      assert.deepEqual([byDefault.base.id, byDefault.base.chosen], [base, 'previous'])
      const byName = JSON.parse((await sendOk('GET', path(id, `base=${base}`))).text)
      assert.equal(byName.base.chosen, null)
      byName.base.chosen = 'previous'
      assert.deepEqual(byDefault, byName)
      const own = JSON.parse((await sendOk('GET', path(id, ''))).text)
      assert.ok(!('base' in own))
      const head = await sendOk('HEAD', path(id, 'base='))
      assert.equal(head.headers.etag, (await sendOk('GET', path(id, 'base='))).headers.etag)
    })

    test(`returns a new ETag for the ${name} when the choice changes, and reads without it keep theirs`, async () => {
      const { base, id } = await createPair()
      const own = (await sendOk('GET', path(id, ''))).headers.etag ?? ''
      const named = (await sendOk('GET', path(id, `base=${base}`))).headers.etag ?? ''
      let etag = (await sendOk('GET', path(id, 'base='))).headers.etag ?? ''
      const readChanged = async () => {
        const response = await send('GET', path(id, 'base='), undefined, { 'if-none-match': etag })
        assert.equal(response.status, 200, 'the ETag changed')
        etag = response.headers.etag ?? ''
        const again = await send('GET', path(id, 'base='), undefined, { 'if-none-match': etag })
        assert.equal(again.status, 304)
        return JSON.parse(response.text).base
      }
      const marking = await add({ day: 3, baseline_id: base })
      assert.equal((await readChanged()).chosen, 'marked', 'the same baseline, for another reason')
      const unchanged = await send('GET', path(id, `base=${base}`), undefined, { 'if-none-match': named })
      assert.equal(unchanged.status, 304, 'the request names the baseline')
      await sendOk('DELETE', `/api/evaluations/${marking}`)
      assert.equal((await readChanged()).chosen, 'previous')
      await sendOk('PATCH', `/api/evaluations/${base}`, { status: 'running' })
      assert.equal(await readChanged(), undefined)
      const ownResponse = await send('GET', path(id, ''), undefined, { 'if-none-match': own })
      assert.equal(ownResponse.status, 304)
    })
  }

  test('filters and sorts by the difference from the default baseline', async () => {
    const { base, id } = await createPair()
    const idsOf = ({ text }: { text: string }) => {
      const document = JSON.parse(text)
      return (document.rows ?? document).map((row: { id: string }) => row.id)
    }
    for (const path of [`/api/evaluations/${id}/rows`, scenariosPath(id)]) {
      assert.deepEqual(idsOf(await sendOk('GET', `${path}?base=&delta.e=lt.0`)), ['s-0'])
      assert.deepEqual(idsOf(await sendOk('GET', `${path}?base=&order=delta.e.desc`)), ['s-1', 's-0'])
    }
    const summary = JSON.parse((await sendOk('GET', summaryPath(id, '?base=&delta.e=gt.0'))).text)
    assert.deepEqual([summary.matched, summary.base.id], [1, base])
  })

  test('returns 400 for filters and orders by difference if there is no baseline', async () => {
    const id = await add({ variant_id: await createVariant(), day: 1 })
    for (const query of ['delta.e=lt.0', 'order=delta.e.desc'])
      for (const path of [`/api/evaluations/${id}/rows`, scenariosPath(id)]) {
        const problem = checkProblem(await send('GET', `${path}?base=&${query}`), 400, 'invalid-request')
        assert.equal(
          problem.detail,
          'A delta needs a baseline, and this evaluation has none. Name one with `base`.',
        )
      }
    checkProblem(await send('GET', summaryPath(id, '?base=&delta.e=lt.0')), 400, 'invalid-request')
    const breakdown = `/api/evaluations/${id}/breakdown?by=input.topic&base=`
    for (const query of ['&delta.e=lt.0', '&order=delta.e.desc', '&order=contribution.e.asc'])
      checkProblem(await send('GET', `${breakdown}${query}`), 400, 'invalid-request')
    const rows = JSON.parse((await sendOk('GET', `/api/evaluations/${id}/rows?base=`)).text)
    assert.ok(!('base' in rows) && !('base' in rows.rows[0]))
  })
})

describe('share links', () => {
  const createShare = async (confined_to: object) => {
    const { key } = JSON.parse((await sendOk('POST', '/api/shares', { confined_to })).text)
    return { authorization: key }
  }

  test('see the default baseline only if they can read it', async () => {
    const { variant_id, base, id } = await createPair()
    const other = await add({ variant_id, day: 9 })
    const shares = {
      both: await createShare({ comparison: [base, id] }),
      withOther: await createShare({ comparison: [other, id] }),
      one: await createShare({ evaluation_id: id }),
    }
    for (const [name, path] of Object.entries(READS)) {
      // A share link cannot read the variant.
      const { text: projectText } = await sendOk('GET', path(id, 'base='))
      const expected = projectText.replace('"changed_parameters":0', '"changed_parameters":null')
      assert.equal((await sendOk('GET', path(id, 'base='), undefined, shares.both)).text, expected, name)
      const withoutBase = (await sendOk('GET', path(id, ''))).text
      for (const share of [shares.withOther, shares.one]) {
        const { text } = await sendOk('GET', path(id, 'base='), undefined, share)
        assert.equal(text, withoutBase, name)
        assert.ok(!text.includes(base))
      }
    }
    for (const path of [`/api/evaluations/${id}/rows`, scenariosPath(id)])
      checkProblem(
        await send('GET', `${path}?base=&delta.e=lt.0`, undefined, shares.one),
        400,
        'invalid-request',
      )
  })

  test('do not fall back to another baseline if they cannot read the default one', async () => {
    const { variant_id, base, id } = await createPair()
    const marked = await add({ variant_id, day: 1 })
    await add({ day: 1, baseline_id: marked })
    assert.deepEqual(await readChoice(id), [marked, 'marked'])
    const share = await createShare({ comparison: [base, id] })
    const { text } = await sendOk('GET', summaryPath(id), undefined, share)
    assert.ok(!('base' in JSON.parse(text)))
  })
})

describe('lists with include=base', () => {
  const list = (variant_id: string) => `${EVALUATIONS}?include=scores,base&variant_id=eq.${variant_id}`
  const choicesOf = (evaluations: Pick<Evaluation, 'id' | 'scores'>[]) =>
    evaluations.map(({ id, scores }) => [id, scores?.base?.id, scores?.base?.chosen])

  test('compare each evaluation with its default baseline', async () => {
    const { variant_id, base, id } = await createPair()
    const declaring = await add({ variant_id, day: 3, baseline_id: id })
    const last = await add({ variant_id, day: 4 })
    const expected = [
      [last, id, 'marked'],
      [declaring, id, 'declared'],
      [id, base, 'previous'],
      [base, undefined, undefined],
    ]
    const evaluations: Evaluation[] = JSON.parse((await sendOk('GET', list(variant_id))).text)
    assert.deepEqual(choicesOf(evaluations), expected)
    for (const evaluation of evaluations.slice(0, 3)) {
      const { base, evaluators } = JSON.parse((await sendOk('GET', summaryPath(evaluation.id))).text)
      const { changed_parameters: _, ...rest } = base
      assert.deepEqual(evaluation.scores?.base, rest)
      assert.deepEqual(evaluation.scores?.evaluators[0]?.base, evaluators[0].base)
    }
    const path = `${revisionsPath(variant_id)}?include=evaluations,base`
    const [revision]: VariantRevision[] = JSON.parse((await sendOk('GET', path)).text)
    const listed = revision?.evaluations ?? []
    const order = (choices: unknown[][]) => choices.toSorted(([a], [b]) => (String(a) < String(b) ? -1 : 1))
    assert.deepEqual(order(choicesOf(listed)), order(expected))
  })

  test('return a new ETag when a choice changes', async () => {
    const { variant_id, base, id } = await createPair()
    const { etag = '' } = (await sendOk('GET', list(variant_id))).headers
    assert.equal((await send('GET', list(variant_id), undefined, { 'if-none-match': etag })).status, 304)
    await add({ day: 3, baseline_id: base })
    const response = await send('GET', list(variant_id), undefined, { 'if-none-match': etag })
    assert.equal(response.status, 200)
    assert.deepEqual(choicesOf(JSON.parse(response.text))[0], [id, base, 'marked'])
  })
})
