// Runs the code of the import dialog against a service.
import assert from 'node:assert/strict'
import { execFile, spawnSync } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { promisify } from 'node:util'
import { importCode } from '../../web/src/pages/evaluations/import/import-code.ts'
import { createTempFolder, createTestKey, createTestStore, startTestService } from '../support/harness.ts'

const PROGRAMS = { python: 'python3', curl: 'curl' }
const INTERPRETERS = { python: 'python3', curl: 'sh' }

for (const language of ['python', 'curl'] as const) {
  const isMissing = spawnSync(PROGRAMS[language], ['--version']).status !== 0
  const skip = isMissing && `${PROGRAMS[language]} is not installed`
  test(`the ${language} code of the import dialog imports a file`, { skip }, async () => {
    const store = await createTestStore()
    const { baseUrl } = await startTestService(store)
    const { key } = await createTestKey(store, { scopes: ['read', 'write'] })
    const folder = createTempFolder()
    const rows = [1, 2].map((id) => ({ id: `s${id}`, input: 'question', output: 'answer', exact: id > 1 }))
    writeFileSync(join(folder, 'results.json'), JSON.stringify(rows))
    const { stdout } = await promisify(execFile)(
      INTERPRETERS[language],
      ['-c', importCode(language, baseUrl)],
      { cwd: folder, env: { ...process.env, ASSAY_KEY: key } },
    )
    assert.equal(JSON.parse(stdout).evaluations[0]?.accepted, rows.length, stdout)
  })
}
