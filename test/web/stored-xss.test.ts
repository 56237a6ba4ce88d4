// Stores scripts in every field and opens every view in Chromium, without the content security policy: nothing may run
// and nothing may be requested from another host.
import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { after, test } from 'node:test'
import type { BrowserContext } from 'playwright-core'
import { createTestKey, createTestStore } from '../support/harness.ts'
import { sendRequest } from '../support/http.ts'
import { reportMeasurements } from '../support/measurements.ts'
import { testOptions } from '../support/options.ts'
import { servePage, sharedBrowser, visit, WITHOUT_BROWSER, waitUntilIdle } from './browser.ts'

/** Every value starts with this text, so that a view has loaded when it appears. */
const MARKER = 'stored-value'

/** From the cheat sheets of OWASP, and for Markdown. `hit()` reports an execution, CANARY is a server. */
const PAYLOADS = [
  '<script>hit()</script>',
  '<SCRIPT SRC=//CANARY/x.js></SCRIPT>',
  '<img src=x onerror=hit()>',
  '<img src="http://CANARY/image.png">',
  '<IMG SRC=JaVaScRiPt:hit()>',
  '<IMG """><SCRIPT>hit()</SCRIPT>">',
  '<img src=x:x onerror=&#104;&#105;&#116;()>',
  '<svg onload=hit()>',
  '<svg><script xlink:href="http://CANARY/x.js"></script></svg>',
  '<svg><animate onbegin=hit() attributeName=x dur=1s>',
  '<body onload=hit()>',
  '<iframe src="javascript:hit()"></iframe>',
  '<iframe srcdoc="<script>parent.hit()</script>"></iframe>',
  '<object data="http://CANARY/object"></object>',
  '<embed src="http://CANARY/embed">',
  '<link rel=stylesheet href="http://CANARY/style.css">',
  '<style>@import "http://CANARY/import.css"; body{background:url(http://CANARY/background)}</style>',
  '<div style="background-image:url(http://CANARY/div)">x</div>',
  '<meta http-equiv="refresh" content="0;url=http://CANARY/refresh">',
  '<base href="http://CANARY/">',
  '<form action="http://CANARY/form"><button autofocus onfocus=hit()>x</button></form>',
  '<input autofocus onfocus=hit()>',
  '<details open ontoggle=hit()>x</details>',
  '<video><source onerror=hit() src=x></video>',
  '<audio src="http://CANARY/audio" onerror=hit() autoplay></audio>',
  '<math><mtext></form><form><mglyph><style></math><img src onerror=hit()>',
  '"><script>hit()</script>',
  "'-hit()-'",
  '</textarea><script>hit()</script>',
  '</title><script>hit()</script>',
  '--><script>hit()</script>',
  ']]><script>hit()</script>',
  '{{constructor.constructor("hit()")()}}',
  `\${hit()}`,
  'javascript:hit()',
  'data:text/html,<script>hit()</script>',
  '[link](javascript:hit())',
  '[link](JaVaScRiPt&colon;hit())',
  '[link](data:text/html;base64,PHNjcmlwdD5oaXQoKTwvc2NyaXB0Pg==)',
  '[link](vbscript:hit())',
  '[a]: javascript:hit()\n\n[a]',
  '<javascript:hit()>',
  '![image](http://CANARY/markdown.png)',
  '![image](x"onerror="hit())',
  '![image][i]\n\n[i]: http://CANARY/reference.png',
  '[link](http://CANARY/ "title" onmouseover="hit()")',
  '`<script>hit()</script>`',
  '```html\n<script>hit()</script>\n```',
  '| <script>hit()</script> |\n|---|\n| <img src=x onerror=hit()> |',
  '# <img src=x onerror=hit()>',
  '> <script>hit()</script>',
  '\u202e<script>hit()</script>\u0000',
]

