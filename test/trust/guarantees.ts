// docs/reference/guarantees.md: generated from checks.ts and from what the checks measured last.
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { ENGINE_NAMES, ROOT } from '../support/test-run.ts'
import { CHECKS, type Check } from './checks.ts'
import { type CheckResult, describeMeasurements } from './results.ts'

const PAGE = join(ROOT, 'docs/reference/guarantees.md')

const INTRODUCTION = `# Guarantees

What Assay promises, the tests that check it, and what they measured last. \`npm run trust\` runs all of them at full strength, and
\`npm run trust -- 3\` runs number 3. \`npm test\` runs shorter versions.

| # | promise | tests | last measured |
|---|---|---|---|
`

/** The page with these measurements, by number of the check. */
export function formatGuarantees(measured: ReadonlyMap<number, string>): string {
  const rows = CHECKS.map((check) => `${rowStart(check)} ${measured.get(check.number) ?? ''} |\n`)
  return INTRODUCTION + rows.join('')
}

function rowStart({ number, promise, tests }: Check): string {
  const files = [...new Set(tests.map(({ file }) => file))]
  const links = files.map((file) => `[${file.replace(/^test\/|\.test\.ts$/g, '')}](../../${file})`)
  return `| ${number} | ${promise} | ${links.join(', ')} |`
}

export const readGuarantees = () => readFileSync(PAGE, 'utf8')

/** The last column of the page, by number of the check. */
export function readMeasured(page: string): Map<number, string> {
  const rows = page.matchAll(/^\| (\d+) \|.*\| (.*) \|$/gm)
  return new Map([...rows].map(([, number, measured = '']) => [Number(number), measured]))
}

/** Replaces the measurements of these checks. */
export function updateGuarantees(results: CheckResult[]): void {
  const measured = readMeasured(readGuarantees())
  const date = new Date().toISOString().slice(0, 10)
  for (const [number, ofCheck] of Map.groupBy(results, ({ number }) => number)) {
    const texts = ofCheck.map(({ engine, outcome, measurements }) =>
      [ENGINE_NAMES[engine], outcome, describeMeasurements(measurements)].filter(Boolean).join(', '),
    )
    measured.set(number, [date, ...texts].join('<br>'))
  }
  writeFileSync(PAGE, formatGuarantees(measured))
}
