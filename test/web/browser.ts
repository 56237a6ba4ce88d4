// Opens the built page in Chromium against a real service, and collects errors and accessibility violations.
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { after } from 'node:test'
// Builds the page if it is out of date.
import '../../web/build.ts'
import type { Browser, BrowserContext, Page, Request } from 'playwright-core'
import { connect, launch, WITHOUT_BROWSER } from '../../bench/chromium.ts'
import { WEB_FOLDER } from '../../src/http/server/web-files.ts'
import type { Settings } from '../../src/settings/settings.ts'
import type { Store } from '../../src/store/store.ts'
import { type Service, startTestService } from '../support/harness.ts'
import { testOptions } from '../support/options.ts'
import { afterAllFiles } from '../support/process-end.ts'

export { WITHOUT_BROWSER }

let browser: Promise<Browser> | undefined

/** The browser that test/run.ts has started, or one of this process. */
export function sharedBrowser(): Promise<Browser> {
  browser ??= testOptions.browserUrl === undefined ? launch() : connect(testOptions.browserUrl)
  return browser
}
afterAllFiles(async () => (await browser)?.close())

/** Starts a service that serves the built page. */
export function servePage(store: Store, changes: Partial<Settings> = {}): Promise<Service> {
  return startTestService(store, changes, undefined, WEB_FOLDER)
}

export interface OpenOptions {
  baseUrl: string
  /** Signs in with this key. */
  key?: string
  path?: string
  theme?: 'light' | 'dark'
  width?: number
  height?: number
  /** Lets the test say which time it is, with `page.clock`. */
  hasClock?: boolean
}

export interface OpenedPage {
  page: Page
  context: BrowserContext
  /** Console errors, uncaught exceptions, violations of the content security policy, and requests to other hosts. */
  faults: string[]
}

/** Logs violations of the content security policy as console errors. */
const LOG_VIOLATIONS = `document.addEventListener('securitypolicyviolation', (event) =>
  console.error('policy:', event.violatedDirective, event.blockedURI, event.sourceFile))`

/** How long a page can take to reach a state on a very busy machine. */
const PAGE_TIMEOUT_MS = 120_000

export const SIZE = { width: 1512, height: 800 }

