// Signing in and out, rejected keys, and an unreachable server.
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { Page, Request, Response } from 'playwright-core'
import { revokeKey } from '../../src/store/access/keys.ts'
import { createTestKey, createTestStore } from '../support/harness.ts'
import { sendRequest } from '../support/http.ts'
import { assertNoViolations, openPage, servePage, visit, WITHOUT_BROWSER } from './browser.ts'

/** The page probes the server every second, and less often during a long outage. */
const PROBE_MS = 1000
const MAX_PROBE_MS = 10_000

describe('session', { skip: WITHOUT_BROWSER }, async () => {
  if (WITHOUT_BROWSER) return
  const store = await createTestStore()
  const { baseUrl, port, stop } = await servePage(store)
  const { key } = await createTestKey(store)

  test('shows the sign-in view without a key, and the requested page after signing in', async () => {
    const openedPage = await openPage({ baseUrl, path: '/variants?name=x' })
    const { page } = openedPage
    await page.getByRole('heading', { name: 'Sign in to Assay' }).waitFor()
    await assertNoViolations(openedPage)
    await page.getByLabel('API key').fill('assay_wrong')
    await page.keyboard.press('Enter')
    await page.getByRole('alert').waitFor()
    await page.getByLabel('API key').fill(`  ${key} `)
    await page.keyboard.press('Enter')
    await page.getByText('There are no variants yet').waitFor()
    assert.equal(page.url(), `${baseUrl}/variants?name=x`)
  })

  test('a key in the URL fragment signs in and is removed from the URL; signing out deletes it', async () => {
    const openedPage = await openPage({ baseUrl, key, path: '/variants' })
    const { page } = openedPage
    const requestUrls: string[] = []
    page.on('request', (request) => requestUrls.push(request.url()))
    await page.getByRole('link', { name: 'Evaluations' }).waitFor()
    assert.equal(page.url(), `${baseUrl}/variants`)
    assert.ok(!requestUrls.some((url) => url.includes(key)))
    await page.reload()
    await page.getByRole('button', { name: 'Key', exact: true }).click()
    await page.getByText('Project default').waitFor()
    await page.getByRole('button', { name: 'Sign out' }).click()
    await page.getByText('You are signed out.').waitFor()
    await page.reload()
    await page.getByRole('heading', { name: 'Sign in to Assay' }).waitFor()
    assert.deepEqual(openedPage.faults, [])
  })

  test('switching to a link with another key shows no data of the previous key', async () => {
    const [firstKey, secondKey] = await Promise.all(
      ['default', 'other'].map((project) => createTestKey(store, { project, scopes: ['read', 'write'] })),
    )
    assert.ok(firstKey && secondKey)
    for (const [id, { key }] of Object.entries({ mine: firstKey, theirs: secondKey })) {
      const headers = { authorization: key, 'content-type': 'application/json' }
      await sendRequest(baseUrl, '/api/variants', headers, 'POST', JSON.stringify({ id }))
    }
    const { page, faults } = await openPage({ baseUrl, key: firstKey.key, path: '/variants' })
    await page.getByRole('link', { name: 'mine' }).waitFor()
    await page.evaluate((nextUrl) => {
      location.hash = `key=${nextUrl}`
    }, secondKey.key)
    await page.getByRole('link', { name: 'theirs' }).waitFor()
    assert.equal(await page.getByText('mine').count(), 0)
    assert.deepEqual(faults, [])
  })

  test('a revoked key ends the session with the next request', async () => {
    const { key, public_id } = await createTestKey(store)
    const { page } = await openPage({ baseUrl, key, path: '/variants' })
    await page.getByRole('link', { name: 'Evaluations' }).waitFor()
    await store.writer.transaction((transaction) => revokeKey(transaction, public_id))
    // Not with a click on the link: the page can send the next request itself before.
    await visit(page, '/')
    await page.getByText('The key was rejected').waitFor()
    assert.equal(page.url(), `${baseUrl}/`)
  })

  test('says that the stored key was revoked, also in other tabs and after a reload, until a key is entered', async () => {
    const { key: revokedKey, public_id } = await createTestKey(store)
    const { page: firstTab, context } = await openPage({ baseUrl, key: revokedKey, path: '/variants' })
    await firstTab.getByRole('link', { name: 'Evaluations' }).waitFor()
    await store.writer.transaction((transaction) => revokeKey(transaction, public_id))
    const secondTab = await context.newPage()
    await secondTab.goto(`${baseUrl}/`)
    const reasonIn = (tab: Page) => tab.getByRole('alert').getByText('The key was rejected')
    await reasonIn(secondTab).waitFor()
    await reasonIn(firstTab).waitFor()
    await firstTab.reload()
    await reasonIn(firstTab).waitFor()
    await firstTab.getByLabel('API key').fill(key)
    await firstTab.keyboard.press('Enter')
    await firstTab.getByRole('button', { name: 'Key', exact: true }).click()
    await firstTab.getByRole('button', { name: 'Sign out' }).click()
    await firstTab.getByText('You are signed out.').waitFor()
    assert.equal(await reasonIn(firstTab).count(), 0)
  })

  test('shows a banner over the page while the server is down, until it is back', async () => {
    const openedPage = await openPage({ baseUrl, key, path: '/variants' })
    const { page } = openedPage
    await page.getByRole('link', { name: 'Evaluations' }).waitFor()
    await page.clock.install()
    const isKeyQuery = (message: Request | Response) => new URL(message.url()).pathname === '/api/key'
    let failures = 0
    page.on('requestfailed', (request) => {
      if (isKeyQuery(request)) failures += 1
    })
    await stop()
    await page.getByRole('link', { name: 'Evaluations' }).click()
    const banner = page.getByText('The server cannot be reached since')
    await banner.waitFor()
    // From now on, time passes on the page only during runFor.
    await page.clock.pauseAt(Date.now() + 60_000)
    // After five failures, the query itself retries only 16 seconds later.
    while (failures < 5) await page.clock.runFor(PROBE_MS)
    await servePage(store, { port })
    const retried = page.waitForResponse(isKeyQuery)
    await page.clock.runFor(MAX_PROBE_MS)
    await retried
    await page.clock.resume()
    await banner.waitFor({ state: 'detached' })
    await page.getByText('No evaluations yet').or(page.getByText('Import')).first().waitFor()
    assert.deepEqual(openedPage.faults, [])
  })
})
