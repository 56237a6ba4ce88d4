// Model-based test: runs generated sequences of write operations, and compares every response, every read and the change log
// with a model.
import assert from 'node:assert/strict'
import { Agent } from 'node:http'
import { after, test } from 'node:test'
import { gzipSync } from 'node:zlib'
import fc from 'fast-check'
import { checkStore } from '../../../src/store/check.ts'
import { scenarioTables } from '../../../src/store/scenarios/derived-rows.ts'
import { EVALUATION_TABLES } from '../../../src/store/scenarios/removal.ts'
import { sizes } from '../../sizes.ts'
import { createTestKey, createTestStore, startTestService } from '../../support/harness.ts'
import { type HttpResponse, sendRequest } from '../../support/http.ts'
import { fullOnly, testOptions } from '../../support/options.ts'
import { checkEntries, type Entry, stateOf } from '../../support/write-model/changes.ts'
import { type ProjectName, World } from '../../support/write-model/model.ts'
import { invalidContent, type Prediction, type WriteOperation } from '../../support/write-model/operation.ts'
import { LAST_SCENARIO, WRITE_OPERATIONS } from '../../support/write-model/operations.ts'
import { ModelReader, type Representation } from '../../support/write-model/reads.ts'
import { LAST_RESULT } from '../../support/write-model/results.ts'
import { gzipHeaders, JSON_TYPE, NDJSON } from '../../support/write-requests.ts'

const store = await createTestStore()
const scopes = ['read' as const, 'write' as const]
const keys: Record<ProjectName, string> = {
  a: (await createTestKey(store, { project: 'a', scopes })).key,
  b: (await createTestKey(store, { project: 'b', scopes })).key,
}
const { baseUrl } = await startTestService(store)
const agent = new Agent({ keepAlive: true })
after(() => agent.destroy())

const warnings: string[] = []
const addWarning = (warning: Error) => warnings.push(String(warning))
process.on('warning', addWarning)
after(() => process.off('warning', addWarning))

type Headers = Record<string, string>

function send(
  project: ProjectName,
  path: string,
  headers: Headers,
  method?: string,
  body?: string | Uint8Array,
) {
  return sendRequest(baseUrl, path, { authorization: keys[project], ...headers }, method, body, agent)
}

type OperationName = keyof typeof WRITE_OPERATIONS

interface Write {
  name: OperationName
  project: ProjectName
  ids: string[]
  content: unknown
  idempotencyKey: string | undefined
  isCompressed: boolean
}

interface Step {
  write: Write
  /** Sends an earlier write again instead, in the same project or in the other one. */
  repeat: { index: number; isInOtherProject: boolean } | undefined
  representation: Representation
}

const operations = Object.entries(WRITE_OPERATIONS) as [OperationName, WriteOperation<unknown>][]
const project = fc.constantFrom<ProjectName>('a', 'a', 'a', 'b')
const write: fc.Arbitrary<Write> = fc.oneof(
  ...operations.map(([name, { weight, ids, content }]) => ({
    weight,
    arbitrary: fc.record({
      name: fc.constant(name),
      project,
      ids,
      content,
      idempotencyKey: fc.constantFrom(undefined, undefined, undefined, 'k-0', 'k-1'),
      isCompressed: fc.nat(4).map((number) => number === 0),
    }),
  })),
)
const step: fc.Arbitrary<Step> = fc.record({
  write,
  repeat: fc.oneof(
    { weight: 4, arbitrary: fc.constant(undefined) },
    {
      weight: 1,
      arbitrary: fc.record({ index: fc.nat(20), isInOtherProject: fc.nat(3).map((number) => number === 0) }),
    },
  ),
  representation: fc.record({
    format: fc.constantFrom('json', 'ndjson', 'csv'),
    encoding: fc.constantFrom('identity', 'gzip', 'zstd'),
  }),
})
/** Without bias, because the first sequences would otherwise consist of small values and change little. */
const sequence = fc.noBias(fc.array(step, { minLength: 6, maxLength: 16, size: 'max' }))

