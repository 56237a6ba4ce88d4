// What a page may cost before anything is done on it: requests, and the size of scripts and styles as they are sent.
import assert from 'node:assert/strict'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, test } from 'node:test'
import { gzipSync } from 'node:zlib'
import { loadSample } from '../../src/cli/sample.ts'
import { WEB_FOLDER } from '../../src/http/web-files.ts'
import { freshStore, mint } from '../harness.ts'
import { openPage, servePage, WITHOUT_BROWSER } from './browser.ts'

const BUDGETS = { firstLoad: 150_000, scripts: 220_000, styles: 16_000, requests: 10 }
/** A row beside a table asks for the row as well: both scenarios of a comparison, with their evaluations. */
const WITH_A_ROW = 14

/** Pages that need nothing but the first script. */
const IN_FIRST_LOAD = ['/', '/evaluations/support-answer-r5']

const compared = (...revisions: number[]) =>
  `/compare?${revisions.map((revision) => `evaluation=support-answer-r${revision}`).join('&')}`

/** What each page shows last, out of the answers to all that it asks. */
const PAGES: [path: string, shown: string, requests?: number][] = [
  ['/', 'role=row >> text=Support answer r5'],
  ['/evaluations/support-answer-r5', 'text=2 parameters differ'],
  ['/evaluations/support-answer-r5?row=returns-004', 'text=#4 of', WITH_A_ROW],
  ['/evaluations/support-answer-r5/scenarios/returns-004', 'text=#4 of'],
  ['/compare', 'role=heading >> text=Compare'],
  [compared(4, 5), 'text=max_tokens and messages[0].content differ'],
  [compared(3, 4, 5, 6), 'text=/r3 → r4: .* differ/'],
  [`${compared(4, 5)}&show=all&row=returns-004`, 'text=#4 of', WITH_A_ROW],
  ['/variants', 'role=link >> text=Support answer'],
  ['/variants/support-answer', 'role=row >> text=r5'],
  ['/variants/support-answer/revisions/5', 'text=What it changed'],
  ['/variants/support-answer/revisions/4/diff/5', 'text=messages[0].content'],
]

describe('the budgets of the page', { skip: WITHOUT_BROWSER }, async () => {
  if (WITHOUT_BROWSER) return
  const store = await freshStore()
  await loadSample(store)
  const { base } = await servePage(store)
  const { key } = await mint(store, { scopes: ['read', 'write'] })
  const { page } = await openPage({ base, key })
  await page.waitForLoadState('networkidle')
  let requests: string[] = []
  page.on('request', (request) => requests.push(new URL(request.url()).pathname))
  // What is read ahead five seconds later is no part of it, and on a busy machine would come before the end.
  await page.addInitScript(() => {
    const begin = setTimeout
    const never = (...[act, wait, ...more]: Parameters<typeof begin>) =>
      (wait ?? 0) < 5000 ? begin(act, wait, ...more) : 0
    Object.assign(globalThis, { setTimeout: never })
  })

  for (const [path, shown, most = BUDGETS.requests] of PAGES) {
    test(`${path} makes at most ${most} requests`, async () => {
      requests = []
      await page.goto(`${base}${path}`)
      await page.locator(shown).first().waitFor()
      await page.waitForLoadState('networkidle')
      assert.ok(requests.length <= most, requests.join('\n'))
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

/** Of built files, as they are sent. */
function sizeOf(names: string[]): number {
  return names.reduce(
    (sum, name) => sum + gzipSync(readFileSync(join(WEB_FOLDER, name)), { level: 9 }).length,
    0,
  )
}
