// Tests the changes between revisions: the diff of two revisions, and include=changes in the list of revisions.
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { fillCorpus, SPECIAL_ID } from '../../support/corpus.ts'
import { checkProblem, type HttpResponse, schemaErrors } from '../../support/http.ts'
import { revisionBody, revisionsPath } from '../../support/write-requests.ts'
import { startWriteService } from '../../support/write-service.ts'

const { sendOk, get } = await startWriteService(fillCorpus)

async function addRevisions(id: string, ...configs: string[]): Promise<void> {
  for (const config of configs) await sendOk('POST', revisionsPath(id), revisionBody(config))
}

await addRevisions(
  'prompt',
  '{"config_name":"a","parameters":{"temperature":0.7,"messages":[{"role":"system","content":"Be kind.\\nBe brief."}]}}',
  String.raw`{"config_name":"\u0061","parameters":{"messages":[{"role":"user","content":"{q}"},{"content":"Be kind.\nBe \u0062rief.\nCite.","role":"system"}],"temperature":0.70}}`,
  '{"config_name":"b"}',
)

describe('errors of the diff of two revisions', () => {
  const ERROR_CASES: [path: string, status: number, code: string, expectedDetail: string][] = [
    ['/api/variants/full/revisions/0/diff/9', 404, 'revision-not-found', "'9'"],
    ['/api/variants/full/revisions/8/diff/0', 404, 'revision-not-found', "'8'"],
    ['/api/variants/full/revisions/0/diff/x', 404, 'revision-not-found', 'plain digits'],
    ['/api/variants/full/revisions/%00/diff/0', 404, 'revision-not-found', 'plain digits'],
    ['/api/variants/none/revisions/0/diff/1', 404, 'variant-not-found', "'none'"],
    ['/api/variants/foreign/revisions/0/diff/1', 403, 'access-denied', "'foreign'"],
    ['/api/variants/full/revisions/0/diff/1?format=json', 400, 'invalid-request', "'format'"],
    ['/api/variants/full/revisions/0/diff', 404, 'route-not-found', '/docs'],
    ['/api/variants/full/revisions/0/diff/1/2', 404, 'route-not-found', '/docs'],
  ]
  for (const [path, status, code, expectedDetail] of ERROR_CASES) {
    test(`returns ${status} ${code} for ${path}`, async () => {
      const { detail } = checkProblem(await get(path), status, code)
      assert.ok(detail.includes(expectedDetail), detail)
    })
  }
})

describe('the diff of two revisions', () => {
  test('contains every change with its path and the exact values', async () => {
    const { text } = await get('/api/variants/prompt/revisions/1/diff/2')
    assert.deepEqual(schemaErrors('RevisionDiff', JSON.parse(text)), [])
    const changes = [
      '{"path":"messages[0].role","old_path":null,"kind":"added","new":"user","lines":null}',
      '{"path":"messages[0].content","old_path":null,"kind":"added","new":"{q}","lines":null}',
      String.raw`{"path":"messages[1].content","old_path":"messages[0].content","kind":"changed","old":"Be kind.\nBe brief.","new":"Be kind.\nBe \u0062rief.\nCite.","lines":{"added":1,"removed":0}}`,
    ]
    assert.equal(
      text,
      `{"variant_id":"prompt","from":1,"to":2,"config_name":null,"parameter_count":5,"change_count":3,"changes":[${changes.join(',')}]}`,
    )
  })

  test('can go from a newer to an older revision, and contains changed names and added parameters', async () => {
    const { text } = await get('/api/variants/prompt/revisions/3/diff/1')
    const { config_name, changes, ...rest } = JSON.parse(text)
    assert.deepEqual(config_name, { old: 'b', new: 'a' })
    assert.deepEqual(rest, { variant_id: 'prompt', from: 3, to: 1, parameter_count: 3, change_count: 3 })
    assert.deepEqual(
      changes.map(({ kind, path }: { kind: string; path: string }) => [kind, path]),
      [
        ['added', 'temperature'],
        ['added', 'messages[0].role'],
        ['added', 'messages[0].content'],
      ],
    )
  })

  test('is empty for a revision and itself, accepts revision 0, and decodes ids', async () => {
    const emptyDiff = JSON.parse((await get('/api/variants/full/revisions/2/diff/2')).text)
    assert.deepEqual([emptyDiff.change_count, emptyDiff.changes, emptyDiff.parameter_count], [0, [], 2])
    const special = JSON.parse((await get(`${revisionsPath(SPECIAL_ID)}/0/diff/1/`)).text)
    assert.deepEqual([special.variant_id, special.change_count], [SPECIAL_ID, 1])
  })

  test('is complete when it has several megabytes', async () => {
    const text = (letter: string) =>
      JSON.stringify({ p: `${letter.repeat(700)}\n`.repeat(1500), q: [letter] })
    const configs = ['a', 'b'].map((letter) => `{"config_name":"c","parameters":${text(letter)}}`)
    await addRevisions('large', ...configs)
    const response = await get('/api/variants/large/revisions/1/diff/2', { 'accept-encoding': 'gzip' })
    const { changes } = JSON.parse(response.text)
    assert.equal(changes[0].old, 'a'.repeat(700).concat('\n').repeat(1500))
    assert.equal(changes[0].new, 'b'.repeat(700).concat('\n').repeat(1500))
    assert.deepEqual(changes[0].lines, { added: 1500, removed: 1500 })
    assert.equal(changes.length, 2)
  })
})

