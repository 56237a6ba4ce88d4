// assay import of Assay's own files: what becomes of them, what is refused and how it is told.
import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { runCommand } from '../../src/cli/commands.ts'
import { importOptions } from '../../src/cli/import-files.ts'
import { findingsOf } from '../../src/import/importer.ts'
import { scenarios } from '../../src/import/scenarios.ts'
import { Source } from '../../src/import/source.ts'
import type { Found } from '../../src/schema/findings.ts'
import { readSettings } from '../../src/settings.ts'
import { assay, freshFolder } from '../harness.ts'
import { claimants } from '../import/importing.ts'

const folder = freshFolder()
let made = 0

/** A file of this content. */
function file(content: string, name = `file-${made}`): string {
  made += 1
  const path = join(folder, name)
  writeFileSync(path, content)
  return path
}

const SCENARIO = (id: string, more = '') =>
  `{"id":"${id}","inputs":[{"name":"q","type":"text","value":"${id}?"}],"outputs":[{"result":{"type":"text","value":"a"}}]${more}}`
const REVISION = (number: number | null, config = 'c') =>
  `{${number === null ? '' : `"revision":${number},`}"modified_by":"Ana","config":{"config_name":"${config}"},"created_at":"2026-01-01T00:00:00Z"}`

interface Report {
  accepted: number
  unchanged: number
  refused: number
  skipped: string[]
  files: {
    file: string
    format: string
    stored: boolean
    evaluations: { id: string; accepted: number; unchanged: number }[]
    variants: { id: string; accepted: number; unchanged: number }[]
    refusals: { record: number | null; line: number; pointer: string; detail: string }[]
  }[]
}

async function importInto(data: string, ...args: string[]): Promise<Report & { code: number | null }> {
  const { code, stdout, stderr } = await assay(['import', '--data', data, '--json', ...args])
  assert.ok(stdout !== '', stderr)
  return { code, ...JSON.parse(stdout) }
}

async function exported(data: string, id: string, ...args: string[]): Promise<string> {
  const output = join(freshFolder(), 'exported')
  await runCommand(['export', id, '--data', data, '--output', output, ...args])
  return readFileSync(output, 'utf8')
}

describe('scenarios', () => {
  test('one a line and as an array, with and without --evaluation', async () => {
    const data = freshFolder()
    const lines = file(`${SCENARIO('a')}\r\n\n${SCENARIO('b')}`)
    const array = file(` [ ${SCENARIO('a', ',"evaluation_id":"mine"')} ,\n${SCENARIO('b')}]\n`)
    const named = await importInto(data, lines, '--evaluation', 'lines')
    assert.deepEqual(named.files[0]?.evaluations, [{ id: 'lines', accepted: 2, unchanged: 0 }])
    const own = await importInto(data, array)
    assert.deepEqual(own.files[0]?.evaluations, [{ id: 'mine', accepted: 2, unchanged: 0 }])
    const [ofLines, ofArray] = [await exported(data, 'lines'), await exported(data, 'mine')]
    assert.equal(ofLines.replaceAll('"lines"', '"mine"'), ofArray)
  })

  test('an evaluation that nobody names has an id made of the content, the same each time', async () => {
    const data = freshFolder()
    const lines = file(`${SCENARIO('a')}\n`)
    const first = await importInto(data, lines)
    const again = await importInto(data, lines)
    const [id] = first.files[0]?.evaluations.map(({ id }) => id) ?? []
    assert.match(id ?? '', /^[0-9a-f]{16}$/)
    assert.deepEqual(again.files[0]?.evaluations, [{ id, accepted: 0, unchanged: 1 }])
    assert.equal(again.code, 0)
  })

  test('from standard input', async () => {
    const data = freshFolder()
    const { code, stdout } = await assay(
      ['import', '-', '--data', data, '--evaluation', 'e'],
      {},
      SCENARIO('a'),
    )
    assert.equal(code, 0)
    assert.equal(stdout, '-: evaluation e: 1 scenario added, 0 unchanged\n')
    assert.deepEqual(readdirSync(data), ['assay.db'])
  })

  test('several files, each on its own: a bad one stores nothing and hinders no other', async () => {
    const data = freshFolder()
    const files = [file(SCENARIO('a')), file(`${SCENARIO('b')}\n{"inputs":1}`), file(SCENARIO('c'))]
    const report = await importInto(data, ...files, '--evaluation', 'e')
    assert.equal(report.code, 1)
    assert.deepEqual(
      report.files.map(({ stored }) => stored),
      [true, false, true],
    )
    assert.deepEqual([report.accepted, report.refused], [2, 1])
    assert.equal((await exported(data, 'e', '--format', 'ndjson')).split('\n').length, 3)
  })

  test('another project has its own', async () => {
    const data = freshFolder()
    const path = file(SCENARIO('a'))
    for (const project of ['one', 'two']) {
      assert.equal((await importInto(data, path, '--evaluation', 'e', '--project', project)).accepted, 1)
    }
    const { code, stderr } = await assay(['export', 'e', '--data', data])
    assert.equal(code, 1)
    assert.match(stderr, /^assay: The project 'default' has no evaluation 'e'\.\n.+\n$/)
  })

  test('--variant says what was evaluated, and makes it where it is not there', async () => {
    const data = freshFolder()
    await importInto(data, file(SCENARIO('a')), '--evaluation', 'e', '--variant', 'v')
    const [preface = ''] = (await exported(data, 'e', '--full')).split('\n')
    assert.equal(JSON.parse(preface).evaluation.variant_id, 'v')
    assert.equal(JSON.parse(preface).variant.id, 'v')
  })

  test('an array without scenarios needs a name', async () => {
    const data = freshFolder()
    const path = file('[]')
    const unknown = await assay(['import', path, '--data', data])
    assert.equal(unknown.code, 1)
    assert.match(unknown.stderr, /of no format that Assay knows\.\nLooked for: scenarios .*; revisions /)
    const named = await importInto(data, path, '--format', 'scenarios', '--evaluation', 'none')
    assert.deepEqual(named.files[0]?.evaluations, [{ id: 'none', accepted: 0, unchanged: 0 }])
    assert.equal(await exported(data, 'none'), '[]')
  })
})

