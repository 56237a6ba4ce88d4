// How fast is the page over 100,000 scenarios: until rows show, after sorting, filtering and searching, and while scrolling?
import '../web/build.ts'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Browser, Page } from 'playwright-core'
import type { Bench } from './bench.ts'
import { addCapitals } from './capitals.ts'
import { launch, WITHOUT_BROWSER } from './chromium.ts'
import { addReadKey } from './data.ts'
import { startService, stopService } from './service.ts'
import { openAt } from './store.ts'
import { median } from './timing.ts'

const ROUNDS = 5
const SCENARIOS = 100_000
const SCREENS = 20
/** The first row of a view that is there, not on its way. */
const FIRST_ROW =
  '[role=grid]:not([aria-busy=true]) [role=row][aria-rowindex="2"] [role=gridcell]:nth-child(3)'

export const page: Bench = {
  question: 'the page over 100,000 scenarios in Chromium, medians of 5 in milliseconds',
  async run({ base, key, large }) {
    if (WITHOUT_BROWSER) return [WITHOUT_BROWSER]
    const browser = await launch()
    try {
      const alone = await look(browser, `${base}/evaluations/${large.split('/')[3]}`, key)
      return [...alone.map((line) => `2 kB a scenario: ${line}`), ...(await lookBeside(browser))]
    } finally {
      await browser.close()
    }
  },
}

/** An evaluation that is compared with its baseline, row by row: what a page with a baseline costs. */
async function lookBeside(browser: Browser): Promise<string[]> {
  const data = mkdtempSync(join(tmpdir(), 'assay-bench-page-'))
  const store = await openAt(`sqlite:${join(data, 'assay.db')}`)
  await addCapitals(store, SCENARIOS)
  const key = await addReadKey(store)
  await store.close()
  const service = await startService(['--data', data, '--log-level', 'warn'])
  try {
    const lines = await look(browser, `${service.base}/evaluations/geo-v4`, key)
    return lines.map((line) => `against a baseline: ${line}`)
  } finally {
    await stopService(service)
    rmSync(data, { recursive: true, force: true })
  }
}

async function look(browser: Browser, address: string, key: string): Promise<string[]> {
  const rounds: Record<string, number>[] = []
  for (let round = 0; round < ROUNDS; round += 1) rounds.push(await lookOnce(browser, address, key))
  return Object.keys(rounds[0] ?? {}).map((name) => {
    const figures = rounds.map((one) => one[name] ?? Number.NaN)
    return `${name} ${median(figures).toFixed(0)} (${figures.map((figure) => figure.toFixed(0)).join(', ')})`
  })
}

/** Each round in a profile of its own, so that nothing is kept of the one before. */
async function lookOnce(browser: Browser, address: string, key: string): Promise<Record<string, number>> {
  const context = await browser.newContext({ viewport: { width: 1512, height: 800 } })
  const page = await context.newPage()
  const first = await timed(page, () => page.goto(`${address}#key=${key}`))
  await page.getByRole('button', { name: /^Fail/ }).waitFor()
  const sort = await timed(page, () => page.getByRole('button', { name: 'latency', exact: true }).click())
  const filter = await timed(page, () => page.getByRole('button', { name: /^Fail/ }).click())
  await page.getByRole('button', { name: /^All/ }).click()
  await page.locator(FIRST_ROW).waitFor()
  const search = await timed(page, () => page.getByRole('searchbox').fill('a'))
  await page.goto(address)
  await page.locator(FIRST_ROW).waitFor()
  await page.waitForLoadState('networkidle')
  const longest = await longestTask(page)
  await context.close()
  return { 'first rows': first, sort, filter, search, 'longest task while scrolling 20 screens': longest }
}

/** Until the rows that were asked for have come and are drawn. */
async function timed(page: Page, act: () => Promise<unknown>): Promise<number> {
  const start = performance.now()
  const answered = page.waitForResponse((response) => response.url().includes('/rows?'))
  await act()
  await (await answered).finished()
  await page.waitForFunction(isThere, FIRST_ROW, { polling: 'raf' })
  return performance.now() - start
}

/** Runs in the page, as a function: its policy lets no text become a program. */
function isThere(selector: string): boolean {
  const { document } = globalThis as unknown as { document: { querySelector(selector: string): unknown } }
  return document.querySelector(selector) !== null
}

/** In milliseconds; 0 where none was longer than 50. */
async function longestTask(page: Page): Promise<number> {
  await page.evaluate(`globalThis.longest = 0; new PerformanceObserver((list) => {
    for (const { duration } of list.getEntries()) longest = Math.max(longest, duration)
  }).observe({ type: 'longtask' })`)
  await page.mouse.move(700, 500)
  for (let screen = 0; screen < SCREENS; screen += 1) {
    await page.mouse.wheel(0, 560)
    await page.evaluate(
      'new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve)))',
    )
  }
  return Number(await page.evaluate('longest'))
}
