// Tests of assay import with Assay's own formats: scenarios, revisions, rejected records and folders.
import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { writeFile } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { describe, test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { runCommand } from '../../src/cli/commands.ts'
import { importOptions } from '../../src/cli/import/input-files.ts'
import { scenarios } from '../../src/import/assay/scenarios.ts'
import { importEventsOf } from '../../src/import/importer.ts'
import { Source } from '../../src/import/source.ts'
import type { ImportEvent } from '../../src/schema/import-events.ts'
import { readSettings } from '../../src/settings/settings.ts'
import { runAssayCommand as runAssay } from '../support/command-runner/run.ts'
import { createTempFolder } from '../support/harness.ts'
import { detectingImporters } from '../support/import-file.ts'

const folder = createTempFolder()
let fileCount = 0

/** Creates a file with this content and returns its path. */
function file(content: string, name = `file-${fileCount}`): string {
  fileCount += 1
  const path = join(folder, name)
  writeFileSync(path, content)
  return path
}

const SCENARIO = (id: string, more = '') =>
  `{"id":"${id}","inputs":[{"name":"q","type":"text","value":"${id}?"}],"outputs":[{"result":{"type":"text","value":"a"}}]${more}}`
const REVISION = (number: number | null, config = 'c') =>
  `{${number === null ? '' : `"revision":${number},`}"modified_by":"Ana","config":{"config_name":"${config}"},"created_at":"2026-01-01T00:00:00Z"}`

/** What the report contains about an evaluation that no file describes. */
const NAMED = (id: string | undefined) => ({ name: id, updated: [] })

interface Report {
  read: number
  accepted: number
  accepted_revisions: number
  unchanged: number
  refused: number
  replaced: number
  skipped_scenarios: number
  skipped: string[]
  files: {
    file: string
    format: string
    stored: boolean
    evaluations: { id: string; name: string; updated: string[]; accepted: number; unchanged: number }[]
    variants: { id: string; accepted: number; unchanged: number }[]
    refusals: { record: number | null; line: number; pointer: string; detail: string }[]
  }[]
}

async function importInto(data: string, ...args: string[]): Promise<Report & { code: number | null }> {
  const { code, stdout, stderr } = await runAssay(['import', '--data', data, '--json', ...args])
  assert.ok(stdout !== '', stderr)
  return { code, ...JSON.parse(stdout) }
}

async function exportEvaluation(data: string, id: string, ...args: string[]): Promise<string> {
  const output = join(createTempFolder(), 'exported')
  await runCommand(['export', id, '--data', data, '--output', output, ...args])
  return readFileSync(output, 'utf8')
}

describe('scenarios', () => {
  test('can be one per line or an array, with and without --evaluation', async () => {
    const data = createTempFolder()
    const lines = file(`${SCENARIO('a')}\r\n\n${SCENARIO('b')}`)
    const array = file(` [ ${SCENARIO('a', ',"evaluation_id":"mine"')} ,\n${SCENARIO('b')}]\n`)
    const linesReport = await importInto(data, lines, '--evaluation', 'lines')
    assert.deepEqual(linesReport.files[0]?.evaluations, [
      { id: 'lines', ...NAMED('lines'), accepted: 2, unchanged: 0 },
    ])
    const arrayReport = await importInto(data, array)
    assert.deepEqual(arrayReport.files[0]?.evaluations, [
      { id: 'mine', ...NAMED('mine'), accepted: 2, unchanged: 0 },
    ])
    const [fromLines, fromArray] = [
      await exportEvaluation(data, 'lines'),
      await exportEvaluation(data, 'mine'),
    ]
    assert.equal(fromLines.replaceAll('"lines"', '"mine"'), fromArray)
  })

  test('without an evaluation id, the id is derived from the content', async () => {
    const data = createTempFolder()
    const lines = file(`${SCENARIO('a')}\n`)
    const firstReport = await importInto(data, lines)
    const secondReport = await importInto(data, lines)
    const [id] = firstReport.files[0]?.evaluations.map(({ id }) => id) ?? []
    assert.match(id ?? '', /^[0-9a-f]{16}$/)
    assert.deepEqual(secondReport.files[0]?.evaluations, [
      { id, name: basename(lines), updated: [], accepted: 0, unchanged: 1 },
    ])
    assert.equal(secondReport.code, 0)
  })

  test('can be read from standard input', async () => {
    const data = createTempFolder()
    const { code, stdout } = await runAssay(
      ['import', '-', '--data', data, '--evaluation', 'e'],
      {},
      SCENARIO('a'),
    )
    assert.equal(code, 0)
    assert.equal(
      stdout,
      '-: evaluation e: 1 scenario added, 0 unchanged\n' +
        '-: 1 record read: 1 added, 0 replaced, 0 unchanged, 0 skipped, 0 rejected\n',
    )
    assert.deepEqual(readdirSync(data), ['assay.db'])
  })

  test('an invalid file is not stored and does not affect the other files', async () => {
    const data = createTempFolder()
    const files = [file(SCENARIO('a')), file(`${SCENARIO('b')}\n{"inputs":1}`), file(SCENARIO('c'))]
    const report = await importInto(data, ...files, '--evaluation', 'e')
    assert.equal(report.code, 1)
    assert.deepEqual(
      report.files.map(({ stored }) => stored),
      [true, false, true],
    )
    assert.deepEqual([report.accepted, report.refused], [2, 1])
    assert.equal((await exportEvaluation(data, 'e', '--format', 'ndjson')).split('\n').length, 3)
  })

  test('the same evaluation id can exist in several projects', async () => {
    const data = createTempFolder()
    const path = file(SCENARIO('a'))
    for (const project of ['one', 'two']) {
      assert.equal((await importInto(data, path, '--evaluation', 'e', '--project', project)).accepted, 1)
    }
    const { code, stderr } = await runAssay(['export', 'e', '--data', data])
    assert.equal(code, 1)
    assert.match(stderr, /^assay: The project 'default' has no evaluation 'e'\.\n.+\n$/)
  })

  test('--variant sets the evaluated variant and creates it if it does not exist', async () => {
    const data = createTempFolder()
    await importInto(data, file(SCENARIO('a')), '--evaluation', 'e', '--variant', 'v')
    const [header = ''] = (await exportEvaluation(data, 'e', '--full')).split('\n')
    assert.equal(JSON.parse(header).evaluation.variant_id, 'v')
    assert.equal(JSON.parse(header).variant.id, 'v')
  })

  test('an empty array needs --format and --evaluation', async () => {
    const data = createTempFolder()
    const path = file('[]')
    const unknown = await runAssay(['import', path, '--data', data])
    assert.equal(unknown.code, 1)
    assert.match(unknown.stderr, /has an unknown format\.\nThe file contains no records\./)
    const linesReport = await importInto(data, path, '--format', 'scenarios', '--evaluation', 'none')
    assert.deepEqual(linesReport.files[0]?.evaluations, [
      { id: 'none', ...NAMED('none'), accepted: 0, unchanged: 0 },
    ])
    assert.equal(await exportEvaluation(data, 'none'), '[]')
  })
})

describe('a file with an invalid record is rejected with its position', () => {
  const cases: [name: string, content: string, rejection: object][] = [
    [
      'an unknown member',
      `${SCENARIO('a')}\n${SCENARIO('b', ',"inpts":1')}`,
      { record: 2, line: 2, pointer: '/inpts' },
    ],
    [
      'a missing member',
      `[${SCENARIO('a')},\n\n{"inputs":[{"name":"x","value":1}]}]`,
      { record: 2, line: 3, pointer: '/inputs/0' },
    ],
    [
      'a repeated name',
      `${SCENARIO('a', ',"extra":{"x":1,"\\u0078":2}')}`,
      { record: 1, line: 1, pointer: '/extra/x' },
    ],
    [
      'a cost outside the range of a double',
      `${SCENARIO('a')}\n{"outputs":[{"result":{"type":"text"},"cost":1e400}]}`,
      { record: 2, line: 2, pointer: '/outputs/0/cost' },
    ],
    [
      'a threshold outside the range of a double in a full export',
      `{"evaluation":{"id":"e","evaluators":[{"name":"x","threshold":1e400}]},"variant":null,"revision":null}`,
      { record: 1, line: 1, pointer: '/evaluation/evaluators/0/threshold' },
    ],
    ['a line that is not JSON', `${SCENARIO('a')}\n{"inputs":NaN}`, { record: 2, line: 2, pointer: '' }],
    ['a truncated array', `[${SCENARIO('a')},\n${SCENARIO('b')}`, { record: null, line: 2, pointer: '' }],
    ['content after the array', `[${SCENARIO('a')}]\n]`, { record: null, line: 2, pointer: '' }],
    [
      'a repeated id with different content',
      `${SCENARIO('a')}\n${SCENARIO('a', ',"correct_answers":[]')}`,
      { record: 2, line: 2, pointer: '/id' },
    ],
    ['an invalid id', `${SCENARIO('.')}`, { record: 1, line: 1, pointer: '/id' }],
    [
      'an invalid evaluation id',
      SCENARIO('a', ',"evaluation_id":".."'),
      { record: 1, line: 1, pointer: '/evaluation_id' },
    ],
    [
      'an invalid header of a full export',
      `{"evaluation":{"id":"e","nme":1},"variant":null,"revision":null}\n${SCENARIO('a')}`,
      { record: 1, line: 1, pointer: '/evaluation/nme' },
    ],
  ]
  // One command imports all files, because starting a process is slow.
  const data = createTempFolder()
  const files = cases.map(([, content]) => file(content))
  const reports = importInto(data, ...files, '--evaluation', 'e')
  for (const [index, [name, , expected]] of cases.entries()) {
    test(name, async () => {
      const report = (await reports).files[index]
      const { detail, ...position } = report?.refusals[0] ?? { detail: '' }
      assert.deepEqual(position, expected)
      assert.ok(detail.length > 10)
      assert.equal(report?.stored, false)
    })
  }

  test('scenarios of two evaluations', async () => {
    const mixed = file(`${SCENARIO('a', ',"evaluation_id":"x"')}\n${SCENARIO('b', ',"evaluation_id":"y"')}`)
    const { code, files } = await importInto(data, mixed)
    assert.equal(code, 1)
    const { detail, ...position } = files[0]?.refusals[0] ?? { detail: '' }
    assert.deepEqual(position, { record: 2, line: 2, pointer: '/evaluation_id' })
    assert.match(detail, /Use --evaluation ID to import all into one evaluation/)
  })

  test('nothing of the rejected files is stored', async () => {
    assert.equal((await reports).code, 1)
    const { stdout } = await runAssay(['check', '--data', data, '--json'])
    const emptyStore = { evaluations: 0, scenarios: 0, variants: 0, revisions: 0, faults: [], background: [] }
    assert.deepEqual(JSON.parse(stdout), emptyStore)
    const { stderr } = await runAssay(['import', files[0] ?? '', '--data', data, '--evaluation', 'e'])
    assert.match(
      stderr,
      /^assay: One record was rejected\. Nothing of .* was stored\.\nFix the records, or import the valid ones with --skip-invalid\.\n$/,
    )
  })

  test('--skip-invalid stores the valid records and lists the invalid ones', async () => {
    const data = createTempFolder()
    const content = `${SCENARIO('a')}\n{"inputs":1}\n{bad\n${SCENARIO('b')}\n${SCENARIO('a', ',"note":"n","extra":{}')}`
    const report = await importInto(data, file(content), '--evaluation', 'e', '--skip-invalid')
    assert.equal(report.code, 1)
    assert.deepEqual([report.accepted, report.refused, report.files[0]?.stored], [2, 3, true])
    assert.deepEqual(
      report.files[0]?.refusals.map(({ line }) => line),
      [2, 3, 5],
    )
    const lines = (await exportEvaluation(data, 'e', '--format', 'ndjson')).trimEnd().split('\n')
    assert.deepEqual(
      lines.map((line) => JSON.parse(line).id),
      ['a', 'b'],
    )
    assert.equal((await runAssay(['check', '--data', data])).code, 0)
  })

  test('--skip-invalid stores the complete records of a truncated array', async () => {
    const data = createTempFolder()
    const content = `[${SCENARIO('a')},${SCENARIO('b')},${SCENARIO('c').slice(0, 30)}`
    const report = await importInto(data, file(content), '--evaluation', 'e', '--skip-invalid')
    assert.deepEqual([report.code, report.accepted, report.refused], [1, 2, 1])
  })

  test('--dry-run reports the result and stores nothing', async () => {
    const data = createTempFolder()
    await importInto(data, file(SCENARIO('a')), '--evaluation', 'e')
    const dry = await importInto(
      data,
      file(`${SCENARIO('a')}\n${SCENARIO('b')}`),
      '--evaluation',
      'e',
      '--dry-run',
    )
    assert.deepEqual([dry.code, dry.accepted, dry.unchanged, dry.files[0]?.stored], [0, 1, 1, false])
    assert.equal((await exportEvaluation(data, 'e', '--format', 'ndjson')).split('\n').length, 2)
    const nowhere = join(createTempFolder(), 'nowhere')
    const emptyStore = await importInto(nowhere, file(SCENARIO('a')), '--dry-run', '--evaluation', 'e')
    assert.deepEqual([emptyStore.code, emptyStore.accepted, emptyStore.files[0]?.stored], [0, 1, false])
    assert.ok(!existsSync(nowhere))
  })

  test('a record that exceeds the limits', async () => {
    const data = createTempFolder()
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
      file(SCENARIO('a', `,"extra":{"a":${'['.repeat(127)}${']'.repeat(127)}}`)),
      '--evaluation',
      'e',
    )
    assert.match(deep.files[0]?.refusals[0]?.detail ?? '', /nested deeper than 128/)
  })

  test('a missing file, an empty folder, and a file of unknown format', async () => {
    const data = createTempFolder()
    for (const [path, expected] of [
      [join(folder, 'none'), /Cannot read .*ENOENT/],
      [createTempFolder(), /contains no file of a known format/],
      [file('hello'), /has an unknown format/],
      [file('{"name":"assay"}'), /has an unknown format/],
      [file(''), /has an unknown format/],
    ] as const) {
      const { code, stderr } = await runAssay(['import', path, '--data', data])
      assert.equal(code, 1)
      assert.match(stderr, expected)
      assert.equal(stderr.trimEnd().split('\n').length, 2)
    }
  })
})

