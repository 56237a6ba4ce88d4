// What tests of followed pages share: rows on the screen, their positions, and the requests of the page.
import assert from 'node:assert/strict'
import type { Page, Request } from 'playwright-core'

/** The row with this number in the order of the table. */
export function rowAt(page: Page, number: number) {
  return page.locator(`[role=row][aria-rowindex="${number + 1}"]`)
}

export async function nextResponse(page: Page, path: string): Promise<void> {
  await page.waitForResponse((response) => new URL(response.url()).pathname === path)
}

const POLL_MS = 2000

/** Lets the time between two polls pass. The page needs `hasClock`. */
export function pollOnce(page: Page): Promise<void> {
  return page.clock.runFor(POLL_MS)
}

/** Stops the time of the page. */
export async function pauseClock(page: Page): Promise<void> {
  const now = await page.evaluate(() => Date.now())
  // The time must not have passed when the call arrives.
  await page.clock.pauseAt(now + 60_000)
}

/** Records the requests to the API from now on. */
export function recordRequests(page: Page): Request[] {
  const requests: Request[] = []
  page.on('request', (request) => {
    if (pathOf(request).startsWith('/api/')) requests.push(request)
  })
  return requests
}

function pathOf(request: Request): string {
  return new URL(request.url()).pathname
}

/** Only this path is requested, at most every two seconds, and without a body. */
export async function assertPolls(page: Page, path: string): Promise<void> {
  const requests = recordRequests(page)
  await pauseClock(page)
  const pass = async (ms: number) => {
    await page.clock.runFor(ms)
    return Promise.all(requests.map((request) => request.response()))
  }
  // Ends the requests of the time before.
  await pass(POLL_MS)
  requests.length = 0
  for (let step = 1; step < 6; step++) await pass(POLL_MS / 2)
  const responses = await pass(POLL_MS / 2)
  await page.clock.resume()
  // A request that is still running replaces the next one.
  assert.ok(responses.length >= 1 && responses.length <= 3, `${responses.length} requests in six seconds`)
  for (const response of responses)
    assert.deepEqual(response && [pathOf(response.request()), response.status()], [path, 304])
}

/** The text of a row, once it is loaded. */
export async function textOf(page: Page, number: number): Promise<string> {
  const cell = rowAt(page, number).getByText(/^text \d+$/)
  await cell.waitFor()
  return String(await cell.textContent())
}

/** The index and text of each rendered row, in order. */
export async function displayedTexts(page: Page): Promise<[number, string][]> {
  const rows = await page.locator('[data-index]').evaluateAll((elements) =>
    elements.map((element): [number, string] => {
      const cells = [...element.querySelectorAll('[role=gridcell]')].map(
        ({ textContent }) => textContent ?? '',
      )
      return [Number(element.getAttribute('data-index')), cells.find((text) => /^text \d+$/.test(text)) ?? '']
    }),
  )
  return rows.sort(([a], [b]) => a - b)
}

/** The text of the row with the focus. */
export function focusedText(): string | undefined {
  return document.activeElement?.closest('[data-index]')?.textContent ?? undefined
}

/** Records the positions of the row with this text on the screen, after each change of the page and in each frame. */
export function trackRow(text: string): void {
  const positions: number[] = []
  let cell: Element | undefined
  const record = () => {
    // Searching all cells in each frame would slow the page down.
    if (!cell?.isConnected || cell.textContent !== text) {
      const cells = [...document.querySelectorAll('[role=gridcell]')]
      cell = cells.find((candidate) => candidate.textContent === text)
    }
    const y = cell ? Math.round(cell.getBoundingClientRect().y) : -1
    if (positions.at(-1) !== y) positions.push(y)
  }
  record()
  new MutationObserver(record).observe(document.body, { subtree: true, childList: true, attributes: true })
  const tracked = { positions }
  const recordFrame = () => {
    // Another row is tracked now.
    if (Reflect.get(globalThis, 'tracked') !== tracked) return
    record()
    requestAnimationFrame(recordFrame)
  }
  requestAnimationFrame(recordFrame)
  Object.assign(globalThis, { tracked })
}

export function isFocused(element: Element): boolean {
  return element === document.activeElement
}

/** Headless Chromium never hides a tab, so set what the page reads. */
export function setHidden(page: Page, isHidden: boolean): Promise<void> {
  return page.evaluate((hidden) => {
    Object.defineProperty(document, 'hidden', { configurable: true, get: () => hidden })
    const state = hidden ? 'hidden' : 'visible'
    Object.defineProperty(document, 'visibilityState', { configurable: true, get: () => state })
    document.dispatchEvent(new Event('visibilitychange', { bubbles: true }))
  }, isHidden)
}

export function countMutations(): void {
  const counter = globalThis as unknown as { mutations: number }
  counter.mutations = 0
  new MutationObserver((records) => {
    counter.mutations += records.length
  }).observe(document.body, { subtree: true, childList: true, attributes: true, characterData: true })
}
