// Builds the requests of the client's methods: paths, and bodies of JSON or of records that are streamed.
import { type ApiRequest, connectionError, type PathSegment, type WriteOptions } from './request.ts'
import type { Records } from './upload.ts'

/** Resolves a path against the address of the page. Throws TypeError if the result is not a URL. */
export function toAbsoluteUrl(baseUrl: string): string {
  const { location } = globalThis as { location?: { href: string } }
  return new URL(baseUrl, location?.href).href
}

export function scenariosPath(evaluationId: string): string[] {
  return ['evaluations', evaluationId, 'evaluation_scenarios']
}

export function resultsPath(evaluationId: string): string[] {
  return ['evaluations', evaluationId, 'results']
}

export function jsonRequest(
  method: 'POST' | 'PUT' | 'PATCH',
  path: PathSegment[],
  body: object,
  options?: WriteOptions,
): ApiRequest {
  const headers = { 'content-type': 'application/json' }
  return { method, path, headers, body: JSON.stringify(body), ...options }
}

/** Loads the code of uploads with the first one, so that a page that only reads does not contain it. */
export async function loadUploads() {
  try {
    return await import('./upload.ts')
  } catch (error) {
    throw connectionError(error)
  }
}

/** One record per line. An array is sent as one text, and an iterable as a stream. */
export async function recordsRequest(
  path: PathSegment[],
  records: Records<object>,
  options?: WriteOptions,
): Promise<ApiRequest> {
  const { toNdjson, toSendableBody } = await loadUploads()
  const sourceAbort = new AbortController()
  const signals = [sourceAbort.signal, ...(options?.signal ? [options.signal] : [])]
  return {
    method: 'POST',
    path,
    headers: { 'content-type': 'application/x-ndjson' },
    body: await toSendableBody(toNdjson(records, (error) => sourceAbort.abort(error))),
    signal: AbortSignal.any(signals),
    ifMatch: options?.ifMatch,
  }
}
