// Tests the API reference at /docs: its first screen, contents, limits and look.
import assert from 'node:assert/strict'
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { createTempFolder, createTestStore, startTestService } from '../../support/harness.ts'
import { sendRequest } from '../../support/http.ts'

const store = await createTestStore()
const { baseUrl } = await startTestService(store)

test('/docs starts with both reads, and lists each operation and each limit once', async () => {
  const page = (await sendRequest(baseUrl, '/docs')).text
  const [contents = '', content = ''] = page.split('<main')
  const document = JSON.parse((await sendRequest(baseUrl, '/api/openapi.json')).text)
  const operations = Object.values<Record<string, { operationId: string }>>(document.paths).flatMap((item) =>
    Object.values(item).map(({ operationId }) => operationId),
  )
  for (const operation of operations)
    assert.equal(contents.split(`href="#${operation}"`).length, 2, operation)
  for (const [, id = ''] of page.matchAll(/href="#([\w-]+)"/g)) assert.ok(content.includes(`id="${id}"`), id)
  const opening = content.slice(0, content.indexOf(`id="${operations[0]}"`))
  for (const path of ['/evaluation_scenarios', '/revisions'])
    assert.match(
      opening,
      new RegExp(`curl [^<]*\n[^<]*<span class="service-url">[^<]*</span>/api/[^<]*${path}`),
    )
  assert.doesNotMatch(opening, /pool-timeout/)
  const names = [...content.matchAll(/<td><code>([\w-]+)<\/code><\/td><td class="value">/g)]
  const limits = /Limits \(configurable as settings\): (.*)\.$/.exec(document.info.description)?.[1]
  assert.deepEqual(
    names.map(([, name]) => name),
    limits?.split(', ').map((limit) => limit.split(' ')[0]),
  )
  assert.match(content, /<code>max-body-bytes<\/code><\/td><td class="value">2 GiB<\/td>/)
})

test('the API reference has the colors of the page, and its font if the page is built', async () => {
  const { text } = await sendRequest(baseUrl, '/docs/style.css')
  const tokens = readFileSync(new URL('../../../web/src/style/tokens.css', import.meta.url), 'utf8')
  const declarations = text.match(/--[\w-]+: (?:light-dark|0 8px|"Inter|ui-monospace)[^;}]*/g) ?? []
  assert.ok(declarations.length > 15)
  for (const declaration of declarations) assert.ok(tokens.includes(`${declaration.trim()};`), declaration)
  assert.doesNotMatch(text, /@font-face/)
  const web = createTempFolder()
  mkdirSync(join(web, 'assets'))
  writeFileSync(join(web, 'assets/inter-latin-wght-normal-Ab_1-x.woff2'), 'font')
  const service = await startTestService(store, {}, undefined, web)
  const { text: style } = await sendRequest(service.baseUrl, '/docs/style.css')
  const font = /url\('\.\.(\/assets\/[^']+)'\)/.exec(style)?.[1] ?? ''
  assert.equal((await sendRequest(service.baseUrl, font)).text, 'font')
})
