// Tests the npm packages: their contents, and the installed commands. npm run test:package also downloads Node versions
// and installs with npm.
import assert from 'node:assert/strict'
import { execFileSync, spawnSync } from 'node:child_process'
import { chownSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { delimiter, dirname, join } from 'node:path'
import { test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { buildPackages, WITHOUT_TYPES } from '../package/build.ts'
import { nodeVersionError } from '../src/node-version.ts'
import { linkDependencies, UNPRIVILEGED_USER, useInstalledPackage } from './package/installed-package.ts'
import { createTempFolder } from './support/harness.ts'
import { fullOnly, testOptions } from './support/options.ts'

const ROOT = fileURLToPath(new URL('..', import.meta.url))
const MAX_UNPACKED_BYTES = 15_000_000

const folder = createTempFolder()
const hasTypes = testOptions.profile === 'full'
const compilerFlags = hasTypes ? [] : WITHOUT_TYPES
const [serviceTarball = '', clientTarball = ''] = buildPackages(join(folder, 'tarballs'), compilerFlags)
const service = extract(serviceTarball, 'assay')
const client = extract(clientTarball, 'assay-client')

/** Extracts a tarball to where npm would install it, and links the dependencies in its manifest. */
function extract(tarball: string, name: string): string {
  const target = join(folder, 'node_modules', name)
  mkdirSync(target, { recursive: true })
  execFileSync('tar', ['-xzf', tarball, '-C', target, '--strip-components', '1', '--no-same-owner'])
  linkDependencies(target)
  return target
}

function manifestOf(path: string) {
  return JSON.parse(readFileSync(join(path, 'package.json'), 'utf8'))
}

function filesOf(path: string): string[] {
  return readdirSync(path, { recursive: true, encoding: 'utf8' })
    .filter((file) => statSync(join(path, file)).isFile())
    .sort()
}

test('the packages have the version of the checkout and only manifest members that users need', () => {
  const { version, dependencies } = manifestOf(ROOT)
  assert.deepEqual([manifestOf(service).version, manifestOf(client).version], [version, version])
  assert.deepEqual(manifestOf(service).dependencies, dependencies)
  assert.deepEqual(manifestOf(service).engines, { node: '>=24.11' })
  const unwanted = ['private', 'scripts', 'workspaces', 'devDependencies', 'optionalDependencies']
  for (const path of [service, client])
    assert.deepEqual(
      unwanted.filter((name) => name in manifestOf(path)),
      [],
    )
})

test('the packages contain compiled code with source maps and types, and no sources, tests or Python', () => {
  for (const [path, sources] of [
    [service, 'src'],
    [client, 'client'],
  ] as const) {
    const files = filesOf(path)
    assert.deepEqual(
      files.filter((file) => /(?<!\.d)\.tsx?$|\.py$|(?:^|\/)tests?\/|\.test\.|(?:^|\/)\./.test(file)),
      [],
    )
    const compiledFiles = files.filter((file) => file.startsWith('dist/') && file.endsWith('.js'))
    for (const file of compiledFiles) {
      const types = file.replace(/\.js$/, '.d.ts')
      for (const name of [`${file}.map`, ...(hasTypes ? [types] : [])]) assert.ok(files.includes(name), name)
      assert.ok(statSync(join(ROOT, file.replace('dist', sources).replace(/\.js$/, '.ts'))).isFile(), file)
    }
  }
  const names = filesOf(service)
  for (const file of [...filesOf(join(ROOT, 'src')), ...filesOf(join(ROOT, 'sample'))]) {
    const name = file.endsWith('.ts') ? `dist/${file.replace(/\.ts$/, '.js')}` : `sample/${file}`
    assert.ok(names.includes(name), name)
  }
  for (const name of [
    'openapi.json',
    'web/dist/index.html',
    'web/dist/service/preloads.json',
    'README.md',
    'LICENSE',
    'CHANGELOG.md',
  ])
    assert.ok(names.includes(name), name)
  const bytes = names.reduce((sum, file) => sum + statSync(join(service, file)).size, 0)
  assert.ok(bytes < MAX_UNPACKED_BYTES, `${bytes} bytes`)
})

test('the installed package serves, imports, compares and exports, and migrates a store of version 0.1', {
  skip: fullOnly('docs-commands.test.ts runs the README with the installed package'),
}, async () => {
  const main = join(service, manifestOf(service).bin.assay)
  const user = canRead(UNPRIVILEGED_USER, main) ? UNPRIVILEGED_USER : undefined
  const empty = join(folder, 'empty')
  mkdirSync(empty)
  if (user) chownSync(empty, user.uid, user.gid)
  await useInstalledPackage({ node: process.execPath, main, folder: empty, user })
  assert.ok(
    filesOf(empty).some((file) => file.startsWith('node-compile-cache/')),
    'the second start reads compiled code from a cache',
  )
})

/** Whether a user can read the package and the dependencies that it links to. */
function canRead(user: { uid: number; gid: number } | undefined, main: string): boolean {
  const code = `import(${JSON.stringify(join(dirname(main), 'http/app.js'))}).then(() => process.exit(0))`
  return spawnSync(process.execPath, ['-e', code], { cwd: '/', ...user }).status === 0
}

test('a TypeScript program compiles with the types of the client package and runs with its code', {
  skip: fullOnly('client/readme.test.ts compiles and runs programs with the sources of the client'),
}, () => {
  const program = `import { Assay } from 'assay-client'
const assay = new Assay({ baseUrl: 'http://127.0.0.1:9/api', key: 'assay_key' })
export const first: Promise<{ id: string }> = assay.getEvaluation('x')
first.catch((error) => console.log(error.name))
`
  writeFileSync(join(folder, 'program.ts'), program)
  writeFileSync(join(folder, 'package.json'), '{ "type": "module" }')
  const options = [
    '--noEmit',
    '--strict',
    '--module',
    'nodenext',
    '--target',
    'es2023',
    '--lib',
    'es2023,dom',
  ]
  const args = [...options, '--types', '', 'program.ts']
  const compilation = spawnSync(join(ROOT, 'node_modules/.bin/tsc'), args, { cwd: folder, encoding: 'utf8' })
  assert.equal(compilation.stdout, '')
  execFileSync(process.execPath, [join(folder, 'program.ts')], { encoding: 'utf8' })
})

test('a version of Node that is too old is reported in one sentence', () => {
  for (const version of ['24.11.0', '24.21.0', '25.0.0', '26.10.0', '100.1.2'])
    assert.equal(nodeVersionError(version), undefined, version)
  for (const version of ['18.20.8', '20.0.0', '22.23.3', '23.11.1', '24.0.0', '24.10.0'])
    assert.equal(nodeVersionError(version), `Assay needs Node 24.11 or later, but this is Node ${version}.`)
})

/** The Node of the machine that runs the tests, if it is too old for Assay. */
function findOldNode(): { path: string; version: string } | undefined {
  for (const path of (process.env.PATH ?? '').split(delimiter)) {
    const node = join(path, 'node')
    const { stdout } = spawnSync(node, ['--version'], { encoding: 'utf8' })
    const version = stdout?.trim().replace('v', '')
    if (version && nodeVersionError(version)) return { path: node, version }
  }
  return undefined
}
const oldNode = findOldNode()

test('an older Node prints this sentence instead of a stack trace and exits with 1', {
  skip: !oldNode && 'no older Node is installed',
}, () => {
  assert.ok(oldNode)
  const main = join(service, 'dist/main.js')
  const { status, stdout, stderr } = spawnSync(oldNode.path, [main, 'serve'], { encoding: 'utf8' })
  assert.deepEqual([status, stdout], [1, ''])
  assert.equal(stderr, `assay: ${nodeVersionError(oldNode.version)}\n`)
})
