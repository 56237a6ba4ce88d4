// Writes the software bill of materials of the package (npm run sbom): CycloneDX JSON, with the packages that it needs at run
// time and those that the page contains. npm generates it from the lockfile.
import { execFileSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

const ROOT = join(import.meta.dirname, '..')

interface Manifest {
  name: string
  version: string
  license: string
  dependencies: Record<string, string>
  devDependencies: Record<string, string>
}

/** Returns the text of the document. It contains no registry URL, because the lockfile contains none. */
export function createSbom(): string {
  const { name, version, license, dependencies } = readJson<Manifest>('package.json')
  const root = { name, version, license, dependencies: { ...pageDependencies(), ...dependencies } }
  const client = readJson<Manifest>('client/package.json')
  const lock = readJson<{ packages: Record<string, object> }>('package-lock.json')
  // Without the workspaces: npm cannot describe a package without a version, and the client has that of the service.
  const installed = Object.entries(lock.packages).filter(
    ([path, entry]) => path.startsWith('node_modules/') && !('link' in entry),
  )
  const packages = {
    '': root,
    ...Object.fromEntries(installed),
    [`node_modules/${client.name}`]: { version, license: client.license },
  }
  const parent = mkdtempSync(join(tmpdir(), 'assay-sbom-'))
  // npm uses the name of the folder as the name of the component.
  const folder = join(parent, name)
  try {
    mkdirSync(folder)
    writeFileSync(join(folder, 'package.json'), JSON.stringify(root))
    writeFileSync(
      join(folder, 'package-lock.json'),
      JSON.stringify({ name, version, lockfileVersion: 3, requires: true, packages }),
    )
    // The lockfile marks packages of the page as development packages, and npm omits those if NODE_ENV is production.
    const scope = ['--package-lock-only', '--include=dev']
    const args = ['sbom', '--sbom-format', 'cyclonedx', '--sbom-type', 'application', ...scope]
    return execFileSync('npm', args, { cwd: folder, encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] })
  } finally {
    rmSync(parent, { recursive: true })
  }
}

/** Writes the document to a folder, and returns its path. */
export function writeSbom(destination: string): string {
  const { name, version } = readJson<Manifest>('package.json')
  const file = join(destination, `${name}-${version}.cdx.json`)
  mkdirSync(destination, { recursive: true })
  writeFileSync(file, createSbom())
  return file
}

/** The page is built from development dependencies. The build tool and types are not in the result. */
function pageDependencies(): Record<string, string> {
  const { devDependencies } = readJson<Manifest>('web/package.json')
  const bundled = Object.entries(devDependencies).filter(
    ([name]) => name !== 'vite' && !name.startsWith('@types/'),
  )
  return Object.fromEntries(bundled)
}

function readJson<Content>(file: string): Content {
  return JSON.parse(readFileSync(join(ROOT, file), 'utf8'))
}

if (import.meta.main) process.stdout.write(`${writeSbom(join(ROOT, 'dist'))}\n`)
