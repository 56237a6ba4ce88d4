// Tests of usage errors: every command exits with 2 and prints a message and a hint. Also tests --help.
import assert from 'node:assert/strict'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { describe, test } from 'node:test'
import { commandHelp } from '../../src/cli/command.ts'
import { COMMANDS, runCommand } from '../../src/cli/commands.ts'
import { CommandError } from '../../src/errors.ts'
import { SETTINGS } from '../../src/settings/setting-table.ts'
import { flagOf, helpOf, readSettings, settingsOf } from '../../src/settings/settings.ts'
import { runAssayCommand as runAssay } from '../support/command-runner/run.ts'
import { createTempFolder } from '../support/harness.ts'

const data = join(createTempFolder(), 'data')
const UNKNOWN_KEY = 'aaaaaaaaaaaa'

const USAGE_ERRORS: [args: string[], expected: RegExp][] = [
  [[], /The command is missing/],
  [['dance'], /Unknown command 'dance'/],
  [['constructor'], /Unknown command 'constructor'/],
  [['keys'], /Unknown command 'keys'/],
  [['keys', 'dance'], /Unknown command 'keys dance'/],
  [['serve', '--dance'], /Unknown option '--dance'/],
  [['serve', 'now'], /expects no arguments, but got 1/],
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
  [['serve', '--public-url', 'https://evals.example//assay'], /empty path segments/],
  [
    ['serve', '--cors-origin', 'https://a.example/'],
    /--cors-origin is 'https:\/\/a.example\/', which is not an origin/,
  ],
  [['serve', '--cors-origin', '*'], /--cors-origin/],
  [['serve', '--trust-proxy'], /--trust-proxy.+argument/],
  ...[
    'true',
    'false',
    '0',
    '100',
    '-1',
    '1.5',
    'nginx',
    '10.0.0.0/33',
    '0.0.0.0/0',
    '::/0',
    '::1/129',
    '1,10.0.0.1',
    '::1%lo',
  ].map((value): [string[], RegExp] => [
    ['serve', `--trust-proxy=${value}`],
    /--trust-proxy is '.+', which is neither a number of proxies from 1 to 99 nor a list of addresses\./,
  ]),
  [['serve', '--log-level', 'loud'], /--log-level is 'loud'/],
  [['serve', '--database', 'mysql://x'], /mysql:…/],
  [['serve', '--project', 'x'], /Unknown option '--project'/],
  [['keys', 'create', 'x'], /expects no arguments, but got 1/],
  [['keys', 'create', '--scope', 'admin'], /scope 'admin'/],
  [['keys', 'create', '--scope', ','], /The scope is missing/],
  [['keys', 'create', '--scope', 'read,review'], /assay share --review REVIEW/],
  [['keys', 'create', '--expires', 'soon'], /--expires is 'soon'/],
  [['keys', 'create', '--expires', '2020-01-01T00:00:00Z'], /is in the past/],
  [['keys', 'create', '--expires', '2027-02-31T99:00:00Z'], /is not a valid time/],
  [['keys', 'create', '--project', ''], /--project is empty/],
  [['keys', 'create', '--project', 'a\nb'], /--project must have 1 to 200 printable characters/],
  [['keys', 'create', '--name', 'a\u001bb'], /--name must have 1 to 200 printable characters/],
  [['keys', 'create', '--expires', '2027-02-30T00:00:00Z'], /is not a valid time/],
  [['serve', '--host', ''], /--host is empty/],
  [['keys', 'list', 'x'], /expects no arguments, but got 1/],
  [['keys', 'list', '--name', 'x'], /Unknown option '--name'/],
  [['keys', 'revoke'], /expects one argument \(PUBLIC_ID\)/],
  [['keys', 'revoke', 'a', 'b'], /expects one argument \(PUBLIC_ID\)/],
  [['keys', 'revoke', 'short'], /12 characters/],
  [['keys', 'rotate'], /expects one argument \(PUBLIC_ID\)/],
  [['import'], /expects arguments \(FILE…\), but got 0/],
  [['import', 'x', '--format', 'dance'], /no format 'dance'/],
  [['import', '-', '-'], /Standard input \(-\) can be used only once/],
  [['import', 'x', '--evaluation', '..'], /--evaluation must have 1 to 200 printable characters/],
  [['import', 'x', '--max-record-bytes', '1'], /--max-record-bytes is '1'/],
  [['export'], /expects one argument \(EVALUATION\)/],
  [['export', 'x', '--format', 'xml'], /--format is 'xml'/],
  [['export', 'x', '--csv', 'excel'], /--csv needs --format csv/],
  [['export', 'x', '--format', 'csv', '--csv', 'calc'], /--csv is 'calc'/],
  [['export', 'x', '--full', '--format', 'csv'], /--full always writes NDJSON/],
  [['export', 'x', '--full', '--filter', 'latency=gt.1'], /--full exports all rows/],
  [['export', 'x', '--filter', 'latency'], /--filter is 'latency', but must be like --filter result\./],
  [
    ['export', 'x', '--filter', 'speed=gt.1'],
    /There is no filter 'speed'\. Filters: q, latency, .*result\.<evaluator>/,
  ],
  [
    ['show', 'x', '--filter', 'latency=gt.1', '--filter', 'latency=3'],
    /'latency=3' is invalid\. Use 'latency=eq\.3'/,
  ],
  [['show', 'x', '--filter', 'result.is ok=false'], /Use 'result\.is ok=is\.false'/],
  [['show', 'x', '--filter', 'delta.a=lt.0'], /Set its id with --base/],
  [['show', 'x', '--filter', 'q=a', '--filter', 'q=b'], /q can be used only once/],
  [['show', 'x', '--base', 'b'], /--base needs a filter/],
  [['show', '--variant', 'x', '--filter', 'latency=gt.1'], /cannot be combined/],
  [['compare'], /expects one candidate, or a baseline and one to three candidates, but got 0/],
  [['compare', 'a', 'b', 'c', 'd', 'e'], /but got 5/],
  [['compare', 'a', 'b', 'a'], /'a' is listed twice/],
  [['compare', 'a', 'b', '--json', '--markdown'], /cannot be combined/],
  [['compare', 'a', 'b', '--fail-on-regression', '--tolerance', '-1'], /--tolerance is '-1'.* 0\.02/],
  [['compare', 'a', 'b', '--fail-on-regression', '--tolerance', '.5'], /--tolerance is '.5'.* 0\.02/],
  [['compare', 'a', 'b', '--fail-on-regression', '--tolerance', '2%'], /--tolerance is '2%'/],
  [['compare', 'a', 'b', '--fail-on-regression', '--tolerance', '1e999'], /--tolerance is '1e999'/],
  [['compare', 'a', 'b', '--by', 'topic'], /--by is 'topic', but must be input\.NAME, .* or error/],
  [['compare', 'a', 'b', '--by', 'input.x', '--join', 'id'], /--by and --join cannot be combined/],
  [['breakdown', 'a', '--by', 'id'], /--by is 'id', but must be input\.NAME, .* or error/],
  [['breakdown', '--by', 'error'], /expects one argument \(EVALUATION\)/],
  [['breakdown', 'a'], /grouped by with --by/],
  [['leaderboard'], /Name the evaluations to rank, their family, or their variant/],
  [['leaderboard', 'a', '--variant', 'v'], /evaluations or a variant with --variant, not both/],
  [['leaderboard', 'a', 'b', 'a'], /'a' is listed twice/],
  [['leaderboard', 'a', ''], /The id of an evaluation is empty/],
  [['leaderboard', 'a', 'b', '--on', 'x,y'], /ranks by one evaluator/],
  [['leaderboard', 'a', 'b', '--format', 'ndjson'], /--format is 'ndjson', which is not one of json, csv/],
  [['leaderboard', 'a', 'b', '--json', '--format', 'csv'], /cannot be combined/],
  [['leaderboard', 'a', 'b', '--csv', 'excel'], /--csv needs --format csv/],
  [['leaderboard', 'a', 'b', '--format', 'csv', '--csv', 'x'], /--csv is 'x', which is not excel/],
  [['agreement', 'a', '--with', 'b'], /Name two evaluators/],
  [['share'], /Nothing to share/],
  [
    ['share', 'a', 'b', 'c', 'd', 'e'],
    /expects one evaluation, a baseline and .*, --variant or --review, but got 5/,
  ],
  [['share', 'a', 'b', 'a'], /'a' is listed twice/],
  [['share', 'a', '--variant', 'v'], /cannot be combined/],
  [['share', 'a', '--expires', '2020-01-01T00:00:00Z'], /is in the past/],
  [['share', 'a', '--name', 'a\u001bb'], /--name must have 1 to 200 printable characters/],
  [['share', 'a', '--review', 'r', '--name', 'Maya'], /cannot be combined/],
  [['share', '--variant', 'v', '--review', 'r'], /cannot be combined/],
  [['share', '--review', 'r'], /needs the name of the reviewer/],
  [['share', 'a', '--port', '9000'], /Unknown option '--port'/],
  [['share', 'a', '--public-url', 'evals.example'], /--public-url is 'evals.example'/],
  [['backup'], /expects one argument \(FILE\)/],
  [['restore'], /expects one argument \(FILE\)/],
  [['restore', 'x', '--database', 'postgres://u@127.0.0.1/x'], /does not support PostgreSQL/],
  [['check', 'x'], /expects no arguments, but got 1/],
  [['keys', 'rotate', UNKNOWN_KEY, '--overlap', 'x'], /--overlap is 'x'/],
  [['list', '--variants', '--variant', 'v'], /cannot be combined/],
  [['list', '--limit', '0'], /--limit is '0'/],
  [['show'], /Name one evaluation, or a variant with --variant/],
  [['delete', 'a', '--variant', 'v'], /cannot be combined/],
  [['revisions'], /expects one argument \(VARIANT\)/],
  [['diff', 'v', '1'], /expects a variant and two revision numbers/],
  [['prune'], /Set the age of the evaluations with --older-than/],
  [['projects'], /Unknown command 'projects'/],
  [['projects', 'delete'], /expects one argument \(NAME\)/],
  [['list', '--url', 'http://127.0.0.1:9'], /--url and --data cannot be combined/],
]

