// The development page with every part of the design system, which is not in the build.
import assert from 'node:assert/strict'
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { after, describe, test } from 'node:test'
import { build, preview } from 'vite'
import { WEB_FOLDER } from '../../src/http/server/web-files.ts'
import { accessibilityViolations, openPage, WITHOUT_BROWSER } from './browser.ts'

const WEB = join(import.meta.dirname, '../../web')
const UI = join(WEB, 'src/ui')
/** Parts that are visible only inside others, only while something loads, or only with the data of a page. */
const WITHOUT_SECTION = [
  'box.tsx',
  'dialog.tsx',
  'dialog-fields.tsx',
  'icon.tsx',
  'keys.tsx',
  'lazy-component.tsx',
  'loading.tsx',
  'truncation.tsx',
  'tooltip.tsx',
  'line-plot.tsx',
  'plot-targets.tsx',
]

describe('the development page of the design system', { skip: WITHOUT_BROWSER }, async () => {
  if (WITHOUT_BROWSER) return
  const outDir = mkdtempSync(join(tmpdir(), 'assay-design-system-'))
  after(() => rmSync(outDir, { recursive: true, force: true }))
  const config = { root: WEB, configFile: false, logLevel: 'error' } as const
  const input = join(WEB, 'dev/ui/index.html')
  await build({ ...config, build: { outDir, target: 'es2024', minify: false, rolldownOptions: { input } } })
  const server = await preview({ ...config, build: { outDir }, preview: { port: 0, host: '127.0.0.1' } })
  after(() => server.close())
  const baseUrl = (server.resolvedUrls?.local[0] ?? '').replace(/\/$/, '')

  const { page, faults } = await openPage({ baseUrl, path: '/dev/ui/' })
  const light = page.getByRole('region', { name: 'light' })

  test('shows all parts in both themes without errors and accessibility violations', async () => {
    for (const theme of ['light', 'dark']) {
      const section = page.getByRole('region', { name: theme })
      await section.getByRole('heading', { name: 'Messages' }).waitFor()
      await section.getByRole('button', { name: 'Share', expanded: false }).first().waitFor()
    }
    assert.deepEqual(await accessibilityViolations(page), [])
    const dark = page.getByRole('region', { name: 'dark' })
    await dark.getByRole('button', { name: 'Open dialog' }).click()
    await page.getByRole('dialog', { name: 'Large export' }).waitFor()
    await page.keyboard.press('Escape')
    assert.equal(await page.evaluate(() => document.activeElement?.textContent), 'Open dialog')
    assert.deepEqual(faults, [])
  })

  test('buttons show a tooltip on focus and on hover, and only scrolling a hovered one hides it', async () => {
    const pin = light.getByRole('button', { name: 'Pin', exact: true })
    const tooltip = page.getByRole('tooltip')
    await light.getByRole('button', { name: 'Copy' }).focus()
    await page.keyboard.press('Tab')
    await tooltip.filter({ hasText: 'Pin' }).waitFor()
    await page.evaluate(scrollPage, 20)
    const [anchor, box] = [await pin.boundingBox(), await tooltip.boundingBox()]
    assert.ok(anchor && box)
    const distance = box.y - anchor.y - anchor.height
    assert.ok(distance >= 0 && distance < 10, `the tooltip is ${distance} px below the button`)
    await page.evaluate(() => (document.activeElement as HTMLElement).blur())
    await tooltip.waitFor({ state: 'hidden' })
    await pin.hover()
    await tooltip.filter({ hasText: 'Pin' }).waitFor()
    await page.evaluate(scrollPage, 20)
    assert.equal(await tooltip.count(), 0)
  })

  test('menus move by arrow keys and return the focus', async () => {
    const menu = light.getByRole('button', { name: 'Share' }).last()
    await menu.focus()
    const focusedText = () => page.evaluate(() => document.activeElement?.textContent)
    await page.keyboard.press('ArrowDown')
    await page.waitForFunction(() => document.activeElement?.textContent?.startsWith('Copy link'))
    await page.keyboard.press('ArrowDown')
    assert.match((await focusedText()) ?? '', /^Export/)
    await page.keyboard.press('ArrowUp')
    await page.keyboard.press('ArrowUp')
    assert.match((await focusedText()) ?? '', /^Compact/)
    await page.keyboard.press('Escape')
    assert.equal(await focusedText(), 'Share')
  })

  test('forms choose with the menu of the page, not with native selects', async () => {
    const folder = join(WEB, 'src')
    const sources = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((name) =>
      /\.tsx$/.test(name),
    )
    const withSelect = sources.filter((name) => readFileSync(join(folder, name), 'utf8').includes('<select'))
    assert.deepEqual(withSelect, [])
  })

  test('imports every part, and the build does not contain the page', () => {
    const gallery = ['gallery.tsx', 'charts.tsx', 'main.tsx'].map((name) =>
      readFileSync(join(WEB, 'dev/ui', name), 'utf8'),
    )
    const parts = readdirSync(UI, { recursive: true, encoding: 'utf8' }).filter((name) =>
      name.endsWith('.tsx'),
    )
    const missing = parts.filter(
      (name) =>
        !WITHOUT_SECTION.includes(basename(name)) && !gallery.some((code) => code.includes(`src/ui/${name}`)),
    )
    assert.deepEqual(missing, [])
    assert.deepEqual(
      readdirSync(WEB_FOLDER, { recursive: true, encoding: 'utf8' }).filter((name) => name.includes('dev')),
      [],
    )
  })
})

/** Scrolls the page, and resolves when the page has handled it. */
async function scrollPage(distance: number): Promise<void> {
  const scrolled = new Promise((resolve) => addEventListener('scroll', resolve, { once: true }))
  scrollBy({ top: distance, behavior: 'instant' })
  await scrolled
  await new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve)))
}
