// Tests that a revision number never means two revisions: numbers are not used again, and evaluations stay linked to what they ran.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { checkStore } from '../../../src/store/check.ts'
import { runAssayCommand } from '../../support/command-runner/run.ts'
import { EVALUATIONS } from '../../support/write-requests.ts'
import { startWriteService } from '../../support/write-service.ts'

const { store, baseUrl, key, send, sendOk } = await startWriteService()

const VARIANTS = '/api/variants'
const revisionsPath = (id: string) => `${VARIANTS}/${id}/revisions`
const CREATED_AT = '2026-01-02T03:04:05.000Z'
const revision = (prompt: string, more: object = {}) => ({
  modified_by: 'Maya',
  config: { config_name: 'bot', parameters: { prompt } },
  ...more,
})
const addRevision = async (variant: string, prompt: string, more?: object): Promise<number> =>
  JSON.parse((await sendOk('POST', revisionsPath(variant), revision(prompt, more))).text).revision

interface Listed {
  revision: number
  evaluations: { id: string }[]
}

/** The evaluations of each revision. */
async function listEvaluations(variant: string): Promise<[number, string[]][]> {
  const { text } = await sendOk('GET', `${revisionsPath(variant)}?include=evaluations`)
  return (JSON.parse(text) as Listed[]).map(({ revision, evaluations }) => [
    revision,
    evaluations.map(({ id }) => id),
  ])
}

/** A variant with the revisions 1 and 2, and an evaluation of each. */
async function createVariant(id: string): Promise<void> {
  await sendOk('POST', VARIANTS, { id })
  await addRevision(id, 'first', { created_at: CREATED_AT })
  await addRevision(id, 'second')
  for (const revision of [1, 2])
    await sendOk('POST', EVALUATIONS, { id: `${id}-run-${revision}`, variant_id: id, revision })
}

test('a variant that is created again continues after its highest number', async () => {
  await createVariant('again')
  await sendOk('DELETE', `${VARIANTS}/again`)
  await sendOk('POST', VARIANTS, { id: 'again' })
  assert.equal(await addRevision('again', 'first'), 3)
  assert.deepEqual(await listEvaluations('again'), [[3, []]])
  const { revision } = JSON.parse((await sendOk('GET', `${EVALUATIONS}/again-run-1`)).text)
  assert.equal(revision, 1)
})

test('a number that is named can be used again, without the evaluations of the deleted revision', async () => {
  await createVariant('named')
  await sendOk('DELETE', `${VARIANTS}/named`)
  await sendOk('POST', VARIANTS, { id: 'named' })
  assert.equal(await addRevision('named', 'other', { revision: 1 }), 1)
  await sendOk('POST', EVALUATIONS, { id: 'named-new', variant_id: 'named', revision: 1 })
  assert.deepEqual(await listEvaluations('named'), [[1, ['named-new']]])
  await addRevision('named', 'second', { revision: 2 })
  await sendOk('POST', EVALUATIONS, { id: 'named-newest', variant_id: 'named', revision: 2 })
  const countChanges = async (id: string, base: string) =>
    JSON.parse((await sendOk('GET', `${EVALUATIONS}/${id}/summary?base=${base}`)).text).base
      .changed_parameters
  assert.equal(await countChanges('named-newest', 'named-new'), 1)
  assert.equal(await countChanges('named-newest', 'named-run-1'), null)
  assert.equal(await addRevision('named', 'third'), 3)
})

test('a restored revision has its evaluations again', async () => {
  await createVariant('restored')
  const exported = JSON.parse((await sendOk('GET', revisionsPath('restored'))).text)
  await sendOk('DELETE', `${VARIANTS}/restored`)
  await sendOk('POST', VARIANTS, { id: 'restored' })
  for (const body of exported) await sendOk('POST', revisionsPath('restored'), body)
  assert.deepEqual(await listEvaluations('restored'), [
    [1, ['restored-run-1']],
    [2, ['restored-run-2']],
  ])
})

test('a full export has no revision if the one that ran was deleted', async () => {
  await createVariant('exported')
  await sendOk('DELETE', `${VARIANTS}/exported`)
  await sendOk('POST', VARIANTS, { id: 'exported' })
  await addRevision('exported', 'other', { revision: 1 })
  await sendOk('POST', EVALUATIONS, { id: 'exported-new', variant_id: 'exported', revision: 1 })
  for (const [id, expected] of [
    ['exported-run-1', undefined],
    ['exported-new', 'other'],
  ] as const) {
    const { stdout } = await runAssayCommand(['export', id, '--full', '--url', baseUrl, '--key', key])
    const { evaluation, revision } = JSON.parse(stdout.split('\n')[0] ?? '')
    assert.deepEqual([evaluation.revision, revision?.config.parameters.prompt], [1, expected])
  }
})

test('an explicit high number is followed by the next one, also after the variant was deleted', async () => {
  await sendOk('POST', VARIANTS, { id: 'high' })
  assert.equal(await addRevision('high', 'a', { revision: 41 }), 41)
  assert.equal(await addRevision('high', 'b'), 42)
  assert.equal(await addRevision('high', 'c', { revision: 7 }), 7)
  assert.equal(await addRevision('high', 'd'), 43)
  await sendOk('DELETE', `${VARIANTS}/high`)
  await sendOk('POST', VARIANTS, { id: 'high' })
  assert.equal(await addRevision('high', 'e'), 44)
  await sendOk('POST', VARIANTS, { id: 'higher' })
  await addRevision('higher', 'a', { revision: 2_147_483_647 })
  const { status, text } = await send('POST', revisionsPath('higher'), revision('b'))
  assert.deepEqual([status, JSON.parse(text).code], [409, 'conflict'])
})

test('the store is clean', async () => {
  const { faults } = await checkStore(store, () => undefined)
  assert.deepEqual(faults, [])
})
