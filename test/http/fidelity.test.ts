// What goes in comes out: JSON texts made from the grammar, written over HTTP and by import, are read back token
// for token; an export that is imported and exported again is the same to the byte. TEXTS=100000 for a campaign.
import assert from 'node:assert/strict'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, test } from 'node:test'
import { assay, freshFolder, freshPlace, freshStore, mint, serveStore } from '../harness.ts'
import { JsonTexts } from '../json-texts.ts'
import { ask } from '../wire.ts'

const TEXTS = Number(process.env.TEXTS ?? 10_000)
/** A scenario holds four of them. */
const SCENARIOS = TEXTS / 4
const SEED = Number(process.env.SEED ?? 1)
/** The value of an input stands in an object in an array in the record, whose depth is 1. */
const DEPTH = 128 - 3

const folder = freshFolder()
const store = await freshStore()
const { key } = await mint(store, { scopes: ['read', 'write'] })
const { base } = await serveStore(store)

interface Sent {
  /** As it is written, with white space between tokens and members in another order. */
  loose: string
  /** As it must be read, with include=extra. */
  expected(evaluation: string): string
}

function scenario(texts: JsonTexts, index: number): Sent {
  const value = (depth = DEPTH) => texts.value(depth)
  const input = value()
  const output = value(DEPTH - 1)
  const result = value(DEPTH - 1)
  const extra = value()
  const note = texts.string()
  const part = (form: 'loose' | 'compact') => ({
    inputs: `[{"name":"x","type":"json","value":${input[form]}}]`,
    outputs: `[{"result":{"type":"json","value":${output[form]}},"cost":1e400,"latency":1.50}]`,
    results: `[{"evaluator_config":"e","result":{"value":${result[form]},"type":"json"}}]`,
    extra: `{"x":${extra[form]}}`,
  })
  const [loose, compact] = [part('loose'), part('compact')]
  return {
    loose: `{"extra":${loose.extra},"results":${loose.results}, "outputs":${loose.outputs},"note" :${note},"id":"s${index}","inputs":${loose.inputs}}`,
    expected: (evaluation) =>
      `{"id":"s${index}","evaluation_id":"${evaluation}","inputs":${compact.inputs},"outputs":${compact.outputs},"correct_answers":null,"is_pinned":null,"note":${note},"results":${compact.results},"extra":${compact.extra}}`,
  }
}

const inLines = new JsonTexts(SEED, ['', '', ' ', '\t'])
const inArray = new JsonTexts(SEED + 1)
const lines = Array.from({ length: SCENARIOS }, (_, index) => scenario(inLines, index))
const elements = Array.from({ length: SCENARIOS }, (_, index) => scenario(inArray, index))
const asLines = lines.map(({ loose }) => loose).join('\n')
const asArray = `[${elements.map(({ loose }) => loose).join(',')}]`

const pathOf = (id: string) => `/api/evaluations/${id}/evaluation_scenarios`

async function post(path: string, type: string, body: string): Promise<void> {
  const answer = await ask(base, path, { authorization: key, 'content-type': type }, 'POST', body)
  assert.equal(answer.status, 201, answer.text)
}

async function readBack(id: string, sent: Sent[]): Promise<void> {
  const { text } = await ask(base, `${pathOf(id)}?format=ndjson&include=extra`, { authorization: key })
  const read = text.trimEnd().split('\n')
  assert.equal(read.length, sent.length)
  for (const [index, one] of sent.entries())
    assert.equal(read[index], one.expected(id), `SEED=${SEED}, scenario ${index}`)
}

async function run(...args: string[]): Promise<string> {
  const { code, stdout, stderr } = await assay([...args, '--database', store.url])
  assert.equal(code, 0, stdout + stderr)
  return stdout
}

