// Builds the npm packages of the service and of the client, and the SBOM, into the folder dist, and the GitHub Action (npm run
// package). A package contains compiled JavaScript and everything that is read at run time.
import { execFileSync } from 'node:child_process'
import { cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { MINIMUM_NODE } from '../src/node-version.ts'
import { writeSbom } from './sbom.ts'

const ROOT = join(import.meta.dirname, '..')
const PACKAGES_FOLDER = join(ROOT, 'dist')
const ACTION_FOLDER = join(ROOT, 'action/dist')

type Manifest = Record<string, unknown>

interface Package {
  /** The manifest of the checkout, from the root. */
  manifest: string
  /** The configuration of the compiler, from the root. */
  compilerConfig: string
  /** Files and folders next to the compiled code, from the root. */
  files: string[]
  /** What the published manifest contains instead of the values of the checkout. */
  published: Manifest
  /** A package that the tarball contains, so that one file is enough to install both. */
  bundled?: Package
}

const CLIENT: Package = {
  manifest: 'client/package.json',
  compilerConfig: 'client/tsconfig.build.json',
  files: ['client/README.md', 'client/LICENSE'],
  published: { exports: './dist/client.js' },
}

const SERVICE: Package = {
  manifest: 'package.json',
  compilerConfig: 'package/tsconfig.json',
  files: ['README.md', 'CHANGELOG.md', 'LICENSE', 'openapi.json', 'sample', 'web/dist'],
  published: {
    bin: { assay: 'dist/main.js' },
    engines: { node: `>=${MINIMUM_NODE}` },
    bundleDependencies: ['assay-client'],
  },
  bundled: CLIENT,
}

/** Members of a manifest that only the checkout needs. */
const CHECKOUT_ONLY = [
  'private',
  'workspaces',
  'scripts',
  'devDependencies',
  'optionalDependencies',
  'allowScripts',
]

/** Compiling without type declarations takes a quarter of the time. */
export const WITHOUT_TYPES = ['--declaration', 'false']

/** Writes a tarball of each package to a folder and returns their paths: first the service, then the client. */
export function buildPackages(destination: string, compilerFlags: string[] = []): string[] {
  requirePage()
  mkdirSync(destination, { recursive: true })
  return [SERVICE, CLIENT].map((entry) => pack(entry, destination, compilerFlags))
}

/** Writes everything that the package of the service contains to a folder, except type declarations. */
export function assembleService(folder: string): void {
  requirePage()
  assemble(SERVICE, folder, WITHOUT_TYPES)
}

function requirePage(): void {
  if (!existsSync(join(ROOT, 'web/dist/index.html')))
    throw new Error('The page is not built. Run npm run build first.')
}

/** Writes everything that a package contains to a folder. */
function assemble(entry: Package, folder: string, compilerFlags: string[]): void {
  const { manifest, compilerConfig, files, published, bundled } = entry
  compile(compilerConfig, join(folder, 'dist'), compilerFlags)
  for (const file of files) copyFile(file, join(folder, file.replace(/^client\//, '')))
  const { version } = readManifest('package.json')
  const members = Object.entries({ ...readManifest(manifest), version, ...published })
  const content = Object.fromEntries(members.filter(([name]) => !CHECKOUT_ONLY.includes(name)))
  writeFileSync(join(folder, 'package.json'), `${JSON.stringify(content, null, 2)}\n`)
  if (!bundled) return
  const bundledFolder = join(folder, 'node_modules', String(readManifest(bundled.manifest).name))
  assemble(bundled, bundledFolder, compilerFlags)
}

function pack(entry: Package, destination: string, compilerFlags: string[]): string {
  const folder = mkdtempSync(join(tmpdir(), 'assay-package-'))
  try {
    assemble(entry, folder, compilerFlags)
    const args = ['pack', '--silent', '--ignore-scripts', '--pack-destination', destination]
    return join(destination, execFileSync('npm', args, { cwd: folder, encoding: 'utf8' }).trim())
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

function readManifest(file: string): Manifest {
  return JSON.parse(readFileSync(join(ROOT, file), 'utf8'))
}

/** Without type checks: npm run lint does them. */
function compile(config: string, outDir: string, flags: string[]): void {
  const compiler = join(ROOT, 'node_modules/.bin/tsc')
  const args = ['-p', join(ROOT, config), '--noCheck', '--outDir', outDir, ...flags]
  execFileSync(compiler, args, { stdio: 'inherit' })
}

/** Copies a file or folder without hidden files, such as the digest of the page. */
function copyFile(name: string, target: string): void {
  const filter = (file: string) => !basename(file).startsWith('.')
  cpSync(join(ROOT, name), target, { recursive: true, filter })
}

if (import.meta.main) {
  rmSync(PACKAGES_FOLDER, { recursive: true, force: true })
  for (const file of [...buildPackages(PACKAGES_FOLDER), writeSbom(PACKAGES_FOLDER)])
    process.stdout.write(`${file}\n`)
  // Tests load this file without Vite.
  const { bundleAction } = await import('./action.ts')
  await bundleAction(ACTION_FOLDER)
}