describe('what is refused is told with its place, and nothing of the file is stored', () => {
  const cases: [name: string, content: string, refusal: object][] = [
    [
      'a member that is unknown',
      `${SCENARIO('a')}\n${SCENARIO('b', ',"inpts":1')}`,
      { record: 2, line: 2, pointer: '/inpts' },
    ],
    [
      'a member that is missing',
      `[${SCENARIO('a')},\n\n{"inputs":[{"name":"x","value":1}]}]`,
      { record: 2, line: 3, pointer: '/inputs/0' },
    ],
    [
      'a name that stands twice',
      `${SCENARIO('a', ',"extra":{"x":1,"\\u0078":2}')}`,
      { record: 1, line: 1, pointer: '/extra/x' },
    ],
    ['a line that is not JSON', `${SCENARIO('a')}\n{"inputs":NaN}`, { record: 2, line: 2, pointer: '' }],
    [
      'an array that is cut off',
      `[${SCENARIO('a')},\n${SCENARIO('b')}`,
      { record: null, line: 2, pointer: '' },
    ],
    ['something behind the array', `[${SCENARIO('a')}]\n]`, { record: null, line: 2, pointer: '' }],
    [
      'an id that stands twice with other content',
      `${SCENARIO('a')}\n${SCENARIO('a', ',"correct_answers":[]')}`,
      { record: 2, line: 2, pointer: '/id' },
    ],
    ['an id that cannot be one', `${SCENARIO('.')}`, { record: 1, line: 1, pointer: '/id' }],
    [
      'an evaluation that cannot be one',
      SCENARIO('a', ',"evaluation_id":".."'),
      { record: 1, line: 1, pointer: '/evaluation_id' },
    ],
    [
      'a preface that does not fit',
      `{"evaluation":{"id":"e","nme":1},"variant":null,"revision":null}\n${SCENARIO('a')}`,
      { record: 1, line: 1, pointer: '/evaluation/nme' },
    ],
  ]
  // All of them at once: a process takes longer than what it does here.
  const data = freshFolder()
  const files = cases.map(([, content]) => file(content))
  const reports = importInto(data, ...files, '--evaluation', 'e')
  for (const [index, [name, , expected]] of cases.entries()) {
    test(name, async () => {
      const report = (await reports).files[index]
      const { detail, ...place } = report?.refusals[0] ?? { detail: '' }
      assert.deepEqual(place, expected)
      assert.ok(detail.length > 10)
      assert.equal(report?.stored, false)
    })
  }

  test('a scenario of another evaluation', async () => {
    const mixed = file(`${SCENARIO('a', ',"evaluation_id":"x"')}\n${SCENARIO('b', ',"evaluation_id":"y"')}`)
    const { code, files } = await importInto(data, mixed)
    assert.equal(code, 1)
    const { detail, ...place } = files[0]?.refusals[0] ?? { detail: '' }
    assert.deepEqual(place, { record: 2, line: 2, pointer: '/evaluation_id' })
    assert.match(detail, /--evaluation ID takes them all into one/)
  })

  test('in the store nothing is left of any of them', async () => {
    assert.equal((await reports).code, 1)
    const { stdout } = await assay(['check', '--data', data, '--json'])
    const nothing = { evaluations: 0, scenarios: 0, variants: 0, revisions: 0, faults: [] }
    assert.deepEqual(JSON.parse(stdout), nothing)
    const { stderr } = await assay(['import', files[0] ?? '', '--data', data, '--evaluation', 'e'])
    assert.match(
      stderr,
      /^assay: One record was refused; nothing of .* was stored\.\nMend them, or import the others with --skip-invalid\.\n$/,
    )
  })

  test('--skip-invalid stores the others and lists what was left out', async () => {
    const data = freshFolder()
    const content = `${SCENARIO('a')}\n{"inputs":1}\n{bad\n${SCENARIO('b')}\n${SCENARIO('a', ',"note":"n","extra":{}')}`
    const report = await importInto(data, file(content), '--evaluation', 'e', '--skip-invalid')
    assert.equal(report.code, 1)
    assert.deepEqual([report.accepted, report.refused, report.files[0]?.stored], [2, 3, true])
    assert.deepEqual(
      report.files[0]?.refusals.map(({ line }) => line),
      [2, 3, 5],
    )
    const lines = (await exported(data, 'e', '--format', 'ndjson')).trimEnd().split('\n')
    assert.deepEqual(
      lines.map((line) => JSON.parse(line).id),
      ['a', 'b'],
    )
    assert.equal((await assay(['check', '--data', data])).code, 0)
  })

  test('--skip-invalid of an array that is cut off stores what stands before the cut', async () => {
    const data = freshFolder()
    const content = `[${SCENARIO('a')},${SCENARIO('b')},${SCENARIO('c').slice(0, 30)}`
    const report = await importInto(data, file(content), '--evaluation', 'e', '--skip-invalid')
    assert.deepEqual([report.code, report.accepted, report.refused], [1, 2, 1])
  })

  test('--dry-run says what would be and stores nothing', async () => {
    const data = freshFolder()
    await importInto(data, file(SCENARIO('a')), '--evaluation', 'e')
    const dry = await importInto(
      data,
      file(`${SCENARIO('a')}\n${SCENARIO('b')}`),
      '--evaluation',
      'e',
      '--dry-run',
    )
    assert.deepEqual([dry.code, dry.accepted, dry.unchanged, dry.files[0]?.stored], [0, 1, 1, false])
    assert.equal((await exported(data, 'e', '--format', 'ndjson')).split('\n').length, 2)
    const nowhere = join(freshFolder(), 'nowhere')
    const empty = await importInto(nowhere, file(SCENARIO('a')), '--dry-run', '--evaluation', 'e')
    assert.deepEqual([empty.code, empty.accepted, empty.files[0]?.stored], [0, 1, false])
    assert.ok(!existsSync(nowhere))
  })

  test('a record beyond the limits', async () => {
    const data = freshFolder()
    const long = await importInto(
      data,
      file(SCENARIO('x'.repeat(100), `,"note":"${'n'.repeat(2000)}"`)),
      '--evaluation',
      'e',
      '--max-record-bytes',
      '1024',
    )
    assert.match(long.files[0]?.refusals[0]?.detail ?? '', /larger than 1024 bytes/)
    const deep = await importInto(
      data,
      file(SCENARIO('a', `,"extra":{"a":${'['.repeat(7)}${']'.repeat(7)}}`)),
      '--evaluation',
      'e',
      '--max-depth',
      '8',
    )
    assert.match(deep.files[0]?.refusals[0]?.detail ?? '', /nested deeper than 8/)
  })

  test('a file that is not there, an empty folder, and a file of another kind', async () => {
    const data = freshFolder()
    for (const [path, says] of [
      [join(folder, 'none'), /Cannot read .*ENOENT/],
      [freshFolder(), /holds no file that Assay can read/],
      [file('hello'), /of no format that Assay knows/],
      [file('{"name":"assay"}'), /of no format that Assay knows/],
      [file(''), /of no format that Assay knows/],
    ] as const) {
      const { code, stderr } = await assay(['import', path, '--data', data])
      assert.equal(code, 1)
      assert.match(stderr, says)
      assert.equal(stderr.trimEnd().split('\n').length, 2)
    }
  })
})

