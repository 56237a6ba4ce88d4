// Tests of assay copy: exact copies between stores and services, continued copies, and conflicts.
import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, test } from 'node:test'
import { MAIN } from '../../bench/service.ts'
import { runAssayCommand as runAssay } from '../support/command-runner/run.ts'
import { fillCorpus, SPECIAL_ID } from '../support/corpus.ts'
import { createTempFolder, createTestKey, createTestStore, startTestService } from '../support/harness.ts'
import { sendRequest } from '../support/http.ts'
import { fullOnly } from '../support/options.ts'
import { waitUntil } from '../support/worker-service.ts'

const source = await createTestStore()
await fillCorpus(source)
const sourceService = await startTestService(source)
const { key: sourceKey } = await createTestKey(source, { scopes: ['read', 'write'] })

// Scenarios with generated ids and extra data, and a revision with a message.
const headers = { authorization: sourceKey, 'content-type': 'application/json' }
const post = async (path: string, body: unknown) => {
  const { status } = await sendRequest(
    sourceService.baseUrl,
    `/api${path}`,
    headers,
    'POST',
    JSON.stringify(body),
  )
  assert.equal(status, 201)
}
await post('/evaluations', {
  id: 'generated',
  metadata: { exact: [1, '\u2028'] },
  baseline_id: 'deleted',
  family: 'main',
  label: 'short',
  provider: 'echo',
})
await post('/evaluations/generated/evaluation_scenarios', [{ extra: { a: 1 } }, {}, { id: 'given' }])
const config = { config_name: 'c', parameters: { temperature: 0 } }
await post('/variants/full/revisions', { modified_by: 'Ana', config, message: 'warmer\n"now"' })

async function createTargetService() {
  const target = await createTestStore()
  const { baseUrl } = await startTestService(target)
  const { key } = await createTestKey(target, { scopes: ['read', 'write'], project: 'default' })
  return { target, baseUrl, key }
}

async function readAll(baseUrl: string, key: string): Promise<Record<string, string>> {
  const read = async (path: string) =>
    (await sendRequest(baseUrl, `/api${path}`, { authorization: `Bearer ${key}` })).text
  const texts: Record<string, string> = {}
  for (const noun of ['evaluation', 'variant']) {
    const list = `/${noun}s`
    texts[list] = await read(list)
    // The time of the last change of a copied variant is its own.
    if (noun === 'variant') texts[list] = texts[list].replaceAll(/"updated_at":"[^"]*",/g, '')
    for (const { id } of JSON.parse(texts[list])) {
      const path = `${list}/${encodeURIComponent(id)}/${noun === 'evaluation' ? 'evaluation_scenarios' : 'revisions'}`
      const include = noun === 'evaluation' ? 'extra,has_generated_id' : 'message'
      for (const query of ['', `?include=${include}`]) texts[path + query] = await read(path + query)
    }
  }
  return texts
}

const expected = await readAll(sourceService.baseUrl, sourceKey)

async function copy(args: string[], env: Record<string, string> = {}) {
  const { code, stdout, stderr } = await runAssay(['copy', ...args, '--json'], env)
  return { code, stderr, report: JSON.parse(stdout) }
}

describe('a copy returns the same bytes in every read', () => {
  const from = {
    store: source.url,
    service: sourceService.baseUrl,
  }
  // The test of a killed command copies from a store to a store.
  for (const [fromName, toName] of [
    ['store', 'service'],
    ['service', 'store'],
    ['service', 'service'],
  ] as const)
    test(`from a ${fromName} to a ${toName}`, {
      skip: fromName === toName && fullOnly('the others read from a service and write to one'),
    }, async () => {
      const { target, baseUrl, key } = await createTargetService()
      const to = { store: target.url, service: baseUrl }[toName]
      const oneKey = fromName === 'service' ? sourceKey : key
      const env =
        fromName === 'service' && toName === 'service'
          ? { ASSAY_FROM_KEY: sourceKey, ASSAY_TO_KEY: key }
          : { ASSAY_KEY: oneKey }
      const first = await copy([from[fromName], to], env)
      assert.deepEqual([first.code, first.stderr, first.report.failed], [0, '', []])
      assert.deepEqual(await readAll(baseUrl, key), expected)

      // A repeated copy skips what exists, and copies the rest.
      assert.equal((await runAssay(['delete', SPECIAL_ID, ...target.flags])).code, 0)
      const { copied, unchanged } = first.report.evaluations
      const second = await copy([from[fromName], to], env)
      assert.equal(second.code, 0)
      assert.deepEqual(second.report.evaluations, { copied: 1, unchanged: copied - 1 })
      assert.deepEqual(second.report.variants, { copied: 0, unchanged: first.report.variants.copied })
      assert.equal(unchanged, 0)
      assert.deepEqual(await readAll(baseUrl, key), expected)
    })
})