describe('usage errors', () => {
  const withDataFolder = (args: string[]) =>
    args.length < 2 && !Object.hasOwn(COMMANDS, args[0] ?? '')
      ? args
      : [...args, ...(args.includes('--database') ? [] : ['--data', data])]

  // Runs in this process, because starting a new one is slow.
  for (const [args, expected] of USAGE_ERRORS) {
    test(`assay ${args.join(' ')}`, async () => {
      const failure = await runCommand(withDataFolder(args)).catch((error) => error)
      assert.ok(failure instanceof CommandError, String(failure))
      assert.equal(failure.exitCode, 2)
      assert.match(failure.message, expected)
      assert.doesNotMatch(`${failure.message}${failure.hint}`, /\n/)
      assert.ok(failure.hint.length > 0)
      assert.ok(!existsSync(data), 'no store is created')
    })
  }

  const SERVICE = { ASSAY_URL: 'http://127.0.0.1:9' }
  const SETTINGS_ERRORS: [command: string, flags: string[], env: Record<string, string>, message: RegExp][] =
    [
      ['list', [], { ...SERVICE, ASSAY_DATA: 'x' }, /ASSAY_URL and ASSAY_DATA are both set/],
      ['list', ['--project', 'x'], SERVICE, /the API key determines the project/],
      ['import', ['--max-record-bytes', '9'], SERVICE, /--max-record-bytes works on a local store only/],
      ['list', ['--statement-timeout', '9s'], SERVICE, /--statement-timeout works on a local store only/],
      ['import', ['--key', 'k'], {}, /--key needs the URL of a service/],
      ['import', [], { ASSAY_URL: '', ASSAY_KEY: 'k' }, /ASSAY_KEY is set, but ASSAY_URL is empty/],
      ['keys list', [], SERVICE, /assay keys list works on a local store only, but ASSAY_URL is set/],
      ['prune', ['--url=http://x', '--data', 'x'], {}, /works on a local store only, but --url is set/],
    ]
  for (const [command, flags, env, message] of SETTINGS_ERRORS)
    test(`assay ${command} ${flags.join(' ')} with ${Object.keys(env).join(' and ') || 'no variable'}`, () => {
      assert.throws(() => readSettings(command, flags, env), { message })
    })

  test('ASSAY_FORMAT is the format of imports only', () => {
    const environment = { ASSAY_FORMAT: 'promptfoo' }
    assert.equal(readSettings('import', ['x'], environment).settings.format, 'promptfoo')
    assert.equal(readSettings('export', ['x'], environment).settings.format, undefined)
  })

  test('a flag selects the store or the service over the variable of the other', () => {
    const fromStore = readSettings('list', ['--data', 'x'], SERVICE).settings
    assert.deepEqual([fromStore.data, fromStore.url], ['x', undefined])
    const fromService = readSettings('list', ['--url', 'http://y/'], { ASSAY_DATABASE: 'sqlite:x' }).settings
    assert.equal(fromService.url, 'http://y')
    assert.equal(readSettings('keys list', ['--data', 'x'], SERVICE).settings.data, 'x')
  })

  test('a service without an API key', async () => {
    const failure = await runCommand(['list', '--url', 'http://127.0.0.1:9']).catch((error) => error)
    assert.deepEqual([failure.exitCode, failure.message.includes('ASSAY_KEY')], [2, true])
  })

  describe('suggests the nearest name', () => {
    const cases: [args: string[], suggestion: string | undefined][] = [
      [['improt', 'x'], 'Did you mean assay import?'],
      [['comapre'], 'Did you mean assay compare?'],
      [['keys', 'creat'], 'Did you mean assay keys create?'],
      [['dance'], undefined],
      [['export', 'x', '--ouput', 'f'], 'Did you mean --output?'],
      [['compare', 'a', 'b', '--fail-on-regresion'], 'Did you mean --fail-on-regression?'],
      [['list', '--xyz'], undefined],
      [['list', '-x'], undefined],
    ]
    for (const [args, suggestion] of cases)
      test(`assay ${args.join(' ')}`, async () => {
        const { code, stderr } = await runAssay(args)
        assert.equal(code, 2)
        if (suggestion === undefined) assert.doesNotMatch(stderr, /Did you mean/)
        else assert.ok(stderr.includes(suggestion), stderr)
        assert.equal(stderr.trimEnd().split('\n').length, 2)
      })
  })

  test('exits with 2 and prints a message and a hint', async () => {
    const { code, stdout, stderr } = await runAssay(['serve', '--port', 'x'])
    assert.deepEqual([code, stdout], [2, ''])
    assert.match(stderr, /^assay: --port is 'x'.*\n.+\n$/)
  })

  describe('rejects a URL as the data folder', () => {
    const commands = Object.keys(COMMANDS).filter((name) =>
      settingsOf(name).some(([known]) => known === 'data'),
    )
    for (const name of commands) {
      test(`assay ${name}`, async () => {
        const failure = await runCommand([
          ...name.split(' '),
          '--data',
          'http://u:secret@127.0.0.1:8080',
        ]).catch((error) => error)
        assert.ok(failure instanceof CommandError, String(failure))
        assert.equal(failure.exitCode, 2)
        assert.match(failure.message, /^--data is a URL \(http:…\), but must be a local folder\.$/)
        assert.match(failure.hint, /use --url and ASSAY_KEY/)
      })
    }

    for (const url of ['sqlite:x.db', 'postgres://u:secret@127.0.0.1/x', 'POSTGRESQL://x', 's3://bucket'])
      test(`ASSAY_DATA=${url}`, () => {
        assert.throws(() => readSettings('import', [], { ASSAY_DATA: url }), {
          exitCode: 2,
          message: /^ASSAY_DATA is a URL \(\w+:…\)/,
          hint: /--database/,
        })
      })

    for (const folder of ['data', '/var/lib/assay', 'C:\\data', './http:', 'a:b'])
      test(`accepts ${folder}`, () => {
        assert.equal(readSettings('import', ['--data', folder], {}).settings.data, folder)
      })
  })

  test('assay without arguments also prints what Assay is and lists the commands', async () => {
    const { code, stdout, stderr } = await runAssay([])
    assert.equal(code, 2)
    assert.match(
      stdout,
      /^Usage: assay COMMAND .*\n\nAssay stores the results of LLM evaluations .*\n\n {2}serve /,
    )
    assert.match(
      stderr,
      /^assay: The command is missing\.\nTo try it with sample data: assay serve --sample\n$/,
    )
  })

  test('names the environment variable with the invalid value', async () => {
    const { code, stderr } = await runAssay(['serve'], { ASSAY_PORT: 'x' })
    assert.equal(code, 2)
    assert.match(stderr, /^assay: ASSAY_PORT is 'x'.*\n.+\n$/)
  })
})