test('a full export is refused where the evaluation is there and differs', async () => {
  const data = freshFolder()
  const full = (name: string) =>
    `{"evaluation":{"id":"e","name":"${name}","created_at":"2026-01-01T00:00:00Z","metadata":{"a":1.0}},"variant":null,"revision":null}\n${SCENARIO('a')}`
  assert.equal((await importInto(data, file(full('A')))).code, 0)
  assert.equal((await importInto(data, file(full('A')))).unchanged, 1)
  const other = await importInto(data, file(full('B')))
  assert.deepEqual([other.code, other.files[0]?.refusals[0]?.pointer], [1, '/evaluation/name'])
})

test('where one of several files is not there, nothing is stored of the others', async () => {
  const data = freshFolder()
  const report = await importInto(data, file(SCENARIO('a')), join(folder, 'none'), '--evaluation', 'e')
  assert.deepEqual([report.code, report.accepted, report.files], [1, 0, []])
})

test('a folder stands for the files in it that are of a known format', async () => {
  const data = freshFolder()
  const [mixed, inner] = [freshFolder(), 'inner']
  mkdirSync(join(mixed, inner))
  writeFileSync(join(mixed, 'b.jsonl'), SCENARIO('b'))
  writeFileSync(join(mixed, inner, 'a.json'), `[${SCENARIO('a')}]`)
  writeFileSync(join(mixed, 'README'), 'hello')
  const report = await importInto(data, mixed, '--evaluation', 'e')
  assert.deepEqual([report.code, report.accepted], [0, 2])
  assert.deepEqual(report.skipped, [join(mixed, 'README')])
  const none = await assay([
    'import',
    join(mixed, inner),
    '--data',
    data,
    '--format',
    'revisions',
    '--variant',
    'v',
  ])
  assert.equal(none.code, 1, 'what is named is read as what it is called')
})

