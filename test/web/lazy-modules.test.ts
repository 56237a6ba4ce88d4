// Scripts of the page that cannot be loaded: the server is down, or does not have the file.
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, test } from 'node:test'
import type { Page } from 'playwright-core'
import { WEB_FOLDER } from '../../src/http/server/web-files.ts'
import { createTestKey, createTestStore } from '../support/harness.ts'
import {
  assertNoViolations,
  disablePreloading,
  type OpenedPage,
  openPage,
  servePage,
  WITHOUT_BROWSER,
} from './browser.ts'

/** The scripts of a page that no other page has. */
function scriptOf(pageName: string): string {
  const preloads: Record<string, string[]> = JSON.parse(
    readFileSync(join(WEB_FOLDER, 'service/preloads.json'), 'utf8'),
  )
  return preloads[pageName]?.find((name) => /\/page-/.test(name)) ?? assert.fail(pageName)
}

function countRequests(page: Page, pathname: RegExp): () => number {
  let count = 0
  page.on('request', (request) => {
    if (pathname.test(new URL(request.url()).pathname)) count += 1
  })
  return () => count
}

const NOT_FOUND = { status: 404, body: '' }

async function openWithoutPreloading(baseUrl: string, key: string): Promise<OpenedPage> {
  const openedPage = await openPage({ baseUrl, path: '/compare' })
  const { page } = openedPage
  await disablePreloading(page)
  await page.goto(`${baseUrl}/#key=${key}`)
  await page.getByRole('heading', { name: 'Import your results' }).waitFor()
  return openedPage
}

describe('lazy modules', { skip: WITHOUT_BROWSER }, async () => {
  if (WITHOUT_BROWSER) return
  const store = await createTestStore()
  const { key } = await createTestKey(store, { scopes: ['read', 'write'] })

  test('reloads once if the server does not have a script, then says what to do', async () => {
    const { baseUrl } = await servePage(store)
    const openedPage = await openWithoutPreloading(baseUrl, key)
    const { page } = openedPage
    const loads = countRequests(page, /^\/variants$/)
    await page.route(`**/${scriptOf('variants')}`, (route) => route.fulfill(NOT_FOUND))
    await page.getByRole('link', { name: 'Variants', exact: true }).click()
    await page.getByRole('heading', { name: 'This page could not be loaded' }).waitFor()
    await page.getByRole('alert').getByText('Reload it').waitFor()
    assert.equal(loads(), 1)
    await assertNoViolations(openedPage)
    await page.unroute(`**/${scriptOf('variants')}`)
    await page.getByRole('button', { name: 'Reload' }).click()
    await page.getByText('There are no variants yet').waitFor()
  })

  test('shows a message in place of a part of the page whose script is missing', async () => {
    const { baseUrl } = await servePage(store)
    const { page } = await openWithoutPreloading(baseUrl, key)
    await page.route('**/assets/palette-results-*', (route) => route.fulfill(NOT_FOUND))
    const reloaded = page.waitForEvent('load')
    await page.keyboard.press('Control+k')
    await reloaded
    await page.getByRole('heading', { name: 'Import your results' }).waitFor()
    await page.keyboard.press('Control+k')
    await page.getByRole('dialog').getByRole('alert').getByText('could not be loaded').waitFor()
    await page.getByRole('heading', { name: 'Import your results' }).waitFor()
  })

  test('probes with increasing delays if the server stops before the scripts are preloaded', async () => {
    const { baseUrl, stop } = await servePage(store)
    const { page } = await openPage({ baseUrl, key, hasClock: true })
    await page.getByRole('heading', { name: 'Import your results' }).waitFor()
    const probes = countRequests(page, /^\/(?:livez|readyz)$/)
    await stop()
    await page.getByRole('link', { name: 'Variants', exact: true }).click()
    await page.getByText('The server cannot be reached since').waitFor()
    for (let second = 0; second < 60; second++) await page.clock.runFor(1000)
    assert.ok(probes() > 5 && probes() < 30, `${probes()} probes in a minute`)
  })

  test('shows an error for a page whose script is not loaded while the server is down, then the page', async () => {
    const { baseUrl, port, stop } = await servePage(store)
    const openedPage = await openWithoutPreloading(baseUrl, key)
    const { page } = openedPage
    await stop()
    await page.getByRole('link', { name: 'Variants', exact: true }).click()
    await page.getByRole('heading', { name: 'The server cannot be reached' }).waitFor()
    await page.getByText('The server cannot be reached since').waitFor()
    await assertNoViolations(openedPage)
    await servePage(store, { port })
    await page.getByText('There are no variants yet').waitFor()
    await page.getByText('The server cannot be reached').first().waitFor({ state: 'detached' })
  })
})