describe('include=changes', () => {
  const PROMPT = revisionsPath('prompt')

  for (const include of ['', 'x', 'changes,', 'changes,changes', 'changes,extra', 'Changes', 'changes%20']) {
    test(`include=${include} returns 400 with the allowed values, also for an unknown id`, async () => {
      for (const id of ['full', 'none']) {
        const response = await get(`${revisionsPath(id)}?include=${include}`)
        assert.match(checkProblem(response, 400, 'invalid-request').detail, /evaluations, base, changes/)
      }
    })
  }

  test('adds the changes from the previous revision as the last member', async () => {
    const revisionsWithoutChanges = JSON.parse((await get(PROMPT)).text)
    const response = await get(`${PROMPT}?include=changes`)
    const revisions = JSON.parse(response.text)
    for (const revision of revisions) assert.deepEqual(schemaErrors('VariantRevision', revision), [])
    assert.deepEqual(
      revisions.map(({ changes: _, ...rest }: { changes: unknown }) => rest),
      revisionsWithoutChanges,
    )
    assert.equal(Object.keys(revisions[1]).at(-1), 'changes')
    const [first, second, third] = revisions.map(({ changes }: { changes: unknown }) => changes)
    assert.equal(first, null)
    const {
      variant_id: _,
      from,
      to: __,
      changes,
      ...rest
    } = JSON.parse((await get(`${PROMPT}/1/diff/2`)).text)
    assert.deepEqual(second, {
      against: from,
      ...rest,
      changes: changes.map(({ old: _, new: __, ...brief }: { old: unknown; new: unknown }) => brief),
    })
    assert.deepEqual([third.against, third.change_count, third.config_name], [2, 5, { old: 'a', new: 'b' }])
    assert.equal(
      (await get(`${PROMPT}?include=changes`, { 'if-none-match': String(response.headers.etag) })).status,
      304,
    )
  })

  test('adds the message of each revision with include=changes,message, truncated to 2000 characters', async () => {
    const messages = ['Shorter, with "quotes"\u2028', null, '𝄞'.repeat(3000)]
    for (const message of messages) {
      const body = revisionBody('{"config_name":"c"}', `,"message":${JSON.stringify(message)}`)
      await sendOk('POST', revisionsPath('messages'), body)
    }
    const response = await get(`${revisionsPath('messages')}?include=changes,message`)
    const revisions = JSON.parse(response.text)
    for (const revision of revisions) assert.deepEqual(schemaErrors('VariantRevision', revision), [])
    assert.deepEqual(
      revisions.map(({ message }: { message: unknown }) => message),
      messages.with(2, '𝄞'.repeat(2000)),
    )
    assert.ok(!('message' in JSON.parse((await get(`${revisionsPath('messages')}?include=changes`)).text)[0]))
  })

  test('is the same in NDJSON and in pages, and has no effect on CSV', async () => {
    const path = `${revisionsPath('full')}?include=changes`
    const whole = JSON.parse((await get(path)).text)
    assert.deepEqual(
      whole.map(({ changes }: { changes: { against: number } | null }) => changes?.against ?? null),
      [null, 0, 1, 2],
    )
    const lines = (await get(`${path}&format=ndjson`)).text.trimEnd().split('\n')
    assert.deepEqual(
      lines.map((line) => JSON.parse(line)),
      whole,
    )
    const table = await get(`${path}&format=csv`)
    assert.equal(table.text, (await get(`${revisionsPath('full')}?format=csv`)).text)
    for (const limit of [1, 3]) {
      const pages: unknown[] = []
      let nextPath: string | undefined = `${path}&limit=${limit}`
      while (nextPath) {
        const response: HttpResponse = await get(nextPath)
        pages.push(...JSON.parse(response.text))
        nextPath = /^<([^>]+)>; rel="next"$/.exec(String(response.headers.link))?.[1]
      }
      assert.deepEqual(pages, whole)
    }
    assert.equal((await get(`${revisionsPath('empty')}?include=changes`)).text, '[]')
    const head = await get(path, {}, 'HEAD')
    assert.deepEqual([head.status, head.headers['content-length']], [200, undefined])
  })

  test('lists at most 100 changes and counts all of them', async () => {
    const manyParameters = (value: number) =>
      JSON.stringify(Object.fromEntries(Array.from({ length: 150 }, (_, index) => [`p${index}`, value])))
    const configs = [1, 2].map((value) => `{"config_name":"c","parameters":${manyParameters(value)}}`)
    await addRevisions('many-parameters', ...configs)
    const [, { changes }] = JSON.parse(
      (await get(`${revisionsPath('many-parameters')}?include=changes`)).text,
    )
    assert.deepEqual([changes.parameter_count, changes.change_count, changes.changes.length], [150, 150, 100])
    const whole = JSON.parse((await get(`${revisionsPath('many-parameters')}/1/diff/2`)).text)
    assert.equal(whole.changes.length, 150)
  })

  test('is complete for many large revisions', async () => {
    const text = (number: number) => `${'line of a prompt\\n'.repeat(20_000)}${number}`
    const configs = Array.from(
      { length: 6 },
      (_, number) => `{"config_name":"c","parameters":{"p":"${text(number)}"}}`,
    )
    await addRevisions('long', ...configs)
    const revisions = JSON.parse((await get(`${revisionsPath('long')}?include=changes`)).text)
    assert.deepEqual(
      revisions.slice(1).map(({ changes }: { changes: { changes: unknown } }) => changes.changes),
      Array(5).fill([{ path: 'p', old_path: null, kind: 'changed', lines: { added: 1, removed: 1 } }]),
    )
  })
})
