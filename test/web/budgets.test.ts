// Budgets for loading a page: number of requests, and size of scripts, styles and fonts as sent.
import assert from 'node:assert/strict'
import { readdirSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { describe, test } from 'node:test'
import { gzipSync } from 'node:zlib'
import type { Request } from 'playwright-core'
import { WEB_FOLDER } from '../../src/http/server/web-files.ts'
import { createSampleStore, createTestKey } from '../support/harness.ts'
import { fullOnly } from '../support/options.ts'
import { disablePreloading, openPage, servePage, WITHOUT_BROWSER, waitUntilIdle } from './browser.ts'
import { OTHER_STATES, PAGES, REVIEWER_KEY, REVIEWER_PAGE } from './page-states.ts'

/** Sizes in bytes. Scripts and styles are compressed with gzip, fonts are compressed already. */
const BUDGETS = { firstLoad: 180_000, scripts: 400_000, styles: 26_000, fonts: 70_000, requests: 12 }
/** An open row needs more requests: its scenario and position, and the scripts of the panel. */
const WITH_OPEN_ROW = 17
/** A comparison needs them for two evaluations, and the evaluations for their thresholds. */
const WITH_OPEN_COMPARISON_ROW = 20

/**
 * A breakdown that opens by itself needs two scripts, one request per input, and one for the groups that share a line. One
 * request has the reviews of the candidate.
 */
const WITH_BREAKDOWN = 21

/** A review also requests the texts of disputed rows, or the rows before and after the open one. */
const MAX_REQUESTS: Record<string, number> = { agreement: 14, review: 15, reviewer: 19 }
/** The page of a reviewer also loads the results, which only the owner sees. */
const FIRST_LOADS: Record<string, number> = { reviewer: 190_000 }

/** The pages whose folder has another name. */
const FOLDERS: Record<string, string> = {
  home: 'evaluations',
  'comparison-of-four': 'comparison',
  reviewer: 'review',
}
/** The pages with the most scripts and requests. */
const QUICK_PAGES = ['home', 'evaluation', 'comparison', 'variant', 'review', 'reviewer']

describe('page budgets', { skip: WITHOUT_BROWSER }, async () => {
  if (WITHOUT_BROWSER) return
  const store = await createSampleStore()
  const { baseUrl } = await servePage(store)
  const { key } = await createTestKey(store, { scopes: ['read', 'write'] })
  const owner = await openPage({ baseUrl, key })
  const { page } = owner
  await waitUntilIdle(page)
  const link = await createTestKey(store, REVIEWER_KEY)
  const reviewer = await openPage({ baseUrl, key: link.key, path: REVIEWER_PAGE.path })
  await waitUntilIdle(reviewer.page)
  const index = readFileSync(join(WEB_FOLDER, 'index.html'), 'utf8')
  const preloads: Record<string, string[]> = JSON.parse(
    readFileSync(join(WEB_FOLDER, 'service/preloads.json'), 'utf8'),
  )
  for (const { page } of [owner, reviewer]) await disablePreloading(page)

  /** Loads a page and asserts the number of its requests. Returns the names of its scripts. */
  async function loadPage(
    path: string,
    lastElement: string,
    maxRequests: number,
    { page, faults } = owner,
  ): Promise<string[]> {
    // The previous page can send a poll until the next one has replaced it.
    await page.goto('about:blank')
    const requests: string[] = []
    const count = (request: Request) => requests.push(new URL(request.url()).pathname)
    page.on('request', count)
    await page.goto(`${baseUrl}${path}`)
    await page.locator(lastElement).first().waitFor()
    await waitUntilIdle(page)
    page.off('request', count)
    assert.ok(requests.length <= maxRequests, `${requests.length} requests:\n${requests.join('\n')}`)
    // Includes requests to other origins.
    assert.deepEqual(faults, [])
    return requests.filter((name) => name.endsWith('.js'))
  }

  for (const state of [...PAGES, REVIEWER_PAGE]) {
    const { name, path, lastElement } = state
    const skip = !QUICK_PAGES.includes(name) && fullOnly('it needs less than other pages')
    const maxRequests = MAX_REQUESTS[name] ?? BUDGETS.requests
    test(`${path} makes at most ${maxRequests} requests and loads only its own scripts`, {
      skip,
    }, async () => {
      // A breakdown opens after the first load.
      const firstLoad = path.includes('evaluation=') ? `${path}&breakdown=none` : path
      const opened = state === REVIEWER_PAGE ? reviewer : owner
      const scripts = await loadPage(firstLoad, lastElement, maxRequests, opened)
      const size = sizeOf(scripts)
      assert.ok(
        size <= (FIRST_LOADS[name] ?? BUDGETS.firstLoad),
        `${size} bytes of script: ${scripts.join(', ')}`,
      )
      const [entry] = /assets\/index-[^"]+\.js/.exec(index) ?? []
      const expected = [entry, ...(preloads[FOLDERS[name] ?? name] ?? [])].map((script) => `/${script}`)
      // Which page a link opens is known only after the first scripts.
      const own = scripts.filter((script) => state !== REVIEWER_PAGE || expected.includes(script))
      assert.deepEqual(own.sort(), expected.sort())
    })
  }

  const stateOf = (name: string) => OTHER_STATES.find((state) => state.name === name) ?? assert.fail(name)

  test(`a comparison with an open row makes at most ${WITH_OPEN_COMPARISON_ROW} requests`, async () => {
    const { path, lastElement } = stateOf('comparison-row')
    await loadPage(path, lastElement, WITH_OPEN_COMPARISON_ROW)
  })

  test(`a comparison that opens a breakdown makes at most ${WITH_BREAKDOWN} requests`, async () => {
    const { path } = PAGES.find(({ name }) => name === 'comparison') ?? assert.fail()
    await loadPage(path, 'role=region[name="Breakdown"] >> text=explains', WITH_BREAKDOWN)
  })

  test('a row is requested once if its script arrives before the response', {
    skip: fullOnly('opens two more pages'),
  }, async () => {
    const url = /\/evaluation_scenarios\/returns-004\?/
    await page.route(url, async (route) => {
      await waitUntilIdle(page, (request) => url.test(request.url()))
      await route.continue()
    })
    const { path, lastElement } = stateOf('evaluation-row')
    await loadPage(path, lastElement, WITH_OPEN_ROW)
    await page.unroute(url)
  })

  test('scripts, styles and fonts stay within their budgets', () => {
    const built = readdirSync(WEB_FOLDER, { recursive: true, encoding: 'utf8' })
    const scripts = sizeOf(built.filter((name) => name.endsWith('.js')))
    const styles = sizeOf(built.filter((name) => name.endsWith('.css')))
    const fonts = built.filter((name) => name.endsWith('.woff2'))
    const fontSize = fonts.reduce((sum, name) => sum + statSync(join(WEB_FOLDER, name)).size, 0)
    assert.ok(scripts > 50_000 && scripts <= BUDGETS.scripts, `${scripts} bytes of script`)
    assert.ok(styles > 0 && styles <= BUDGETS.styles, `${styles} bytes of style`)
    assert.ok(fontSize > 0 && fontSize <= BUDGETS.fonts, `${fontSize} bytes of fonts`)
  })
})

const sizesByName = new Map<string, number>()

/** The gzipped size of built files. */
function sizeOf(names: string[]): number {
  return names.reduce((sum, name) => {
    const path = join(WEB_FOLDER, name)
    const size = sizesByName.get(path) ?? gzipSync(readFileSync(path), { level: 9 }).length
    sizesByName.set(path, size)
    return sum + size
  }, 0)
}

test('every user can read the built page', () => {
  for (const entry of readdirSync(WEB_FOLDER, { recursive: true, withFileTypes: true })) {
    const { mode } = statSync(join(entry.parentPath, entry.name))
    assert.equal(mode & 0o777, entry.isDirectory() ? 0o755 : 0o644, entry.name)
  }
  assert.equal(statSync(WEB_FOLDER).mode & 0o777, 0o755)
})