test('rejects a full export if a different evaluation with the same id exists', async () => {
  const data = createTempFolder()
  const full = (name: string) =>
    `{"evaluation":{"id":"e","name":"${name}","created_at":"2026-01-01T00:00:00Z","metadata":{"a":1.0}},"variant":null,"revision":null}\n${SCENARIO('a')}`
  assert.equal((await importInto(data, file(full('A')))).code, 0)
  assert.equal((await importInto(data, file(full('A')))).unchanged, 1)
  const differentReport = await importInto(data, file(full('B')))
  assert.deepEqual(
    [differentReport.code, differentReport.files[0]?.refusals[0]?.pointer],
    [1, '/evaluation/name'],
  )
})

test('a revision without a number in a full export is added once, and the evaluation names it', async () => {
  const data = createTempFolder()
  const importRun = (id: string, config: string, ...args: string[]) => {
    const header = `{"evaluation":{"id":"${id}"},"variant":{"id":"v","created_at":"2026-01-01T00:00:00Z"},"revision":{"modified_by":"me","config":${config}}}`
    return importInto(data, file(`${header}\n${SCENARIO('a')}`), ...args)
  }
  const configs = [
    '{"config_name":"v","parameters":{"a":1}}',
    '{"config_name":"v","parameters":{"a":2}}',
    '{"config_name":"v","parameters":{"a":1}}',
  ]
  const ran: unknown[] = []
  for (const [number, config] of configs.entries()) {
    assert.equal((await importRun(`e${number}`, config)).code, 0)
    const [header = ''] = (await exportEvaluation(data, `e${number}`, '--full')).split('\n')
    const { evaluation } = JSON.parse(header)
    ran.push([evaluation.variant_id, evaluation.revision])
  }
  assert.deepEqual(ran, [
    ['v', 1],
    ['v', 2],
    ['v', 1],
  ])
  const other = await importRun('e0', configs[1] ?? '')
  assert.deepEqual([other.code, other.files[0]?.refusals[0]?.pointer], [1, '/evaluation/revision'])
  assert.equal((await importRun('e0', configs[1] ?? '', '--on-conflict', 'replace')).code, 0)
})

