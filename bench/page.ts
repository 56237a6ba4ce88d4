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

type Figures = Record<string, number>

/** What a table of rows has to be looked at. */
interface Table {
  /** What is there with the figures over all rows. */
  figures: string
  /** The chip that leaves a part of the rows. */
  part: RegExp
  sort(page: Page): Promise<unknown>
}

const EVALUATION: Table = {
  figures: 'role=button[name=/^Fail/]',
  part: /^Fail/,
  sort: (page) => page.getByRole('button', { name: 'latency', exact: true }).click(),
}
const COMPARISON: Table = {
  figures: 'role=status[name="Answer"] >> role=link',
  part: /Improved/,
  sort: (page) => page.getByLabel('Order of rows').selectOption('latency.desc'),
}

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

/** An evaluation that is compared with its baseline, row by row, and the comparison of the two. */
async function lookBeside(browser: Browser): Promise<string[]> {
  const data = mkdtempSync(join(tmpdir(), 'assay-bench-page-'))
  const store = await openAt(`sqlite:${join(data, 'assay.db')}`)
  await addCapitals(store, SCENARIOS)
  const key = await addReadKey(store)
  await store.close()
  try {
    const service = await startService(['--data', data, '--log-level', 'warn'])
    const beside = await look(browser, `${service.base}/evaluations/geo-v4`, key).finally(() =>
      stopService(service),
    )
    const compared = await lookCompared(browser, data, key)
    return [
      ...beside.map((line) => `against a baseline: ${line}`),
      ...compared.map((line) => `a comparison: ${line}`),
    ]
  } finally {
    rmSync(data, { recursive: true, force: true })
  }
}

/** Each round with a service that has just started: what it finds out about two evaluations it keeps. */
async function lookCompared(browser: Browser, data: string, key: string): Promise<string[]> {
  const rounds: Figures[] = []
  for (let round = 0; round < ROUNDS; round += 1) {
    const service = await startService(['--data', data, '--log-level', 'warn'])
    const address = `${service.base}/compare?evaluation=geo-v3&evaluation=geo-v4`
    rounds.push(await lookOnce(browser, address, key, COMPARISON).finally(() => stopService(service)))
  }
  return medians(rounds)
}

async function look(browser: Browser, address: string, key: string): Promise<string[]> {
  const rounds: Figures[] = []
  for (let round = 0; round < ROUNDS; round += 1) {
    rounds.push(await lookOnce(browser, address, key, EVALUATION))
  }
  return medians(rounds)
}

function medians(rounds: Figures[]): string[] {
  return Object.keys(rounds[0] ?? {}).map((name) => {
    const figures = rounds.map((one) => one[name] ?? Number.NaN)
    return `${name} ${median(figures).toFixed(0)} (${figures.map((figure) => figure.toFixed(0)).join(', ')})`
  })
}

/** Each round in a profile of its own, so that nothing is kept of the one before. */
async function lookOnce(browser: Browser, address: string, key: string, table: Table): Promise<Figures> {
  const context = await browser.newContext({ viewport: { width: 1512, height: 800 } })
  const page = await context.newPage()
  const start = performance.now()
  const first = await timed(page, () => page.goto(`${address}#key=${key}`))
  await page.locator(table.figures).first().waitFor()
  const figures = performance.now() - start
  const sort = await timed(page, () => table.sort(page))
  const filter = await timed(page, () => page.getByRole('button', { name: table.part }).click())
  await page.getByRole('button', { name: /^All/ }).click()
  await page.locator(FIRST_ROW).waitFor()
  const search = await timed(page, () => page.getByRole('searchbox').fill('a'))
  await page.goto(address)
  await page.locator(FIRST_ROW).waitFor()
  await page.waitForLoadState('networkidle')
  const longest = await longestTask(page)
  await context.close()
  return {
    'first rows': first,
    figures,
    sort,
    filter,
    search,
    'longest task while scrolling 20 screens': longest,
  }
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
