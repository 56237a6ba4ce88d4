// Tests that the docs match the code: reference tables, links, commands and dependencies.
import assert from 'node:assert/strict'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'
import { describe, test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { ERRORS } from '../src/errors.ts'
import { IMPORTERS } from '../src/import/formats.ts'
import * as names from '../src/import/table/name-lists.ts'
import {
  EVALUATION_FILTERS,
  type ListFilterField,
  ROW_FIELDS,
  ROW_FILTERS,
  VARIANT_FILTERS,
} from '../src/schema/filters/fields.ts'
import { describeSearch } from '../src/schema/filters/filter-params.ts'
import {
  filterForms,
  OPERANDS,
  OPERATORS,
  paramName,
  ROW_FILTER_DESCRIPTIONS,
} from '../src/schema/filters/filters.ts'
import { DATA_FOLDERS, SERVICE_SETTINGS, SETTINGS } from '../src/settings/setting-table.ts'
import type { Setting } from '../src/settings/setting-types.ts'
import { describeRange, flagOf, settingsOf, variableOf } from '../src/settings/settings.ts'

const ROOT = fileURLToPath(new URL('..', import.meta.url))
const readText = (file: string) => readFileSync(join(ROOT, file), 'utf8')

/** The table rows of a page, without the heading of the first table. */
function tableRows(page: string): string[] {
  const lines = page.split('\n').filter((line) => line.startsWith('|'))
  return lines.slice(2)
}

test('docs/reference/errors.md contains the table of errors', () => {
  const rows = Object.entries(ERRORS).map(
    ([code, { status, when }]) => `| ${status} | \`${code}\` | ${when} |`,
  )
  assert.deepEqual(tableRows(readText('docs/reference/errors.md')), rows)
})

test('docs/reference/imports/tables.md lists the names of columns and the words in cells', () => {
  const page = readText('docs/reference/imports/tables.md')
  const list = (words: readonly string[]) => words.map((word) => `\`${word}\``).join(', ')
  const { COLUMN_NAMES, NAME_ENDINGS, UNITS } = names
  const roles = new Set([...Object.keys(COLUMN_NAMES), ...Object.keys(NAME_ENDINGS)])
  for (const role of [...roles].filter((role) => role !== 'weakScore')) {
    const exact = COLUMN_NAMES[role as keyof typeof COLUMN_NAMES] ?? []
    const endings = NAME_ENDINGS[role as keyof typeof NAME_ENDINGS] ?? []
    const row = `| \`${role}\` | ${list(exact)} | ${list(endings)} |`
    assert.ok(page.includes(row), `missing: ${row}`)
  }
  for (const [unit, words] of Object.entries(UNITS).filter(([unit]) => unit !== 'other'))
    assert.ok(page.includes(`| \`${unit}\` | ${list(words)} |`), unit)
  for (const [name, words] of Object.entries(names))
    if (Array.isArray(words)) assert.ok(page.includes(list(words)), `missing ${name}: ${list(words)}`)
  assert.ok(page.includes(list(NAME_ENDINGS.weakScore)), list(NAME_ENDINGS.weakScore))
  assert.ok(page.includes(list(UNITS.other)), list(UNITS.other))
})

/** The variable, and the commands that read it if they are not all commands of the setting. */
function variableText(name: string, { variableCommands }: Setting): string {
  if (variableCommands === undefined) return `\`${variableOf(name)}\``
  return variableCommands.length === 0 ? '' : `\`${variableOf(name)}\` (${variableCommands.join(', ')})`
}

test('docs/reference/settings.md contains the tables of settings', () => {
  const names = Object.keys(SETTINGS)
  const rows = names.map((name) => {
    const [command = ''] = (SETTINGS as Record<string, { commands: readonly string[] }>)[name]?.commands ?? []
    const [, setting] = settingsOf(command).find(([known]) => known === name) ?? []
    assert.ok(setting, name)
    // The docs describe the package.
    const defaultText = name === 'data' ? DATA_FOLDERS.package : setting.default
    const value = defaultText ? `\`${defaultText}\`` : ''
    const commands = [...new Set(setting.commands.map((name) => name.split(' ')[0]))].join(', ')
    const texts =
      typeof setting.help === 'string'
        ? [setting.help]
        : Object.entries(setting.help).map(([name, text]) => `${name}: ${text}`)
    const meaning = texts.join(' ') + describeRange(setting)
    return `| \`${flagOf(name)}\` | ${variableText(name, setting)} | ${value} | ${commands} | ${meaning} |`
  })
  const page = readText('docs/reference/settings.md')
  const tables = page.split('\n## ').flatMap((section) => tableRows(section))
  assert.deepEqual(tables, rows)
  const titles = [...page.matchAll(/^## (.*)/gm)].map(([, title]) => title)
  assert.deepEqual(titles.slice(0, -2), Object.keys(SERVICE_SETTINGS))
})

test('docs/reference/filters.md contains the tables of operators and filters', () => {
  const page = readText('docs/reference/filters.md')
  const section = (heading: string) => tableRows(page.split(`## ${heading}\n`)[1]?.split('\n## ')[0] ?? '')
  assert.deepEqual(
    section('Operators'),
    Object.entries(OPERATORS).map(([name, means]) => `| \`${name}\` | ${means} |`),
  )
  const listFilters = { ...EVALUATION_FILTERS, ...VARIANT_FILTERS }
  assert.deepEqual(
    section('Filters of lists'),
    Object.entries<ListFilterField>(listFilters).map(([name, field]) => {
      const list = Object.hasOwn(VARIANT_FILTERS, name) ? 'both' : 'evaluations'
      const forms = filterForms(field).map((form) => `\`${form}\``)
      const meaning = field.columns
        ? describeSearch(field.columns)
        : `x is ${OPERANDS[field.type].description}`
      return `| \`${name}\` | ${list} | ${forms.join(', ')} | ${meaning} |`
    }),
  )
  const rows = ROW_FIELDS.map(([field]) => {
    const forms = filterForms(ROW_FILTERS[field]).map((form) => `\`${form}\``)
    return `| \`${paramName(field)}\` | ${forms.join(', ')} | ${ROW_FILTER_DESCRIPTIONS[field]} |`
  })
  assert.deepEqual(section('Filters of rows'), rows)
})

describe('the import formats', () => {
  /** The first table of a section, in any order: pages list the formats of other tools first. */
  const formatRows = (page: string, heading: string) => {
    const [, section = ''] = readText(page).split(`# ${heading}\n`)
    const table = section.slice(section.indexOf('\n|')).trimStart().split('\n\n')[0] ?? ''
    return tableRows(table).sort()
  }

  test('are in the table of README.md', () => {
    const rows = IMPORTERS.map(
      ({ label, description, docs, example }) =>
        `| [${label}](docs/${docs}) | ${description} | \`${example}\` |`,
    )
    assert.deepEqual(formatRows('README.md', 'Import your results'), rows.sort())
  })

  test('are in the table of docs/reference/imports/README.md', () => {
    const rows = IMPORTERS.map(({ name, description, docs, reference = docs, example }) => {
      const link = relative('docs/reference/imports', join('docs', reference))
      return `| [\`${name}\`](${link}) | ${description} | \`${example}\` |`
    })
    assert.deepEqual(formatRows('docs/reference/imports/README.md', 'Import formats'), rows.sort())
  })

  for (const { name, docs, example } of IMPORTERS)
    test(`${name}: docs/${docs} exists and contains the example`, () => {
      const page = readText(`docs/${docs}`)
      const command = example.replace(/^assay /, '')
      assert.ok(page.includes(command), `docs/${docs} must contain '${command}'`)
    })
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

/** The relative links of a page, as paths from the root with their anchor. */
function linksOf(page: string): { target: string; anchor: string | undefined }[] {
  return [...readText(page).matchAll(/\]\(([^)#\s]*)(?:#([^)]*))?\)/g)]
    .filter(([, target = '']) => !target.startsWith('http'))
    .map(([, target = '', anchor]) => ({ target: target ? join(dirname(page), target) : page, anchor }))
}

/** The anchors that GitHub gives to the headings of a page. A line of a code block is not a heading. */
function anchorsOf(page: string): string[] {
  const prose = readText(page).replace(/^```.*?^```/gms, '')
  const names = [...prose.matchAll(/^#+ (.*)$/gm)].map(([, heading = '']) =>
    heading
      .toLowerCase()
      .replace(/[^\p{L}\p{N} _-]/gu, '')
      .replaceAll(' ', '-'),
  )
  return names.map((name, index) => {
    const repeats = names.slice(0, index).filter((earlier) => earlier === name).length
    return repeats === 0 ? name : `${name}-${repeats}`
  })
}

describe('every relative link points to an existing file and heading', () => {
  for (const page of PAGES) {
    test(page, () => {
      for (const { target, anchor } of linksOf(page)) {
        assert.ok(existsSync(join(ROOT, target)), `${page} links to ${target}`)
        if (anchor !== undefined)
          assert.ok(anchorsOf(target).includes(anchor), `${page} links to ${target}#${anchor}`)
      }
    })
  }
})

test('every page of docs can be reached from docs/README.md', () => {
  const reachedPages = new Set<string>()
  const visit = (page: string) => {
    if (reachedPages.has(page) || !page.endsWith('.md')) return
    reachedPages.add(page)
    for (const { target } of linksOf(page)) visit(target)
  }
  visit('docs/README.md')
  const unreachable = PAGES.filter((page) => page.startsWith('docs/') && !reachedPages.has(page))
  assert.deepEqual(unreachable, [])
  assert.ok(linksOf('README.md').some(({ target }) => target === 'docs/README.md'))
})

test('every source file that a page names exists', () => {
  for (const page of PAGES)
    for (const [, file = ''] of readText(page).matchAll(/`((?:src|web|client|test|bench)\/[\w./-]+\.tsx?)`/g))
      assert.ok(existsSync(join(ROOT, file)), `${page} names ${file}`)
})

test('every table has a heading', () => {
  for (const page of PAGES) assert.doesNotMatch(readText(page), /^\|---.*\n\|---/m, page)
})

test('npm warns about no Node version because of Assay itself: it installs the Node that it runs on', () => {
  for (const name of ['package.json', 'web/package.json'])
    assert.ok(!('engines' in JSON.parse(readText(name))), name)
})

test('README and CONTRIBUTING name existing npm scripts, and CI runs the test command of README', () => {
  const { scripts } = JSON.parse(readText('package.json'))
  for (const page of ['README.md', 'CONTRIBUTING.md']) {
    for (const [, name = ''] of readText(page).matchAll(/npm run (?:-s )?([\w:-]+)/g))
      assert.ok(name in scripts, name)
  }
  const command = /^(npm ci && npm test)\b/m.exec(readText('README.md'))?.[1]
  assert.ok(command && readText('.ci/run').trimEnd().split('\n').at(-1) === command)
})

test('docs/reference/commands.md describes every command', async () => {
  const page = readText('docs/reference/commands.md')
  const names = new Set(Object.values(SETTINGS).flatMap(({ commands }) => [...commands] as string[]))
  for (const name of names) assert.ok(page.includes(`\`assay ${name}`), name)
})

test('ARCHITECTURE.md describes each dependency and each folder of src', () => {
  const page = readText('ARCHITECTURE.md')
  const { dependencies, devDependencies, optionalDependencies } = JSON.parse(readText('package.json'))
  for (const name of Object.keys({ ...dependencies, ...devDependencies })) {
    assert.ok(page.includes(`\`${name}\``), `${name} is not in ARCHITECTURE.md`)
  }
  assert.ok(Object.keys(optionalDependencies).every((name) => name.startsWith('node-')))
  const folders = readdirSync(join(ROOT, 'src'), { withFileTypes: true }).filter((entry) =>
    entry.isDirectory(),
  )
  for (const { name } of folders)
    assert.ok(page.includes(`\`src/${name}\``), `src/${name} is not in ARCHITECTURE.md`)
})
