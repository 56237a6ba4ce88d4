// Takes screenshots of pages, for review: node test/web/look.ts --help
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { addCapitalsEvaluations } from '../../bench/capitals-data.ts'
import { startService, stopService } from '../../bench/service.ts'
import { openStoreAt } from '../../bench/store.ts'
import { addKey } from '../../src/store/access/keys.ts'
import { accessibilityViolations, openPage } from './browser.ts'

const HELP = `node test/web/look.ts [--out DIR] [--scenarios N] [--scope read|read,write] [--do CODE] PATH…

Starts the service on the sample data (or, with --scenarios, on two generated evaluations geo-v3 and geo-v4 of that size,
variant geo), opens each PATH signed in, in both themes at 1512×800 and 800×900, and writes screenshots to DIR (look/).
--do is the body of an async function (page) that runs before the screenshot. Prints errors and accessibility violations.
`

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    out: { type: 'string', default: 'look' },
    scenarios: { type: 'string' },
    scope: { type: 'string', default: 'read,write' },
    do: { type: 'string', default: '' },
    help: { type: 'boolean', default: false },
  },
})
const print = (line: string) => process.stdout.write(`${line}\n`)

async function main(): Promise<void> {
  if (values.help || positionals.length === 0) {
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
    const { key } = await store.writer.transaction((transaction) =>
      addKey(transaction, { project: 'default', name: 'look', scopes, expires_at: null }),
    )
    await store.close()
    for (const path of positionals) await takeScreenshots(service.baseUrl, key, path)
  } finally {
    await stopService(service)
    rmSync(data, { recursive: true, force: true })
  }
}

async function takeScreenshots(baseUrl: string, key: string, path: string): Promise<void> {
  const name = path.replace(/\W+/g, '-').replace(/^-|-$/g, '') || 'home'
  const sizes = { wide: { width: 1512, height: 800 }, narrow: { width: 800, height: 900 } }
  for (const theme of ['light', 'dark'] as const) {
    for (const [sizeName, size] of Object.entries(sizes)) {
      const { page, faults, context } = await openPage({ baseUrl, key, path, theme, ...size })
      await page.waitForLoadState('networkidle')
      const AsyncFunction = (async () => undefined).constructor as FunctionConstructor
      await new AsyncFunction('page', values.do)(page)
      await page.waitForTimeout(300)
      await page.screenshot({ path: join(values.out, `${name}-${theme}-${sizeName}.png`) })
      for (const line of [...faults, ...(await accessibilityViolations(page))])
        print(`${path} ${theme} ${sizeName}: ${line}`)
      await context.close()
    }
  }
}

await main()
process.exit()
