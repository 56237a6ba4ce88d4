// Tests a service below a path of its host (--public-url), with a proxy that keeps the path and one that removes it.
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { CommandError } from '../../../src/errors.ts'
import {
  createTempFolder,
  createTestKey,
  createTestStore,
  rawRequest,
  startTestService,
} from '../../support/harness.ts'
import { sendRequest } from '../../support/http.ts'

const PUBLIC_URL = 'https://evals.example/tools/assay'
const store = await createTestStore()
const { baseUrl, port } = await startTestService(store, { public_url: PUBLIC_URL })
const { key } = await createTestKey(store, { scopes: ['read', 'write'] })
const json = { authorization: key, 'content-type': 'application/json' }
const post = (path: string, body: object, headers = {}) =>
  sendRequest(baseUrl, path, { ...json, ...headers }, 'POST', JSON.stringify(body))
const get = (path: string) => sendRequest(baseUrl, path, { authorization: key })

for (const [proxy, prefix] of [
  ['a proxy that keeps the path', '/tools/assay'],
  ['a proxy that removes the path', ''],
] as const) {
  describe(proxy, () => {
    test('gets the page, whose links and base path begin with the path', async () => {
      for (const path of ['/', '', '?q=x', '/evaluations/a%2Fb', '/compare?evaluation=x']) {
        const target = prefix + path
        const { status, text } = await get(target.startsWith('/') ? target : `/${target}`)
        assert.equal(status, 200)
        assert.match(text, /src="\/tools\/assay\/theme\.js"/)
        assert.match(text, /src="\/tools\/assay\/assets\/index-C0ffee01\.js"/)
        assert.doesNotMatch(text, /"\/(?:assets|theme)/)
      }
      for (const path of ['/theme.js', '/assets/index-C0ffee01.js', '/docs/style.css', '/livez', '/readyz'])
        assert.equal((await get(`${prefix}${path}`)).status, 200, path)
    })

    test('gets an API reference whose links begin with the path', async () => {
      for (const path of ['/docs', '/docs/errors']) {
        const { status, text } = await get(`${prefix}${path}`)
        assert.equal(status, 200)
        assert.doesNotMatch(text, /(?:src|href)="(?!#|\/tools\/assay\/)/)
      }
      assert.match(
        (await get(`${prefix}/docs`)).text,
        /such as <code>https:\/\/evals\.example\/tools\/assay</,
      )
    })

    test('gets an index and an OpenAPI document with the public URL', async () => {
      const { links } = JSON.parse((await get(`${prefix}/api`)).text)
      for (const link of Object.values<string>(links)) assert.ok(link.startsWith(`${PUBLIC_URL}/`), link)
      assert.equal(links.openapi, `${PUBLIC_URL}/api/openapi.json`)
      const document = JSON.parse((await get(`${prefix}/api/openapi.json`)).text)
      assert.deepEqual(
        document.servers.map(({ url }: { url: string }) => url),
        [PUBLIC_URL],
      )
    })

    test('gets Location and Link headers with the public URL, also for a retried request', async () => {
      const id = `a/b ${proxy}`
      const token = { 'idempotency-key': proxy.replaceAll(' ', '-') }
      for (const _attempt of ['first', 'retry']) {
        const { status, headers } = await post(`${prefix}/api/evaluations`, { id }, token)
        assert.equal(status, 201)
        assert.equal(headers.location, `${PUBLIC_URL}/api/evaluations/${encodeURIComponent(id)}`)
      }
      const path = `/api/evaluations/${encodeURIComponent(id)}`
      assert.equal((await get(`${prefix}${path}`)).status, 200)
      await post(`${prefix}${path}/evaluation_scenarios`, [{ id: 's1' }, { id: 's2' }])
      const { headers } = await get(`${prefix}${path}/evaluation_scenarios?limit=1`)
      const [, link = ''] = /^<([^>]+)>; rel="next"$/.exec(String(headers.link)) ?? []
      assert.ok(link.startsWith(`${PUBLIC_URL}${path}/evaluation_scenarios?`), link)
      assert.match((await get(link.replace(PUBLIC_URL, prefix))).text, /"s2"/)
    })

    test('gets errors whose type and detail contain the path', async () => {
      const notFound = JSON.parse((await get(`${prefix}/unknown`)).text)
      assert.equal(notFound.type, '/tools/assay/docs/errors#route-not-found')
      assert.equal(
        notFound.detail,
        'There is no route /tools/assay/unknown. The API is under /tools/assay/api; see /tools/assay/docs.',
      )
      const { status, text } = await sendRequest(baseUrl, `${prefix}/compare`, {}, 'DELETE')
      assert.equal(status, 405)
      assert.match(JSON.parse(text).detail, /^DELETE is not supported at \/tools\/assay\/compare\. /)
      const invalid = await rawRequest(port, `GET ${prefix}/livez HTTP/1.1\r\nHost x\r\n\r\n`)
      assert.match(invalid, /"type":"\/tools\/assay\/docs\/errors#invalid-request"/)
    })
  })
}

test('accepts an absolute URL as request target', async () => {
  const get = (url: string) => rawRequest(port, `GET ${url} HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n`)
  assert.match(await get(`${PUBLIC_URL}/livez`), /^HTTP\/1\.1 200 /)
  assert.match(await get('https://evals.example/livez'), /^HTTP\/1\.1 200 /)
})

test('the path is removed only once, and only as whole segments', async () => {
  for (const path of [
    '/tools/assayer/livez',
    '/tools/assay/tools/assay/livez',
    '/tools/livez',
    '/assay/livez',
  ])
    assert.equal((await get(path)).status, 404, path)
})

test('without a page, the message links to the API reference below the path', async () => {
  const service = await startTestService(store, { public_url: PUBLIC_URL }, undefined, createTempFolder())
  const { status, text } = await sendRequest(service.baseUrl, '/tools/assay/')
  assert.equal(status, 503)
  assert.match(text, /href="\/tools\/assay\/docs"/)
  await service.stop()
})

test('characters that are special in HTML and in replacements are literal in links', async () => {
  const public_url = "https://evals.example/a&amp;b$&'"
  const service = await startTestService(store, { public_url })
  const { text } = await sendRequest(service.baseUrl, "/a&amp;b$&'/")
  assert.match(text, /src="\/a&#38;amp;b\$&#38;'\/theme\.js"/)
  await service.stop()
})

test('a path that begins like a path of the service is rejected at the start', async () => {
  for (const path of ['/api', '/evaluations/x', '/docs', '/livez', '/assets']) {
    const start = startTestService(store, { public_url: `https://evals.example${path}` })
    await assert.rejects(start, (error) => {
      assert.ok(error instanceof CommandError)
      assert.match(error.message, /--public-url begins with \/\w+, which is also a path of the service/)
      assert.equal(error.exitCode, 2)
      return true
    })
  }
})
