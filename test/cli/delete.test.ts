// Tests of assay delete: only arguments select what is deleted, and a terminal is asked first.
import assert from 'node:assert/strict'
import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { before, describe, test } from 'node:test'
import { MAIN } from '../../bench/service.ts'
import { readSettings } from '../../src/settings/settings.ts'
import { runAssayCommand as runAssay } from '../support/command-runner/run.ts'
import { createStoreLocation, createTempFolder } from '../support/harness.ts'

const { flags } = await createStoreLocation()

before(async () => {
  const folder = createTempFolder()
  const scenarios = join(folder, 'scenarios.csv')
  const revisions = join(folder, 'revisions.json')
  writeFileSync(scenarios, 'question,answer,score\nWhat?,That,1\nWho?,Me,0\n')
  writeFileSync(
    revisions,
    JSON.stringify([{ modified_by: 'ana', config: { config_name: 'c', parameters: {} } }]),
  )
  for (const args of [
    [scenarios, '--evaluation', 'nightly'],
    [revisions, '--variant', 'answer'],
  ]) {
    const { code, stderr } = await runAssay(['import', ...args, ...flags])
    assert.equal(code, 0, stderr)
  }
})

const exists = async (...args: string[]) => (await runAssay(['show', ...args, ...flags])).code === 0

describe('the variable ASSAY_VARIANT', () => {
  test('does not choose what is deleted', async () => {
    const { code, stderr } = await runAssay(['delete', ...flags], { ASSAY_VARIANT: 'answer' })
    assert.equal(code, 2)
    assert.match(stderr, /^assay: Name one evaluation, or a variant with --variant\./)
    assert.ok(await exists('--variant', 'answer'))
  })

  test('is read by imports only', async () => {
    const environment = { ASSAY_VARIANT: 'answer' }
    assert.equal(readSettings('import', ['x'], environment).settings.variant, 'answer')
    for (const command of ['list', 'show', 'share', 'delete'])
      assert.equal(readSettings(command, [], environment).settings.variant, undefined, command)
    assert.equal((await runAssay(['show', 'nightly', ...flags], environment)).code, 0)
  })
})

/** Quotes an argument for sh. */
const quote = (argument: string) => `'${argument.replaceAll("'", "'\\''")}'`

/** Runs a command on a terminal. The output contains the echo of the answer, and standard output. */
async function runOnTerminal(
  args: string[],
  answer: string,
): Promise<{ code: number | null; output: string }> {
  const command = [process.execPath, MAIN, ...args].map(quote).join(' ')
  const child = spawn('script', ['-qec', command, '/dev/null'])
  child.stdin.write(answer)
  const [output] = await Promise.all([text(child.stdout), once(child, 'close')])
  return { code: child.exitCode, output }
}

// Other systems have a `script` with other flags.
const hasTerminal = process.platform === 'linux' && spawnSync('script', ['--version']).status === 0

describe('on a terminal', { skip: !hasTerminal && 'there is no script command of util-linux' }, () => {
  const cases: [args: string[], question: RegExp][] = [
    [['nightly'], /Delete the evaluation 'nightly' \(scenarios\) with 2 scenarios\? \[y\/N\]/],
    [['--variant', 'answer'], /Delete the variant 'answer' with 1 revision\? \[y\/N\]/],
  ]
  for (const [args, question] of cases) {
    test(`assay delete ${args.join(' ')} deletes nothing without a yes`, async () => {
      for (const answer of ['\n', 'n\n', '\u0004']) {
        const { code, output } = await runOnTerminal(['delete', ...args, ...flags], answer)
        assert.equal(code, 1, output)
        assert.match(output, question)
        assert.match(output, /assay: Nothing was deleted\./)
      }
      assert.ok(await exists(...args))
    })
  }

  test('deletes after a yes', async () => {
    const { code, output } = await runOnTerminal(['delete', 'nightly', ...flags], 'y\n')
    assert.equal(code, 0, output)
    assert.match(output, /Deleted the evaluation 'nightly'\./)
    assert.ok(!(await exists('nightly')))
  })

  test('--yes deletes without a question', async () => {
    const { code, output } = await runOnTerminal(['delete', '--variant', 'answer', '--yes', ...flags], '')
    assert.equal(code, 0, output)
    assert.equal(output.trim(), "Deleted the variant 'answer'.")
  })
})
