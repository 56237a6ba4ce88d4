// Who may import whom, and the few things that may stand in one place only.
import assert from 'node:assert/strict'
import { readdirSync, readFileSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'
import { test } from 'node:test'
import { fileURLToPath } from 'node:url'

const SRC = fileURLToPath(new URL('../src', import.meta.url))
const SAMPLE = fileURLToPath(new URL('../sample', import.meta.url))
const ROOT = fileURLToPath(new URL('..', import.meta.url))

/** Part of src to the parts it may import, itself included. A file directly in src is a part of its own. */
const MAY_IMPORT: Record<string, string[]> = {
  'errors.ts': [],
  'setting-kinds.ts': ['errors.ts'],
  'command-setting-table.ts': ['setting-kinds.ts'],
  'setting-table.ts': ['command-setting-table.ts', 'setting-kinds.ts'],
  'settings.ts': ['setting-table.ts', 'setting-kinds.ts', 'errors.ts'],
  'unnamed-file.ts': [],
  schema: ['schema'],
  json: ['json'],
  rendition: ['rendition', 'json'],
  'store/dialect': ['store/dialect', 'errors.ts'],
  'store/migrations': ['store/migrations', 'store/dialect', 'errors.ts'],
  store: ['store', 'store/dialect', 'store/migrations', 'schema', 'json', 'unnamed-file.ts', 'errors.ts'],
  import: ['import', 'json', 'schema', 'unnamed-file.ts', 'errors.ts'],
  http: [
    'http',
    'store',
    'import',
    'rendition',
    'json',
    'schema',
    'unnamed-file.ts',
    'settings.ts',
    'errors.ts',
  ],
  cli: [
    'cli',
    'http',
    'store',
    'import',
    'rendition',
    'json',
    'schema',
    'settings.ts',
    'setting-kinds.ts',
    'errors.ts',
    '../sample',
  ],
  '../sample': ['../sample', 'schema'],
  'main.ts': ['cli', 'errors.ts'],
}

const PARTS = Object.keys(MAY_IMPORT).sort((a, b) => b.length - a.length)
const partOf = (file: string) => PARTS.find((part) => file === part || file.startsWith(`${part}/`)) ?? file

interface Source {
  file: string
  text: string
  imports: string[]
}

/** The sources of a folder, named from another one on. */
function sourcesOf(folder: string, from: string): Source[] {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((name) => /\.tsx?$/.test(name) && !/(?:^|\/)(?:dist|node_modules)\//.test(name))
    .map((name) => {
      const text = readFileSync(join(folder, name), 'utf8')
      const imports = [...text.matchAll(/(?:from |import\(|import )'([^']+)'/g)].map(([, name = '']) => name)
      return { file: relative(from, join(folder, name)), text, imports }
    })
}

/** Every source, named from src on. */
const sources = [SRC, SAMPLE].flatMap((folder) => sourcesOf(folder, SRC))
/** Those of the client and of the page, named from the root on. */
const outside = ['client', 'web'].flatMap((folder) => sourcesOf(join(ROOT, folder), ROOT))

/** The files of src that a file imports. */
function localImports({ file, imports }: Source): string[] {
  return imports
    .filter((name) => name.startsWith('.'))
    .map((name) => relative(SRC, join(SRC, dirname(file), name)))
}

test('every import goes where the layers allow it', () => {
  for (const source of sources) {
    const allowed = MAY_IMPORT[partOf(source.file)]
    assert.ok(allowed, `src/${source.file} is in no part that ARCHITECTURE.md knows`)
    for (const target of localImports(source)) {
      assert.ok(allowed.includes(partOf(target)), `src/${source.file} may not import src/${target}`)
    }
  }
})

test('the client imports itself alone, the page itself and its own packages', () => {
  const { devDependencies } = JSON.parse(readFileSync(join(ROOT, 'web/package.json'), 'utf8'))
  const packages = { client: [], web: Object.keys(devDependencies) }
  for (const [folder, allowed] of Object.entries<string[]>(packages)) {
    const files = outside.filter(({ file }) => file.startsWith(`${folder}/`))
    assert.ok(files.length > 0)
    for (const { file, imports } of files) {
      for (const name of imports) {
        const isOwn = name.startsWith('.') && join(dirname(file), name).startsWith(`${folder}/`)
        const isPackage = allowed.some((known) => name === known || name.startsWith(`${known}/`))
        // What bundles the page runs on Node; the page itself never does.
        const isBuilding = file === 'web/build.ts' && name.startsWith('node:')
        assert.ok(isOwn || isPackage || isBuilding, `${file} may not import ${name}`)
      }
    }
  }
})

test('no cycles', () => {
  const targets = new Map(sources.map((source) => [source.file, localImports(source)]))
  const done = new Set<string>()
  function visit(file: string, path: string[]): void {
    assert.ok(!path.includes(file), `a cycle: ${[...path, file].join(' → ')}`)
    if (done.has(file)) return
    for (const target of targets.get(file) ?? []) visit(target, [...path, file])
    done.add(file)
  }
  for (const file of targets.keys()) visit(file, [])
})

const ONLY_IN: [what: string, pattern: RegExp, where: (file: string) => boolean][] = [
  ['process.exit', /process\.exit\(/, (file) => file === 'main.ts'],
  ['process.env', /process\.env/, (file) => file === 'settings.ts'],
  ['a database driver', /from 'node:sqlite'|from 'pg'/, (file) => file.startsWith('store/dialect/')],
  ['the name of an engine', /=== 'sqlite'|=== 'postgres'/, (file) => file.startsWith('store/dialect/')],
  ['Fastify', /from 'fastify'/, (file) => file.startsWith('http/')],
]
for (const [what, pattern, where] of ONLY_IN) {
  test(`${what} stands only where it belongs`, () => {
    for (const { file, text } of sources) assert.ok(where(file) || !pattern.test(text), `src/${file}`)
  })
}

test('no drawer: names say what a file is about', () => {
  for (const { file } of [...sources, ...outside])
    assert.doesNotMatch(file, /util|helper|common|manager|service\.ts$/i, file)
})

test('no file of more than 400 lines, and each begins by saying what it is for', () => {
  for (const { file, text } of [...sources, ...outside]) {
    const isGenerated = file === 'client/types.ts'
    assert.ok(isGenerated || text.split('\n').length <= 400, `${file} is too long`)
    assert.match(
      text.replace(/^#!.*\n/, ''),
      /^\/\/ \S/,
      `${file} has no first line that says what it is for`,
    )
  }
})

test('tests mirror the sources they are about', () => {
  const tests = readdirSync(fileURLToPath(new URL('.', import.meta.url)), {
    recursive: true,
    encoding: 'utf8',
  })
  const folders = new Set(tests.filter((file) => file.endsWith('.test.ts')).map((file) => dirname(file)))
  for (const folder of folders) {
    const isKnown = [...sources, ...outside].some(({ file }) =>
      [folder, `../${folder}`].includes(dirname(file)),
    )
    assert.ok(isKnown, `test/${folder} is about nothing in src`)
  }
})

/** What a file loads when it is imported: types are gone by then, and `import()` waits until it is wanted. */
function loadedBy(file: string, seen = new Set<string>()): Set<string> {
  const source = sources.find((one) => one.file === file)
  if (!source || seen.has(file)) return seen
  seen.add(file)
  for (const [, name = ''] of source.text.matchAll(/^(?:import|export) (?!type\b)[^']*?from '([^']+)'/gm)) {
    if (name.startsWith('.')) loadedBy(join(dirname(file), name), seen)
    else seen.add(name)
  }
  return seen
}

test('commands that judge nothing written do not load what judges it', () => {
  for (const command of ['keys', 'export', 'backup', 'check', 'compare']) {
    const loaded = loadedBy(`cli/${command}.ts`)
    assert.ok(loaded.has('store/store.ts'), command)
    assert.deepEqual(
      [...loaded].filter((name) => name.startsWith('typebox')),
      [],
      command,
    )
  }
})
