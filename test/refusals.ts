// Tables of writes that are refused: each answer is a problem that openapi.json knows, and the store is as it was.
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { fillCorpus } from './corpus.ts'
import { freshStore, mint, type Service, serveStore } from './harness.ts'
import { storeDump } from './store-dump.ts'
import { type Answer, ask, checkDocumented, checkProblem } from './wire.ts'
import { type Body, FRESH, JSON_TYPE } from './writes.ts'

export interface Expected {
  status: number
  code: string
  /** Of invalid-json. */
  line?: number | undefined
  offset?: number | undefined
  /** Of invalid-content: the first error, and how many there are. */
  at?: { pointer: string; line?: number; count?: number }
  /** What the detail says. */
  says?: string | undefined
  fields?: Record<string, string | undefined>
}

/** A scenario that is posted as JSON with a good key, unless it says otherwise; undefined leaves a field out. */
interface Refused {
  method?: string
  to?: string
  body?: Body
  headers?: Record<string, string | undefined>
  on?: Service
}

export type Refusal = [name: string, request: Refused, expected: Expected]

export const badRequest: Expected = { status: 400, code: 'invalid-request' }
export const badType: Expected = { status: 415, code: 'unsupported-media-type' }
export const tooLarge: Expected = { status: 413, code: 'content-too-large' }
export const conflict: Expected = { status: 409, code: 'conflict' }
export const denied: Expected = { status: 403, code: 'access-denied' }
export const notFound = (noun: string): Expected => ({ status: 404, code: `${noun}-not-found` })

export function badJson(line?: number, offset?: number, says?: string): Expected {
  return { status: 400, code: 'invalid-json', line, offset, says }
}

export function badContent(pointer: string, says = '', { line = 1, count = 1 } = {}): Expected {
  return { status: 422, code: 'invalid-content', at: { pointer, line, count }, says }
}

/** What is wrong with a body, and what the error says. */
export type Misfit = [name: string, body: string, pointer: string, says?: string, count?: number]

/** Documents that do not fit, by the operation that they are sent to. */
export function misfits(method: string, to: string, rows: Misfit[]): Refusal[] {
  return rows.map(([name, body, pointer, says, count = 1]) => [
    `${name} (${method} ${to})`,
    { method, to, body },
    badContent(pointer, says, { count }),
  ])
}

/** A store with something of every kind in it, the service before it, and tables of what it refuses. */
export async function refusingService() {
  const store = await freshStore()
  await fillCorpus(store)
  const { key } = await mint(store, { scopes: ['read', 'write'] })
  const service = await serveStore(store)
  const dump = storeDump(store)

  function send({ method = 'POST', to = FRESH, body, headers = {}, on = service }: Refused): Promise<Answer> {
    const type = body === undefined ? {} : { 'content-type': JSON_TYPE }
    const fields = Object.entries({ authorization: key, ...type, ...headers })
    const given = fields.filter((field): field is [string, string] => field[1] !== undefined)
    return ask(on.base, to, Object.fromEntries(given), method, body)
  }

  function refuses(what: string, refusals: Refusal[]): void {
    describe(`${what} and stores nothing:`, () => {
      // What one leaves behind is what the next one finds.
      let before: string | undefined
      for (const [name, request, expected] of refusals) {
        test(`${name} is refused with ${expected.status} ${expected.code}`, async () => {
          before ??= await dump()
          const answer = await send(request)
          checkRefused(answer, expected)
          checkDocumented(request.to ?? FRESH, answer, request.method ?? 'POST')
          assert.equal(await dump(), before)
        })
      }
    })
  }

  return { store, key, service, dump, send, refuses }
}

function checkRefused(answer: Answer, expected: Expected): void {
  const { status, code, line, offset, at, says = '', fields = {} } = expected
  const { detail, errors = [], error_count = 0, ...place } = checkProblem(answer, status, code)
  if (line !== undefined) assert.equal(place.line, line, answer.text)
  if (offset !== undefined) assert.equal(place.offset, offset, answer.text)
  if (at) {
    assert.equal(errors[0]?.pointer, at.pointer, answer.text)
    assert.equal(errors[0]?.line, at.line ?? 1, answer.text)
    assert.equal(error_count, at.count ?? 1, answer.text)
    assert.equal(errors.length, Math.min(error_count, 100))
  }
  assert.ok(detail.includes(says), detail)
  for (const [field, value] of Object.entries(fields)) assert.equal(answer.headers[field], value)
}
