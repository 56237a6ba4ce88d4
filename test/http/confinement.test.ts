// What the key of a share opens: every operation of openapi.json, by every kind of share, for every kind of id.
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { describe, test } from 'node:test'
import type { ConfinedTo } from '../../src/schema/shares.ts'
import { addKey } from '../../src/store/keys.ts'
import { fillCorpus } from '../corpus.ts'
import { freshStore, mint, serveStore } from '../harness.ts'
import { type Answer, ask, checkDocumented, checkProblem } from '../wire.ts'

/** What was decided of each operation. One that is not here is not decided yet. */
const DECIDED: Record<
  string,
  'by evaluation' | 'by variant' | 'by comparison' | 'open' | 'refused' | 'keyless'
> = {
  getEvaluation: 'by evaluation',
  listEvaluationScenarios: 'by evaluation',
  getEvaluationScenario: 'by evaluation',
  listEvaluationRows: 'by evaluation',
  getEvaluationSummary: 'by evaluation',
  compareEvaluations: 'by comparison',
  listComparisonRows: 'by comparison',
  getVariant: 'by variant',
  listVariantRevisions: 'by variant',
  getVariantRevision: 'by variant',
  diffVariantRevisions: 'by variant',
  getKey: 'open',
  listEvaluations: 'refused',
  listVariants: 'refused',
  listShares: 'refused',
  createShare: 'refused',
  revokeShare: 'refused',
  addEvaluation: 'refused',
  changeEvaluation: 'refused',
  deleteEvaluation: 'refused',
  appendEvaluationScenarios: 'refused',
  markEvaluationScenario: 'refused',
  addVariant: 'refused',
  deleteVariant: 'refused',
  addVariantRevision: 'refused',
  importFile: 'refused',
  livez: 'keyless',
  readyz: 'keyless',
  metrics: 'keyless',
  openapi: 'keyless',
}

/** Parameters that name an evaluation, which has to be covered as the one of the path has. */
const NAMING = ['evaluation', 'base']
/** Parameters that say which part of what is covered is answered, and how. */
const NARROWING = [
  ...[
    'limit',
    'cursor',
    'offset',
    'preview',
    'locate',
    'side',
    'format',
    'include',
    'order',
    'by',
    'show',
    'on',
  ],
  ...['q', 'latency', 'cost', 'is_pinned', 'note', 'error', 'filters'],
]

/** Each is an evaluation and a variant: of the project, of another one, of nobody. */
const IDS = ['full', 'shared', 'empty', 'foreign', 'nowhere']

interface Kind {
  confined_to: ConfinedTo
  evaluations: string[]
  variants: string[]
}
const KINDS: Record<string, Kind> = {
  'an evaluation': { confined_to: { evaluation_id: 'full' }, evaluations: ['full'], variants: [] },
  'a comparison': {
    confined_to: { comparison: ['full', 'shared'] },
    evaluations: ['full', 'shared'],
    variants: [],
  },
  'a variant': { confined_to: { variant_id: 'full' }, evaluations: [], variants: ['full'] },
}

interface Operation {
  operationId: string
  parameters?: { name: string; in: string }[]
  requestBody?: { content: Record<string, { example?: unknown }> }
}
const document = JSON.parse(readFileSync(new URL('../../openapi.json', import.meta.url), 'utf8'))
const operations = Object.entries<Record<string, Operation>>(document.paths).flatMap(([path, item]) =>
  Object.entries(item).map(([method, operation]) => ({
    id: operation.operationId,
    method: method.toUpperCase(),
    path,
    query: (operation.parameters ?? []).filter((one) => one.in === 'query').map(({ name }) => name),
    body: Object.entries(operation.requestBody?.content ?? {})[0],
  })),
)
type Described = (typeof operations)[number]
const decided = (...decisions: string[]) =>
  operations.filter(({ id }) => decisions.includes(DECIDED[id] ?? ''))

