// Benchmark: the web page with 100,000 scenarios: first rows, sort, filter, search and scrolling.
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Browser, Page } from 'playwright-core'
import type { Benchmark } from '../benchmark.ts'
import { addCapitalsEvaluations } from '../capitals-data.ts'
import { launch, WITHOUT_BROWSER } from '../chromium.ts'
import { addReadKey } from '../data.ts'
import { startService, stopService } from '../service.ts'
import { openStoreAt } from '../store.ts'
import { median } from '../timing.ts'

const ROUNDS = 5
const SCENARIOS = 100_000
const SCREENS = 20
/** The first row of a table that has finished loading. */
const FIRST_ROW =
  '[role=grid]:not([aria-busy=true]) [role=row][aria-rowindex="2"] [role=gridcell]:nth-child(3)'

type Timings = Record<string, number>

/** How the benchmark operates one of the tables. */
interface Table {
  /** Selector of an element that appears with the statistics of all rows. */
  statistics: string
  /** Name of the chip that filters the rows. */
  filter: RegExp
  sort(page: Page): Promise<unknown>
}

const EVALUATION: Table = {
  statistics: 'role=button[name=/^Fail/]',
  filter: /^Fail/,
  sort: (page) => page.getByRole('button', { name: 'latency', exact: true }).click(),
}
const COMPARISON: Table = {
  statistics: 'role=status[name="Conclusion"] >> role=link',
  filter: /Improved/,
  sort: async (page) => {
    await page.getByRole('button', { name: /^Sort rows: / }).click()
    await page.getByRole('button', { name: /^Slowest in / }).click()
  },
}

export const page: Benchmark = {
  title: 'the web page with 100,000 scenarios in Chromium, medians of 5 in milliseconds',
  async run({ baseUrl, key, large }) {
    await import('../../web/build.ts')
    if (WITHOUT_BROWSER) return [WITHOUT_BROWSER]
    const browser = await launch()
    try {
      const single = await measure(browser, `${baseUrl}/evaluations/${large.split('/')[3]}`, key)
      return [...single.map((line) => `2 kB per scenario: ${line}`), ...(await measureWithBaseline(browser))]
    } finally {
      await browser.close()
    }
  },
}

/** Measures an evaluation with a baseline, and the comparison of the two. */
async function measureWithBaseline(browser: Browser): Promise<string[]> {
  const data = mkdtempSync(join(tmpdir(), 'assay-bench-page-'))
  const store = await openStoreAt(`sqlite:${join(data, 'assay.db')}`)
  await addCapitalsEvaluations(store, SCENARIOS)
  const key = await addReadKey(store)
  await store.close()
  try {
    const service = await startService(['--data', data])
    const withBaseline = await measure(browser, `${service.baseUrl}/evaluations/geo-v4`, key).finally(() =>
      stopService(service),
    )
    const compared = await measureComparison(browser, data, key)
    return [
      ...withBaseline.map((line) => `with a baseline: ${line}`),
      ...compared.map((line) => `comparison: ${line}`),
    ]
  } finally {
    rmSync(data, { recursive: true, force: true })
  }
}

/** Starts a new service for each round, because a service caches comparisons. */
async function measureComparison(browser: Browser, data: string, key: string): Promise<string[]> {
  const rounds: Timings[] = []
  for (let round = 0; round < ROUNDS; round += 1) {
    const service = await startService(['--data', data])
    const pageUrl = `${service.baseUrl}/compare?evaluation=geo-v3&evaluation=geo-v4`
    rounds.push(await measureOnce(browser, pageUrl, key, COMPARISON).finally(() => stopService(service)))
  }
  return medians(rounds)
}

async function measure(browser: Browser, pageUrl: string, key: string): Promise<string[]> {
  const rounds: Timings[] = []
  for (let round = 0; round < ROUNDS; round += 1) {
    rounds.push(await measureOnce(browser, pageUrl, key, EVALUATION))
  }
  return medians(rounds)
}

function medians(rounds: Timings[]): string[] {
  return Object.keys(rounds[0] ?? {}).map((name) => {
    const times = rounds.map((round) => round[name] ?? Number.NaN)
    return `${name} ${median(times).toFixed(0)} (${times.map((ms) => ms.toFixed(0)).join(', ')})`
  })
}

/** Uses a new browser profile, so that nothing is cached. */
async function measureOnce(browser: Browser, pageUrl: string, key: string, table: Table): Promise<Timings> {
  const context = await browser.newContext({ viewport: { width: 1512, height: 800 } })
  const page = await context.newPage()
  const start = performance.now()
  const first = await timeUntilRows(page, () => page.goto(`${pageUrl}#key=${key}`))
  await page.locator(table.statistics).first().waitFor()
  const statistics = performance.now() - start
  const sort = await timeUntilRows(page, () => table.sort(page))
  const filter = await timeUntilRows(page, () => page.getByRole('button', { name: table.filter }).click())
  await page.getByRole('button', { name: /^All/ }).click()
  await page.locator(FIRST_ROW).waitFor()
  const search = await timeUntilRows(page, () => page.getByRole('searchbox').fill('a'))
  await page.goto(pageUrl)
  await page.locator(FIRST_ROW).waitFor()
  await page.waitForLoadState('networkidle')
  const longest = await longestTask(page)
  await context.close()
  return {
    'first rows': first,
    statistics,
    sort,
    filter,
    search,
    'longest task while scrolling 20 screens': longest,
  }
}

/** Milliseconds until the requested rows have arrived and are drawn. */
async function timeUntilRows(page: Page, act: () => Promise<unknown>): Promise<number> {
  const start = performance.now()
  const responsePromise = page.waitForResponse((response) => response.url().includes('/rows?'))
  await act()
  await (await responsePromise).finished()
  await page.waitForFunction(hasElement, FIRST_ROW, { polling: 'raf' })
  return performance.now() - start
}

/** Runs in the page. Passed as a function, because the CSP of the page forbids eval. */
function hasElement(selector: string): boolean {
  const { document } = globalThis as unknown as { document: { querySelector(selector: string): unknown } }
  return document.querySelector(selector) !== null
}

/** Duration of the longest task in milliseconds, or 0 if no task took more than 50 ms. */
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