test('a full export restores the update time only if it creates the evaluation', async () => {
  const data = createTempFolder()
  const full = (members: string, scenario: string) =>
    `{"evaluation":{"id":"e","name":"e","created_at":"2026-01-01T00:00:00Z"${members}},"variant":null,"revision":null}\n${SCENARIO(scenario)}`
  const evaluationOf = async (id: string) => {
    const [header = ''] = (await exportEvaluation(data, id, '--full')).split('\n')
    return JSON.parse(header).evaluation
  }
  const time = ',"updated_at":"2026-01-01T01:00:00+01:00"'
  assert.equal((await importInto(data, file(full(`${time},"status":"failed"`, 'a')))).code, 0)
  const created = await evaluationOf('e')
  assert.deepEqual([created.updated_at, created.status], ['2026-01-01T00:00:00.000Z', 'failed'])
  assert.equal((await importInto(data, file(full(time, 'a')))).unchanged, 1)
  assert.deepEqual(await evaluationOf('e'), created)
  const start = new Date().toISOString()
  assert.equal((await importInto(data, file(full(time, 'b')))).accepted, 1)
  assert.ok((await evaluationOf('e')).updated_at >= start)
  // Exports of earlier versions do not have these members.
  assert.equal((await importInto(data, file(full('', 'a')), '--evaluation', 'old')).accepted, 1)
  const { updated_at, status, expected_count, tags } = await evaluationOf('old')
  assert.ok(updated_at >= start)
  assert.deepEqual([status, expected_count, tags], ['finished', null, []])
})

