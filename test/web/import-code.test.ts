// Runs the code of the import dialog and of the menu "Copy as" against a service.
import assert from 'node:assert/strict'
import { execFile, spawnSync } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { snippet } from '../../web/src/format/api-snippets.ts'
import { importCode } from '../../web/src/pages/evaluations/import/import-code.ts'
import { rowsApiCall } from '../../web/src/queries/rows-call.ts'
import { createTempFolder, createTestKey, createTestStore, startTestService } from '../support/harness.ts'

const CLIENT = fileURLToPath(new URL('../../python/src', import.meta.url))
const ROWS = [1, 2].map((id) => ({ id: `s${id}`, input: 'question', output: 'answer', exact: id > 1 }))
/** A list of dicts instead of a DataFrame, so that the test does not need pandas. */
const PYTHON_ROWS =
  'df = [{"case_id": "s1", "question": "q", "answer": "a", "expected": "e", "correct": False}]\n'

const hasPython =
  spawnSync('python3', ['-c', 'import sys; sys.exit(sys.version_info < (3, 10))']).status === 0
const WITHOUT_PYTHON = !hasPython && 'Python 3.10 is not installed'
const WITHOUT_CURL = spawnSync('curl', ['--version']).status !== 0 && 'curl is not installed'

/** Runs code in a folder with results.json. Returns what it prints, and a function that reads from the API. */
async function run(program: string, code: (serviceUrl: string) => string) {
  const store = await createTestStore()
  const { baseUrl } = await startTestService(store)
  const { key } = await createTestKey(store, { scopes: ['read', 'write'] })
  const folder = createTempFolder()
  writeFileSync(join(folder, 'results.json'), JSON.stringify(ROWS))
  const { stdout } = await promisify(execFile)(program, ['-c', code(baseUrl)], {
    cwd: folder,
    env: { ...process.env, ASSAY_KEY: key, PYTHONPATH: CLIENT, PYTHONDONTWRITEBYTECODE: '1' },
  })
  const read = async (path: string) => {
    const response = await fetch(`${baseUrl}/api${path}`, { headers: { authorization: `Bearer ${key}` } })
    return response.json()
  }
  return { stdout, read }
}

test('the curl code of the import dialog imports a file', { skip: WITHOUT_CURL }, async () => {
  const { stdout } = await run('sh', (url) => importCode('curl', url))
  assert.equal(JSON.parse(stdout).evaluations[0]?.accepted, ROWS.length, stdout)
})

test('the Python code of the import dialog imports a file and logs a DataFrame', {
  skip: WITHOUT_PYTHON,
}, async () => {
  const { read } = await run('python3', (url) => PYTHON_ROWS + importCode('python', url))
  const evaluations: { scenario_count: number }[] = await read('/evaluations')
  assert.deepEqual(evaluations.map(({ scenario_count }) => scenario_count).sort(), [1, 2])
  const [row] = await read('/evaluations/nightly/evaluation_scenarios')
  assert.equal(row.id, 's1')
  assert.deepEqual(row.results, [{ evaluator_config: 'correct', result: { type: 'bool', value: false } }])
})

test('the Python code of "Copy as" reads the rows of the view and other objects', {
  skip: WITHOUT_PYTHON,
}, async () => {
  const query = {
    filters: [['result.correct', 'is.false']] as [string, string][],
    order: 'position.desc',
  }
  const { stdout } = await run('python3', (url) =>
    [
      PYTHON_ROWS + importCode('python', url),
      snippet('python', rowsApiCall('nightly', query), url),
      'print([row["id"] for row in data])',
      snippet(
        'python',
        { path: '/api/evaluations/nightly/evaluation_scenarios/s1?include=extra', client: '' },
        url,
      ),
      'print(data["id"])',
    ].join('\n'),
  )
  assert.equal(stdout, "['s1']\ns1\n")
})
