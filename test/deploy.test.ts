// Tests the files for servers: the systemd unit, the Caddy site, the Dockerfile and the Compose files. The browser test in
// test/web/reverse-proxy.test.ts runs the nginx site, and npm run test:dockerfile the steps of the Dockerfile.
import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { parseYaml } from '@redocly/openapi-core'
import { isInstalled } from '../bench/load-generator.ts'
import { defaultSettings, readSettings } from '../src/settings/settings.ts'
import { isIgnored, parseDockerfile, splitWords } from './deploy/dockerfile-parser.ts'

const pathOf = (name: string) => fileURLToPath(new URL(`../${name}`, import.meta.url))
const readText = (name: string) => readFileSync(pathOf(name), 'utf8')
const withoutTool = (name: string, debianPackage: string) =>
  !isInstalled(name) && `${name} is not on the PATH (Debian: apt-get install ${debianPackage})`

interface Compose {
  services: Record<
    string,
    {
      environment: Record<string, string>
      volumes: string[]
      ports?: string[]
      stop_grace_period: string
      read_only?: boolean
      tmpfs?: string[]
      cap_drop?: string[]
      security_opt?: string[]
      privileged?: boolean
      depends_on?: Record<string, object>
    }
  >
  volumes: Record<string, unknown>
}

const unit = readText('deploy/assay.service')
const compose = parseYaml(readText('compose.yaml')) as Compose
const postgresCompose = parseYaml(readText('compose.postgres.yaml')) as Compose
const stages = parseDockerfile(readText('Dockerfile'))
const lastStep = (name: string) =>
  stages.at(-1)?.steps.findLast(({ instruction }) => instruction === name)?.text ?? ''
const imageEnvironment = Object.fromEntries(splitWords(lastStep('ENV')).map((word) => word.split('=')))

test('systemd rates the exposure of the unit at most 1.5', {
  skip: withoutTool('systemd-analyze', 'systemd'),
}, () => {
  const report = execFileSync(
    'systemd-analyze',
    ['security', '--offline=true', '--no-pager', pathOf('deploy/assay.service')],
    { encoding: 'utf8' },
  )
  const [, exposure] = /Overall exposure level for assay\.service: ([\d.]+)/.exec(report) ?? []
  assert.ok(Number(exposure) <= 1.5, report)
})

test('Caddy accepts its site', { skip: withoutTool('caddy', 'caddy') }, () => {
  const args = ['validate', '--config', pathOf('deploy/Caddyfile'), '--adapter', 'caddyfile']
  execFileSync('caddy', args, { stdio: 'pipe' })
})

test('all environment variables are settings of assay serve with valid values', () => {
  const unitEnvironment = Object.fromEntries(
    [...unit.matchAll(/^Environment=(\w+)=(.*)$/gm)].map(([, name, value]) => [name, value]),
  )
  const environments = [
    unitEnvironment,
    imageEnvironment,
    ...[compose, postgresCompose].map(({ services }) => services.assay?.environment ?? {}),
  ]
  for (const environment of environments) {
    // A reference to another variable has a default value or is a password.
    const values = Object.entries(environment)
      .map(([name, value]) => [name, String(value).replace(/^\$\{\w+:-(.*)\}$/, '$1')] as const)
      .filter(([name, value]) => name.startsWith('ASSAY_') && value !== '')
    const names = values.map(([name]) => name.slice('ASSAY_'.length).toLowerCase())
    const { settings } = readSettings('serve', [], Object.fromEntries(values))
    for (const name of names) assert.ok(Object.hasOwn(settings, name), name)
  }
  assert.equal(unitEnvironment.ASSAY_DATA, '/var/lib/assay')
})

test('services are stopped only after the drain timeout', () => {
  const [, unitSeconds] = /^TimeoutStopSec=(\d+)s$/m.exec(unit) ?? []
  const composeSeconds = compose.services.assay?.stop_grace_period.replace('s', '')
  for (const seconds of [unitSeconds, composeSeconds])
    assert.ok(Number(seconds) * 1000 > defaultSettings().drain_timeout, String(seconds))
})

test('the Compose files use the port, the data folder and the services that exist', () => {
  const { assay } = compose.services
  assert.deepEqual(assay?.ports, [`127.0.0.1:8080:${imageEnvironment.ASSAY_PORT}`])
  assert.equal(lastStep('EXPOSE'), imageEnvironment.ASSAY_PORT)
  assert.deepEqual(assay?.volumes, [`data:${imageEnvironment.ASSAY_DATA}`])
  assert.equal(lastStep('VOLUME'), imageEnvironment.ASSAY_DATA)
  assert.deepEqual(Object.keys(compose.volumes), ['data'])
  const { assay: override, postgres } = postgresCompose.services
  assert.deepEqual(Object.keys(override?.depends_on ?? {}), ['postgres'])
  const url = new URL(override?.environment.ASSAY_DATABASE ?? '')
  assert.deepEqual(
    [url.hostname, url.username, url.pathname],
    ['postgres', postgres?.environment.POSTGRES_USER, `/${postgres?.environment.POSTGRES_DB}`],
  )
  assert.equal(override?.environment.PGPASSWORD, postgres?.environment.POSTGRES_PASSWORD)
})

test('the container runs without rights, and can write only to its volume and temporary files', () => {
  const { read_only, tmpfs, cap_drop, security_opt, privileged } = compose.services.assay ?? {}
  assert.deepEqual(
    { read_only, tmpfs, cap_drop, security_opt, privileged },
    {
      ...{ read_only: true, tmpfs: ['/tmp'], cap_drop: ['ALL'] },
      ...{ security_opt: ['no-new-privileges:true'], privileged: undefined },
    },
  )
  assert.match(lastStep('USER'), /^(?!root|0)\w+$/)
})

test('the Docker build gets no built files, installed packages or data, and all stages use the same image', () => {
  const patterns = readText('.dockerignore')
  for (const path of [
    '.git/config',
    'node_modules/x',
    'web/dist/index.html',
    'data/assay.db',
    'assay-data/assay.db',
  ])
    assert.ok(isIgnored(path, patterns), path)
  for (const path of ['src/main.ts', 'web/build.ts', 'package.json', 'src/store/database.ts'])
    assert.ok(!isIgnored(path, patterns), path)
  assert.ok(stages.length > 1)
  assert.equal(new Set(stages.map(({ image }) => image)).size, 1)
})
