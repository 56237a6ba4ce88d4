// Wrong use of every command: exit 2, one line that says what, and a hint on the second.
import assert from 'node:assert/strict'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { describe, test } from 'node:test'
import { runCommand } from '../../src/cli/commands.ts'
import { CommandError } from '../../src/errors.ts'
import { assay, freshFolder } from '../harness.ts'

const data = join(freshFolder(), 'data')
const NOBODY = 'aaaaaaaaaaaa'

const WRONG: [args: string[], says: RegExp][] = [
  [[], /No command/],
  [['dance'], /no command 'dance'/],
  [['constructor'], /no command 'constructor'/],
  [['keys'], /no command 'keys'/],
  [['keys', 'dance'], /no command 'keys dance'/],
  [['serve', '--dance'], /Unknown option '--dance'/],
  [['serve', 'now'], /takes no further word/],
  [['serve', '--port'], /--port/],
  [['serve', '--port', 'x'], /--port is 'x'/],
  [['serve', '--port', '65536'], /--port is '65536'/],
  [['serve', '--port', '-1'], /--port is '-1'/],
  [['serve', '--sample=yes'], /--sample/],
  [['serve', '--stall-timeout', '30'], /--stall-timeout is '30'/],
  [['serve', '--stall-timeout', '0s'], /--stall-timeout is '0s', which is out of range/],
  [['serve', '--drain-timeout', '999999d'], /--drain-timeout is '999999d', which is out of range/],
  [['serve', '--public-url', 'evals.example'], /--public-url is 'evals.example'/],
  [['serve', '--public-url', 'ftp://evals.example'], /--public-url/],
  [
    ['serve', '--cors-origin', 'https://a.example/'],
    /--cors-origin is 'https:\/\/a.example\/', which is not an origin/,
  ],
  [['serve', '--cors-origin', '*'], /--cors-origin/],
  [['serve', '--log-level', 'loud'], /--log-level is 'loud'/],
  [['serve', '--database', 'mysql://x'], /mysql:…/],
  [['serve', '--project', 'x'], /Unknown option '--project'/],
  [['keys', 'create', 'x'], /takes no further word/],
  [['keys', 'create', '--scope', 'admin'], /scope 'admin'/],
  [['keys', 'create', '--scope', ','], /No scope is named/],
  [['keys', 'create', '--expires', 'soon'], /--expires is 'soon'/],
  [['keys', 'create', '--expires', '2020-01-01T00:00:00Z'], /has passed/],
  [['keys', 'create', '--expires', '2027-02-31T99:00:00Z'], /no time of the calendar/],
  [['keys', 'create', '--project', ''], /--project is empty/],
  [['keys', 'create', '--project', 'a\nb'], /--project is not a name/],
  [['keys', 'create', '--name', 'a\u001bb'], /--name is not a name/],
  [['keys', 'create', '--expires', '2027-02-30T00:00:00Z'], /no time of the calendar/],
  [['serve', '--host', ''], /--host is empty/],
  [['keys', 'list', 'x'], /takes no further word/],
  [['keys', 'list', '--name', 'x'], /Unknown option '--name'/],
  [['keys', 'revoke'], /takes one word, PUBLIC/],
  [['keys', 'revoke', 'a', 'b'], /takes one word, PUBLIC/],
  [['keys', 'revoke', 'short'], /12 characters/],
  [['keys', 'rotate'], /takes one word, PUBLIC/],
  [['import'], /takes words, FILE…; it got 0/],
  [['import', 'x', '--format', 'dance'], /no format 'dance'/],
  [['import', '-', '-'], /Standard input can be read once/],
  [['import', 'x', '--evaluation', '..'], /--evaluation is not a name/],
  [['import', 'x', '--max-depth', '1'], /--max-depth is '1'/],
  [['export'], /takes one word, EVALUATION/],
  [['export', 'x', '--format', 'xml'], /--format is 'xml'/],
  [['export', 'x', '--full', '--format', 'csv'], /--full is written as NDJSON/],
  [['compare'], /takes a base and one to three candidates; it got 0/],
  [['compare', 'a'], /it got 1/],
  [['compare', 'a', 'b', 'c', 'd', 'e'], /it got 5/],
  [['compare', 'a', 'b', 'a'], /'a' is named twice/],
  [['compare', 'a', 'b', '--json', '--markdown'], /choose one/],
  [['compare', 'a', 'b', '--fail-on-regression', '--tolerance', '-1'], /--tolerance is '-1'.* 0\.02/],
  [['compare', 'a', 'b', '--fail-on-regression', '--tolerance', '.5'], /--tolerance is '.5'.* 0\.02/],
  [['compare', 'a', 'b', '--fail-on-regression', '--tolerance', '2%'], /--tolerance is '2%'/],
  [['compare', 'a', 'b', '--fail-on-regression', '--tolerance', '1e999'], /--tolerance is '1e999'/],
  [['share'], /Nothing is named/],
  [['share', 'a', 'b', 'c', 'd', 'e'], /takes one evaluation, a base and .*, or --variant; it got 5/],
  [['share', 'a', 'b', 'a'], /'a' is named twice/],
  [['share', 'a', '--variant', 'v'], /choose one/],
  [['share', 'a', '--expires', '2020-01-01T00:00:00Z'], /has passed/],
  [['share', 'a', '--name', 'a\u001bb'], /--name is not a name/],
  [['share', 'a', '--port', '0'], /--port 0/],
  [['share', 'a', '--public-url', 'evals.example'], /--public-url is 'evals.example'/],
  [['backup'], /takes one word, FILE/],
  [['check', 'x'], /takes no further word/],
  [['keys', 'rotate', NOBODY, '--overlap', 'x'], /--overlap is 'x'/],
]

