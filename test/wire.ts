// A client that shows what came over the wire, and openapi.json, which every answer is held against.
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { request as httpRequest, type IncomingHttpHeaders } from 'node:http'
import { brotliDecompressSync, gunzipSync, zstdDecompressSync } from 'node:zlib'
import { Ajv2020 } from 'ajv/dist/2020.js'
import formats from 'ajv-formats'

export interface Answer {
  status: number
  headers: IncomingHttpHeaders
  bytes: Buffer
  /** Decompressed. */
  text: string
}

/** One request on a connection of its own; nothing is followed, decoded or added. */
export function ask(
  base: string,
  path: string,
  headers: Record<string, string | string[]> = {},
  method = 'GET',
  body?: string | Uint8Array,
): Promise<Answer> {
  return new Promise((resolve, reject) => {
    // Not as a URL, which would be put in order before it is sent.
    const { hostname, port } = new URL(base)
    const request = httpRequest({ hostname, port, path, method, headers, agent: false }, (response) => {
      const chunks: Buffer[] = []
      response.on('data', (chunk) => chunks.push(chunk))
      response.on('error', reject)
      response.on('end', () => {
        const bytes = Buffer.concat(chunks)
        const text = decode(response.headers['content-encoding'], bytes).toString()
        resolve({ status: response.statusCode ?? 0, headers: response.headers, bytes, text })
      })
    })
    request.on('error', reject)
    request.end(body)
  })
}

function decode(coding: string | undefined, bytes: Buffer): Buffer {
  if (bytes.length === 0) return bytes
  if (coding === 'gzip') return gunzipSync(bytes)
  if (coding === 'br') return brotliDecompressSync(bytes)
  return coding === 'zstd' ? zstdDecompressSync(bytes) : bytes
}

const DOCUMENT = JSON.parse(readFileSync(new URL('../openapi.json', import.meta.url), 'utf8'))
// That the document itself is in order is a test of its own.
const ajv = new Ajv2020({ strict: false, allErrors: true, validateSchema: false })
formats.default(ajv)
ajv.addSchema({ $id: 'openapi', ...DOCUMENT })

/** What is wrong with a value by a schema of openapi.json; an empty list when nothing is. */
export function schemaErrors(name: string, value: unknown): string[] {
  const validate = ajv.getSchema(`openapi#/components/schemas/${name}`)
  if (!validate) throw new Error(`openapi.json has no schema ${name}`)
  validate(value)
  return (validate.errors ?? []).map(({ instancePath, message }) => `${instancePath} ${message}`)
}

interface Operation {
  responses: Record<string, { headers?: Record<string, unknown>; content?: Record<string, unknown> }>
}

/** What openapi.json promises of an answer with this status; undefined where it does not know the status. */
export function documented(
  path: string,
  status: number,
  method = 'GET',
): Operation['responses'][string] | undefined | 'unknown path' {
  const [bare = ''] = path.split('?')
  const names = Object.keys(DOCUMENT.paths) as string[]
  const name = names.find((name) => {
    const pattern = name.replace(/[.]/g, '\\.').replace(/\{\w+\}/g, '[^/]+')
    return new RegExp(`^${pattern}/?$`).test(bare)
  })
  if (name === undefined) return 'unknown path'
  const item = DOCUMENT.paths[name] as Record<string, Operation>
  // HEAD, OPTIONS and methods that are not taken have no operation of their own.
  const operation = item[method.toLowerCase()] ?? item.get ?? Object.values(item)[0]
  return operation?.responses[status]
}

/** Fields of the connection and of the message, which every HTTP answer may have. */
const COMMON_FIELDS = [
  'date',
  'connection',
  'keep-alive',
  'transfer-encoding',
  'content-length',
  'content-type',
]

/** Whatever is answered must be what openapi.json says can be answered. */
export function checkDocumented(path: string, answer: Answer, method = 'GET'): void {
  const response = documented(path, answer.status, method)
  if (response === 'unknown path') {
    // Not there, or too long to be looked at.
    assert.ok([404, 414].includes(answer.status), `${method} ${path} ${answer.status} is not in openapi.json`)
    return
  }
  assert.ok(response, `${method} ${path} ${answer.status} is not in openapi.json`)
  const type = answer.headers['content-type']?.split(';')[0]
  if (answer.bytes.length > 0)
    assert.ok(type && type in (response.content ?? {}), `${type} is not documented`)
  const known = Object.keys(response.headers ?? {}).map((name) => name.toLowerCase())
  for (const name of Object.keys(answer.headers)) {
    const isKnown = known.includes(name) || COMMON_FIELDS.includes(name)
    assert.ok(isKnown, `the field ${name} of ${answer.status} is not documented`)
  }
}

export interface AnsweredProblem {
  detail: string
  /** Of invalid-json. */
  line?: number
  offset?: number
  /** Of invalid-content. */
  errors?: { pointer: string; line: number; detail: string }[]
  error_count?: number
}

/** The problem that was answered, which is whole, is for nobody else and gives nothing away. */
export function checkProblem(answer: Answer, status: number, code: string): AnsweredProblem {
  assert.equal(answer.status, status, answer.text)
  assert.equal(answer.headers['content-type'], 'application/problem+json')
  assert.equal(answer.headers['cache-control'], 'no-store')
  const problem = JSON.parse(answer.text)
  assert.deepEqual(schemaErrors('Problem', problem), [])
  assert.equal(problem.status, status)
  assert.equal(problem.code, code, answer.text)
  assert.equal(problem.type, `/docs/errors#${code}`)
  assert.equal(problem.instance, answer.headers['x-request-id'])
  assert.doesNotMatch(answer.text, /SELECT|FST_|node_modules|\.ts|assay_[0-9A-Za-z]{12}_[0-9A-Za-z]/)
  return problem
}