/** Deletes everything that the previous sequence stored. */
function clearStore(): Promise<void> {
  return store.writer.transaction(async (transaction) => {
    for (const table of [
      ...scenarioTables(transaction),
      ...EVALUATION_TABLES,
      'evaluation',
      'revision',
      'variant',
      'revision_number',
      'idempotency',
      'idempotent_write',
    ])
      await transaction.run(`DELETE FROM ${table}`)
  })
}

const cursors: Partial<Record<ProjectName, string>> = {}

/** The entries of the change log that were added since the last call. */
async function readEntries(project: ProjectName): Promise<Entry[]> {
  const { [project]: cursor } = cursors
  const query = cursor === undefined ? '' : `?after=${encodeURIComponent(cursor)}`
  const entries = JSON.parse((await send(project, `/api/changes${query}`, {})).text) as Entry[]
  const last = entries.at(-1)
  if (last) cursors[project] = last.cursor
  return entries
}

let operationCount = 0
/** The outcomes of each operation: status, and whether the write had an effect. */
const outcomes = new Map<OperationName, Set<string>>(operations.map(([name]) => [name, new Set()]))

/** Sends a write and compares the response with the prediction of the model. */
async function runWrite(world: World, { name, project, ids, content, ...options }: Write): Promise<void> {
  const { [name]: operation } = WRITE_OPERATIONS
  const target = { world, project: world.projects[project], ids: resolveIds(world, project, ids) }
  const path = operation.path(target.ids)
  const { query, body, isNdjson = false } = operation.request(content, target.ids)
  const oldWorld = worldText(world)
  const oldStates = { a: stateOf(world.projects.a), b: stateOf(world.projects.b) }
  const responseKey = JSON.stringify([operation.method, path, options.idempotencyKey])
  const stored = options.idempotencyKey === undefined ? undefined : target.project.responses.get(responseKey)
  const prediction =
    (stored ? undefined : operation.check?.(target)) ?? operation.checkBody?.(content) ?? predict()

  function predict(): Prediction {
    if (!stored) return operation.store(target, content)
    if (stored.body !== (body ?? '') || stored.query !== (query ?? '')) return invalidContent
    const { status, location, text } = stored
    return { status, body: () => text, ...(location !== undefined && { location: () => location }) }
  }

  const response = await send(
    project,
    query === undefined ? path : `${path}?${query}`,
    {
      ...(body !== undefined && { 'content-type': isNdjson ? NDJSON : JSON_TYPE }),
      ...(body !== undefined && options.isCompressed && gzipHeaders),
      ...(options.idempotencyKey !== undefined && { 'idempotency-key': options.idempotencyKey }),
    },
    operation.method,
    body !== undefined && options.isCompressed ? gzipSync(body) : body,
  )
  checkResponse(response, prediction, `${operation.method} ${path}`)
  for (const name of ['a', 'b'] as const)
    checkEntries(oldStates[name], stateOf(world.projects[name]), await readEntries(name))
  const written = writtenBy(path, response)
  const isDeletion = name === 'deleteEvaluation' || name === 'deleteVariant'
  if (isDeletion && response.status < 300 && !stored) {
    const { responses } = target.project
    for (const [key, { written: ids }] of responses)
      if (ids.some((id) => written.includes(id))) responses.delete(key)
  }
  if (options.idempotencyKey !== undefined && response.status < 300 && !isDryRun(query)) {
    const { status, headers, text } = response
    target.project.responses.set(responseKey, {
      body: body ?? '',
      query: query ?? '',
      status,
      location: headers.location,
      text,
      written,
    })
  }
  operationCount += 1
  outcomes.get(name)?.add(`${response.status} ${worldText(world) === oldWorld ? 'without' : 'with'} effect`)
}