test('--on-conflict rejects, replaces or skips scenarios that exist with different content', async () => {
  const data = createTempFolder()
  const evaluation = ['--evaluation', 'e']
  await importInto(data, file(`${SCENARIO('a')}\n${SCENARIO('b', ',"extra":{"k":1}')}`), ...evaluation)
  const changed = file(
    `${SCENARIO('a')}\n${SCENARIO('b', ',"note":"new","results":[]')}\n${SCENARIO('b', ',"extra":{"k":2}')}\n${SCENARIO('c')}`,
  )
  const rejected = await importInto(data, changed, ...evaluation)
  assert.deepEqual([rejected.code, rejected.refused], [1, 1])
  assert.match(
    String(rejected.files[0]?.refusals[0]?.detail),
    /'b' already exists .* on_conflict to replace or skip\./,
  )
  const skipped = await importInto(data, changed, ...evaluation, '--on-conflict', 'skip', '--dry-run')
  assert.deepEqual(skipped.files[0]?.evaluations, [
    { id: 'e', ...NAMED('e'), accepted: 1, unchanged: 2, skipped: 1 },
  ])
  assert.deepEqual([skipped.code, skipped.skipped_scenarios], [0, 1])
  const args = ['import', '--data', data, changed, ...evaluation, '--on-conflict', 'replace']
  const { code, stdout } = await runAssay(args)
  assert.equal(code, 0)
  assert.match(stdout, /evaluation e: 1 scenario added, 1 unchanged, 2 replaced\n/)
  assert.match(await exportEvaluation(data, 'e', '--full'), /"id":"b".*"extra":\{"k":2\}/)
  for (const options of [[], ['--full']]) {
    const exported = file(await exportEvaluation(data, 'e', '--format', 'ndjson', ...options))
    for (const rule of ['error', 'replace', 'skip']) {
      const again = await importInto(data, exported, ...evaluation, '--on-conflict', rule)
      assert.deepEqual([again.code, again.accepted, again.unchanged], [0, 0, 3], `${options} ${rule}`)
    }
  }
  const unknown = await runAssay(['import', '--data', data, changed, '--on-conflict', 'merge'])
  assert.equal(unknown.code, 2)
  assert.match(unknown.stderr, /--on-conflict must be one of error, replace, skip, replace_all\./)
})