test('of a folder, links to files are followed, and links to folders are not', async () => {
  const [real, linked] = [freshFolder(), freshFolder()]
  writeFileSync(join(real, 'a.json'), `[${SCENARIO('a')}]`)
  symlinkSync(join(real, 'a.json'), join(linked, 'a.json'))
  symlinkSync('.', join(linked, 'loop'))
  symlinkSync(real, join(linked, 'real'))
  symlinkSync('nowhere', join(linked, 'nothing'))
  const report = await importInto(freshFolder(), linked, '--evaluation', 'e')
  assert.deepEqual(
    report.files.map(({ file }) => file),
    [join(linked, 'a.json')],
  )
  assert.deepEqual(report.skipped, [join(linked, 'nothing')])
})

test('runs of two revisions do not go into one evaluation', async () => {
  const data = freshFolder()
  const runs = ['echo-run.json', 'echo-run-edited.json'].map((name) =>
    fileURLToPath(new URL(`../fixtures/import/promptfoo/${name}`, import.meta.url)),
  )
  const report = await importInto(data, ...runs, '--evaluation', 'one')
  assert.deepEqual([report.code, report.files.map(({ stored }) => stored)], [1, [true, false]])
  assert.match(
    report.files[1]?.refusals[0]?.detail ?? '',
    /ran revision 1 of 'Greetings', this ran revision 2/,
  )
})

test('what an evaluation is cannot be skipped: nothing of the file is stored', async () => {
  const data = freshFolder()
  const full = (evaluation: string, config: string) =>
    `{"evaluation":{"id":"${evaluation}","name":"${evaluation}","variant_id":"v","revision":2},"variant":{"id":"v","name":"v","created_at":"2025-01-01T00:00:00Z"},"revision":{"revision":2,"modified_by":"x","config":{"config_name":"${config}","parameters":{}}}}\n${SCENARIO('a')}`
  assert.equal((await importInto(data, file(full('one', 'A')))).code, 0)
  const other = await importInto(data, file(full('two', 'B')), '--skip-invalid')
  assert.deepEqual([other.code, other.files[0]?.stored], [1, false])
  assert.equal((await assay(['export', 'two', '--data', data])).code, 1)
  const run = (index: number, model: string) =>
    `{"run_id":"r","data_source_idx":${index},"item":{"q":"a"},"sample":{"model":"${model}","outputs":[]},"grades":{"g":1}}`
  assert.equal((await importInto(data, file(run(0, 'A')), '--variant', 'o')).code, 0)
  const mixed = await importInto(data, file(run(9, 'B')), '--variant', 'o', '--skip-invalid')
  assert.deepEqual([mixed.code, mixed.files[0]?.stored], [1, false])
  assert.equal(JSON.parse(await exported(data, 'r')).length, 1)
})