const store = await freshStore()
await fillCorpus(store)
const plain = await serveStore(store)
const concealing = await serveStore(store, { conceal: true })
const { key: whole } = await mint(store, { scopes: ['read', 'write'] })

async function confined(confined_to: ConfinedTo, scopes: readonly ('read' | 'write')[] = ['read']) {
  const key = { project: 'default', name: null, scopes, confined_to, expires_at: null }
  return (await store.writer.transaction((transaction) => addKey(transaction, key))).key
}
const keys = new Map<string, string>()
for (const [kind, { confined_to }] of Object.entries(KINDS)) keys.set(kind, await confined(confined_to))

/** A request, and the ids that all have to be covered, in the order they are looked up. */
interface Case {
  path: string
  noun: 'evaluation' | 'variant'
  ids: string[]
}

function fill(path: string, id: string): string {
  const values: Record<string, string> = { scenario_id: 's-1', revision: '1', from: '1', to: '2' }
  return path.replace(/\{(\w+)\}/g, (_, name) => values[name] ?? id)
}

function casesOf({ id: operation, path, query }: Described): Case[] {
  const noun: Case['noun'] = DECIDED[operation] === 'by variant' ? 'variant' : 'evaluation'
  const both = IDS.flatMap((a) => IDS.filter((b) => b !== a).map((b) => [a, b] as const))
  if (DECIDED[operation] === 'by comparison')
    return both.map(([a, b]) => ({ path: `${path}?evaluation=${a}&evaluation=${b}`, noun, ids: [a, b] }))
  const forms = [
    '',
    ...(query.includes('format') ? ['?format=csv', '?format=ndjson', '?limit=2'] : []),
    ...(query.includes('include')
      ? [`?include=${noun === 'variant' ? 'evaluations,changes' : 'extra'}`]
      : []),
    ...(query.includes('q') ? ['?q=it'] : []),
  ]
  const alone = IDS.flatMap((id) => forms.map((form) => ({ path: fill(path, id) + form, noun, ids: [id] })))
  if (!query.includes('base')) return alone
  return [...alone, ...both.map(([a, b]) => ({ path: `${fill(path, a)}?base=${b}`, noun, ids: [a, b] }))]
}

function statusOf(kind: Kind, { noun, ids }: Case, conceal: boolean): number {
  const uncovered = ids.find((id) => !kind[`${noun}s`].includes(id))
  if (uncovered === undefined) return 200
  return conceal || uncovered === 'nowhere' ? 404 : 403
}

/** Would turn an answer with a validator into a 304. */
const ANY_VERSION = { 'if-none-match': '*' }

async function send(base: string, key: string, path: string, method = 'GET', headers = {}): Promise<Answer> {
  const answer = await ask(base, path, { authorization: `Bearer ${key}`, ...headers }, method)
  checkDocumented(path, answer, method)
  return answer
}

/** Without what is different in every answer. */
const lasting = ({ instance: _, ...problem }: Record<string, unknown>) => problem

test('every operation is decided, and every parameter of those that are open', () => {
  assert.deepEqual(operations.map(({ id }) => id).sort(), Object.keys(DECIDED).sort())
  for (const { id, query } of decided('by evaluation', 'by comparison', 'by variant'))
    for (const name of query) assert.ok([...NAMING, ...NARROWING].includes(name), `${name} of ${id}`)
})

