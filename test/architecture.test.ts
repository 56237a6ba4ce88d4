// Checks the imports that allowed-imports.txt lists, and rules about where some code can be.
import assert from 'node:assert/strict'
import { readdirSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { describe, test } from 'node:test'
import { fileURLToPath } from 'node:url'

const ROOT = fileURLToPath(new URL('..', import.meta.url))
const MAX_FILES_PER_FOLDER = 22
const MAX_LINES_PER_FILE = 400

interface Source {
  /** Path from the root of the repository. */
  file: string
  text: string
  /** Specifiers of static, type-only and dynamic imports alike. */
  imports: string[]
}

function readSources(folder: string): Source[] {
  return readdirSync(join(ROOT, folder), { recursive: true, encoding: 'utf8' })
    .filter((name) => /\.tsx?$/.test(name) && !/(?:^|\/)(?:dist|node_modules)\//.test(name))
    .map((name) => {
      const text = readFileSync(join(ROOT, folder, name), 'utf8')
      const imports = [...text.matchAll(/(?:from |import\(|import )'([^']+)'/g)].map(([, name = '']) => name)
      return { file: join(folder, name), text, imports }
    })
}

const server = readSources('src')
const client = readSources('client')
const web = readSources('web')
const sources = [...server, ...client, ...web, ...readSources('python')]
const pythonFiles = ['python/src', 'python/tests'].flatMap((folder) =>
  readdirSync(join(ROOT, folder), { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.py'))
    .map((name) => join(folder, name)),
)

/** The files of this repository that a file imports. */
function localImports({ file, imports }: Source): string[] {
  return imports.filter((name) => name.startsWith('.')).map((name) => join(dirname(file), name))
}

/** By file or folder: what it can import. */
const allowedImports = new Map(
  readFileSync(join(ROOT, 'test/allowed-imports.txt'), 'utf8')
    .split('\n')
    .filter((line) => line !== '' && !line.startsWith('#'))
    .map((line): [string, string[]] => {
      const [place = '', targets = ''] = line.split(':')
      return [place, targets.split(' ').filter((target) => target !== '')]
    }),
)

/**
 * The entry that covers a file: its own, that of its folder, that of all folders next to it (`/*`) or, in the web page,
 * that of a folder above it.
 */
function entryOf(path: string): string {
  if (allowedImports.has(path)) return path
  const folder = dirname(path)
  if (folder.startsWith('web/src/')) return entryOf(folder)
  const pattern = `${dirname(folder)}/*`
  return !allowedImports.has(folder) && allowedImports.has(pattern) ? pattern : folder
}

function isAllowed(source: string, target: string): boolean {
  const entry = entryOf(source)
  const isSameFolder =
    entry === entryOf(target) && (!entry.endsWith('/*') || dirname(source) === dirname(target))
  if (isSameFolder || target === 'src/errors.ts') return true
  return (allowedImports.get(entry) ?? []).some((allowed) =>
    allowed.endsWith('/**')
      ? target.startsWith(allowed.slice(0, -2))
      : allowed === target || allowed === dirname(target),
  )
}

describe('imports', () => {
  test('follow the list of allowed imports', () => {
    const files = [...server, ...web.filter(({ file }) => file.startsWith('web/src/'))]
    for (const source of files) {
      assert.ok(
        allowedImports.has(entryOf(source.file)),
        `${source.file} is in a folder that allowed-imports.txt does not list`,
      )
      for (const target of localImports(source))
        assert.ok(isAllowed(source.file, target), `${source.file} must not import ${target}`)
    }
  })

  test('are listed for the folders that ARCHITECTURE.md describes', () => {
    const page = readFileSync(join(ROOT, 'ARCHITECTURE.md'), 'utf8')
    const places = [...page.matchAll(/^\| `((?:src|web)\/[^`]*)` \|/gm)].map(([, place = '']) => place)
    assert.deepEqual(places.toSorted(), [...allowedImports.keys()].toSorted())
  })

  test('have no cycles', () => {
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

  test('of the client are its own files, and of the page its own files, packages and shared data', () => {
    const { devDependencies } = JSON.parse(readFileSync(join(ROOT, 'web/package.json'), 'utf8'))
    const allowedPackages = { client: [], web: Object.keys(devDependencies) }
    for (const [folder, packages] of Object.entries<string[]>(allowedPackages)) {
      const files = sources.filter(({ file }) => file.startsWith(`${folder}/`))
      assert.ok(files.length > 0)
      for (const { file, imports } of files) {
        for (const name of imports) {
          const target = name.startsWith('.') ? join(dirname(file), name) : ''
          const isOwn = target.startsWith(`${folder}/`) || (folder === 'web' && isShared(target))
          const isPackage = packages.some(
            (packageName) => name === packageName || name.startsWith(`${packageName}/`),
          )
          // These run on Node; the page itself does not. Vite inserts the list of importers into the page.
          const isForBuild =
            (file === 'web/build.ts' && name.startsWith('node:')) ||
            (file === 'web/vite.config.ts' && name === '../src/import/formats.ts')
          assert.ok(isOwn || isPackage || isForBuild, `${file} must not import ${name}`)
        }
      }
    }
  })

  test('of files that the page shares with the service are such files too, so that the page loads nothing else', () => {
    const sharedFiles = server.filter(({ file }) => isShared(file))
    assert.ok(sharedFiles.length > 0)
    for (const source of sharedFiles) {
      const targets = localImports(source)
      assert.equal(targets.length, source.imports.length, `${source.file} imports a package`)
      for (const target of targets) assert.ok(isShared(target), `${source.file} must not import ${target}`)
    }
  })

  test('of generateVersion are only in the change log, so that every new version has an entry', () => {
    const files = server.filter(({ text }) => /import [^;]*?\bgenerateVersion\b[^;]*? from/.test(text))
    assert.deepEqual([...new Set(files.map(({ file }) => dirname(file)))], ['src/store/changes'])
  })

  test('of TypeBox are not loaded by commands that validate nothing', () => {
    for (const command of ['keys', 'export', 'maintenance', 'changes', 'compare']) {
      const loadedFiles = loadedBy(`src/cli/${command}.ts`)
      assert.ok(loadedFiles.has('src/store/store.ts'), command)
      assert.deepEqual(
        [...loadedFiles].filter((name) => name.startsWith('typebox')),
        [],
        command,
      )
    }
  })
})

/** Whether a folder of the page can import this file of the service. */
function isShared(file: string): boolean {
  const pageEntries = [...allowedImports].filter(([place]) => place.startsWith('web/'))
  return file.startsWith('src/') && pageEntries.some(([, targets]) => targets.includes(file))
}

/** What importing a file loads: type imports are erased, and `import()` loads later. */
function loadedBy(file: string, seen = new Set<string>()): Set<string> {
  const source = server.find((candidate) => candidate.file === file)
  if (!source || seen.has(file)) return seen
  seen.add(file)
  for (const [, name = ''] of source.text.matchAll(/^(?:import|export) (?!type\b)[^']*?from '([^']+)'/gm)) {
    if (name.startsWith('.')) loadedBy(join(dirname(file), name), seen)
    else seen.add(name)
  }
  return seen
}

const ONLY_IN: [what: string, pattern: RegExp, isAllowedIn: (file: string) => boolean][] = [
  ['process.exit', /process\.exit\(/, (file) => file === 'src/main.ts'],
  ['process.env', /process\.env/, (file) => ['src/settings/settings.ts', 'src/main.ts'].includes(file)],
  ['database drivers', /from 'node:sqlite'|from 'pg'/, (file) => file.startsWith('src/store/dialect/')],
  ['engine names', /=== 'sqlite'|=== 'postgres'/, (file) => file.startsWith('src/store/dialect/')],
  ['Fastify', /from 'fastify'/, (file) => file.startsWith('src/http/')],
]
for (const [what, pattern, isAllowedIn] of ONLY_IN) {
  test(`only the allowed files use ${what}`, () => {
    for (const { file, text } of server) assert.ok(isAllowedIn(file) || !pattern.test(text), file)
  })
}

describe('source files', () => {
  test('have names that say what they contain', () => {
    for (const file of [...sources.map(({ file }) => file), ...pythonFiles])
      assert.doesNotMatch(file, /util|helper|common|manager|service\.ts$/i, file)
  })

  test('are short and begin with a comment that says what they contain', () => {
    for (const { file, text } of sources) {
      const isGenerated = file === 'client/types.ts'
      assert.ok(isGenerated || text.split('\n').length <= MAX_LINES_PER_FILE, `${file} is too long`)
      assert.match(text.replace(/^#!.*\n/, ''), /^\/\/ \S/, `${file} has no first comment`)
    }
    for (const file of pythonFiles) {
      const text = readFileSync(join(ROOT, file), 'utf8')
      const isLimited = file.startsWith('python/src/') && !/^# Generated\b/m.test(text)
      assert.ok(!isLimited || text.split('\n').length <= MAX_LINES_PER_FILE, `${file} is too long`)
      assert.match(text, /^(?:"""|# )\S/, `${file} has no first docstring`)
    }
  })

  test('are not too many in one folder', () => {
    const counts = new Map<string, number>()
    const add = (folder: string) => counts.set(folder, (counts.get(folder) ?? 0) + 1)
    for (const top of ['src', 'web/src'])
      for (const name of readdirSync(join(ROOT, top), { recursive: true, encoding: 'utf8' }))
        if (/\.(?:tsx?|css)$/.test(name)) add(dirname(join(top, name)))
    for (const file of pythonFiles) add(dirname(file))
    for (const [folder, count] of counts)
      assert.ok(count <= MAX_FILES_PER_FOLDER, `${folder} has ${count} source files`)
  })
})

test('every test folder has the path of a source folder', () => {
  const folders = readdirSync(join(ROOT, 'test'), { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.test.ts'))
    .map((file) => dirname(file))
  for (const folder of new Set(folders)) {
    const isSourceFolder = sources.some(({ file }) => [folder, join('src', folder)].includes(dirname(file)))
    assert.ok(isSourceFolder, `test/${folder} does not correspond to a source folder`)
  }
})

describe('tests', () => {
  const MAX_POLL_MS = 100
  /** Files that can contain such a line, with the reason. */
  const EXCEPTIONS: Record<string, string> = {
    'test/client/operations.test.ts': 'an iterable that is slower than the client collects records',
    'test/http/server/slow-readers.test.ts': 'clients that read a fixed number of bytes per second',
    'test/http/server/postgres-faults.test.ts': 'a time limit for each state, in the full profile',
    'python/tests/test_pytest_plugin.py': 'a test that runs until it is interrupted',
  }
  const files = ['test', 'python/tests']
    .flatMap((folder) =>
      readdirSync(join(ROOT, folder), { recursive: true, encoding: 'utf8' }).map((name) =>
        join(folder, name),
      ),
    )
    .filter((file) => /\.(?:ts|py)$/.test(file) && file !== 'test/architecture.test.ts')

  /** `milliseconds` is what the first group of the pattern is multiplied with. */
  const PATTERNS: { what: string; pattern: RegExp; milliseconds?: number }[] = [
    { what: 'wait for an idle network or a fixed time', pattern: /networkidle|waitForTimeout\(/ },
    {
      what: 'wait for a fixed time',
      pattern: /await (?:delay|setTimeout|sleep)\(([\d_]+)|\(resolve\) => setTimeout\(resolve, ([\d_]+)/,
      milliseconds: 1,
    },
    { what: 'wait for a fixed time', pattern: /time\.sleep\(([\d.]+)/, milliseconds: 1000 },
    {
      what: 'assert a duration',
      pattern:
        /assert\b.*(?:(?:now|monotonic)\(\) *[-<>]|- *(?:Date|performance|time)\.(?:now|monotonic)\(\))/,
    },
  ]

  function findTimeDependence(line: string): string | undefined {
    return PATTERNS.find(({ pattern, milliseconds }) => {
      const [text, ...values] = pattern.exec(line) ?? []
      if (text === undefined || milliseconds === undefined) return text !== undefined
      const value = Number(values.find((value) => value !== undefined)?.replaceAll('_', ''))
      return value * milliseconds > MAX_POLL_MS
    })?.what
  }

  test('that wait or measure are found, but not steps of polls', () => {
    for (const line of [
      `await page.waitForLoadState('networkidle')`,
      'await page.waitForTimeout(5)',
      'await delay(1_000)',
      'await new Promise((resolve) => setTimeout(resolve, 500))',
      'assert.ok(performance.now() - start < 900)',
      'assert.ok(Math.abs(time - Date.now()) < 60_000)',
      'time.sleep(1.5)',
      'assert time.monotonic() - started < 30',
    ])
      assert.ok(findTimeDependence(line), line)
    for (const line of [
      'while (!isDone()) await delay(20)',
      'time.sleep(0.01)',
      'assert.ok(time >= start && time <= Date.now())',
    ])
      assert.equal(findTimeDependence(line), undefined, line)
  })

  test('wait for states instead of times, and assert durations only with the option measures', () => {
    const found = files.flatMap((file) =>
      readFileSync(join(ROOT, file), 'utf8')
        .split('\n')
        .filter((line) => !/\bmeasures\b/.test(line) && findTimeDependence(line))
        .map((line) => ({ file, line: `${file}: ${findTimeDependence(line)}: ${line.trim()}` })),
    )
    const isException = (file: string) => Object.hasOwn(EXCEPTIONS, file)
    assert.deepEqual(
      found.filter(({ file }) => !isException(file)).map(({ line }) => line),
      [],
    )
    const unused = Object.keys(EXCEPTIONS).filter((name) => !found.some(({ file }) => file === name))
    assert.deepEqual(unused, [], 'these exceptions are not needed any more')
  })
})