test('--replace stores exactly the scenarios of the file', async () => {
  const data = createTempFolder()
  const evaluation = ['--evaluation', 'e']
  const human =
    '{"evaluation":{"id":"e","evaluators":[{"name":"review","kind":"human"},{"name":"old"}]},"variant":null,"revision":null}'
  const review = ',"results":[{"evaluator_config":"review","result":{"type":"number","value":1}}]'
  const first = [human, SCENARIO('a'), SCENARIO('b', `,"note":"Odd."${review}`), SCENARIO('c')]
  assert.equal((await importInto(data, file(first.join('\n')))).code, 0)
  const second = file(`${SCENARIO('d')}\n${SCENARIO('c', ',"extra":{"k":1}')}\n${SCENARIO('a')}`)
  const counts = {
    accepted: 1,
    unchanged: 1,
    replaced: 1,
    deleted: 1,
    dropped_notes: 1,
    dropped_human_results: 1,
    dropped_answers: 0,
  }
  const dryRun = await importInto(data, second, ...evaluation, '--replace', '--dry-run')
  assert.deepEqual(dryRun.files[0]?.evaluations, [{ id: 'e', ...NAMED('e'), ...counts }])
  const args = ['import', '--data', data, second, ...evaluation]
  const { code, stdout } = await runAssay([...args, '--replace'])
  assert.equal(code, 0)
  assert.match(
    stdout,
    /evaluation e: 1 scenario added, 1 unchanged, 1 replaced, 1 deleted, 1 pin or note dropped, 1 human result dropped\n/,
  )
  assert.match(stdout, /3 records read: 1 added, 1 replaced, 1 unchanged, 0 skipped, 1 deleted, 0 rejected\n/)
  const exported = (await exportEvaluation(data, 'e', '--format', 'ndjson')).trimEnd().split('\n')
  assert.deepEqual(
    exported.map((line) => JSON.parse(line).id),
    ['d', 'c', 'a'],
  )
  const again = await importInto(data, second, ...evaluation, '--on-conflict', 'replace_all')
  assert.deepEqual([again.code, again.unchanged, again.accepted], [0, 3, 0])
  // Evaluators that the file does not contain are removed, unless they are people.
  const described = human.replace('"old"', '"new"').replace('{"name":"review","kind":"human"},', '')
  assert.equal((await importInto(data, file(`${described}\n${SCENARIO('a')}`), '--replace')).code, 0)
  const [header = ''] = (await exportEvaluation(data, 'e', '--full')).split('\n')
  assert.deepEqual(
    JSON.parse(header).evaluation.evaluators.map(({ name }: { name: string }) => name),
    ['review', 'new'],
  )
  for (const [message, ...wrong] of [
    [/--replace cannot be combined with --on-conflict skip/, ...args, '--replace', '--on-conflict', 'skip'],
    [/--replace cannot be combined with --on-conflict error/, ...args, '--replace', '--on-conflict', 'error'],
  ] as const) {
    const result = await runAssay([...wrong])
    assert.equal(result.code, 2)
    assert.match(result.stderr, message)
  }
  // Several files of one evaluation.
  const parts = [file(SCENARIO('x')), file(SCENARIO('y'))]
  assert.equal((await importInto(data, ...parts, ...evaluation, '--replace')).code, 0)
  const scenarios = JSON.parse(await exportEvaluation(data, 'e', '--format', 'json'))
  assert.deepEqual(
    scenarios.map(({ id }: { id: string }) => id),
    ['x', 'y'],
  )
})

test('--replace replaces all scenarios by the first file that is not rejected', async () => {
  const data = createTempFolder()
  const evaluation = ['--evaluation', 'e']
  assert.equal((await importInto(data, file(SCENARIO('old')), ...evaluation)).code, 0)
  const files = [file('{"id":"x","inputs":1}'), file(SCENARIO('y')), file(SCENARIO('z'))]
  const dryRun = await importInto(data, ...files, ...evaluation, '--replace', '--dry-run')
  assert.deepEqual(
    dryRun.files.map(({ evaluations }) => evaluations.map((evaluation) => 'deleted' in evaluation)),
    [[], [true], [false]],
  )
  assert.equal((await importInto(data, ...files, ...evaluation, '--replace')).code, 1)
  const scenarios = JSON.parse(await exportEvaluation(data, 'e', '--format', 'json'))
  assert.deepEqual(
    scenarios.map(({ id }: { id: string }) => id),
    ['y', 'z'],
  )
})

