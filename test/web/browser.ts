// A real Chromium over the real page, service and store; whatever a page must never do is collected as it happens.
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { after } from 'node:test'
// The page as it is in the sources, built where it is not yet.
import '../../web/build.ts'
import type { Browser, BrowserContext, Page } from 'playwright-core'
import { launch, WITHOUT_BROWSER } from '../../bench/chromium.ts'
import { WEB_FOLDER } from '../../src/http/web-files.ts'
import type { Settings } from '../../src/settings.ts'
import type { Store } from '../../src/store/store.ts'
import { type Service, serveStore } from '../harness.ts'

export { WITHOUT_BROWSER }

let browser: Promise<Browser> | undefined

/** One for all pages of a test file. */
export function launched(): Promise<Browser> {
  browser ??= launch()
  return browser
}
after(async () => (await browser)?.close())

/** The service with the page as it is built. */
export function servePage(store: Store, changes: Partial<Settings> = {}): Promise<Service> {
  return serveStore(store, changes, undefined, WEB_FOLDER)
}

export interface Opening {
  base: string
  /** Signs in before the page is opened. */
  key?: string
  path?: string
  theme?: 'light' | 'dark'
  width?: number
  height?: number
}

export interface Watched {
  page: Page
  context: BrowserContext
  /** Violations of the content security policy, console errors, failures nobody caught, requests elsewhere. */
  faults: string[]
}

/** How the test hears of what the policy stopped. */
const TELL_VIOLATIONS = `document.addEventListener('securitypolicyviolation', (event) =>
  console.error('policy:', event.violatedDirective, event.blockedURI, event.sourceFile))`

export const SIZE = { width: 1512, height: 800 }

/** A browser profile of its own. */
export async function openPage({
  base,
  key,
  path = '/',
  theme = 'light',
  ...size
}: Opening): Promise<Watched> {
  const context = await (await launched()).newContext({
    viewport: { ...SIZE, ...size },
    colorScheme: theme,
    permissions: ['clipboard-read', 'clipboard-write'],
  })
  const page = await context.newPage()
  const faults = watch(page, base)
  await page.addInitScript({ content: TELL_VIOLATIONS })
  await page.goto(`${base}${path}${key === undefined ? '' : `#key=${key}`}`)
  return { page, context, faults }
}

function watch(page: Page, base: string): string[] {
  const faults: string[] = []
  page.on('console', (message) => {
    // What the server answers with 4xx is told by the page itself, and what it means while it is away too.
    if (message.type() === 'error' && !/Failed to load resource/.test(message.text()))
      faults.push(message.text())
  })
  page.on('pageerror', (error) => faults.push(String(error)))
  page.on('request', (request) => {
    const url = request.url()
    if (!url.startsWith(base) && !/^(?:blob|data):/.test(url)) faults.push(`a request to ${url}`)
  })
  return faults
}

const AXE = createRequire(import.meta.url).resolve('axe-core/axe.min.js')

interface AxeResults {
  violations: { id: string; help: string; nodes: { html: string; failureSummary?: string }[] }[]
}

const WCAG = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa']
/** All that a theme changes. */
export const COLOURS = ['color-contrast']

/** What keeps people out, by WCAG 2.2 A and AA or by these rules of it: one line for each. */
export async function barriers(page: Page, rules = WCAG): Promise<string[]> {
  // The policy of the page lets no script in from outside; what a debugger evaluates is not held by it.
  if (!(await page.evaluate(() => 'axe' in globalThis))) await page.evaluate(readFileSync(AXE, 'utf8'))
  const { violations } = (await page.evaluate(
    // What nobody reads here takes half of its time: what is in order, and how to find each element again.
    `axe.run({
      runOnly: ${JSON.stringify(rules)},
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

/** Another address of the same page, without loading it anew, and with the focus nowhere. */
export function visit(page: Page, path: string): Promise<void> {
  return page.evaluate(
    `document.activeElement?.blur(); history.pushState({}, '', ${JSON.stringify(path)}); dispatchEvent(new PopStateEvent('popstate')); undefined`,
  )
}

/** The page did nothing it must not, and keeps nobody out. */
export async function assertSound({ page, faults }: Watched): Promise<void> {
  assert.deepEqual(faults, [])
  assert.deepEqual(await barriers(page), [])
}
