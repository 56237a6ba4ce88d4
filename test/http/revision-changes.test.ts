// What changed between revisions, over HTTP: the difference of two, and what each changed in the list of all.
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { fillCorpus, ODD_ID } from '../corpus.ts'
import { freshStore, mint, serveStore } from '../harness.ts'
import { type Answer, ask, checkDocumented, checkProblem, schemaErrors } from '../wire.ts'
import { JSON_TYPE, revision, revisionsOf } from '../writes.ts'

const store = await freshStore()
await fillCorpus(store)
const { key } = await mint(store, { scopes: ['read', 'write'] })
const { base } = await serveStore(store)

async function get(path: string, headers: Record<string, string> = {}, method = 'GET') {
  const answer = await ask(base, path, { authorization: key, ...headers }, method)
  checkDocumented(path, answer, method)
  return answer
}

async function addRevisions(id: string, ...configs: string[]): Promise<void> {
  for (const config of configs) {
    const headers = { authorization: key, 'content-type': JSON_TYPE }
    const answer = await ask(base, revisionsOf(id), headers, 'POST', revision(config))
    assert.equal(answer.status, 201, answer.text)
  }
}

await addRevisions(
  'prompt',
  '{"config_name":"a","parameters":{"temperature":0.7,"messages":[{"role":"system","content":"Be kind.\\nBe brief."}]}}',
  String.raw`{"config_name":"\u0061","parameters":{"messages":[{"role":"user","content":"{q}"},{"content":"Be kind.\nBe \u0062rief.\nCite.","role":"system"}],"temperature":0.70}}`,
  '{"config_name":"b"}',
)