test('--replace with --skip-invalid leaves out records whose results cannot be merged', async () => {
  const data = createTempFolder()
  const human =
    '{"evaluation":{"id":"e","evaluators":[{"name":"review","kind":"human"}]},"variant":null,"revision":null}'
  const review = ',"results":[{"evaluator_config":"review","result":{"type":"number","value":1}}]'
  const first = [human, SCENARIO('a', review), SCENARIO('b', review)].join('\n')
  assert.equal((await importInto(data, file(first))).code, 0)
  const second = file([SCENARIO('a', ',"extra":{"results":"text"}'), SCENARIO('b')].join('\n'))
  const evaluation = ['--evaluation', 'e', '--replace']
  const rejected = await importInto(data, second, ...evaluation)
  const { record, line, pointer } = rejected.files[0]?.refusals[0] ?? {}
  assert.deepEqual([rejected.code, record, line, pointer], [1, 1, 1, '/extra/results'])
  const stored = await importInto(data, second, ...evaluation, '--skip-invalid')
  const counts = {
    accepted: 0,
    unchanged: 1,
    replaced: 0,
    deleted: 1,
    dropped_notes: 0,
    dropped_human_results: 1,
    dropped_answers: 0,
  }
  assert.deepEqual(stored.files[0]?.evaluations, [{ id: 'e', ...NAMED('e'), ...counts }])
  assert.match(
    await exportEvaluation(data, 'e', '--format', 'ndjson'),
    /^[^\n]*"id":"b"[^\n]*"review"[^\n]*\n$/,
  )
  assert.equal((await runAssay(['check', '--data', data])).code, 0)
})

test('--baseline sets the baseline of a new and of an existing evaluation', async () => {
  const data = createTempFolder()
  const baselineOf = async () => {
    const [header = ''] = (await exportEvaluation(data, 'e', '--full')).split('\n')
    return JSON.parse(header).evaluation.baseline_id
  }
  const path = file(SCENARIO('a'))
  assert.equal((await importInto(data, path, '--evaluation', 'e', '--baseline', 'main')).code, 0)
  assert.equal(await baselineOf(), 'main')
  const changed = await importInto(data, path, '--evaluation', 'e', '--baseline', 'other')
  assert.deepEqual(changed.files[0]?.evaluations[0]?.updated, ['baseline_id'])
  assert.equal(await baselineOf(), 'other')
  await importInto(data, path, '--evaluation', 'e')
  assert.equal(await baselineOf(), 'other')
  const revisions = await importInto(data, file(REVISION(1)), '--variant', 'v', '--baseline', 'main')
  assert.match(String(revisions.files[0]?.refusals[0]?.detail), /this file contains none\./)
})

test('if one of several files is missing, no file is stored', async () => {
  const data = createTempFolder()
  const report = await importInto(data, file(SCENARIO('a')), join(folder, 'none'), '--evaluation', 'e')
  assert.deepEqual([report.code, report.accepted, report.files], [1, 0, []])
})

test('imports all files of a folder that have a known format', async () => {
  const data = createTempFolder()
  const [mixed, inner] = [createTempFolder(), 'inner']
  mkdirSync(join(mixed, inner))
  writeFileSync(join(mixed, 'b.jsonl'), SCENARIO('b'))
  writeFileSync(join(mixed, inner, 'a.json'), `[${SCENARIO('a')}]`)
  writeFileSync(join(mixed, 'README'), 'hello')
  const report = await importInto(data, mixed, '--evaluation', 'e')
  assert.deepEqual([report.code, report.accepted], [0, 2])
  assert.deepEqual(report.skipped, [join(mixed, 'README')])
  const emptyResult = await runAssay([
    'import',
    join(mixed, inner),
    '--data',
    data,
    '--format',
    'revisions',
    '--variant',
    'v',
  ])
  assert.equal(emptyResult.code, 1, '--format applies to the files of a folder')
})

test('a table in a folder is imported only if it has results', async () => {
  const [data, tables] = [createTempFolder(), createTempFolder()]
  writeFileSync(join(tables, 'runs.csv'), 'question,answer,correct\nWhat?,That,yes\n')
  writeFileSync(join(tables, 'prices.csv'), 'name,price\nBoots,79\n')
  const report = await importInto(data, tables)
  assert.deepEqual([report.code, report.accepted, report.skipped], [0, 1, [join(tables, 'prices.csv')]])
})

test('prints the columns of a table without an output, suggests a map and exits with 1', async () => {
  const data = createTempFolder()
  const path = file('domanda,risposta\nWas?,Das hier.\n', 'domanda.csv')
  const rejected = await runAssay(['import', path, '--data', data])
  assert.equal(rejected.code, 1)
  assert.deepEqual(rejected.stdout.split('\n').slice(0, 4), [
    `${path}: columns`,
    '  domanda  → input  not recognized',
    '  risposta → input  not recognized',
    `${path}: rejected: line 1: No column has the role output. If 'risposta' contains the output: --map 'risposta=output'.`,
  ])
  const [suggestion = ''] = /risposta=output/.exec(rejected.stdout) ?? []
  const imported = await runAssay(['import', path, '--data', data, '--map', suggestion])
  assert.equal(imported.code, 0)
  assert.match(imported.stdout, /1 scenario added.*note: line 1: No column has the role score/s)
})

