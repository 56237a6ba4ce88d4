// Sends raw HTTP requests and checks responses against openapi.json.
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { type Agent, request as httpRequest, type IncomingHttpHeaders } from 'node:http'
import { brotliDecompressSync, gunzipSync, zstdDecompressSync } from 'node:zlib'
import { Ajv2020 } from 'ajv/dist/2020.js'
import formats from 'ajv-formats'
import { sizes } from '../sizes.ts'

export interface HttpResponse {
  status: number
  headers: IncomingHttpHeaders
  bytes: Buffer
  /** The decompressed body. */
  text: string
}

/**
 * Sends one request, on a new connection unless an agent is given. Follows no redirects and adds no headers. Fails if
 * nothing of the response arrives for a long time, so that a test does not hang.
 */
export function sendRequest(
  baseUrl: string,
  path: string,
  headers: Record<string, string | string[]> = {},
  method = 'GET',
  body?: string | Uint8Array,
  agent: Agent | false = false,
): Promise<HttpResponse> {
  return new Promise((resolve, reject) => {
    // Passed as a path, because a URL object would normalize it.
    const { hostname, port } = new URL(baseUrl)
    const request = httpRequest({ hostname, port, path, method, headers, agent }, (response) => {
      const chunks: Buffer[] = []
      response.on('data', (chunk) => {
        chunks.push(chunk)
        timer.refresh()
      })
      response.on('error', reject)
      response.on('end', () => {
        const bytes = Buffer.concat(chunks)
        const { statusCode: status = 0, headers: responseHeaders } = response
        const encoding = responseHeaders['content-encoding']
        try {
          const text = decode(encoding, bytes).toString()
          resolve({ status, headers: responseHeaders, bytes, text })
        } catch {
          reject(new assert.AssertionError({ message: `The body of ${method} ${path} is not ${encoding}` }))
        }
      })
    })
    const timer = setTimeout(() => {
      reject(new assert.AssertionError({ message: `${method} ${path} got no complete response in time` }))
      request.destroy()
    }, sizes.response_seconds * 1000).unref()
    request.on('error', reject)
    request.on('close', () => clearTimeout(timer))
    request.end(body)
  })
}

function decode(encoding: string | undefined, bytes: Buffer): Buffer {
  if (bytes.length === 0) return bytes
  if (encoding === 'gzip') return gunzipSync(bytes)
  if (encoding === 'br') return brotliDecompressSync(bytes)
  return encoding === 'zstd' ? zstdDecompressSync(bytes) : bytes
}

const DOCUMENT = JSON.parse(readFileSync(new URL('../../openapi.json', import.meta.url), 'utf8'))
// openapi.test.ts validates the document itself.
const ajv = new Ajv2020({ strict: false, allErrors: true, validateSchema: false })
formats.default(ajv)
ajv.addSchema({ $id: 'openapi', ...DOCUMENT, components: closeObjects(DOCUMENT.components) })

/** Responses can get new members in later versions, so their schemas are open. In tests, every member must be documented. */
function closeObjects(schemas: object): object {
  return JSON.parse(JSON.stringify(schemas), (_name, value) =>
    value?.type?.includes?.('object') && value.properties ? { additionalProperties: false, ...value } : value,
  )
}

/** Validates a value against a schema of openapi.json, without undocumented members, and returns the errors. */
export function schemaErrors(name: string, value: unknown): string[] {
  const validate = ajv.getSchema(`openapi#/components/schemas/${name}`)
  if (!validate) throw new Error(`openapi.json has no schema ${name}`)
  validate(value)
  return (validate.errors ?? []).map(({ instancePath, message }) => `${instancePath} ${message}`)
}

/** Validates the JSON body of a documented response against its schema, and returns the errors. */
export function responseErrors(path: string, { status, text }: HttpResponse, method = 'GET'): string[] {
  const name = documentedPath(path)
  if (name === undefined) return []
  const item = DOCUMENT.paths[name] as Record<string, Operation>
  const verb = item[method.toLowerCase()] ? method.toLowerCase() : 'get'
  const response = item[verb]?.responses[status]
  if (!response) return []
  const pointer =
    '$ref' in response ? response.$ref : `#/paths/${escapePointer(name)}/${verb}/responses/${status}`
  const validate = ajv.getSchema(`openapi${pointer}/content/application~1json/schema`)
  validate?.(JSON.parse(text))
  return (validate?.errors ?? []).map(({ instancePath, message }) => `${instancePath} ${message}`)
}

