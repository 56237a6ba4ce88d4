// What tests of followed pages share: rows on the screen, their positions, and the requests of the page.
import assert from 'node:assert/strict'
import type { Page } from 'playwright-core'

/** The row with this number in the order of the table. */
export function rowAt(page: Page, number: number) {
  return page.locator(`[role=row][aria-rowindex="${number + 1}"]`)
}

export async function nextResponse(page: Page, path: string): Promise<void> {
  await page.waitForResponse((response) => new URL(response.url()).pathname === path)
}

interface RecordedResponse {
  path: string
  status: number
  /** When the request started, in milliseconds. */
  at: number
}

/** Records the responses of the API from now on. */
export function recordResponses(page: Page): RecordedResponse[] {
  const responses: RecordedResponse[] = []
  page.on('response', (response) => {
    const { pathname } = new URL(response.url())
    if (pathname.startsWith('/api/'))
      responses.push({
        path: pathname,
        status: response.status(),
        at: response.request().timing().startTime,
      })
  })
  return responses
}

/** Only this path was requested, at most every two seconds, and never with a body. */
export function assertPolls(responses: RecordedResponse[], path: string): void {
  assert.ok(responses.length > 0)
  for (const [index, response] of responses.entries()) {
    assert.deepEqual([response.path, response.status], [path, 304])
    const previous = responses[index - 1]
    // Timers are not exact.
    if (previous) assert.ok(response.at - previous.at > 1900, `${response.at - previous.at} ms`)
  }
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
  const recordFrame = () => {
    record()
    requestAnimationFrame(recordFrame)
  }
  requestAnimationFrame(recordFrame)
  Object.assign(globalThis, { tracked: { positions } })
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