for (const [mode, { base }, conceal] of [
  ['403 where it exists', plain, false],
  ['404 wherever it is, with conceal', concealing, true],
] as const) {
  describe(`a share opens what it covers, and refuses everything else: ${mode}`, () => {
    for (const operation of decided('by evaluation', 'by comparison', 'by variant')) {
      test(`${operation.method} ${operation.path}`, async () => {
        const opened = new Set<string>()
        for (const [name, kind] of Object.entries(KINDS)) {
          const key = keys.get(name) as string
          for (const one of casesOf(operation)) {
            const status = statusOf(kind, one, conceal)
            const answer = await send(base, key, one.path)
            const head = await send(base, key, one.path, 'HEAD', status === 200 ? {} : ANY_VERSION)
            assert.deepEqual([head.status, head.bytes.length], [status, 0], `HEAD ${one.path}, ${name}`)
            assert.equal(answer.status, status, `${one.path}, ${name}: ${answer.text}`)
            if (status === 200) {
              opened.add(name)
              assert.equal(answer.text, (await send(base, whole, one.path)).text)
            } else {
              const code = status === 403 ? 'access-denied' : `${one.noun}-not-found`
              checkProblem(answer, status, code)
              assert.deepEqual([answer.headers.etag, head.headers.etag], [undefined, undefined])
            }
          }
        }
        const expected = {
          'by evaluation': ['an evaluation', 'a comparison'],
          'by comparison': ['a comparison'],
          'by variant': ['a variant'],
        }[DECIDED[operation.id] as 'by evaluation']
        assert.deepEqual([...opened], expected)
      })
    }
  })
}

test('with conceal an id that exists is refused in the words of one that does not', async () => {
  for (const operation of decided('by evaluation', 'by variant')) {
    const noun = DECIDED[operation.id] === 'by variant' ? 'variant' : 'evaluation'
    for (const [name, kind] of Object.entries(KINDS)) {
      const told = async (id: string) => {
        const answer = await send(concealing.base, keys.get(name) as string, fill(operation.path, id))
        return lasting(JSON.parse(answer.text.replace(`'${id}'`, "'…'")))
      }
      const unknown = await told('nowhere')
      for (const id of IDS.filter((id) => !kind[`${noun}s`].includes(id)))
        assert.deepEqual(await told(id), unknown)
    }
  }
})

test('what needs no key answers as without one, and every key is told about itself', async () => {
  for (const [name, { confined_to }] of Object.entries(KINDS)) {
    const key = keys.get(name) as string
    for (const { path } of decided('keyless')) {
      for (const headers of [{}, { authorization: key }])
        assert.equal((await ask(plain.base, path, headers)).status, 200, path)
    }
    for (const { path } of decided('open')) {
      const told = JSON.parse((await send(plain.base, key, path)).text)
      assert.deepEqual(
        [told.public_id, told.scopes, told.confined_to],
        [key.slice(6, 18), ['read'], confined_to],
      )
    }
  }
})

describe('lists and writes are refused to every share, and nothing changes', () => {
  /** All that the project has, as it is read. */
  async function state(): Promise<string[]> {
    const lists = ['/api/evaluations', '/api/variants', '/api/shares']
    const each = IDS.slice(0, 3).flatMap((id) => [
      `/api/evaluations/${id}/evaluation_scenarios?include=extra`,
      `/api/variants/${id}/revisions`,
    ])
    const answers = []
    for (const path of [...lists, ...each]) answers.push((await send(plain.base, whole, path)).text)
    return answers
  }

  for (const operation of decided('refused')) {
    const { method, path, body: [type = '', { example = undefined } = {}] = [] } = operation
    test(`${method} ${path}`, async () => {
      const before = await state()
      for (const [name, { confined_to }] of Object.entries(KINDS)) {
        const key = keys.get(name) as string
        // No share can write; if one could, it would be refused as well.
        const writing = await confined(confined_to, ['read', 'write'])
        for (const id of path.includes('public_id') ? [key.slice(6, 18)] : path.includes('{') ? IDS : ['']) {
          for (const { base } of [plain, concealing]) {
            for (const sent of [key, writing]) {
              const headers = { authorization: sent, ...(type && { 'content-type': type }) }
              const body = example === undefined ? undefined : JSON.stringify(example)
              const answer = await ask(base, fill(path, id), headers, method, body)
              checkDocumented(path, answer, method)
              checkProblem(answer, 403, 'access-denied')
            }
          }
        }
      }
      assert.deepEqual(await state(), before)
    })
  }
})