describe('other errors exit with 1 and print a message and a hint', () => {
  for (const command of ['revoke', 'rotate']) {
    test(`assay keys ${command} with an unknown key`, async () => {
      await runAssay(['keys', 'create', '--data', data])
      const { code, stderr } = await runAssay(['keys', command, UNKNOWN_KEY, '--data', data])
      assert.equal(code, 1)
      assert.match(stderr, /^assay: There is no key with the public id aaaaaaaaaaaa\.\n.+\n$/)
    })
  }

  test('assay serve on a port that is in use', async () => {
    const server = createServer().listen(0, '127.0.0.1')
    await once(server, 'listening')
    const { port } = server.address() as { port: number }
    const { code, stderr } = await runAssay([
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

  test('replaces control characters and line breaks of an id in the message', async () => {
    const { code, stderr } = await runAssay(['export', 'a\u001b[2J\nb\u202ec', '--data', data])
    assert.equal(code, 1)
    assert.match(stderr, /^assay: .*'a\ufffd\[2J\ufffdb\ufffdc'.*\n.+\n$/)
    assert.doesNotMatch(stderr.replaceAll('\n', ''), /[\p{Cc}\p{Cf}]/u)
  })

  test('assay keys list with a file that is not a store', async () => {
    const { code, stderr } = await runAssay(['keys', 'list', '--database', `sqlite:${import.meta.filename}`])
    assert.equal(code, 1)
    assert.match(stderr, /^assay: .* is not an Assay store\.\n.+\n$/)
  })
})

describe('help', () => {
  for (const args of [['--help'], ['keys', '--help'], ['keys', 'rotate', '-h']]) {
    test(`assay ${args.join(' ')} prints the help to standard output and exits with 0`, async () => {
      const { code, stdout, stderr } = await runAssay(args)
      assert.deepEqual([code, stderr], [0, ''])
      assert.match(stdout, /^Usage: assay /)
      for (const line of stdout.split('\n')) assert.ok(line.length <= 100, line)
    })
  }

  test('assay keys --help lists the commands of keys only', async () => {
    const { stdout } = await runAssay(['keys', '--help'])
    assert.match(stdout, /^Usage: assay keys COMMAND/)
    const listed = [...stdout.matchAll(/^ {2}(\w+ \w+)/gm)].map(([, name]) => name)
    assert.deepEqual(listed, ['keys create', 'keys list', 'keys revoke', 'keys rotate'])
  })

  const allFlags = Object.keys(SETTINGS).map(flagOf)
  for (const [name, entry] of Object.entries(COMMANDS)) {
    test(`assay ${name} --help has short lines, examples, and only settings of the command`, async () => {
      const text = commandHelp(name, entry, await entry.load())
      for (const line of text.split('\n')) assert.ok(line.length <= 100, line)
      const listedFlags = [...text.matchAll(/^ {2}(--[\w-]+)/gm)].map(([, flag]) => flag)
      const ownFlags = settingsOf(name).map(([setting]) => flagOf(setting))
      assert.deepEqual(listedFlags.toSorted(), ownFlags.toSorted())
      // What only this command has comes before the connection settings.
      const firstShared = listedFlags.findIndex((flag) => /^--(data|project|url)$/.test(flag ?? ''))
      const lastOwn = listedFlags.findLastIndex((flag) => /^--(filter|by|json|scope)$/.test(flag ?? ''))
      if (firstShared !== -1) assert.ok(lastOwn < firstShared, text)
      // A sentence about another command, such as "share: port of the link".
      assert.doesNotMatch(text, new RegExp(`(?:^|[ .])(?:${Object.keys(COMMANDS).join('|')}): `, 'm'))
      const mentionedFlags = [...text.matchAll(/--[a-z][\w-]+/g)].map(([flag]) => flag)
      const foreignFlags = mentionedFlags.filter(
        (flag) => allFlags.includes(flag) && !ownFlags.includes(flag),
      )
      assert.deepEqual(foreignFlags, [])
      for (const [setting, declaration] of settingsOf(name))
        assert.notEqual(helpOf(declaration, name), '', `${setting} has a text for ${name}`)
      assert.ok(entry.examples.length > 0)
      for (const example of entry.examples) {
        const args = example.split(' ').slice(1 + name.split(' ').length)
        assert.ok(example.startsWith(`assay ${name}`), example)
        const { positionals } = readSettings(name, args, {})
        const [min, max] = (await entry.load()).argumentCount ?? [0, 0]
        assert.ok(positionals.length >= min && positionals.length <= max, example)
      }
    })
  }
})