function escapePointer(name: string): string {
  return encodeURIComponent(name.replaceAll('~', '~0').replaceAll('/', '~1'))
}

/** The path of openapi.json that matches this path. */
function documentedPath(path: string): string | undefined {
  const [pathname = ''] = path.split('?')
  const names = Object.keys(DOCUMENT.paths) as string[]
  return names.find((name) => {
    const pattern = name.replace(/[.]/g, '\\.').replace(/\{\w+\}/g, '[^/]+')
    return new RegExp(`^${pattern}/?$`).test(pathname)
  })
}

interface Response {
  headers?: Record<string, unknown>
  content?: Record<string, unknown>
  'x-representations'?: Record<string, unknown>
}

interface Operation {
  responses: Record<string, Response | { $ref: string }>
}

/** Follows a reference to a component of openapi.json. */
export function resolveReference<Value extends object>(value: Value | { $ref: string }): Value {
  if (!('$ref' in value)) return value
  const [kind = '', name = ''] = value.$ref.split('/').slice(-2)
  const component = DOCUMENT.components[kind]?.[name]
  assert.ok(component, `openapi.json has no component ${value.$ref}`)
  return component
}

/** Returns the response that openapi.json documents for this path and status. Undefined if the status is not documented. */
export function documentedResponse(
  path: string,
  status: number,
  method = 'GET',
): Response | undefined | 'unknown path' {
  const name = documentedPath(path)
  if (name === undefined) return 'unknown path'
  const item = DOCUMENT.paths[name] as Record<string, Operation>
  // HEAD, OPTIONS and unsupported methods have no operation of their own.
  const operation = item[method.toLowerCase()] ?? item.get ?? Object.values(item)[0]
  const response = operation?.responses[status]
  return response && resolveReference<Response>(response)
}

/** Headers that every HTTP response can have. */
const COMMON_HEADERS = [
  'date',
  'connection',
  'keep-alive',
  'transfer-encoding',
  'content-length',
  'content-type',
]

/** Asserts that status, media type and headers of a response are documented in openapi.json. */
export function checkDocumented(path: string, response: HttpResponse, method = 'GET'): void {
  const documented = documentedResponse(path, response.status, method)
  if (documented === 'unknown path') {
    // The path does not exist, or it is too long.
    assert.ok(
      [404, 414].includes(response.status),
      `${method} ${path} ${response.status} is not in openapi.json`,
    )
    return
  }
  assert.ok(documented, `${method} ${path} ${response.status} is not in openapi.json`)
  const type = response.headers['content-type']?.split(';')[0]
  if (response.bytes.length > 0)
    assert.ok(
      type && type in { ...documented.content, ...documented['x-representations'] },
      `${type} is not documented`,
    )
  const known = Object.keys(documented.headers ?? {}).map((name) => name.toLowerCase())
  for (const name of Object.keys(response.headers)) {
    const isKnown = known.includes(name) || COMMON_HEADERS.includes(name)
    assert.ok(isKnown, `the header ${name} of ${response.status} is not documented`)
  }
}

export interface ProblemBody {
  detail: string
  /** For invalid-json. */
  line?: number
  offset?: number
  /** For invalid-content. */
  errors?: { pointer: string; line: number; detail: string }[]
  error_count?: number
}

/** Asserts that a response is a complete problem document, is not cacheable and reveals no internals. Returns it. */
export function checkProblem(response: HttpResponse, status: number, code: string): ProblemBody {
  assert.equal(response.status, status, response.text)
  assert.equal(response.headers['content-type'], 'application/problem+json')
  assert.equal(response.headers['cache-control'], 'no-store')
  const problem = JSON.parse(response.text)
  assert.deepEqual(schemaErrors('Problem', problem), [])
  assert.equal(problem.status, status)
  assert.equal(problem.code, code, response.text)
  assert.equal(problem.type, `/docs/errors#${code}`)
  assert.equal(problem.instance, response.headers['x-request-id'])
  assert.doesNotMatch(response.text, /SELECT|FST_|node_modules|\.ts|assay_[0-9A-Za-z]{12}_[0-9A-Za-z]/)
  return problem
}