test('an object over several lines is told as such, and not line by line', async () => {
  const report = await importInto(freshFolder(), file(JSON.stringify(JSON.parse(SCENARIO('a')), null, 2)))
  assert.deepEqual([report.code, report.files[0]?.refusals.length], [1, 1])
  assert.match(report.files[0]?.refusals[0]?.detail ?? '', /Put it on one line, or into an array/)
})

test('a byte order mark is no hindrance', async () => {
  const report = await importInto(freshFolder(), file(`\ufeff[${SCENARIO('a')}]`), '--evaluation', 'e')
  assert.deepEqual([report.code, report.accepted], [0, 1])
})

test('a file that is changed while it is read is refused', async () => {
  const path = file(`${SCENARIO('a')}\n`)
  const source = await Source.open(path, folder)
  const options = readSettings('import', ['--evaluation', 'e']).settings
  const found: Found[] = []
  for await (const one of findingsOf(
    scenarios,
    source,
    importOptions(options, () => undefined),
  )) {
    if (found.length === 0) writeFileSync(path, `${SCENARIO('a')}\n${SCENARIO('b')}\n`)
    found.push(one)
  }
  await source.close()
  const last = found.at(-1)
  assert.ok(last?.kind === 'refusal')
  assert.match(last.detail, /changed while it was read/)
})

test('from a pipe that has a name', async () => {
  const data = freshFolder()
  const pipe = join(folder, 'pipe')
  assert.equal(spawnSync('mkfifo', [pipe]).status, 0)
  const importing = importInto(data, pipe, '--evaluation', 'e')
  await writeFile(pipe, SCENARIO('a'))
  assert.equal((await importing).accepted, 1)
})

describe('revisions', () => {
  test('need a variant, keep their numbers, and change nothing when they come again', async () => {
    const data = freshFolder()
    const path = file(`[${REVISION(0)},${REVISION(3, 'd')}]`)
    const unnamed = await assay(['import', path, '--data', data])
    assert.equal(unnamed.code, 2)
    assert.match(unnamed.stderr, /holds revisions and names no variant\.\nName it with --variant ID, .*\n$/)
    const first = await importInto(data, path, '--variant', 'v')
    assert.deepEqual(first.files[0]?.variants, [{ id: 'v', accepted: 2, unchanged: 0 }])
    const again = await importInto(data, path, '--variant', 'v')
    assert.deepEqual(again.files[0]?.variants, [{ id: 'v', accepted: 0, unchanged: 2 }])
  })

  test('without numbers are added once for each configuration', async () => {
    const data = freshFolder()
    const path = file(`${REVISION(null, 'a')}\n${REVISION(null, 'b')}\n${REVISION(null, 'a')}`)
    const report = await importInto(data, path, '--variant', 'v')
    assert.deepEqual(report.files[0]?.variants, [{ id: 'v', accepted: 2, unchanged: 1 }])
  })

  test('a number that holds something else is refused', async () => {
    const data = freshFolder()
    await importInto(data, file(REVISION(1)), '--variant', 'v')
    const report = await importInto(data, file(`${REVISION(2)}\n${REVISION(1, 'other')}`), '--variant', 'v')
    assert.deepEqual([report.code, report.refused, report.files[0]?.stored], [1, 1, false])
    assert.deepEqual(report.files[0]?.refusals[0]?.pointer, '/revision')
    const { stdout } = await assay(['check', '--data', data, '--json'])
    assert.equal(JSON.parse(stdout).revisions, 1)
  })
})

test('each of the formats is claimed by exactly one importer', async () => {
  const cases = [
    [SCENARIO('a'), 'scenarios'],
    [`[${SCENARIO('a')}]`, 'scenarios'],
    ['{"evaluation":{"id":"e"},"variant":null,"revision":null}\n', 'scenarios'],
    // Longer than what is looked at.
    [`{"id":"a","inputs":[{"name":"x","type":"t","value":"${'x'.repeat(200_000)}"}]}`, 'scenarios'],
    [REVISION(1), 'revisions'],
    [`[${REVISION(1)}]`, 'revisions'],
  ] as const
  for (const [content, name] of cases) {
    assert.deepEqual(await claimants(file(content)), [name])
  }
})
