// Budgets for loading a page: number of requests, and size of scripts and styles as sent.
import assert from 'node:assert/strict'
import { readdirSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { describe, test } from 'node:test'
import { gzipSync } from 'node:zlib'
import { loadSample } from '../../src/cli/service/sample.ts'
import { WEB_FOLDER } from '../../src/http/server/web-files.ts'
import { createTestKey, createTestStore } from '../support/harness.ts'
import { fullOnly } from '../support/options.ts'
import { openPage, servePage, WITHOUT_BROWSER } from './browser.ts'

const BUDGETS = { firstLoad: 150_000, scripts: 230_000, styles: 16_000, requests: 10 }
/** An open row needs more requests: both scenarios of a comparison, with their evaluations. */
const WITH_OPEN_ROW = 14

/** Pages that need nothing but the first script. */
const IN_FIRST_LOAD = ['/', '/evaluations/support-answer-r5']

const comparisonPath = (...revisions: number[]) =>
  `/compare?${revisions.map((revision) => `evaluation=support-answer-r${revision}`).join('&')}`

/** The path, and a selector for what the page shows last. */
const PAGES: [path: string, lastElement: string, requests?: number][] = [
  ['/', 'role=row >> text=Support answer r5'],
  ['/evaluations/support-answer-r5', 'text=2 parameters differ'],
  ['/evaluations/support-answer-r5?row=returns-004', 'text=4 of 120', WITH_OPEN_ROW],
  ['/evaluations/support-answer-r5/scenarios/returns-004', 'text=4 of 120'],
  ['/compare', 'role=heading >> text=Compare'],
  [comparisonPath(4, 5), 'text=max_tokens and messages[0].content differ'],
  [comparisonPath(3, 4, 5, 6), 'text=Diff r3 to r4'],
  [`${comparisonPath(4, 5)}&show=all&row=returns-004`, 'text=4 of 120', WITH_OPEN_ROW],
  ['/variants', 'role=link >> text=Support answer'],
  ['/variants/support-answer', 'role=row >> text=r5'],
  ['/variants/support-answer/revisions/5', 'text=changed since r4'],
  ['/variants/support-answer/revisions/4/diff/5', 'text=messages[0].content'],
]

describe('page budgets', { skip: WITHOUT_BROWSER }, async () => {
  if (WITHOUT_BROWSER) return
  const store = await createTestStore()
  await loadSample(store)
  const { baseUrl } = await servePage(store)
  const { key } = await createTestKey(store, { scopes: ['read', 'write'] })
  const { page } = await openPage({ baseUrl, key })
  await page.waitForLoadState('networkidle')
  let requests: string[] = []
  page.on('request', (request) => requests.push(new URL(request.url()).pathname))
  // Disables preloading, which starts after five seconds and does not count.
  await page.addInitScript(() => {
    const original = setTimeout
    const shortTimersOnly = (...[callback, delay, ...args]: Parameters<typeof original>) =>
      (delay ?? 0) < 5000 ? original(callback, delay, ...args) : 0
    Object.assign(globalThis, { setTimeout: shortTimersOnly })
  })

  for (const [path, lastElement, maxRequests = BUDGETS.requests] of PAGES) {
    test(`${path} makes at most ${maxRequests} requests`, {
      skip: !IN_FIRST_LOAD.includes(path) && fullOnly('opens twelve pages'),
    }, async () => {
      requests = []
      await page.goto(`${baseUrl}${path}`)
      await page.locator(lastElement).first().waitFor()
      await page.waitForLoadState('networkidle')
      assert.ok(requests.length <= maxRequests, requests.join('\n'))
      const scripts = sizeOf(requests.filter(isScript))
      if (IN_FIRST_LOAD.includes(path)) assert.ok(scripts <= BUDGETS.firstLoad, `${scripts} bytes of script`)
    })
  }

  test('scripts and styles stay within their budgets', () => {
    const built = readdirSync(WEB_FOLDER, { recursive: true, encoding: 'utf8' })
    const scripts = sizeOf(built.filter(isScript))
    const styles = sizeOf(built.filter((name) => name.endsWith('.css')))
    assert.ok(scripts > 50_000 && scripts <= BUDGETS.scripts, `${scripts} bytes of script`)
    assert.ok(styles > 0 && styles <= BUDGETS.styles, `${styles} bytes of style`)
  })
})

function isScript(name: string): boolean {
  return name.endsWith('.js')
}

/** The gzipped size of built files. */
function sizeOf(names: string[]): number {
  return names.reduce(
    (sum, name) => sum + gzipSync(readFileSync(join(WEB_FOLDER, name)), { level: 9 }).length,
    0,
  )
}

test('every user can read the built page', () => {
  for (const entry of readdirSync(WEB_FOLDER, { recursive: true, withFileTypes: true })) {
    const { mode } = statSync(join(entry.parentPath, entry.name))
    assert.equal(mode & 0o777, entry.isDirectory() ? 0o755 : 0o644, entry.name)
  }
  assert.equal(statSync(WEB_FOLDER).mode & 0o777, 0o755)
})