test('no stored text runs as a script or causes a request, in any field of any view', {
  skip: WITHOUT_BROWSER,
}, async (t) => {
  let context: BrowserContext | undefined
  // Before the first await: after that, Node would add the hook to the test that started the browser.
  after(() => context?.close())
  let canaryCount = 0
  const canary = createServer((_request, response) => {
    canaryCount += 1
    response.end()
  }).listen(0, '127.0.0.1')
  await once(canary, 'listening')
  after(() => canary.close())
  const host = `127.0.0.1:${(canary.address() as AddressInfo).port}`
  const payloads = PAYLOADS.map((payload) => `${MARKER} ${payload.replaceAll('CANARY', host)}`)
  const allPayloads = payloads.join('\n\n')

  const store = await createTestStore()
  const { key } = await createTestKey(store, { scopes: ['read', 'write'] })
  const { baseUrl } = await servePage(store)
  const send = async (path: string, body: unknown) => {
    const headers = { authorization: key, 'content-type': 'application/json' }
    const { status, text } = await sendRequest(baseUrl, `/api${path}`, headers, 'POST', JSON.stringify(body))
    assert.equal(status, 201, text)
  }
  const short = allPayloads.slice(0, 200)
  const createScenario = (id: string, text: string, score: number) => ({
    id,
    inputs: [
      { name: text.slice(0, 200), type: 'text', value: text },
      { name: 'json', type: 'json', value: { [text]: [text] } },
    ],
    outputs: [
      { result: { type: 'text', value: text } },
      { result: { type: 'error', value: null, error: { message: text, stacktrace: text } } },
    ],
    correct_answers: [{ key: text.slice(0, 200), value: text }],
    note: text.slice(0, 2000),
    results: [
      { evaluator_config: short, result: { type: 'number', value: score } },
      { evaluator_config: 'text', result: { type: 'text', value: text } },
    ],
    extra: { [text]: text, results: [{ reason: text }, { reason: text }] },
  })
  await send('/variants', { id: 'v', name: allPayloads.slice(0, 500) })
  for (const revision of [1, 2])
    await send('/variants/v/revisions', {
      revision,
      modified_by: short,
      message: allPayloads,
      config: { config_name: short, parameters: { [short]: allPayloads, prompt: allPayloads + revision } },
    })
  for (const [index, id] of ['first', 'second'].entries()) {
    await send('/evaluations', {
      id,
      name: short,
      variant_id: 'v',
      revision: index + 1,
      source: short,
      metadata: { [short]: allPayloads },
      evaluators: [{ name: short }],
    })
    await send(`/evaluations/${id}/evaluation_scenarios`, [
      createScenario('all', allPayloads, index),
      ...payloads.map((payload, number) => createScenario(`s-${number}`, payload, index)),
    ])
  }

  context = await (await sharedBrowser()).newContext({ bypassCSP: true })
  context.setDefaultTimeout(0)
  const page = await context.newPage()
  let hitCount = 0
  await page.exposeFunction('hit', () => {
    hitCount += 1
  })
  page.on('dialog', (dialog) => void dialog.dismiss())
  const otherHosts: string[] = []
  page.on('request', (request) => {
    if (!request.url().startsWith(baseUrl) && !/^(?:blob|data):/.test(request.url()))
      otherHosts.push(request.url())
  })
  await page.goto(`${baseUrl}/#key=${key}`)
  const waitForMarker = () => page.getByText(MARKER).first().waitFor({ state: 'attached' })

  let viewCount = 0
  const pair = 'evaluation=first&evaluation=second'
  for (const path of [
    '/',
    '/variants',
    '/variants/v',
    '/variants/v/revisions/2',
    '/variants/v/revisions/1/diff/2',
    '/evaluations/first',
    '/evaluations/first?group=error',
    '/evaluations/second?base=first',
    `/compare?${pair}`,
    `/compare?${pair}&row=all`,
  ]) {
    await visit(page, path)
    await waitForMarker()
    viewCount += 1
  }
  // A scenario as text, as Markdown and as JSON, and then the JSON of the whole row.
  const ids = ['all', ...(testOptions.profile === 'full' ? payloads.map((_, index) => `s-${index}`) : [])]
  for (const id of ids) {
    for (const path of [`/evaluations/first?row=${id}`, `/evaluations/first/scenarios/${id}`]) {
      await visit(page, path)
      const row = page.getByRole('region', { name: 'Row', exact: true })
      await row.getByText(MARKER).first().waitFor({ state: 'attached' })
      for (const layout of ['m', 'r', 't', 'v']) {
        await page.keyboard.press(layout)
        await row.getByText(MARKER).first().waitFor({ state: 'attached' })
        viewCount += 1
      }
    }
  }
  await waitUntilIdle(page)
  const unsafeElements = await page
    .locator('script:not([src]), iframe, object, a[href^="javascript" i], a[href^="data" i]')
    .count()
  reportMeasurements(t, {
    cases: PAYLOADS.length,
    views: viewCount,
    executions: hitCount,
    canary_requests: canaryCount,
  })
  assert.deepEqual([hitCount, canaryCount, unsafeElements], [0, 0, 0])
  assert.deepEqual(otherHosts, [])
  // The detection itself works.
  await page.evaluate('hit()')
  assert.equal(hitCount, 1)
})