/** Opens a page in a new browser profile. It is closed at the end of the test or suite, so that it stops polling. */
export async function openPage({
  baseUrl,
  key,
  path = '/',
  theme = 'light',
  hasClock = false,
  ...size
}: OpenOptions): Promise<OpenedPage> {
  let context: BrowserContext | undefined
  // Before the first await: after that, Node would add the hook to the test that started the browser.
  after(() => context?.close())
  context = await (await sharedBrowser()).newContext({
    viewport: { ...SIZE, ...size },
    colorScheme: theme,
    permissions: ['clipboard-read', 'clipboard-write'],
    // Certificates of tests are self-signed.
    ignoreHTTPSErrors: true,
  })
  context.setDefaultTimeout(PAGE_TIMEOUT_MS)
  await context.addInitScript({ content: OWN_CLIPBOARD })
  if (hasClock) await context.clock.install()
  const page = await context.newPage()
  const faults = collectFaults(page, baseUrl)
  await page.addInitScript({ content: LOG_VIOLATIONS })
  await page.goto(`${baseUrl}${path}${key === undefined ? '' : `#key=${key}`}`)
  return { page, context, faults }
}

function collectFaults(page: Page, baseUrl: string): string[] {
  const faults: string[] = []
  page.on('console', (message) => {
    // The page reports 4xx responses and an unreachable server itself.
    if (message.type() === 'error' && !/Failed to load resource/.test(message.text()))
      faults.push(message.text())
  })
  page.on('pageerror', (error) => faults.push(String(error)))
  page.on('request', (request) => {
    const url = request.url()
    if (!url.startsWith(baseUrl) && !/^(?:blob|data):/.test(url)) faults.push(`a request to ${url}`)
  })
  return faults
}

/** All tests share a browser, and its clipboard. A page reads what it has copied itself, not what another test copied since. */
const OWN_CLIPBOARD = `{
  const { clipboard } = navigator
  let copied = ''
  if (clipboard) {
    const [write, writeText] = [clipboard.write.bind(clipboard), clipboard.writeText.bind(clipboard)]
    clipboard.writeText = async (text) => {
      await writeText(text)
      copied = text
    }
    clipboard.write = async (items) => {
      await write(items)
      copied = await (await items[0].getType('text/plain')).text()
    }
    clipboard.readText = async () => copied
  }
}`

const AXE = createRequire(import.meta.url).resolve('axe-core/axe.min.js')

interface AxeResults {
  violations: { id: string; help: string; nodes: { html: string; failureSummary?: string }[] }[]
}

export const WCAG = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa']
/** The only rule that depends on the theme. */
export const CONTRAST_RULES = ['color-contrast']

/** Accessibility violations (WCAG 2.2 A and AA and equal landmarks, or only these rules) in the page or a part of it, one line each. */
export async function accessibilityViolations(page: Page, rules = WCAG, part = 'html'): Promise<string[]> {
  // The content security policy blocks injected scripts, but not what the debugger evaluates.
  if (!(await page.evaluate(() => 'axe' in globalThis))) await page.evaluate(readFileSync(AXE, 'utf8'))
  const { violations } = (await page.evaluate(
    // Passed rules and selectors are not needed and would double the time.
    `axe.run(${JSON.stringify(part)}, {
      runOnly: ${JSON.stringify(rules)},
      rules: { 'landmark-unique': { enabled: ${rules === WCAG} } },
      resultTypes: ['violations'],
      selectors: false,
    })`,
  )) as AxeResults
  return violations.flatMap(({ id, nodes }) =>
    nodes.map(
      ({ html, failureSummary = '' }) =>
        `${id}: ${html.slice(0, 160)} ${failureSummary.replace(/\s+/g, ' ')}`,
    ),
  )
}

/** From the next load on, the page does not preload lazy modules, which starts five seconds after a load. */
export async function disablePreloading(page: Page): Promise<void> {
  await page.addInitScript(() => {
    const original = setTimeout
    const shortTimersOnly = (...[callback, delay, ...args]: Parameters<typeof original>) =>
      (delay ?? 0) < 5000 ? original(callback, delay, ...args) : 0
    Object.assign(globalThis, { setTimeout: shortTimersOnly })
  })
}

/** Navigates on the client to another path, and removes the focus. */
export function visit(page: Page, path: string): Promise<void> {
  return page.evaluate(
    `document.activeElement?.blur(); history.pushState({}, '', ${JSON.stringify(path)}); dispatchEvent(new PopStateEvent('popstate')); undefined`,
  )
}

/** Like `visit`, but removes the page before it, so that no test finds an element of that. */
export async function openPath(page: Page, path: string): Promise<void> {
  await visit(page, '/compare')
  await page.getByRole('heading', { name: 'Compare evaluations', level: 1 }).waitFor()
  await visit(page, path)
}

/**
 * Waits until the page has nothing to do: no request is running, and its main thread is idle. Effects have run then, so
 * that the page listens to keys, and everything that follows from a response has been requested.
 */
export async function waitUntilIdle(page: Page, isIgnored = (_: Request) => false): Promise<void> {
  let started = 0
  const running = new Set<Request>()
  const start = (request: Request) => {
    if (isIgnored(request)) return
    started += 1
    running.add(request)
  }
  const end = (request: Request) => running.delete(request)
  page.on('request', start).on('requestfinished', end).on('requestfailed', end)
  // Scripts and styles can have started before these listeners.
  await page.waitForLoadState('load')
  let startedBefore: number
  do {
    startedBefore = started
    while (running.size > 0) await page.evaluate(nextIdlePeriod)
    for (let period = 0; period < IDLE_PERIODS; period++) await page.evaluate(nextIdlePeriod)
  } while (running.size > 0 || started > startedBefore)
  page.off('request', start).off('requestfinished', end).off('requestfailed', end)
}

const IDLE_PERIODS = 5

const nextIdlePeriod = `new Promise((resolve) =>
  requestAnimationFrame(() => requestIdleCallback(() => resolve())))`

/** Selects an option of a menu whose button shows the selected one. */
export async function chooseOption(page: Page, title: string, option: string | RegExp): Promise<void> {
  await page.getByRole('button', { name: new RegExp(`^${RegExp.escape(title)}: `) }).click()
  // Columns can have the same name as an option.
  await page.locator(':popover-open').getByRole('button', { name: option, exact: true }).click()
}

/**
 * Asserts that the page caused no errors, and that it or the part that no other test checks is accessible. The second
 * only in the full profile: in the quick one, pages.test.ts checks each page once.
 */
export async function assertNoViolations({ page, faults }: OpenedPage, part?: string): Promise<void> {
  assert.deepEqual(faults, [])
  if (testOptions.profile === 'full') assert.deepEqual(await accessibilityViolations(page, WCAG, part), [])
}
