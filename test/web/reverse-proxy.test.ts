// The page, the API and share links behind nginx, with TLS and below a path: the site of deploy/nginx.conf.
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { freePort } from '../postgres/server-folder.ts'
import { runAssayCommand } from '../support/command-runner/run.ts'
import { createSampleStore, createTestKey } from '../support/harness.ts'
import { startNginx, WITHOUT_NGINX } from '../support/nginx.ts'
import { fullOnly } from '../support/options.ts'
import { openPage, servePage, WITHOUT_BROWSER } from './browser.ts'

const EVALUATION = '/evaluations/support-answer-r5'
const skip = WITHOUT_BROWSER || WITHOUT_NGINX

describe('behind nginx with TLS and a path', { skip }, async () => {
  if (skip) return
  const store = await createSampleStore()
  const port = await freePort()
  const publicUrl = `https://127.0.0.1:${port}/assay`
  const service = await servePage(store, { public_url: publicUrl, trust_proxy: ['127.0.0.1'] })
  await startNginx(port, new URL(service.baseUrl).host)
  const { key } = await createTestKey(store, { scopes: ['read', 'write'] })
  // Without a slash at the end: nginx redirects.
  const openedPage = await openPage({ baseUrl: publicUrl, key, path: '' })
  const { page, faults } = openedPage

  test('the page loads, and its links, plot and lazy modules work below the path', async () => {
    await page
      .getByRole('link', { name: /Support answer r5/ })
      .first()
      .click()
    await page.getByText('rows 1–').waitFor()
    assert.equal(new URL(page.url()).pathname, `/assay${EVALUATION}`)
    await page.getByRole('link', { name: 'Variants' }).click()
    await page.getByRole('link', { name: 'Support answer', exact: true }).click()
    const currentLink = page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Variants' })
    assert.equal(await currentLink.getAttribute('aria-current'), 'page')
    const points = page.getByRole('group', { name: 'Evaluations in the plot' })
    await points.getByRole('link', { name: /Support answer r4/ }).press('Enter')
    await page.waitForURL(`${publicUrl}/evaluations/support-answer-r4`)
    assert.deepEqual(faults, [])
  })

  test('a deep link can be reloaded, and the key is stored for this path only', async () => {
    await page.goto(`${publicUrl}${EVALUATION}?result.answer_correct=is.false`)
    await page.getByText('filtered from 120').waitFor()
    const keys = await page.evaluate(() => Object.keys(localStorage).filter((name) => name.includes('key')))
    assert.deepEqual(keys, ['assay.key/assay'])
    assert.deepEqual(faults, [])
  })

  test('commands to copy contain the public URL', async () => {
    await page.getByRole('button', { name: 'Share', exact: true }).click()
    await page.getByRole('button', { name: 'curl', exact: true }).click()
    await page.getByText('Copied as curl').waitFor()
    const command = await page.evaluate(() => navigator.clipboard.readText())
    assert.ok(command.includes(`'${publicUrl}/api${EVALUATION}/evaluation_scenarios?`), command)
  })

  test('a share link of the page opens in another browser', {
    skip: fullOnly('opens another browser profile; share.test.ts opens links'),
  }, async () => {
    await page.getByRole('button', { name: 'Share', exact: true }).click()
    await page.getByRole('button', { name: 'Create share link…' }).click()
    const dialog = page.getByRole('dialog', { name: 'Share this view' })
    await dialog.getByRole('button', { name: 'Create link' }).click()
    const link = await dialog.getByLabel('Share link').inputValue()
    assert.ok(link.startsWith(`${publicUrl}${EVALUATION}?`), link)
    await openShareLink(link)
  })

  test('a share link of the command line opens a comparison', {
    skip: fullOnly('opens another page; the share link of the page has the same URL'),
  }, async () => {
    const args = ['share', 'support-answer-r4', 'support-answer-r5', '--public-url', publicUrl]
    const { stdout } = await runAssayCommand([...args, ...store.flags])
    assert.ok(stdout.startsWith(`${publicUrl}/compare?`), stdout)
    await openShareLink(stdout.trim())
  })

  test('the API reference and its links work', { skip: fullOnly('opens another page') }, async () => {
    await page.keyboard.press('Escape')
    await page.getByRole('link', { name: 'API', exact: true }).click()
    await page.getByRole('link', { name: 'Errors' }).first().click()
    await page.getByRole('heading', { name: 'Errors' }).waitFor()
    assert.equal(page.url(), `${publicUrl}/docs/errors`)
    const background = await page.evaluate(() => getComputedStyle(document.body).margin)
    assert.equal(background, '0px', 'the style sheet is loaded')
    assert.deepEqual(faults, [])
  })

  test('the API accepts large uploads and encoded slashes, and its links can be followed', async () => {
    const { request } = openedPage.context
    const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' }
    const created = await request.post(`${publicUrl}/api/evaluations`, { headers, data: { id: 'a/b' } })
    const { location = '' } = created.headers()
    assert.equal(location, `${publicUrl}/api/evaluations/a%2Fb`)
    const scenario = (id: string) => ({
      id,
      inputs: [{ name: 'text', type: 'text', value: `${id} ${'x'.repeat(600_000)}` }],
    })
    const appended = await request.post(`${location}/evaluation_scenarios`, {
      headers,
      data: [scenario('s1'), scenario('s2')],
    })
    assert.equal(appended.status(), 201, await appended.text())
    const firstPage = await request.get(`${location}/evaluation_scenarios?limit=1`, { headers })
    const [, next = ''] = /^<([^>]+)>; rel="next"$/.exec(firstPage.headers().link ?? '') ?? []
    assert.ok(next.startsWith(`${location}/evaluation_scenarios?`), next)
    const [second] = (await (await request.get(next, { headers })).json()) as { id: string }[]
    assert.equal(second?.id, 's2')
    await page.goto(`${publicUrl}/evaluations/a%2Fb`)
    await page.getByRole('row', { name: /xxx/ }).nth(1).waitFor()
    const missing = await request.get(`${publicUrl}/api/evaluations/none`, { headers })
    const { type } = (await missing.json()) as { type: string }
    const explanation = await request.get(new URL(type, missing.url()).href)
    assert.match(await explanation.text(), /id="evaluation-not-found"/)
  })

  /** Opens a share link in a new browser profile. */
  async function openShareLink(link: string): Promise<void> {
    const guest = await openPage({ baseUrl: publicUrl, path: link.slice(publicUrl.length) })
    await guest.page
      .getByRole('row', { name: /refund/i })
      .first()
      .waitFor()
    assert.deepEqual(guest.faults, [])
    await guest.context.close()
  }
})
