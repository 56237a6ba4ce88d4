// Installs the package with npm in an empty folder, with several Node versions, and uses it (npm run test:package).
// Downloads the dependencies and the Node versions, the latter into node_modules/.cache.
import assert from 'node:assert/strict'
import { execFileSync, spawnSync } from 'node:child_process'
import {
  chmodSync,
  chownSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  rmSync,
  statSync,
  symlinkSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { delimiter, join } from 'node:path'
import { buildPackages } from '../../package/build.ts'
import { nodeVersionError } from '../../src/node-version.ts'
import { downloadNode } from '../generators/tools.ts'
import { npmEnvironment } from '../support/npm-environment.ts'
import { UNPRIVILEGED_USER, useInstalledPackage } from './installed-package.ts'

/** The oldest version that works, the latest release of Node 24, and versions that are too old. */
const NODE_VERSIONS = ['24.11.0', '24.21.0', '24.10.0', '22.23.3', '20.20.2', '18.20.8']

/** Installs the tarball as an unprivileged user and returns what to print about it. */
async function install(tarball: string, node: string, folder: string): Promise<string> {
  const [programs, empty] = [join(folder, 'bin'), join(folder, 'empty')]
  for (const path of [programs, empty]) mkdirSync(path)
  symlinkSync(node, join(programs, 'node'))
  const user = UNPRIVILEGED_USER
  if (user) chownSync(empty, user.uid, user.gid)
  const env = { ...npmEnvironment(empty), PATH: `${programs}${delimiter}${process.env.PATH}` }
  const startTime = performance.now()
  const args = ['install', '--no-audit', '--no-fund', tarball]
  execFileSync('npm', args, { cwd: empty, env, ...user, stdio: ['ignore', 'pipe', 'pipe'] })
  const seconds = (performance.now() - startTime) / 1000
  const modules = join(empty, 'node_modules')
  const files = readdirSync(modules, { recursive: true, encoding: 'utf8' })
  const packages = files.filter((file) =>
    /(?:^|node_modules\/)(?:@[^/]+\/)?[^/@]+\/package\.json$/.test(file),
  )
  const bytes = files.reduce((sum, file) => sum + statSync(join(modules, file)).size, 0)
  const main = join(modules, '.bin/assay')
  const { first, second } = await useInstalledPackage({ node, main, folder: empty, user })
  return [
    `installed in ${seconds.toFixed(1)} s`,
    `${packages.length} packages`,
    `${(bytes / 1e6).toFixed(1)} MB`,
    `first start ${first.toFixed(0)} ms`,
    `second start ${second.toFixed(0)} ms`,
  ].join(', ')
}

/** Runs the package with a Node version that is too old, and returns what it printed. */
function runTooOld(tarball: string, node: string, version: string, folder: string): string {
  execFileSync('tar', ['-xzf', tarball, '-C', folder])
  const main = join(folder, 'package/dist/main.js')
  const { status, stdout, stderr } = spawnSync(node, [main, 'serve'], { encoding: 'utf8' })
  assert.deepEqual([status, stdout, stderr], [1, '', `assay: ${nodeVersionError(version)}\n`])
  return stderr.trimEnd()
}

const root = mkdtempSync(join(tmpdir(), 'assay-install-'))
chmodSync(root, 0o755)
try {
  const [tarball = ''] = buildPackages(join(root, 'tarballs'))
  for (const version of NODE_VERSIONS) {
    const node = await downloadNode(version)
    const folder = join(root, version)
    mkdirSync(folder)
    const result = nodeVersionError(version)
      ? runTooOld(tarball, node, version, folder)
      : await install(tarball, node, folder)
    process.stdout.write(`Node ${version}: ${result}\n`)
  }
} finally {
  rmSync(root, { recursive: true, force: true })
}
