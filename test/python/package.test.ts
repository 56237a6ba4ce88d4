// Tests the Python package as users get it: its wheel in clean environments. The quick profile runs the tests of reads and
// writes on the oldest Python. The full profile runs all tests, the type checker, the linter and every snippet of the docs.
import assert from 'node:assert/strict'
import { globSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { delimiter, dirname, join } from 'node:path'
import { describe, test } from 'node:test'
import { EXAMPLE_FILES, PRECONDITIONS, writeFiles } from '../docs/preconditions.ts'
import { sizes } from '../sizes.ts'
import { createSampleStore, createTempFolder, createTestKey, startTestService } from '../support/harness.ts'
import { reportMeasurements } from '../support/measurements.ts'
import { fullOnly, testOptions } from '../support/options.ts'
import { ROOT } from '../support/test-run.ts'
import {
  buildDistributions,
  buildWheel,
  CACHE,
  copyPackage,
  createEmptyEnvironment,
  createEnvironment,
  type Environment,
  installRequirements,
  run,
} from './environments.ts'
import { findInterpreters, type Interpreter, selectInterpreters } from './interpreters.ts'
import {
  expectedLines,
  missingLine,
  PREPARATION,
  pagesWithSnippets,
  readPage,
  readSteps,
  type Step,
} from './snippets.ts'

const CONCURRENT_PAGES = 2
/** What the quick profile runs: reads, writes and the pytest plugin, without other packages than pytest. */
const QUICK_TESTS = [
  'test_reads.py',
  'test_scenarios.py',
  'test_log.py',
  'test_pytest_plugin.py::test_stores_one_row_per_test[one process]',
]
/** Tests in these files that need another package, many processes or much time. */
const LONG_TESTS = ['test_stream_needs_constant_memory']
/** What they need. Tests that use another package are skipped. */
const QUICK_REQUIREMENTS = ['pytest']
const isFull = testOptions.profile === 'full'
const PAGE_RUNNER = join(import.meta.dirname, 'run_page.py')
const STEP_MARK = '\u001e'

const interpreters = selectInterpreters(await findInterpreters(), sizes.python_versions)
const newest = interpreters[1] ?? interpreters[0]
const skip = !newest && 'no Python 3.10 or later with the modules venv and ensurepip is installed'
const packageFolder = copyPackage()
/** Prepared at the same time, and before the first test needs them. */
const tools = new Map(
  interpreters.map((interpreter) => [
    interpreter,
    installRequirements(interpreter, isFull ? [] : QUICK_REQUIREMENTS),
  ]),
)
const distributions = toolsOf(newest).then((python) =>
  isFull ? buildDistributions(python, packageFolder) : buildWheel(python, packageFolder),
)
const environments = new Map(
  interpreters.map((interpreter) => [interpreter, prepareEnvironment(interpreter)]),
)
// The tests report these errors.
for (const promise of [...tools.values(), distributions, ...environments.values()])
  promise.catch(() => undefined)

async function toolsOf(interpreter: Interpreter | undefined): Promise<string> {
  const python = interpreter && tools.get(interpreter)
  if (!python) throw new Error('There is no such environment')
  return python
}

async function prepareEnvironment(interpreter: Interpreter): Promise<Environment> {
  return createEnvironment(interpreter, await toolsOf(interpreter), (await distributions).wheel)
}

async function environmentOf(interpreter: Interpreter | undefined): Promise<Environment> {
  const environment = interpreter && environments.get(interpreter)
  if (!environment) throw new Error('There is no such environment')
  return environment
}

interface SampleService {
  baseUrl: string
  /** The variables that the client reads. */
  env: { ASSAY_URL: string; ASSAY_KEY: string }
}

async function startSampleService(): Promise<SampleService> {
  const store = await createSampleStore()
  const { baseUrl } = await startTestService(store)
  const { key } = await createTestKey(store, { scopes: ['read', 'write'] })
  return { baseUrl, env: { ASSAY_URL: baseUrl, ASSAY_KEY: key } }
}

test('the wheel contains the code, its types and the license', { skip }, async () => {
  const { wheel } = await distributions
  const modules = readdirSync(join(ROOT, 'python/src/assay_client'), {
    recursive: true,
    encoding: 'utf8',
  }).filter((name) => /\.(?:py|typed)$/.test(name))
  const wheelFiles = await listFiles('zipfile', wheel)
  const [metadata = ''] = wheelFiles.filter((name) => name.endsWith('.dist-info/METADATA')).map(dirname)
  const metadataFiles = ['METADATA', 'WHEEL', 'RECORD', 'entry_points.txt', 'licenses/LICENSE']
  assert.ok(modules.includes('py.typed'))
  assert.deepEqual(
    wheelFiles,
    [
      ...modules.map((name) => `assay_client/${name}`),
      ...metadataFiles.map((name) => `${metadata}/${name}`),
    ].sort(),
  )
})

test('the sdist contains the tests, and no files of other tools', {
  skip: skip || fullOnly('users install the wheel'),
}, async () => {
  const { sdist } = await distributions
  const sdistFiles = (await listFiles('tarfile', sdist)).map((name) => name.replace(/^[^/]*\//, ''))
  for (const name of ['LICENSE', 'README.md', 'pyproject.toml', 'tests/conftest.py'])
    assert.ok(sdistFiles.includes(name), name)
  assert.deepEqual(
    sdistFiles.filter((name) => /\.ts$|__pycache__|(?:^|\/)\.(?!gitignore)/.test(name)),
    [],
  )
})

async function listFiles(module: 'zipfile' | 'tarfile', archive: string): Promise<string[]> {
  const { output } = await run(await toolsOf(newest), ['-m', module, '--list', archive], {
    cwd: packageFolder,
  })
  const names = output
    .trimEnd()
    .split('\n')
    .map((line) => line.trim().split(/ {2,}/)[0] ?? '')
  return (module === 'zipfile' ? names.slice(1) : names).filter((name) => !name.endsWith('/')).sort()
}

for (const interpreter of interpreters.length > 0 ? interpreters : [undefined]) {
  const python = interpreter ? `Python ${interpreter.version}` : 'Python'

  test(`the client needs no other package on ${python}`, {
    skip: skip || fullOnly('creates another environment; the other tests run without pandas'),
  }, async () => {
    assert.ok(interpreter)
    const { env } = await startSampleService()
    const alone = await createEmptyEnvironment(
      interpreter,
      await toolsOf(interpreter),
      (await distributions).wheel,
    )
    const code = `import assay_client, sys
from importlib.metadata import entry_points, version
client = assay_client.Client()
print(version("assay-client") == assay_client.__version__, len(list(client.scenarios("support-answer-r5"))))
print([entry.value for entry in entry_points(group="pytest11")])
try:
    client.scenarios("support-answer-r5").frame()
except ImportError as error:
    print(error)`
    const { output } = await run(alone, ['-c', code], { cwd: createTempFolder(), env })
    assert.match(output, /^True 120\n\['assay_client\.pytest_plugin'\]\n.*pip install.*pandas.*\n$/)
  })

  test(`the tests of the package pass on ${python}`, {
    skip,
    // Hundreds of tests run as one, next to other files: on a busy machine they need an hour.
    timeout: isFull ? 3_500_000 : 900_000,
  }, async () => {
    const { env } = await startSampleService()
    const { python } = await environmentOf(interpreter)
    const selection = isFull
      ? []
      : ['-k', `not (${LONG_TESTS.join(' or ')})`, ...QUICK_TESTS.map((name) => `tests/${name}`)]
    const args = ['-m', 'pytest', '-q', '-p', 'no:cacheprovider', ...selection]
    const { code, output } = await run(python, args, { cwd: packageFolder, env })
    assert.equal(code, 0, output)
    if (isFull) assert.doesNotMatch(output, /\bskipped\b/, output)
  })

  for (const campaign of globSync('tests/campaigns/*.py', { cwd: packageFolder }))
    test(`${campaign} detects no defect on ${python}`, {
      skip: skip || fullOnly('its sizes are large'),
    }, async (context) => {
      const { env } = await startSampleService()
      const { python } = await environmentOf(interpreter)
      const { code, output } = await run(python, [join(packageFolder, campaign)], {
        cwd: createTempFolder(),
        env: {
          ...env,
          ...commandPath(python),
          ASSAY_ROWS: String(sizes.python_rows),
          ASSAY_CASES: String(sizes.python_cases),
        },
      })
      assert.equal(code, 0, output)
      reportMeasurements(context, JSON.parse(output.trimEnd().split('\n').at(-1) ?? ''))
    })

  describe(`the Python snippets of a page run on ${python} and print what their comments say`, {
    skip: skip || fullOnly('they need pandas'),
    concurrency: CONCURRENT_PAGES,
  }, () => {
    for (const page of pagesWithSnippets())
      test(page, async () => runPage(page, await environmentOf(interpreter)))
  })
}

/** The variable with which commands such as pytest are those of an environment. */
function commandPath(python: string): { PATH: string } {
  return { PATH: [dirname(python), process.env.PATH].join(delimiter) }
}

async function runPage(page: string, { python }: Environment): Promise<void> {
  const service = await startSampleService()
  const folder = createTempFolder()
  writeFiles(folder)
  if (PRECONDITIONS[page]) await importExamples(service, folder)
  const content = readPage(page).replaceAll('http://127.0.0.1:8080', service.baseUrl)
  const preparation: Step = { kind: 'code', line: 1, text: PREPARATION[page] ?? '' }
  const steps = [preparation, ...readSteps(page, content)]
  const stepsFile = join(createTempFolder(), 'steps.json')
  writeFileSync(stepsFile, JSON.stringify(steps))
  const { code, output } = await run(python, [PAGE_RUNNER, stepsFile, join(ROOT, page)], {
    cwd: folder,
    env: { ...service.env, ...commandPath(python), HOME: folder },
  })
  assert.equal(code, 0, output)
  for (const [number, step] of steps.entries()) {
    const printed = output.split(`${STEP_MARK}${number}\n`)[1]?.split(STEP_MARK)[0] ?? ''
    const missing = missingLine(expectedLines(step), printed)
    assert.equal(missing, undefined, `${page}:${step.line} prints:\n${printed}`)
  }
}

/** Imports the evaluations that pages of the docs expect. */
async function importExamples({ baseUrl, env }: SampleService, folder: string): Promise<void> {
  for (const [evaluation, file] of Object.entries(EXAMPLE_FILES)) {
    const response = await fetch(`${baseUrl}/api/imports?evaluation=${evaluation}`, {
      method: 'POST',
      headers: { authorization: `Bearer ${env.ASSAY_KEY}`, 'content-type': 'application/octet-stream' },
      body: readFileSync(join(folder, file)),
    })
    assert.equal(response.status, 200, await response.text())
  }
}

const CHECKS: [what: string, args: string[]][] = [
  ['mypy --strict', ['-m', 'mypy', '--strict', '--cache-dir', join(CACHE, 'mypy'), 'src']],
  ['ruff check', ['-m', 'ruff', 'check', '--no-cache', '.']],
  ['ruff format', ['-m', 'ruff', 'format', '--no-cache', '--check', '.']],
]
for (const [what, args] of CHECKS)
  test(`${what} reports nothing about the package`, {
    skip: skip || fullOnly('installing it takes longer than running it'),
  }, async () => {
    const { code, output } = await run(await toolsOf(newest), args, { cwd: packageFolder })
    assert.equal(code, 0, output)
  })
