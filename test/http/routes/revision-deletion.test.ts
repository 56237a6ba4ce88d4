// Tests deleting a revision: what remains, that its text is gone from the store, and that caches do not return it.
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { checkStore } from '../../../src/store/check.ts'
import { createTestKey } from '../../support/harness.ts'
import { checkProblem } from '../../support/http.ts'
import { EVALUATIONS, revisionsPath, scenariosPath, VARIANTS } from '../../support/write-requests.ts'
import { startWriteService } from '../../support/write-service.ts'

const { store, key, send, sendOk, readJson } = await startWriteService()
const { key: otherKey } = await createTestKey(store, { project: 'other', scopes: ['read', 'write'] })

function revision(prompt: string, number?: number): object {
  const config = { config_name: 'c', parameters: { prompt } }
  return { modified_by: 'Ana', config, message: prompt, ...(number !== undefined && { revision: number }) }
}

let createdCount = 0
/** Creates a variant with a revision per prompt. */
async function createVariant(...prompts: string[]): Promise<string> {
  createdCount += 1
  const id = `v/${createdCount}`
  for (const prompt of prompts) await sendOk('POST', revisionsPath(id), revision(prompt))
  return id
}

const pathOf = (id: string, number: number | string) => `${revisionsPath(id)}/${number}`
const variantPath = (id: string) => `${VARIANTS}/${encodeURIComponent(id)}`

/** The names of the tables that contain a text. */
async function tablesWith(text: string): Promise<string[]> {
  const { reader } = store
  const tables = await reader.all<{ name: string }>(reader.sql.tables)
  const found: string[] = []
  for (const { name } of tables) {
    const rows = await reader.all<Record<string, unknown>>(`SELECT * FROM ${name}`)
    const texts = rows.flatMap((row) => Object.values(row)).map(String)
    if (texts.some((value) => value.includes(text))) found.push(name)
  }
  return found
}

