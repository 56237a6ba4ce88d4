// Tests that an import counts and names stored rows that the file no longer has.
import assert from 'node:assert/strict'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, test } from 'node:test'
import { runAssayCommand } from '../support/command-runner/run.ts'
import { createTempFolder, createTestKey, createTestStore, startTestService } from '../support/harness.ts'
import { sendRequest } from '../support/http.ts'
import { createImportStore, importInto } from '../support/import-file.ts'

const folder = createTempFolder()
let fileCount = 0

function write(content: string, extension = 'jsonl'): string {
  fileCount += 1
  const path = join(folder, `rows-${fileCount}.${extension}`)
  writeFileSync(path, content)
  return path
}

const row = (id: string | number, note = '') =>
  JSON.stringify({ id: String(id), inputs: [{ name: 'q', type: 'text', value: `${id}?` }], note })
const rows = (ids: (string | number)[], note?: string) => write(ids.map((id) => row(id, note)).join('\n'))
const range = (count: number) => Array.from({ length: count }, (_, index) => index)

/** The missing rows of each evaluation, after the first file was imported and then the second one. */
async function missingAfter(first: string, second: string, ...flags: string[]) {
  const store = await createImportStore()
  await importInto(store, first, ...(flags.includes('--evaluation') ? flags.slice(0, 2) : []))
  const report = await importInto(store, second, ...flags)
  return report.evaluations.map(({ missing, missing_ids }) => ({ missing, missing_ids }))
}
const INTO = ['--evaluation', 'e']
const NONE = [{ missing: undefined, missing_ids: undefined }]

describe('a file without some of the stored rows', () => {
  for (const onConflict of ['error', 'skip', 'replace'])
    test(`reports them with --on-conflict ${onConflict}`, async () => {
      const second = rows(['a', 'c', 'new'], onConflict === 'error' ? '' : 'changed')
      assert.deepEqual(
        await missingAfter(rows(['a', 'b', 'c', 'd']), second, ...INTO, '--on-conflict', onConflict),
        [{ missing: 2, missing_ids: ['b', 'd'] }],
      )
    })

  test('names the first five, also in large files and after deleted rows', async () => {
    const store = await createImportStore()
    const text = 'x'.repeat(1000)
    await importInto(store, rows(range(4000), text), ...INTO)
    await importInto(store, rows(range(4000).slice(1500), text), ...INTO, '--replace')
    const report = await importInto(store, rows(range(4000).slice(1510), text), ...INTO)
    const [evaluation] = report.evaluations
    assert.deepEqual(
      [evaluation?.missing, evaluation?.missing_ids],
      [10, ['1500', '1501', '1502', '1503', '1504']],
    )
  })

  test('counts a row that the file repeats once', async () => {
    const second = write([row('a'), row('a'), row('a')].join('\n'))
    assert.deepEqual(await missingAfter(rows(['a', 'b', 'c']), second, ...INTO), [
      { missing: 2, missing_ids: ['b', 'c'] },
    ])
  })

  test('is reported for each evaluation of the file', async () => {
    const promptfoo = (rowsOfColumns: [column: number, index: number][]) =>
      write(
        JSON.stringify({
          evalId: 'eval',
          config: {},
          results: {
            version: 3,
            timestamp: '2026-02-03T04:05:06.789Z',
            prompts: ['p0', 'p1'].map((label) => ({ raw: label, label, provider: 'echo' })),
            results: rowsOfColumns.map(([promptIdx, testIdx]) => ({
              id: `${promptIdx}-${testIdx}`,
              testIdx,
              promptIdx,
              vars: { x: String(testIdx) },
              response: { output: 'out' },
              success: true,
            })),
          },
        }),
        'json',
      )
    const all = promptfoo([[0, 0], [0, 1], [1, 0], [1, 1]]) // biome-ignore format: pairs
    const [first, second] = await missingAfter(all, promptfoo([[0, 0], [0, 1], [1, 1]])) // biome-ignore format: pairs
    assert.deepEqual([first, second], [...NONE, { missing: 1, missing_ids: ['1-0'] }])
  })
})

describe('nothing is missing', () => {
  test('if the file has all rows, in any order', async () => {
    assert.deepEqual(await missingAfter(rows(['a', 'b']), rows(['b', 'a']), ...INTO), NONE)
  })

  test('if the file continues the stored one', async () => {
    const header = 'input.q,output,score.exact\n'
    const first = write(`${header}a,x,1\nb,y,0\n`, 'csv')
    assert.deepEqual(await missingAfter(first, write(`${header}a,x,1\nb,y,0\nc,z,1\n`, 'csv')), NONE)
  })

  test('if the file only adds other rows, as one of several files for one evaluation', async () => {
    assert.deepEqual(await missingAfter(rows(['a', 'b']), rows(['c', 'd']), ...INTO), NONE)
  })

  test('after --replace, which deletes them', async () => {
    assert.deepEqual(await missingAfter(rows(['a', 'b']), rows(['a']), ...INTO, '--replace'), NONE)
  })

  test('if records were rejected, because their rows are unknown', async () => {
    const invalid = write(`${row('a')}\n{"id":"b","inputs":1}`)
    assert.deepEqual(await missingAfter(rows(['a', 'b']), invalid, ...INTO, '--skip-invalid'), NONE)
  })
})

test('the command and the service say which rows are missing, and how to delete them', async () => {
  const store = await createTestStore()
  const { baseUrl } = await startTestService(store)
  const { key } = await createTestKey(store, { scopes: ['read', 'write'] })
  const { key: writeKey } = await createTestKey(store, { scopes: ['write'] })
  const [all, some] = [rows(range(9)), rows([8])]
  const local = (...args: string[]) => runAssayCommand([...args, ...store.flags])
  const remote = (...args: string[]) => runAssayCommand(args, { ASSAY_URL: baseUrl, ASSAY_KEY: key })
  for (const [id, run] of Object.entries({ local, remote })) {
    await run('import', all, '--evaluation', id)
    for (const flags of [[], ['--dry-run']]) {
      const { stdout } = await run('import', some, '--evaluation', id, ...flags)
      assert.ok(
        stdout.includes(
          '8 stored scenarios are not in the file: 0, 1, 2, 3, 4, …. To delete what the file lacks, import it with --replace.\n',
        ),
        stdout,
      )
    }
    const { stdout } = await run('import', some, '--evaluation', id, '--json')
    assert.equal(JSON.parse(stdout).missing, 8)
  }
  // A key without the scope `read` receives no stored ids.
  const headers = { authorization: `Bearer ${writeKey}` }
  const path = '/api/imports?evaluation=local'
  const response = await sendRequest(baseUrl, path, headers, 'POST', `${row(8)}\n`)
  const [evaluation] = JSON.parse(response.text).evaluations
  assert.deepEqual(
    [evaluation.unchanged, evaluation.missing, evaluation.missing_ids],
    [1, undefined, undefined],
  )
})
