// Tests the API reference in a browser: its first screen, copying, the list of contents and both themes.
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { createTestKey, createTestStore } from '../support/harness.ts'
import { fullOnly } from '../support/options.ts'
import {
  accessibilityViolations,
  CONTRAST_RULES,
  openPage,
  SIZE,
  servePage,
  WITHOUT_BROWSER,
} from './browser.ts'

describe('the API reference', { skip: WITHOUT_BROWSER }, async () => {
  if (WITHOUT_BROWSER) return
  const store = await createTestStore()
  const { baseUrl } = await servePage(store)
  const { key } = await createTestKey(store)
  const { page, faults } = await openPage({ baseUrl, key, path: '/docs' })

  test('shows the URL of the service, and copies the first request', async () => {
    const request = page.locator('.code', { hasText: '/evaluation_scenarios"' }).first()
    await request.getByRole('button', { name: 'Copy' }).click()
    await request.getByRole('button', { name: 'Copied' }).waitFor()
    assert.equal(
      await page.evaluate(() => navigator.clipboard.readText()),
      `curl -H "Authorization: Bearer $ASSAY_KEY" \\\n  "${baseUrl}/api/evaluations/support-answer-r5/evaluation_scenarios"`,
    )
    await page.getByText(`${baseUrl}/api`, { exact: true }).waitFor()
  })

  test('lists operations next to the content, in the font of the page', async () => {
    const contents = page.getByRole('navigation', { name: 'Reference' })
    await contents.getByRole('link', { name: 'Compare evaluations' }).click()
    assert.equal(new URL(page.url()).hash, '#compareEvaluations')
    assert.ok(await contents.isVisible())
    await page.evaluate(() => document.fonts.ready)
    const fonts = await page.evaluate(() => [...document.fonts].map(({ family, status }) => [family, status]))
    assert.deepEqual(fonts, [['Inter Variable', 'loaded']])
  })

  test('has its first request above the fold of a narrow window, and the contents in a popover', async () => {
    await page.setViewportSize({ width: 390, height: 844 })
    await page.evaluate(() => scrollTo({ top: 0, behavior: 'instant' }))
    const request = page.getByText('/evaluation_scenarios"').first()
    const box = await request.boundingBox()
    assert.ok(box && box.y + box.height < 844, JSON.stringify(box))
    assert.equal(await page.evaluate(() => document.documentElement.scrollWidth), 390)
    const contents = page.getByRole('navigation', { name: 'Reference' })
    assert.ok(!(await contents.isVisible()))
    await page.getByRole('button', { name: 'Contents' }).click()
    await contents.getByRole('link', { name: 'Limits' }).click()
    await contents.waitFor({ state: 'hidden' })
    assert.equal(new URL(page.url()).hash, '#limits')
  })

  test('is accessible in both themes, and applies the stored one', {
    skip: fullOnly('checks the contrasts of a long page'),
  }, async () => {
    const background = () => page.evaluate(() => getComputedStyle(document.documentElement).backgroundColor)
    await page.setViewportSize(SIZE)
    assert.equal(await background(), 'rgb(255, 255, 255)')
    assert.deepEqual(await accessibilityViolations(page), [])
    await page.evaluate(() => localStorage.setItem('assay.theme', 'dark'))
    await page.goto(`${baseUrl}/docs`)
    assert.equal(await background(), 'rgb(15, 16, 19)')
    assert.deepEqual(await accessibilityViolations(page, CONTRAST_RULES), [])
    await page.goto(`${baseUrl}/docs/errors`)
    assert.deepEqual(await accessibilityViolations(page), [])
    assert.deepEqual(faults, [])
  })
})