describe('DELETE of a revision', () => {
  test('removes it from every read, and the others keep their numbers', async () => {
    const id = await createVariant('one', 'two', 'three')
    const third = (await sendOk('GET', pathOf(id, 3))).text
    const { etag = '' } = (await sendOk('GET', revisionsPath(id))).headers
    const response = await sendOk('DELETE', pathOf(id, 2))
    assert.deepEqual([response.status, response.text], [204, ''])
    const list = await send('GET', revisionsPath(id), undefined, { 'if-none-match': etag })
    assert.deepEqual(
      JSON.parse(list.text).map((item: { revision: number }) => item.revision),
      [1, 3],
    )
    for (const path of [pathOf(id, 2), `${pathOf(id, 2)}/diff/1`, `${pathOf(id, 1)}/diff/2`])
      checkProblem(await send('GET', path), 404, 'revision-not-found')
    checkProblem(await send('DELETE', pathOf(id, 2)), 404, 'revision-not-found')
    assert.equal((await sendOk('GET', pathOf(id, 3))).text, third)
    const { revision_count, latest_revision } = await readJson(variantPath(id))
    assert.deepEqual([revision_count, latest_revision], [2, 3])
    const [, { changes }] = await readJson(`${revisionsPath(id)}?include=changes`)
    assert.deepEqual([changes.against, changes.change_count], [1, 1])
    const { action, variant_id, revision, counts, version } = (await readJson('/api/changes')).at(-1)
    assert.deepEqual([action, variant_id, revision, counts], ['revision.deleted', id, 2, { revisions: 1 }])
    assert.ok(String(list.headers.etag).includes(version))
  })

  test('leaves a variant without revisions after the last one', async () => {
    const id = await createVariant('one')
    await sendOk('DELETE', pathOf(id, 1))
    assert.deepEqual(await readJson(revisionsPath(id)), [])
    const { revision_count, latest_revision } = await readJson(variantPath(id))
    assert.deepEqual([revision_count, latest_revision], [0, null])
  })

  test('does not change evaluations that ran it: they keep its number, but a new reference is rejected', async () => {
    const id = await createVariant('one', 'two')
    const evaluations = [1, 2].map((number) => `${createdCount}-${number}`)
    for (const [index, evaluation] of evaluations.entries()) {
      await sendOk('POST', EVALUATIONS, { id: evaluation, variant_id: id, revision: index + 1 })
      await sendOk('POST', scenariosPath(evaluation), [{ id: 'a' }])
    }
    const [base, candidate] = evaluations
    const path = `${EVALUATIONS}/${candidate}`
    const changedParameters = async () => {
      const { headers, text } = await sendOk('GET', `${path}/summary?base=${base}`)
      return { etag: headers.etag, count: JSON.parse(text).base.changed_parameters }
    }
    const before = await changedParameters()
    const evaluation = await sendOk('GET', path)
    await sendOk('DELETE', pathOf(id, 2))
    const again = await sendOk('GET', path)
    assert.deepEqual([again.text, again.headers.etag], [evaluation.text, evaluation.headers.etag])
    assert.equal(JSON.parse(again.text).revision, 2)
    const afterwards = await changedParameters()
    assert.deepEqual([before.count, afterwards.count], [1, null])
    assert.notEqual(afterwards.etag, before.etag)
    assert.equal((await readJson(`${revisionsPath(id)}?include=evaluations`)).length, 1)
    checkProblem(await send('PATCH', path, { revision: 2 }), 422, 'invalid-content')
    await sendOk('PATCH', path, { name: 'other' })
  })

  test('deletes its text from every table, also in stored responses of any key of the project', async () => {
    const secret = 'sk-secret-4711'
    const id = await createVariant('one')
    const second = await createTestKey(store, { scopes: ['write'] })
    const body = revision(secret, 2)
    for (const authorization of [key, second.key])
      await sendOk('POST', revisionsPath(id), body, { authorization, 'idempotency-key': 'k' })
    assert.deepEqual((await tablesWith(secret)).sort(), ['idempotency', 'revision'])
    await sendOk('DELETE', pathOf(id, 2), undefined, { 'idempotency-key': 'delete' })
    assert.deepEqual(await tablesWith(secret), [])
    // A retry is a new request.
    const retry = await sendOk('POST', revisionsPath(id), body, { 'idempotency-key': 'k' })
    assert.equal(retry.status, 201)
    assert.equal((await readJson(revisionsPath(id))).length, 2)
  })

  test('keeps stored responses of other revisions and projects', async () => {
    const id = await createVariant()
    const headers = { 'idempotency-key': 'kept' }
    const other = { authorization: otherKey, ...headers }
    const first = await sendOk('POST', revisionsPath(id), revision('a'), headers)
    await sendOk('POST', revisionsPath(id), revision('b'))
    await sendOk('POST', revisionsPath(id), revision('x'), { authorization: otherKey })
    const second = await sendOk('POST', revisionsPath(id), revision('y'), other)
    await sendOk('DELETE', pathOf(id, 2))
    assert.equal((await send('POST', revisionsPath(id), revision('a'), headers)).text, first.text)
    assert.equal((await send('POST', revisionsPath(id), revision('y'), other)).text, second.text)
    assert.deepEqual(await readJson(pathOf(id, 1)), JSON.parse(first.text))
  })

  test('another revision with the same number is compared by its own content', async () => {
    const id = await createVariant('one', 'two')
    const changesOf = async () => {
      const { changes } = await readJson(`${pathOf(id, 1)}/diff/2`)
      const [, revision] = await readJson(`${revisionsPath(id)}?include=changes`)
      return [changes[0]?.new, revision.changes.changes[0]?.kind ?? null]
    }
    assert.deepEqual(await changesOf(), ['two', 'changed'])
    await sendOk('DELETE', pathOf(id, 2))
    await sendOk('POST', revisionsPath(id), revision('three', 2))
    assert.deepEqual(await changesOf(), ['three', 'changed'])
    await sendOk('DELETE', pathOf(id, 2))
    await sendOk('POST', revisionsPath(id), revision('one', 2))
    assert.deepEqual(await changesOf(), [undefined, null])
  })

  test('returns 404 for numbers that do not exist or are not in plain digits, and for unknown variants', async () => {
    const id = await createVariant('one')
    for (const number of ['2', '01', '-1', '1.0', 'latest'])
      checkProblem(await send('DELETE', pathOf(id, number)), 404, 'revision-not-found')
    checkProblem(await send('DELETE', pathOf('nowhere', 1)), 404, 'variant-not-found')
    checkProblem(await send('DELETE', `${pathOf(id, 1)}?x=1`), 400, 'invalid-request')
    assert.equal((await readJson(revisionsPath(id))).length, 1)
  })
})

test('everything derived is correct after these writes', async () => {
  assert.deepEqual((await checkStore(store, () => undefined)).faults, [])
})