/** The evaluations and variants that a request has written: the one in its path, or those in its response. */
function writtenBy(path: string, { status, text }: HttpResponse): string[] {
  const [, noun, id = ''] = /^\/api\/(evaluation|variant)s(?:\/([^/]+))?/.exec(path) ?? []
  if (id !== '') return [`${noun} ${decodeURIComponent(id)}`]
  if (status >= 300) return []
  const body = JSON.parse(text)
  if (noun !== undefined) return [`${noun} ${body.id}`]
  const ids = (items: { id: string }[], noun: string) => items.map(({ id }) => `${noun} ${id}`)
  return [...ids(body.evaluations, 'evaluation'), ...ids(body.variants, 'variant')]
}

const isDryRun = (query: string | undefined) => query?.includes('dry_run=true') ?? false

/** Replaces the names of what was added last: of the scenario, and of the result of the scenario. */
function resolveIds(world: World, project: ProjectName, [id = '', name, evaluator]: string[]): string[] {
  const scenarios = world.projects[project].find('evaluation', id)?.scenarios ?? []
  const scenario = name === LAST_SCENARIO ? scenarios.at(-1) : scenarios.find((each) => each.id === name)
  const result = scenario?.members.results?.at(-1)?.evaluator_config.value as string | undefined
  return [
    id,
    ...(name === undefined ? [] : [name === LAST_SCENARIO ? (scenario?.id ?? 'none') : name]),
    ...(evaluator === undefined ? [] : [evaluator === LAST_RESULT ? (result ?? 'none') : evaluator]),
  ]
}

function checkResponse(response: HttpResponse, prediction: Prediction, name: string): void {
  const { status, code, body, location } = prediction
  assert.equal(response.status, status, `${name} ${response.text}`)
  if (code !== undefined) assert.equal(JSON.parse(response.text).code, code)
  else assert.equal(response.text, body?.(response.text))
  assert.equal(response.headers.location, location?.())
}

/** Everything that reads can show. */
function worldText({ projects }: World): string {
  return JSON.stringify(Object.values(projects).map(({ evaluations, variants }) => [evaluations, variants]))
}

async function runSequence(steps: Step[]): Promise<void> {
  await clearStore()
  const world = new World()
  const reader = new ModelReader(world, send)
  const writes: Write[] = []
  for (const [index, { write, repeat, representation }] of steps.entries()) {
    const earlier = repeat && writes[repeat.index % writes.length]
    const otherProject = earlier?.project === 'a' ? 'b' : 'a'
    const next: Write = earlier
      ? { ...earlier, project: repeat.isInOtherProject ? otherProject : earlier.project }
      : write
    writes.push(next)
    await runWrite(world, next)
    // Reading everything after every write would take too long. A wrong ETag is found later too.
    if (index % 3 === 2 || index === steps.length - 1) await reader.checkAll(representation)
    else await reader.checkProject(next.project, representation)
  }
  const { faults } = await checkStore(store, () => undefined)
  assert.deepEqual(faults, [])
}

const numRuns = sizes.write_sequences

test(`every response and every read equals the model after each write of ${numRuns} sequences`, {
  timeout: sizes.file_minutes * 60_000,
}, async (context) => {
  await fc.assert(fc.asyncProperty(sequence, runSequence), {
    numRuns,
    seed: testOptions.seed,
    endOnFailure: true,
  })
  context.diagnostic(`${numRuns} sequences, ${operationCount} operations, seed ${testOptions.seed}`)
})

test('the service emits no warning of Node', () => {
  assert.deepEqual(warnings, [])
})

test('each operation was stored and was rejected or had no effect', {
  skip: fullOnly('needs more sequences'),
}, () => {
  for (const [name, seen] of outcomes) {
    assert.ok(
      [...seen].some((outcome) => outcome.endsWith('with effect')),
      `${name} ${[...seen]}`,
    )
    assert.ok(
      [...seen].some((outcome) => outcome.endsWith('without effect')),
      `${name} ${[...seen]}`,
    )
  }
})