test('follows links to files in a folder, but not links to folders', async () => {
  const [real, linked] = [createTempFolder(), createTempFolder()]
  writeFileSync(join(real, 'a.json'), `[${SCENARIO('a')}]`)
  symlinkSync(join(real, 'a.json'), join(linked, 'a.json'))
  symlinkSync('.', join(linked, 'loop'))
  symlinkSync(real, join(linked, 'real'))
  symlinkSync('nowhere', join(linked, 'nothing'))
  const report = await importInto(createTempFolder(), linked, '--evaluation', 'e')
  assert.deepEqual(
    report.files.map(({ file }) => file),
    [join(linked, 'a.json')],
  )
  assert.deepEqual(report.skipped, [join(linked, 'nothing')])
})

test('rejects a run of another revision for the same evaluation', async () => {
  const data = createTempFolder()
  const runs = ['echo-run.json', 'echo-run-edited.json'].map((name) =>
    fileURLToPath(new URL(`../fixtures/import/promptfoo/${name}`, import.meta.url)),
  )
  const report = await importInto(data, ...runs, '--evaluation', 'one')
  assert.deepEqual([report.code, report.files.map(({ stored }) => stored)], [1, [true, false]])
  assert.match(
    report.files[1]?.refusals[0]?.detail ?? '',
    /ran another revision: this file ran revision 2 of 'Greetings'/,
  )
})

test('--skip-invalid does not skip errors in the evaluation itself', async () => {
  const data = createTempFolder()
  const full = (evaluation: string, config: string) =>
    `{"evaluation":{"id":"${evaluation}","name":"${evaluation}","variant_id":"v","revision":2},"variant":{"id":"v","name":"v","created_at":"2025-01-01T00:00:00Z"},"revision":{"revision":2,"modified_by":"x","config":{"config_name":"${config}","parameters":{}}}}\n${SCENARIO('a')}`
  assert.equal((await importInto(data, file(full('one', 'A')))).code, 0)
  const differentReport = await importInto(data, file(full('two', 'B')), '--skip-invalid')
  assert.deepEqual([differentReport.code, differentReport.files[0]?.stored], [1, false])
  const { stderr } = await runAssay(['import', '--data', data, '--skip-invalid', file(full('two', 'B'))])
  assert.match(stderr, /Nothing of .* was stored\.\nThe conflict concerns the evaluation/)
  assert.equal((await runAssay(['export', 'two', '--data', data])).code, 1)
  const run = (index: number, model: string) =>
    `{"run_id":"r","data_source_idx":${index},"item":{"q":"a"},"sample":{"model":"${model}","outputs":[]},"grades":{"g":1}}`
  assert.equal((await importInto(data, file(run(0, 'A')), '--variant', 'o')).code, 0)
  const mixed = await importInto(data, file(run(9, 'B')), '--variant', 'o', '--skip-invalid')
  assert.deepEqual([mixed.code, mixed.files[0]?.stored], [1, false])
  assert.equal(JSON.parse(await exportEvaluation(data, 'r')).length, 1)
})

test('reports an object that spans several lines once, not line by line', async () => {
  const report = await importInto(
    createTempFolder(),
    file(JSON.stringify(JSON.parse(SCENARIO('a')), null, 2)),
  )
  assert.deepEqual([report.code, report.files[0]?.refusals.length], [1, 1])
  assert.match(report.files[0]?.refusals[0]?.detail ?? '', /Put it on one line, or into an array/)
})

test('accepts a byte order mark', async () => {
  const report = await importInto(createTempFolder(), file(`\ufeff[${SCENARIO('a')}]`), '--evaluation', 'e')
  assert.deepEqual([report.code, report.accepted], [0, 1])
})

test('rejects a file that changes while it is read', async () => {
  const path = file(`${SCENARIO('a')}\n`)
  const source = await Source.open(path, folder)
  const options = readSettings('import', ['--evaluation', 'e']).settings
  const events: ImportEvent[] = []
  for await (const event of importEventsOf(scenarios, source, importOptions(options))) {
    if (events.length === 0) writeFileSync(path, `${SCENARIO('a')}\n${SCENARIO('b')}\n`)
    events.push(event)
  }
  await source.close()
  const lastEvent = events.at(-1)
  assert.ok(lastEvent?.kind === 'rejection')
  assert.match(lastEvent.detail, /changed while it was being read/)
})

test('reads from a named pipe', async () => {
  const data = createTempFolder()
  const pipe = join(folder, 'pipe')
  assert.equal(spawnSync('mkfifo', [pipe]).status, 0)
  const importing = importInto(data, pipe, '--evaluation', 'e')
  await writeFile(pipe, SCENARIO('a'))
  assert.equal((await importing).accepted, 1)
})