describe(`${TEXTS} JSON texts are read back token for token`, () => {
  test('written over HTTP, one a line', async () => {
    await post(pathOf('http-lines'), 'application/x-ndjson', asLines)
    await readBack('http-lines', lines)
  })

  test('written over HTTP, as an array', async () => {
    await post(pathOf('http-array'), 'application/json', asArray)
    await readBack('http-array', elements)
  })

  test('imported from a file, one a line and as an array', async () => {
    for (const [name, text, sent] of [
      ['import-lines', asLines, lines],
      ['import-array', asArray, elements],
    ] as const) {
      const file = join(folder, name)
      writeFileSync(file, text)
      await run('import', file, '--evaluation', name)
      await readBack(name, sent)
    }
  })

  test('as the parameters of revisions, over HTTP and imported', async () => {
    const texts = new JsonTexts(SEED + 2)
    const configs = Array.from({ length: 200 }, () => ({ name: texts.string(), parameters: texts.object(5) }))
    const bodies = configs.map(({ name, parameters }, index) => ({
      loose: `{"revision":${index}, "config":{"config_name":${name},"parameters":${parameters.loose}},"modified_by":${name},"created_at":"2026-01-01T00:00:00.000Z"}`,
      expected: `{"revision":${index},"modified_by":${name},"config":{"config_name":${name},"parameters":${parameters.compact}},"created_at":"2026-01-01T00:00:00.000Z"}`,
    }))
    for (const { loose } of bodies) await post('/api/variants/http/revisions', 'application/json', loose)
    const file = join(folder, 'revisions.json')
    writeFileSync(file, `[${bodies.map(({ loose }) => loose).join(',')}]`)
    await run('import', file, '--variant', 'imported')
    for (const id of ['http', 'imported']) {
      const { text } = await ask(base, `/api/variants/${id}/revisions?format=ndjson`, { authorization: key })
      assert.equal(text, bodies.map(({ expected }) => `${expected}\n`).join(''))
    }
  })
})

describe('an export that is imported into an empty store and exported again is the same to the byte', () => {
  const evaluators = '[{"name":"e","threshold":1.0}]'
  const metadata = String.raw`{"10":1e400,"9":"\ud800","__proto__":{"a":-0}}`

  test('before: an evaluation with all there is', async () => {
    const made = `{"id":"whole","name":"Whöle 💡","variant_id":"http","revision":7,"baseline_id":"gone","source":"test","created_at":"2026-02-03 04:05:06+01:00","evaluators":${evaluators},"metadata":${metadata}}`
    await post('/api/evaluations', 'application/json', made)
    await post(pathOf('whole'), 'application/x-ndjson', asLines)
    const mark = { authorization: key, 'content-type': 'application/json' }
    const answer = await ask(
      base,
      `${pathOf('whole')}/s3`,
      mark,
      'PATCH',
      '{"is_pinned":true,"note":"look \\u0041gain"}',
    )
    assert.equal(answer.status, 200)
  })

  for (const flags of [['--format', 'json'], ['--format', 'ndjson'], ['--full']]) {
    test(flags.join(' '), async () => {
      const { url: other } = await freshPlace()
      const [first, second] = [join(folder, 'first'), join(folder, 'second')]
      await run('export', 'whole', ...flags, '--output', first)
      const imported = await assay(['import', first, '--database', other])
      assert.equal(imported.code, 0, imported.stderr)
      const exported = await assay(['export', 'whole', ...flags, '--output', second, '--database', other])
      assert.equal(exported.code, 0, exported.stderr)
      assert.ok(readFileSync(first).equals(readFileSync(second)))
      assert.equal((await run('export', 'whole', ...flags)).length, readFileSync(first, 'utf8').length)
      const check = await assay(['check', '--database', other])
      assert.equal(check.code, 0, check.stdout)
    })
  }

  test('a full export restores the evaluation and the revision it ran', async () => {
    const { flags } = await freshPlace()
    const file = join(folder, 'full')
    await run('export', 'whole', '--full', '--output', file)
    const [preface = ''] = readFileSync(file, 'utf8').split('\n')
    assert.ok(preface.includes(`"evaluators":${evaluators},"metadata":${metadata}`))
    assert.equal((await assay(['import', file, ...flags])).code, 0)
    const again = await assay(['import', file, ...flags, '--json'])
    assert.equal(JSON.parse(again.stdout).accepted, 0)
    assert.equal(JSON.parse(again.stdout).unchanged, SCENARIOS + 1)
    const exported = await assay(['export', 'whole', '--full', ...flags])
    assert.equal(exported.stdout.split('\n')[0], preface)
  })
})

test('everything derived agrees with what was written', async () => {
  assert.match(await run('check'), /All is well/)
})
