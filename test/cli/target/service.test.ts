// Tests of commands on a service: their scopes, what only a service can respond, and the errors of connections.
import assert from 'node:assert/strict'
import { once } from 'node:events'
import { existsSync, readFileSync, utimesSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import { join } from 'node:path'
import { describe, test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { withTarget } from '../../../src/cli/target/open-target.ts'
import { readSettings } from '../../../src/settings/settings.ts'
import { runAssayCommand } from '../../support/command-runner/run.ts'
import { fillCorpus } from '../../support/corpus.ts'
import {
  createSampleStore,
  createTempFolder,
  createTestKey,
  createTestStore,
  startTestService,
} from '../../support/harness.ts'
import { sendRequest } from '../../support/http.ts'

const store = await createSampleStore()
await fillCorpus(store)
const { baseUrl } = await startTestService(store)
const { key } = await createTestKey(store, { scopes: ['read', 'write'] })
const { key: readKey } = await createTestKey(store)

const { key: otherKey } = await createTestKey(store, { project: 'other' })

const folder = createTempFolder()
function writeInput(name: string, text: string): string {
  const file = join(folder, name)
  writeFileSync(file, text)
  return file
}

const { key: shareKey } = JSON.parse(
  (await runAssayCommand(['share', 'full', '--json', ...store.flags])).stdout,
)

const runLocally = (...args: string[]) => runAssayCommand([...args, ...store.flags])
const runRemotely = (...args: string[]) => runAssayCommand([...args], { ASSAY_URL: baseUrl, ASSAY_KEY: key })

const SCENARIOS =
  '{"id":"a","results":[{"evaluator_config":"exact","result":{"type":"bool","value":true}}]}\n'
const [BASELINE, CANDIDATE] = ['support-answer-r4', 'support-answer-r5']

test('a read key is enough for the regression check of CI, with links to the page of the service', async () => {
  const args = ['compare', BASELINE, CANDIDATE, '--markdown', '--fail-on-regression']
  const local = await runLocally(...args, '--public-url', baseUrl)
  const remote = await runAssayCommand([...args, '--url', `${baseUrl}/`, '--key', readKey])
  assert.deepEqual(remote, local)
  assert.equal(remote.code, 1)
  assert.ok(remote.stdout.includes(`](${baseUrl}/evaluations/${CANDIDATE}/scenarios/`))
})

test('imports, exports to a file, lists changes and deletes over HTTP', async () => {
  const table = writeInput('rows.csv', 'question,answer,score\nWhat?,That,1\nWho?,Me,0\n')
  const columns = ['--map', 'answer=output,score=score.exact:bool,question=input']
  for (const text of ['2 scenarios added, 0 unchanged', '0 scenarios added, 2 unchanged']) {
    const { code, stdout, stderr } = await runRemotely('import', table, '--evaluation', 'remote', ...columns)
    assert.deepEqual([code, stderr], [0, ''])
    assert.deepEqual(stdout.split('\n').slice(0, 5), [
      `${table}: columns`,
      '  question → input               by option',
      '  answer   → output              by option',
      '  score    → score.exact (bool)  by option',
      `${table}: evaluation remote (rows): ${text}`,
    ])
  }
  const output = join(folder, 'remote.csv')
  assert.equal((await runRemotely('export', 'remote', '--format', 'csv', '--output', output)).code, 0)
  assert.equal(readFileSync(output, 'utf8'), (await runLocally('export', 'remote', '--format', 'csv')).stdout)

  assert.equal((await runRemotely('delete', 'remote')).stdout, "Deleted the evaluation 'remote'.\n")
  assert.equal((await runRemotely('delete', '--variant', 'shared')).stdout, "Deleted the variant 'shared'.\n")
  assert.equal((await runLocally('show', 'remote')).code, 1)
  const filter = ['changes', '--action', 'evaluation.deleted,variant.deleted', '--since', '1h']
  const { stdout } = await runRemotely(...filter)
  assert.match(
    stdout,
    /^TIME +ACTION +SUBJECT +DETAILS\n\S+ +evaluation\.deleted +remote +2 scenarios\n\S+ +variant\.deleted +shared +\d revisions\n$/,
  )
  const entries = JSON.parse((await runRemotely(...filter, '--json')).stdout)
  const audit = JSON.parse((await runLocally(...filter, '--json')).stdout)
  assert.deepEqual(
    entries,
    audit.map(({ public_id, key_id, key_name, address, ...entry }: Record<string, unknown>) => entry),
  )
  assert.equal((await runRemotely('changes', '--key-id', 'cli')).code, 2)
})

test('says for each of several files whether it was stored, also after an error that ends the import', async () => {
  const mixed = createTempFolder()
  const write = (name: string, text: string) => {
    writeFileSync(join(mixed, name), text)
    // Files are imported in the order of their times, and those with the same time in the order of the arguments.
    utimesSync(join(mixed, name), 0, 0)
    return join(mixed, name)
  }
  const good = write('good.csv', 'id,input.q,output,score.a\n1,x,y,1\n')
  const unclosed = write('unclosed.csv', 'id,input.q,output,score.a\n1,"x,y,1\n')
  const shifted = write('shifted.csv', 'input.q,output,score.a\nnew,n,1\nx,y,1\n')
  const withoutIds = write('without-ids.csv', 'input.q,output,score.a\nx,y,1\n')
  for (const [place, run] of Object.entries({ local: runLocally, remote: runRemotely })) {
    const rejected = await run('import', mixed)
    assert.equal(rejected.code, 1)
    assert.equal(
      rejected.stderr,
      `assay: 1 of 4 files had errors. Stored: ${good}, ${shifted}, ${withoutIds}. Not stored: ${unclosed}.\nThe lines above explain why.\n`,
    )
    const dryRun = await run('import', good, unclosed, '--dry-run')
    assert.match(
      dryRun.stderr,
      /^assay: 1 of 2 files had errors\.\nThis was a dry run\. Nothing was stored\.\n$/,
    )
    const ended = await run('import', withoutIds, shifted, good, '--evaluation', `ended-${place}`)
    assert.equal(ended.code, 1)
    assert.match(
      ended.stderr,
      new RegExp(
        `^assay: ${shifted}: Record 1 .* Nothing of it was stored\\. .* Stored: ${withoutIds}\\. Not imported: ${good}\\.\n.+\n$`,
      ),
    )
  }
})

test('creates a share link to the service', async () => {
  const { stdout } = await runRemotely(
    'share',
    'full',
    'exact',
    '--name',
    'review',
    '--expires',
    '1h',
    '--json',
  )
  const { link, project, key: comparisonKey, confined_to, name } = JSON.parse(stdout)
  assert.equal(link, `${baseUrl}/compare?evaluation=full&evaluation=exact#key=${comparisonKey}`)
  assert.deepEqual([project, confined_to, name], ['default', { comparison: ['full', 'exact'] }, 'review'])
  const shared = await runAssayCommand(['compare', 'full', 'exact', '--by', 'error'], {
    ASSAY_URL: baseUrl,
    ASSAY_KEY: comparisonKey,
  })
  assert.equal(shared.code, 0)
  const expires_at = new Date(Date.now() + 3_600_000).toISOString()
  const { key: shortKey } = await createTestKey(store, { scopes: ['read', 'write'], expires_at })
  const env = { ASSAY_URL: baseUrl, ASSAY_KEY: shortKey }
  const short = JSON.parse((await runAssayCommand(['share', 'full', '--json'], env)).stdout)
  assert.equal(short.expires_at, expires_at)
  const { code, stderr } = await runRemotely('share', 'unknown')
  assert.deepEqual(
    [code, stderr.split('\n')[0]],
    [1, "assay: The project 'default' has no evaluation 'unknown'."],
  )
})

describe('errors of the connection and of the key exit with 1, and never print the key', () => {
  const UNKNOWN_KEY = 'assay_000000000000_000000000000000000000000000000000000'
  for (const [name, url, apiKey, args, message] of [
    ['an unknown key', baseUrl, UNKNOWN_KEY, ['list'], /^assay: .+\nSet ASSAY_KEY to a valid API key/],
    [
      'no service',
      'http://127.0.0.1:9',
      key,
      ['list'],
      /^assay: The connection to http:\/\/127\.0\.0\.1:9 failed: .+\.\n/,
    ],
    [
      'another path',
      `${baseUrl}/docs`,
      key,
      ['list'],
      /^assay: .+\/docs is not the URL of an Assay service\.\nUse the URL of its web page, such as .+\n$/,
    ],
    [
      'the URL of the API',
      `${baseUrl}/api/`,
      key,
      ['list'],
      /^assay: .+\/api is not the URL of an Assay service\.\nOmit \/api at the end: use http:\/\/127\.0\.0\.1:\d+\.\n$/,
    ],
    [
      'https to a service without TLS',
      baseUrl.replace('http:', 'https:'),
      key,
      ['list'],
      /^assay: The connection to https:\S+ failed: wrong version number\.\nThe service does not use TLS\..+\n$/,
    ],
    [
      'a read key for an import',
      baseUrl,
      readKey,
      ['import', writeInput('valid.ndjson', SCENARIOS)],
      /the scope write\.\n.+--scope read,write\.\n$/,
    ],
    [
      'a read key for a deletion',
      baseUrl,
      readKey,
      ['delete', 'full'],
      /^assay: The API key does not have the scope write\.\nOn the store of the service, .+ --scope read,write\.\n$/,
    ],
    [
      'a key of another project',
      baseUrl,
      otherKey,
      ['delete', 'full'],
      /--scope read,write --project other\.\n$/,
    ],
    [
      'a share link for a list',
      baseUrl,
      shareKey,
      ['list'],
      /^assay: This key is restricted to .+\nAPI keys are created with assay keys create, on the store of the service\.\n$/,
    ],
    ['a read key for a share link', baseUrl, readKey, ['share', 'full'], /the scope write\.\n/],
  ] as const) {
    test(name, async () => {
      const { code, stdout, stderr } = await runAssayCommand([...args], { ASSAY_URL: url, ASSAY_KEY: apiKey })
      assert.deepEqual([code, stdout], [1, ''])
      assert.match(stderr, message)
      assert.ok(!stderr.includes(apiKey.slice(19)))
    })
  }
})

describe('responses that do not come from a service of this version', () => {
  const OWN_KEY = '{"project":"default","scopes":["read"]}'
  const NO_ROUTE = '{"code":"route-not-found","detail":"There is no route /api/changes."}'
  for (const [name, respond, message] of [
    [
      'a redirect, which would lose the key',
      () => ({ status: 301, location: 'https://new.example/api/key', text: '' }),
      /^assay: The service redirects to https:\/\/new\.example\.\nSet the URL of the service to its new address\.\n$/,
    ],
    [
      'another JSON API',
      () => ({ status: 200, text: '{"ok":true}' }),
      /is not the URL of an Assay service\.\n/,
    ],
    ['a web page', () => ({ status: 200, text: '<html>' }), /^assay: The response is not JSON\./],
    [
      'an older service without the operation',
      (path: string) =>
        path === '/api/key' ? { status: 200, text: OWN_KEY } : { status: 404, text: NO_ROUTE },
      /^assay: There is no route \/api\/changes\.\nThe service is older than this command\. .+\n$/,
    ],
  ] as [string, (path: string) => { status: number; location?: string; text: string }, RegExp][])
    test(name, async () => {
      const server = createServer((request, response) => {
        const { status, location, text } = respond(request.url?.split('?')[0] ?? '')
        const type = status === 200 ? 'application/json' : 'application/problem+json'
        response.writeHead(status, { 'content-type': type, ...(location && { location }) }).end(text)
      }).listen(0, '127.0.0.1')
      await once(server, 'listening')
      const { port } = server.address() as { port: number }
      const args = ['changes', '--url', `http://127.0.0.1:${port}`, '--key', key]
      const { code, stderr } = await runAssayCommand(args)
      server.close()
      assert.match(stderr, message)
      assert.equal(code, 1)
    })
})

test('an export that breaks off exits with 1 and leaves no file', async () => {
  const server = createServer((request, response) => {
    if (request.url === '/api/key') return response.end('{"project":"default","scopes":["read"]}')
    response.writeHead(200, { 'content-length': 1000 })
    response.write('[{"id":"a"', () => request.socket.resetAndDestroy())
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as { port: number }
  const output = join(folder, 'incomplete.json')
  const args = ['export', 'x', '--output', output, '--url', `http://127.0.0.1:${port}`, '--key', key]
  const { code, stderr } = await runAssayCommand(args)
  server.close()
  assert.equal(code, 1)
  assert.match(stderr, /^assay: The connection to .+ failed: .+\n.+\n$/)
  assert.ok(!existsSync(output))
})

test('lists the evaluations of a family', async () => {
  const members = ['main:0', 'main:1', 'main', 'main:x'].map((id) => ({
    id,
    family: id === 'main:x' ? id : 'main',
  }))
  const headers = { authorization: key, 'content-type': 'application/json' }
  for (const member of members) {
    const { status } = await sendRequest(baseUrl, '/api/evaluations', headers, 'POST', JSON.stringify(member))
    assert.equal(status, 201)
  }
  for (const flags of [store.flags, ['--url', baseUrl, '--key', key]]) {
    const { settings } = readSettings('list', flags, {})
    const texts = await withTarget(settings, (target) =>
      Array.fromAsync(target.list('evaluation', { family: 'eq.main', order: 'created_at.asc' })),
    )
    assert.deepEqual(
      texts.map((text) => JSON.parse(text).id),
      ['main:0', 'main:1', 'main'],
    )
  }
})

test('sends files that belong together in one request', async () => {
  const local = await createTestStore()
  const service = await createTestStore()
  const { key: serviceKey } = await createTestKey(service, { scopes: ['read', 'write'] })
  const { baseUrl: url } = await startTestService(service)
  const fixtures = fileURLToPath(new URL('../../fixtures/import/lm-eval/', import.meta.url))
  const longName = `samples_${'long_'.repeat(20)}_2026-11-01T10-00-00.jsonl`
  const samples = writeInput(longName, '{"doc_id":0,"doc":{"q":1},"resps":[["a"]],"filtered_resps":["a"]}\n')
  writeInput('results_2026-11-01T10-00-00.json', '{"results":{},"configs":{},"versions":{},"model_name":"m"}')
  for (const [path, count] of [
    [join(fixtures, 'results_2026-11-15T12-40-17.831033.json'), 3],
    [join(fixtures, 'samples_toy_gsm_2026-11-15T12-40-17.831033.jsonl'), 1],
    [join(fixtures, 'old/results.json'), 1],
    [samples, 1],
  ] as const) {
    const localRun = await runAssayCommand(['import', path, '--json', ...local.flags])
    const remoteRun = await runAssayCommand(['import', path, '--json', '--url', url, '--key', serviceKey])
    assert.deepEqual(remoteRun, localRun)
    const { files } = JSON.parse(remoteRun.stdout)
    assert.equal(files[0].evaluations.length, count, remoteRun.stderr)
    for (const { id } of files[0].evaluations) {
      const exportFrom = async (flags: string[]) => {
        const { stdout } = await runAssayCommand(['export', id, '--full', ...flags])
        // The times of imports without a time in the file.
        return stdout.replaceAll(/"(updated_at|created_at)":"[^"]*"/g, '')
      }
      assert.equal(await exportFrom(service.flags), await exportFrom(local.flags))
    }
  }
})