describe('revisions', () => {
  test('need a variant, keep their numbers, and are unchanged when imported again', async () => {
    const data = createTempFolder()
    const path = file(`[${REVISION(0)},${REVISION(3, 'd')}]`)
    const unnamed = await runAssay(['import', path, '--data', data])
    assert.equal(unnamed.code, 2)
    assert.match(
      unnamed.stderr,
      /contains revisions but names no variant\.\nName the variant with --variant ID, .*\n$/,
    )
    const firstReport = await importInto(data, path, '--variant', 'v')
    assert.deepEqual(firstReport.files[0]?.variants, [{ id: 'v', accepted: 2, unchanged: 0 }])
    const { accepted, accepted_revisions } = firstReport
    assert.deepEqual([accepted, accepted_revisions], [0, 2], 'revisions do not count as scenarios')
    const secondReport = await importInto(data, path, '--variant', 'v')
    assert.deepEqual(secondReport.files[0]?.variants, [{ id: 'v', accepted: 0, unchanged: 2 }])
  })

  test('without numbers are added once per configuration', async () => {
    const data = createTempFolder()
    const path = file(`${REVISION(null, 'a')}\n${REVISION(null, 'b')}\n${REVISION(null, 'a')}`)
    const report = await importInto(data, path, '--variant', 'v')
    assert.deepEqual(report.files[0]?.variants, [{ id: 'v', accepted: 2, unchanged: 1 }])
  })

  test('are rejected if the number exists with different content', async () => {
    const data = createTempFolder()
    await importInto(data, file(REVISION(1)), '--variant', 'v')
    const report = await importInto(data, file(`${REVISION(2)}\n${REVISION(1, 'other')}`), '--variant', 'v')
    assert.deepEqual([report.code, report.refused, report.files[0]?.stored], [1, 1, false])
    assert.deepEqual(report.files[0]?.refusals[0]?.pointer, '/revision')
    const { stdout } = await runAssay(['check', '--data', data, '--json'])
    assert.equal(JSON.parse(stdout).revisions, 1)
  })
})

test('exactly one importer detects each format', async () => {
  const cases = [
    [SCENARIO('a'), 'scenarios'],
    [`[${SCENARIO('a')}]`, 'scenarios'],
    ['{"evaluation":{"id":"e"},"variant":null,"revision":null}\n', 'scenarios'],
    // Longer than the part of the file that is used for detection.
    [`{"id":"a","inputs":[{"name":"x","type":"t","value":"${'x'.repeat(200_000)}"}]}`, 'scenarios'],
    [REVISION(1), 'revisions'],
    [`[${REVISION(1)}]`, 'revisions'],
  ] as const
  for (const [content, name] of cases) {
    assert.deepEqual(await detectingImporters(file(content)), [name])
  }
})

test('a full export restores which ids were generated, a plain export does not', async () => {
  const [data, restored] = [createTempFolder(), createTempFolder()]
  await importInto(data, file('input.q,score.ok\na,1\nb,0\n', 'without-ids.csv'), '--evaluation', 'e')
  const added = file(SCENARIO('given'), 'given.ndjson')
  await importInto(data, added, '--evaluation', 'e')
  const full = await exportEvaluation(data, 'e', '--full')
  assert.deepEqual(
    full
      .trim()
      .split('\n')
      .slice(1)
      .map((line) => JSON.parse(line))
      .map(({ id, has_generated_id }) => [id, has_generated_id]),
    [
      ['1', true],
      ['2', true],
      ['given', undefined],
    ],
  )
  const { code } = await importInto(restored, file(full, 'full.ndjson'))
  assert.equal(code, 0)
  assert.equal(await exportEvaluation(restored, 'e', '--full'), full)
  const plain = await exportEvaluation(data, 'e', '--format', 'ndjson')
  assert.ok(!plain.includes('has_generated_id'))
  const line = plain.replace('{', '{"has_generated_id":true,')
  const { code: rejected, files } = await importInto(restored, file(line, 'line.ndjson'), '--evaluation', 'f')
  assert.equal(rejected, 1)
  assert.match(files[0]?.refusals[0]?.detail ?? '', /has_generated_id/)
})

test('counts all rejected records, also those that the report does not list', async () => {
  const path = file('{"id":7}\n'.repeat(2000))
  const { code, stdout, stderr } = await runAssay(['import', path, '--data', createTempFolder()])
  assert.equal(code, 1)
  assert.match(stdout, /: rejected: 1,980 more \(use --json to list more of them\)\n/)
  assert.match(stdout, /: 2,000 records read: 0 added, .* 2,000 rejected \(nothing was stored\)\n$/)
  const listed = await importInto(createTempFolder(), path)
  assert.deepEqual([listed.read, listed.files[0]?.refusals.length], [2000, 2000])
  assert.match(stderr, /^assay: 2,000 records were rejected\./)
})

test('control characters of file names, members and projects do not reach the terminal', async () => {
  const data = join(createTempFolder(), 'data')
  const path = file(`${SCENARIO('a')}\n{"id":"b","x\\u001b[2J":1}\n`, 'red\u001b[31m\u202e.ndjson')
  for (const args of [
    ['import', path, '--evaluation', 'e', '--skip-invalid'],
    ['import', path, '--evaluation', 'e', '--dry-run'],
    ['list', '--project', '\u001b[31m'],
    ['changes', '--project', '\u001b[31m'],
    ['keys', 'list', '--project', '\u001b[31m'],
  ]) {
    const { stdout, stderr } = await runAssay([...args, '--data', data])
    assert.doesNotMatch((stdout + stderr).replaceAll('\n', ''), /[\p{Cc}\p{Cf}]/u, args.join(' '))
    assert.match(stdout, /\ufffd\[31m/)
  }
})