describe('the difference of two revisions is refused:', () => {
  const REFUSED: [path: string, status: number, code: string, says: string][] = [
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
  for (const [path, status, code, says] of REFUSED) {
    test(`${path} with ${status} ${code}`, async () => {
      const { detail } = checkProblem(await get(path), status, code)
      assert.ok(detail.includes(says), detail)
    })
  }
})

describe('the difference of two revisions', () => {
  test('has every change by its path, with the values as they were written', async () => {
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

  test('goes either way, and tells of another name and of parameters that are gone', async () => {
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

  test('of a revision and itself is empty; revision 0 is one like others; ids are decoded', async () => {
    const same = JSON.parse((await get('/api/variants/full/revisions/2/diff/2')).text)
    assert.deepEqual([same.change_count, same.changes, same.parameter_count], [0, [], 2])
    const odd = JSON.parse((await get(`${revisionsOf(ODD_ID)}/0/diff/1/`)).text)
    assert.deepEqual([odd.variant_id, odd.change_count], [ODD_ID, 1])
  })

  test('carries the validator of the variant, and HEAD is the same without the body', async () => {
    const path = '/api/variants/full/revisions/0/diff/1'
    const one = await get(path)
    const again = await get(path, { 'if-none-match': String(one.headers.etag) })
    assert.equal(again.status, 304)
    const head = await get(path, {}, 'HEAD')
    assert.deepEqual([head.headers.etag, head.bytes.length], [one.headers.etag, 0])
  })

  test('of megabytes is whole', async () => {
    const text = (letter: string) =>
      JSON.stringify({ p: `${letter.repeat(700)}\n`.repeat(1500), q: [letter] })
    const configs = ['a', 'b'].map((letter) => `{"config_name":"c","parameters":${text(letter)}}`)
    await addRevisions('large', ...configs)
    const answer = await get('/api/variants/large/revisions/1/diff/2', { 'accept-encoding': 'gzip' })
    const { changes } = JSON.parse(answer.text)
    assert.equal(changes[0].old, 'a'.repeat(700).concat('\n').repeat(1500))
    assert.equal(changes[0].new, 'b'.repeat(700).concat('\n').repeat(1500))
    assert.deepEqual(changes[0].lines, { added: 1500, removed: 1500 })
    assert.equal(changes.length, 2)
  })
})

describe('include=changes', () => {
  const PROMPT = revisionsOf('prompt')

  for (const include of ['', 'x', 'changes,', 'changes,changes', 'changes,extra', 'Changes', 'changes%20']) {
    test(`include=${include} is refused with what is allowed, before existence`, async () => {
      for (const id of ['full', 'none']) {
        const answer = await get(`${revisionsOf(id)}?include=${include}`)
        assert.match(checkProblem(answer, 400, 'invalid-request').detail, /evaluations, changes/)
      }
    })
  }

  test('gives each revision as its last member what it changed against the one before', async () => {
    const plain = JSON.parse((await get(PROMPT)).text)
    const answer = await get(`${PROMPT}?include=changes`)
    const revisions = JSON.parse(answer.text)
    for (const one of revisions) assert.deepEqual(schemaErrors('VariantRevision', one), [])
    assert.deepEqual(
      revisions.map(({ changes: _, ...rest }: { changes: unknown }) => rest),
      plain,
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
      (await get(`${PROMPT}?include=changes`, { 'if-none-match': String(answer.headers.etag) })).status,
      304,
    )
  })

  test('gives each revision what was said about it, where message is asked for too', async () => {
    const said = ['Shorter, because "nobody" reads on\u2028', null, '𝄞'.repeat(3000)]
    for (const message of said) {
      const body = revision('{"config_name":"c"}', `,"message":${JSON.stringify(message)}`)
      await ask(base, revisionsOf('said'), { authorization: key, 'content-type': JSON_TYPE }, 'POST', body)
    }
    const answer = await get(`${revisionsOf('said')}?include=changes,message`)
    const revisions = JSON.parse(answer.text)
    for (const one of revisions) assert.deepEqual(schemaErrors('VariantRevision', one), [])
    assert.deepEqual(
      revisions.map(({ message }: { message: unknown }) => message),
      said.with(2, '𝄞'.repeat(2000)),
    )
    assert.ok(!('message' in JSON.parse((await get(`${revisionsOf('said')}?include=changes`)).text)[0]))
  })

  test('is the same in lines and in pages, and a table is as without', async () => {
    const path = `${revisionsOf('full')}?include=changes`
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
    assert.equal(table.text, (await get(`${revisionsOf('full')}?format=csv`)).text)
    for (const limit of [1, 3]) {
      const pages: unknown[] = []
      let next: string | undefined = `${path}&limit=${limit}`
      while (next) {
        const answer: Answer = await get(next)
        pages.push(...JSON.parse(answer.text))
        next = /^<([^>]+)>; rel="next"$/.exec(String(answer.headers.link))?.[1]
      }
      assert.deepEqual(pages, whole)
    }
    assert.equal((await get(`${revisionsOf('empty')}?include=changes`)).text, '[]')
    const head = await get(path, {}, 'HEAD')
    assert.deepEqual([head.status, head.headers['content-length']], [200, undefined])
  })

  test('lists a hundred changes and counts them all', async () => {
    const crowded = (value: number) =>
      JSON.stringify(Object.fromEntries(Array.from({ length: 150 }, (_, index) => [`p${index}`, value])))
    const configs = [1, 2].map((value) => `{"config_name":"c","parameters":${crowded(value)}}`)
    await addRevisions('crowded', ...configs)
    const [, { changes }] = JSON.parse((await get(`${revisionsOf('crowded')}?include=changes`)).text)
    assert.deepEqual([changes.parameter_count, changes.change_count, changes.changes.length], [150, 150, 100])
    const whole = JSON.parse((await get(`${revisionsOf('crowded')}/1/diff/2`)).text)
    assert.equal(whole.changes.length, 150)
  })

  test('of many large revisions is whole', async () => {
    const text = (number: number) => `${'line of a prompt\\n'.repeat(20_000)}${number}`
    const configs = Array.from(
      { length: 6 },
      (_, number) => `{"config_name":"c","parameters":{"p":"${text(number)}"}}`,
    )
    await addRevisions('long', ...configs)
    const revisions = JSON.parse((await get(`${revisionsOf('long')}?include=changes`)).text)
    assert.deepEqual(
      revisions.slice(1).map(({ changes }: { changes: { changes: unknown } }) => changes.changes),
      Array(5).fill([{ path: 'p', old_path: null, kind: 'changed', lines: { added: 1, removed: 1 } }]),
    )
  })
})
