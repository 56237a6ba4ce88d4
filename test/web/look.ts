// Takes screenshots of pages, for review: node test/web/look.ts --help
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { addCapitalsEvaluations } from '../../bench/capitals-data.ts'
import { startService, stopService } from '../../bench/service.ts'
import { openStoreAt } from '../../bench/store.ts'
import { addKey } from '../../src/store/access/keys.ts'
import { accessibilityViolations, openPage, waitUntilIdle } from './browser.ts'
import { OTHER_STATES, PAGES, type PageState, REVIEWER_KEY, REVIEWER_PAGE } from './page-states.ts'

const SIZES = '1512x800,1280x720,800x900,390x844'
const THEMES = ['light', 'dark'] as const

const HELP = `Usage: node test/web/look.ts [options] [PATH…]

Starts the service with the sample data, opens pages signed in, and writes screenshots to a folder. Prints errors and
accessibility violations. Without PATH, it opens all pages and states of test/web/page-states.ts.

Options
  --out DIR             folder of the screenshots, default look
  --only REGEXP         only the pages and states whose name matches
  --sizes LIST          window sizes, default ${SIZES}
  --theme THEME         light or dark, default both
  --scenarios N         instead of the sample, two generated evaluations of N scenarios: geo-v3 and geo-v4, variant geo
  --scope SCOPES        scopes of the key, default read,write
  --do CODE             body of an async function (page) that runs before each screenshot
  --help                show this help
`

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    out: { type: 'string', default: 'look' },
    only: { type: 'string', default: '' },
    sizes: { type: 'string', default: SIZES },
    theme: { type: 'string' },
    scenarios: { type: 'string' },
    scope: { type: 'string', default: 'read,write' },
    do: { type: 'string', default: '' },
    help: { type: 'boolean', default: false },
  },
})
const print = (line: string) => process.stdout.write(`${line}\n`)

async function main(): Promise<void> {
  if (values.help) {
    print(HELP)
    return
  }
  const data = mkdtempSync(join(tmpdir(), 'assay-look-'))
  mkdirSync(values.out, { recursive: true })
  const service = await startService(['--data', data, ...(values.scenarios ? [] : ['--sample'])])
  try {
    const store = await openStoreAt(`sqlite:${join(data, 'assay.db')}`)
    if (values.scenarios) await addCapitalsEvaluations(store, Number(values.scenarios))
    const scopes = values.scope.split(',') as ('read' | 'write')[]
    const owner = { project: 'default', name: 'look', scopes, expires_at: null }
    const [{ key }, link] = await store.writer.transaction(async (transaction) => [
      await addKey(transaction, owner),
      await addKey(transaction, { ...owner, ...REVIEWER_KEY }),
    ])
    await store.close()
    const states =
      positionals.length > 0 ? positionals.map(stateOf) : [...PAGES, REVIEWER_PAGE, ...OTHER_STATES]
    for (const state of states.filter(({ name }) => new RegExp(values.only).test(name))) {
      for (const theme of THEMES.filter((name) => (values.theme ?? name) === name)) {
        for (const size of values.sizes.split(','))
          await takeScreenshot(service.baseUrl, state === REVIEWER_PAGE ? link.key : key, state, theme, size)
      }
    }
  } finally {
    await stopService(service)
    rmSync(data, { recursive: true, force: true })
  }
}

function stateOf(path: string): PageState {
  return { name: path.replace(/\W+/g, '-').replace(/^-|-$/g, '') || 'home', path, lastElement: 'body' }
}

async function takeScreenshot(
  baseUrl: string,
  key: string,
  { name, path, lastElement, act }: PageState,
  theme: 'light' | 'dark',
  size: string,
): Promise<void> {
  const [width = 0, height = 0] = size.split('x').map(Number)
  const { page, faults, context } = await openPage({ baseUrl, key, path, theme, width, height })
  const problems = faults
  try {
    await page.locator(lastElement).first().waitFor({ timeout: 10_000 })
    await waitUntilIdle(page)
    await act?.(page)
    const AsyncFunction = (async () => undefined).constructor as FunctionConstructor
    await new AsyncFunction('page', values.do)(page)
    await waitUntilIdle(page)
  } catch (error) {
    problems.push(String(error))
  }
  await page.screenshot({ path: join(values.out, `${name}-${theme}-${width}.png`) })
  problems.push(...(await accessibilityViolations(page)))
  for (const line of problems) print(`${name} ${theme} ${size}: ${line}`)
  await context.close()
}

await main()
process.exit()