describe('wrong use', () => {
  const complete = (args: string[]) =>
    args.length < 2 && !['import', 'export', 'compare', 'share', 'backup'].includes(args[0] ?? '')
      ? args
      : [...args, ...(args.includes('--database') ? [] : ['--data', data])]

  // In this process: starting one takes longer than finding out what is wrong.
  for (const [args, says] of WRONG) {
    test(`assay ${args.join(' ')}`, async () => {
      const failure = await runCommand(complete(args)).catch((error) => error)
      assert.ok(failure instanceof CommandError, String(failure))
      assert.equal(failure.exitCode, 2)
      assert.match(failure.message, says)
      assert.doesNotMatch(`${failure.message}${failure.hint}`, /\n/)
      assert.ok(failure.hint.length > 0)
      assert.ok(!existsSync(data), 'nothing is made')
    })
  }

  test('exits with 2, one line that says what and a hint on the second', async () => {
    const { code, stdout, stderr } = await assay(['serve', '--port', 'x'])
    assert.deepEqual([code, stdout], [2, ''])
    assert.match(stderr, /^assay: --port is 'x'.*\n.+\n$/)
  })

  test('a variable with a wrong value is named', async () => {
    const { code, stderr } = await assay(['serve'], { ASSAY_PORT: 'x' })
    assert.equal(code, 2)
    assert.match(stderr, /^assay: ASSAY_PORT is 'x'.*\n.+\n$/)
  })
})

describe('what fails otherwise has exit 1, with the same two lines', () => {
  for (const command of ['revoke', 'rotate']) {
    test(`assay keys ${command} of a key that is not there`, async () => {
      await assay(['keys', 'create', '--data', data])
      const { code, stderr } = await assay(['keys', command, NOBODY, '--data', data])
      assert.equal(code, 1)
      assert.match(stderr, /^assay: No key has the public part aaaaaaaaaaaa\.\n.+\n$/)
    })
  }

  test('assay serve where somebody listens already', async () => {
    const server = createServer().listen(0, '127.0.0.1')
    await once(server, 'listening')
    const { port } = server.address() as { port: number }
    const { code, stderr } = await assay([
      'serve',
      '--data',
      data,
      '--port',
      String(port),
      '--log-level',
      'silent',
    ])
    assert.equal(code, 1)
    assert.match(stderr, /^assay: Cannot listen on 127\.0\.0\.1, port \d+: .*EADDRINUSE.*\n.+\n$/)
    server.close()
  })

  test('what an id holds cannot steer the terminal, and the message stays one line', async () => {
    const { code, stderr } = await assay(['export', 'a\u001b[2J\nb\u202ec', '--data', data])
    assert.equal(code, 1)
    assert.match(stderr, /^assay: .*'a\ufffd\[2J\ufffdb\ufffdc'.*\n.+\n$/)
    assert.doesNotMatch(stderr.replaceAll('\n', ''), /[\p{Cc}\p{Cf}]/u)
  })

  test('assay keys list on a file that is no store', async () => {
    const { code, stderr } = await assay(['keys', 'list', '--database', `sqlite:${import.meta.filename}`])
    assert.equal(code, 1)
    assert.match(stderr, /^assay: .* is not a store of Assay\.\n.+\n$/)
  })
})

describe('help', () => {
  for (const args of [
    ['--help'],
    ['serve', '--help'],
    ['keys', '--help'],
    ['keys', 'create', '--help'],
    ['keys', 'rotate', '-h'],
    ['import', '--help'],
    ['export', '--help'],
    ['share', '--help'],
    ['backup', '--help'],
    ['check', '--help'],
  ]) {
    test(`assay ${args.join(' ')} prints to standard output and exits 0`, async () => {
      const { code, stdout, stderr } = await assay(args)
      assert.deepEqual([code, stderr], [0, ''])
      assert.match(stdout, /^Usage: assay /)
    })
  }
})
