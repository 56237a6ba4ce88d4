// Runs the commands in the docs with the installed package, from folders outside the checkout. A page starts with what
// test/docs/preconditions.ts declares. The commands of reference pages are only parsed.
import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import {
  chmodSync,
  createReadStream,
  mkdirSync,
  readdirSync,
  readFileSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { createServer } from 'node:http'
import { basename, join } from 'node:path'
import { after, describe, test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { isInstalled } from '../bench/load-generator.ts'
import { openStoreAt } from '../bench/store.ts'
import { assembleService } from '../package/build.ts'
import { loadSample } from '../src/cli/service/sample.ts'
import { collectCommands } from './docs/collect-commands.ts'
import { BLOCK_MARK, checkCommand, readPage } from './docs/page.ts'
import {
  EMPTY_PROJECT,
  EXAMPLE_FILES,
  OTHER_SERVICES,
  PRECONDITIONS,
  writeFiles,
} from './docs/preconditions.ts'
import { type DatabaseUrls, type Environment, runPage } from './docs/run-page.ts'
import { linkDependencies } from './package/installed-package.ts'
import { type Cluster, freshDatabase, startCluster } from './postgres/cluster.ts'
import { startReplica } from './postgres/replica.ts'
import { runAssayCommand } from './support/command-runner/run.ts'
import { createStoreLocation, createTempFolder, createTestKey } from './support/harness.ts'
import { testOptions } from './support/options.ts'

const ROOT = fileURLToPath(new URL('..', import.meta.url))
/** The programs besides assay that pages and page-shell.sh use. Everything else in a page is skipped. */
const PROGRAMS = ['bash', 'cat', 'curl', 'grep', 'gzip', 'python3', 'rm', 'sh', 'sleep', 'tee', 'wc']
const CONCURRENT_PAGES = 3
const WITHOUT_CURL = !isInstalled('curl') && 'curl is not installed'

/** What a newcomer reads. The quick profile runs the code blocks of these pages only: others need more servers. */
const FIRST_PAGES = ['README.md', 'docs/tutorial.md']
const ALL_PAGES = [...FIRST_PAGES, 'client/README.md', ...pagesIn('docs/how-to')]
const PAGES = testOptions.profile === 'full' ? ALL_PAGES : FIRST_PAGES

function pagesIn(folder: string): string[] {
  return readdirSync(join(ROOT, folder), { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.md'))
    .map((name) => join(folder, name))
}

function readText(page: string): string {
  return readFileSync(join(ROOT, page), 'utf8')
}

const environment: Environment = {
  programs: installPrograms(),
  temporaryFiles: createTempFolder(),
  ...(await createExampleStore()),
  otherServices: await startOtherServices(),
  runsInline: testOptions.profile === 'full',
  createDatabase,
}

/** Creates a folder with the command assay of the package, and links to other programs. */
function installPrograms(): string {
  const folder = createTempFolder()
  const packageFolder = join(folder, 'node_modules/assay')
  mkdirSync(packageFolder, { recursive: true })
  assembleService(packageFolder)
  linkDependencies(packageFolder)
  const programs = join(folder, 'bin')
  mkdirSync(programs)
  const { bin } = JSON.parse(readFileSync(join(packageFolder, 'package.json'), 'utf8'))
  const command = `#!/bin/sh\nexec '${process.execPath}' '${join(packageFolder, bin.assay)}' "$@"\n`
  writeFileSync(join(programs, 'assay'), command)
  chmodSync(join(programs, 'assay'), 0o755)
  for (const name of PROGRAMS.filter(isInstalled))
    symlinkSync(execFileSync('which', [name], { encoding: 'utf8' }).trim(), join(programs, name))
  symlinkSync(process.execPath, join(programs, 'node'))
  return programs
}

async function createExampleStore(): Promise<{ store: string; key: string }> {
  const { url, data, flags } = await createStoreLocation('sqlite')
  const store = await openStoreAt(url)
  await loadSample(store)
  const { key } = await createTestKey(store, { scopes: ['read', 'write'] })
  await createTestKey(store, { project: EMPTY_PROJECT })
  await store.close()
  const folder = createTempFolder()
  writeFiles(folder)
  for (const [id, file] of Object.entries(EXAMPLE_FILES))
    assert.equal(
      (await runAssayCommand(['import', join(folder, file), '--evaluation', id, ...flags])).code,
      0,
    )
  return { store: join(data, 'assay.db'), key }
}

let servers: Promise<{ primary: Cluster; replica: Cluster }> | undefined

/** The shared server of the run has no replica. */
async function startServers(): Promise<{ primary: Cluster; replica: Cluster }> {
  const primary = await startCluster()
  return { primary, replica: await startReplica(primary) }
}

async function createDatabase(): Promise<DatabaseUrls> {
  servers ??= startServers()
  const { primary, replica } = await servers
  const url = await freshDatabase(primary.url())
  return { primary: url, replica: replica.url(basename(new URL(url).pathname)) }
}

async function startOtherServices(): Promise<string> {
  const server = createServer(({ url = '' }, response) => {
    const [, file] = OTHER_SERVICES.find(([path]) => path.test(url)) ?? []
    if (file === undefined) response.writeHead(404).end()
    else createReadStream(file).pipe(response)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  after(() => server.close())
  const { port } = server.address() as { port: number }
  return `http://127.0.0.1:${port}`
}

describe('the commands of each page succeed and print what the page shows', {
  skip: WITHOUT_CURL,
  concurrency: CONCURRENT_PAGES,
}, () => {
  for (const page of PAGES)
    test(page, async () => {
      const content = readText(page)
      const lines = content.split('\n')
      const { code, executed, references, outputs, log } = await runPage(page, content, environment)
      // A page can ignore the failure of a command with ||.
      const failure = executed.find(({ line, code }) => code !== 0 && !lines[line - 1]?.includes('||'))
      assert.ok(!failure, `${page}:${failure?.line} exits with ${failure?.code}.\n${log}`)
      assert.equal(code, 0, `The script of ${page} exits with ${code}.\n${log}`)
      for (const { expected, printed } of outputs) assert.match(printed, expected)
      for (const { text } of references) checkCommand(text)

      const tested = [...executed, ...references].map(({ line }) => line)
      for (const { line, lastLine, text } of collectCommands(content)) {
        const index = tested.findIndex((tested) => tested >= line && tested <= lastLine)
        assert.ok(index >= 0, `${page}:${line} is not executed: ${text}\n${log}`)
        tested.splice(index, 1)
      }
    })
})

test('the preconditions name existing pages', () => {
  const unknownPages = Object.keys(PRECONDITIONS).filter((page) => !ALL_PAGES.includes(page))
  assert.deepEqual(unknownPages, [])
})

test('the commands of the reference have existing names and flags', () => {
  for (const page of pagesIn('docs/reference')) {
    const { script, references } = readPage(readText(page))
    const commands = collectCommands(script).filter(({ text }) => text.startsWith('assay'))
    for (const { line, text } of [...commands, ...references])
      assert.doesNotThrow(() => checkCommand(text), `${page}:${line}: ${text}`)
  }
})

describe('a page', () => {
  const page = [
    'Run `assay list --limit 20`, `assay export --full`, `assay keys list` or',
    '`curl http://127.0.0.1:8080/livez`.',
    '```sh',
    'KEY=$(assay keys create \\',
    '  --name ci)    # prints a key',
    'gzip -c results.json | curl --data-binary @- http://127.0.0.1:8080',
    '```',
    '```yaml',
    '- run: |',
    '    npx assay check || true',
    '  env: { ASSAY_DATA: data }',
    '- run: assay migrate',
    '```',
    '| back up | `docker compose exec assay assay backup /data/backup.db` |',
  ].join('\n')

  test('contains commands in blocks, workflows, tables and text', () => {
    assert.deepEqual(
      collectCommands(page).map(({ line, lastLine, text }) => [line, lastLine, text]),
      [
        [1, 1, 'assay list --limit 20'],
        [1, 1, 'assay export --full'],
        [1, 1, 'assay keys list'],
        [2, 2, 'curl http://127.0.0.1:8080/livez'],
        [4, 5, 'assay keys create --name ci)'],
        [6, 6, 'curl --data-binary @- http://127.0.0.1:8080'],
        [10, 10, 'assay check'],
        [12, 12, 'assay migrate'],
        [14, 14, 'assay backup /data/backup.db'],
      ],
    )
    const { script, references } = readPage(page)
    assert.deepEqual(script.split('\n'), [
      'assay list --limit 20; ',
      'curl http://127.0.0.1:8080/livez; ',
      `printf '${BLOCK_MARK}3\\n'`,
      'KEY=$(assay keys create \\',
      '  --name ci)    # prints a key',
      'gzip -c results.json | curl --data-binary @- http://127.0.0.1:8080',
      '',
      '( export ASSAY_DATA="data"; ',
      '(',
      'npx assay check || true',
      '); ',
      '( assay migrate ); ',
      ')',
      'docker compose exec assay assay backup /data/backup.db; ',
    ])
    assert.deepEqual(
      references.map(({ text }) => text),
      ['assay export --full', 'assay keys list'],
    )
  })

  test('fails if a command fails, also in a substitution, and stops there', {
    skip: WITHOUT_CURL,
  }, async () => {
    const failingPage = [
      '```sh',
      'export KEY=$(assay keys create --scope all)',
      'assay list',
      'assay list',
      '```',
    ]
    const { code, executed } = await runPage('page.md', failingPage.join('\n'), environment)
    assert.deepEqual(
      [code, executed],
      [
        1,
        [
          { line: 2, code: 2 },
          { line: 3, code: 1 },
        ],
      ],
    )
  })

  test('cannot name a command or a flag that does not exist', () => {
    for (const text of [
      'assay exports',
      'assay export --ful',
      'assay keys remove ID',
      'assay list --limit x',
    ])
      assert.throws(() => checkCommand(text), text)
    for (const text of ['assay export EVALUATION --full', 'assay import FILE…', 'assay COMMAND'])
      assert.doesNotThrow(() => checkCommand(text), text)
  })
})
