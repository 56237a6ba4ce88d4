// A copy of the program with changes, as another version of it.
import assert from 'node:assert/strict'
import { cpSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { createTempFolder } from './harness.ts'
import { ROOT } from './test-run.ts'

const LAST_MIGRATION = "  { name: '0001-schema', sql: forBothEngines(TABLES, POSTGRES_ADDITIONS) },\n"

/** Adds a migration, like a version that changes the schema. Returns its entry point. */
export function createNewerVersion(sql: string): string {
  const migration = `  { name: '9999-newer', sql: forBothEngines(\`${sql}\`) },\n`
  return createUpgradedProgram({
    'src/store/migrations/migrations.ts': [LAST_MIGRATION, LAST_MIGRATION + migration],
  })
}

/** Copies the program and replaces a text in each of these files. Returns its entry point. */
export function createUpgradedProgram(changes: Record<string, [old: string, replacement: string]>): string {
  const folder = createTempFolder()
  for (const name of ['src', 'package.json', 'openapi.json'])
    cpSync(join(ROOT, name), join(folder, name), { recursive: true })
  symlinkSync(join(ROOT, 'node_modules'), join(folder, 'node_modules'))
  for (const [name, [old, replacement]] of Object.entries(changes)) {
    const text = readFileSync(join(folder, name), 'utf8')
    assert.ok(text.includes(old), `${name} contains ${old}`)
    writeFileSync(join(folder, name), text.replace(old, replacement))
  }
  return join(folder, 'src/main.ts')
}