test('copies to another project and to a store that does not exist, without keys', async () => {
  const data = join(createTempFolder(), 'new')
  const { code, stdout } = await runAssay(['copy', source.url, data, '--to-project', 'team'])
  assert.equal(code, 0)
  assert.match(
    stdout,
    /^Copied from the project 'default' to 'team': 4 variants and 6 evaluations\.\nUnchanged: 0 variants and 0 evaluations\.\n$/,
  )
  const projects = JSON.parse((await runAssay(['projects', 'list', '--json', '--data', data])).stdout)
  assert.deepEqual(
    projects.map(({ name, evaluations, keys }: Record<string, unknown>) => [name, evaluations, keys]),
    [['team', 6, 0]],
  )
  const check = await runAssay(['check', '--data', data])
  assert.equal(check.code, 0, check.stdout)
})

test('lists what exists with other data, changes none of it, and copies the rest', async () => {
  const { target, baseUrl, key } = await createTargetService()
  const write = { authorization: key, 'content-type': 'application/json' }
  await sendRequest(baseUrl, '/api/evaluations', write, 'POST', '{"id":"full","name":"Another"}')
  await sendRequest(baseUrl, '/api/variants', write, 'POST', '{"id":"shared","name":"Another"}')
  const { code, stderr, report } = await copy([source.url, target.url])
  assert.equal(code, 1)
  assert.match(stderr, /^assay: 2 evaluations or variants could not be copied exactly\.\n.+assay delete.+\n$/)
  assert.deepEqual(
    report.failed.map(({ noun, id }: Record<string, string>) => [noun, id]),
    [
      ['variant', 'shared'],
      ['evaluation', 'full'],
    ],
  )
  assert.match(report.failed[1].failure, /already exists with a different name/)
  assert.equal(report.evaluations.copied, 5)
  const kept = await sendRequest(baseUrl, '/api/evaluations/full', { authorization: key })
  assert.equal(JSON.parse(kept.text).scenario_count, 0)
})

test('fails if the project does not exist', async () => {
  const data = createTempFolder()
  const { code, stdout, stderr } = await runAssay(['copy', source.url, data, '--project', 'unknown'])
  assert.deepEqual([code, stdout], [1, ''])
  assert.match(stderr, /^assay: There is no project 'unknown' in FROM\.\nCheck FROM and --project\.\n$/)
})

test('imports the file of a variant, under its own id or another one, and rejects an invalid first line', async () => {
  const data = join(createTempFolder(), 'data')
  const file = join(createTempFolder(), 'variant.ndjson')
  const revision = JSON.stringify({ revision: 3, modified_by: 'Ana', config, message: 'm' })
  const variant = { id: 'v', name: 'V', created_at: '2026-01-02T03:04:05.678Z' }
  for (const [header, args, code] of [
    [{ variant }, [], 0],
    [{ variant }, ['--variant', 'other'], 0],
    [{ variant: { ...variant, extra: 1 } }, [], 1],
    [{ variant: { id: 'w' } }, ['--variant', 'w'], 1],
  ] as const) {
    writeFileSync(file, `${JSON.stringify(header)}\n${revision}\n`)
    const result = await runAssay(['import', file, '--data', data, ...args])
    assert.equal(result.code, code, result.stdout + result.stderr)
  }
  const variants = JSON.parse((await runAssay(['list', '--variants', '--json', '--data', data])).stdout)
  assert.deepEqual(
    variants.map(({ id, name, created_at, latest_revision }: Record<string, unknown>) => [
      id,
      name,
      created_at,
      latest_revision,
    ]),
    [
      ['other', 'V', variant.created_at, 3],
      ['v', 'V', variant.created_at, 3],
    ],
  )
})

describe('usage errors', () => {
  const data = source.url
  for (const [args, env, message] of [
    [[data, data], {}, /FROM and TO are the same project/],
    [[data, 'http://127.0.0.1:9'], {}, /needs an API key/],
    [
      ['http://127.0.0.1:9', 'http://127.0.0.1:9'],
      { ASSAY_KEY: sourceKey },
      /ASSAY_FROM_KEY and ASSAY_TO_KEY/,
    ],
    [[data, 'http://127.0.0.1:9', '--to-project', 'x'], { ASSAY_KEY: sourceKey }, /determines the project/],
    [
      [sourceService.baseUrl, data, '--project', 'x'],
      { ASSAY_KEY: sourceKey },
      /is for the project 'default', not 'x'/,
    ],
    [[data, 's3://bucket'], {}, /TO is a URL \(s3:…\)/],
    [[data], {}, /expects FROM and TO/],
  ] as const)
    test(`assay copy ${args.slice(1).join(' ')} (${message.source})`, async () => {
      const { code, stderr } = await runAssay(['copy', ...args], env)
      assert.equal(code, 2)
      assert.match(stderr, message)
    })
})

test('continues after the command was killed', async () => {
  const { target, baseUrl, key } = await createTargetService()
  const to = target.url
  const child = spawn(process.execPath, [MAIN, 'copy', source.url, to], {
    stdio: 'ignore',
  })
  const exited = once(child, 'exit')
  const countVariants = async () =>
    (await target.reader.all<{ key: number }>('SELECT key FROM variant')).length
  await waitUntil(async () => child.exitCode !== null || (await countVariants()) > 0)
  child.kill('SIGKILL')
  await exited
  const { code, report } = await copy([source.url, to])
  assert.deepEqual([code, report.failed], [0, []])
  assert.deepEqual(await readAll(baseUrl, key), expected)
})
