// The docs tell the truth: tables equal to the code's, links that lead somewhere, commands that exist.
import assert from 'node:assert/strict'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { describe, test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { ERRORS } from '../src/errors.ts'
import { FIELDS, formsOf, parameterOf } from '../src/schema/filters.ts'
import { EVALUATION_FILTERS, FILTER_KINDS, VARIANT_FILTERS } from '../src/schema/list-filters.ts'
import { OPERATORS } from '../src/schema/operators.ts'
import { SETTINGS } from '../src/setting-table.ts'
import { flagOf, rangeText, settingsOf, variableOf } from '../src/settings.ts'

const ROOT = fileURLToPath(new URL('..', import.meta.url))
const read = (file: string) => readFileSync(join(ROOT, file), 'utf8')

/** The rows of the first table of a page, without its head. */
function tableRows(page: string): string[] {
  const lines = page.split('\n').filter((line) => line.startsWith('|'))
  return lines.slice(2)
}

test('docs/reference/errors.md is the table of errors', () => {
  const rows = Object.entries(ERRORS).map(
    ([code, { status, when }]) => `| ${status} | \`${code}\` | ${when} |`,
  )
  assert.deepEqual(tableRows(read('docs/reference/errors.md')), rows)
})

test('docs/reference/settings.md is the table of settings', () => {
  const names = Object.keys(SETTINGS)
  const rows = names.map((name) => {
    const [command = ''] = (SETTINGS as Record<string, { commands: readonly string[] }>)[name]?.commands ?? []
    const [, setting] = settingsOf(command).find(([known]) => known === name) ?? []
    assert.ok(setting, name)
    const value = setting.default ? `\`${setting.default}\`` : ''
    const where = [...new Set(setting.commands.map((command) => command.split(' ')[0]))].join(', ')
    const meaning = setting.help + rangeText(setting)
    return `| \`${flagOf(name)}\` | \`${variableOf(name)}\` | ${value} | ${where} | ${meaning} |`
  })
  assert.deepEqual(tableRows(read('docs/reference/settings.md')), rows)
})

test('docs/reference/filters.md has the tables of operators and filters', () => {
  const page = read('docs/reference/filters.md')
  const section = (heading: string) => tableRows(page.split(`## ${heading}\n`)[1]?.split('\n## ')[0] ?? '')
  assert.deepEqual(
    section('Operators'),
    Object.entries(OPERATORS).map(([name, { means }]) => `| \`${name}\` | ${means} |`),
  )
  const both = { ...EVALUATION_FILTERS, ...VARIANT_FILTERS }
  assert.deepEqual(
    section('Filters of lists'),
    Object.entries(both).map(([name, kind]) => {
      const on = Object.hasOwn(VARIANT_FILTERS, name) ? 'both' : 'evaluations'
      const { operators, operand } = FILTER_KINDS[kind]
      return `| \`${name}\` | ${on} | ${operators.map((one) => `\`${one}\``).join(', ')} | ${operand} |`
    }),
  )
  const rows = Object.entries(FIELDS).map(([name, { means }]) => {
    const field = name as keyof typeof FIELDS
    const forms = formsOf(field).map((form) => `\`${form}\``)
    return `| \`${parameterOf(field)}\` | ${forms.join(', ')} | ${means} |`
  })
  assert.deepEqual(section('Filters of rows'), rows)
})

const PAGES = [
  ...readdirSync(ROOT).filter((file) => file.endsWith('.md')),
  ...readdirSync(join(ROOT, 'docs'), { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.md'))
    .map((file) => join('docs', file)),
  ...['bench', 'client'].flatMap((folder) =>
    readdirSync(join(ROOT, folder))
      .filter((file) => file.endsWith('.md'))
      .map((file) => join(folder, file)),
  ),
]

describe('every link leads to a file that is there', () => {
  for (const page of PAGES) {
    test(page, () => {
      for (const [, target = ''] of read(page).matchAll(/\]\(([^)#]+)(?:#[^)]*)?\)/g)) {
        if (target.startsWith('http')) continue
        assert.ok(existsSync(join(ROOT, dirname(page), target)), `${page} links to ${target}`)
      }
    })
  }
})

test('every table has a head of its own', () => {
  for (const page of PAGES) assert.doesNotMatch(read(page), /^\|---.*\n\|---/m, page)
})

test('the commands of README and CONTRIBUTING are scripts, and CI runs the test command of README', () => {
  const { scripts } = JSON.parse(read('package.json'))
  for (const page of ['README.md', 'CONTRIBUTING.md']) {
    for (const [, name = ''] of read(page).matchAll(/npm run (?:-s )?([\w-]+)/g))
      assert.ok(name in scripts, name)
  }
  const command = /^(npm ci && npm test)\b/m.exec(read('README.md'))?.[1]
  assert.ok(command && read('.ci/run').trimEnd().split('\n').at(-1) === command)
})

test('every command of the program is in the reference', async () => {
  const page = read('docs/reference/commands.md')
  const names = new Set(Object.values(SETTINGS).flatMap(({ commands }) => [...commands] as string[]))
  for (const name of names) assert.ok(page.includes(`\`assay ${name}`), name)
})

test('ARCHITECTURE.md says what each dependency and each folder is for', () => {
  const page = read('ARCHITECTURE.md')
  const { dependencies, devDependencies, optionalDependencies } = JSON.parse(read('package.json'))
  for (const name of Object.keys({ ...dependencies, ...devDependencies })) {
    assert.ok(page.includes(`\`${name}\``), `${name} is not in ARCHITECTURE.md`)
  }
  assert.ok(Object.keys(optionalDependencies).every((name) => name.startsWith('node-')))
  const folders = readdirSync(join(ROOT, 'src'), { withFileTypes: true }).filter((entry) =>
    entry.isDirectory(),
  )
  for (const { name } of folders)
    assert.ok(page.includes(`${name}/`), `src/${name} is not in ARCHITECTURE.md`)
})

test('the service runs on fewer than 70 packages, and the lockfile names no registry', () => {
  const lock = JSON.parse(read('package-lock.json'))
  const packages = Object.entries<Record<string, unknown>>(lock.packages)
  const runtime = packages.filter(
    ([name, { dev, devOptional, optional, link }]) =>
      name.startsWith('node_modules/') && !dev && !devOptional && !optional && !link,
  )
  assert.ok(runtime.length < 70, `${runtime.length} packages`)
  assert.doesNotMatch(read('package-lock.json'), /"resolved": "(?!client"|web")/)
})
