// The API of a running service, over HTTP.
import { Assay, AssayConnectionError, AssayError } from 'assay-client'
import { CommandError, UsageError } from '../../errors.ts'
import type { Api } from './api.ts'
import { importOverHttp } from './service-import.ts'
import { hasCode } from './target-errors.ts'

/** Throws UsageError without a key, and CommandError if the service does not accept it. */
export async function openServiceApi(url: string, key: string | undefined): Promise<Api> {
  if (key === undefined)
    throw new UsageError('A service needs an API key. Set the environment variable ASSAY_KEY.')
  if (!/^[\x21-\x7e]+$/.test(key))
    throw new UsageError('The API key contains invalid characters. Use the key exactly as it was issued.')
  const { username, password } = new URL(url)
  if (username !== '' || password !== '')
    throw new UsageError('The URL of a service cannot contain a user name or a password.')
  const assay = new Assay({ key, baseUrl: `${url}/api`, fetch: fetchWithoutRedirects })
  const { project, scopes } = await assay.getKey().catch((error) => {
    throw hasCode(error, 'route-not-found') ? notAssayError(url) : toCommandError(error, url)
  })
  if (typeof project !== 'string' || !Array.isArray(scopes)) throw notAssayError(url)
  return {
    assay,
    project,
    scopes,
    projectHint: 'use an API key of that project',
    hasProject: async () => true,
    toCommandError: (error) => toCommandError(error, url),
    importFile: (source, importer, settings, signal) =>
      importOverHttp(assay, settings, source, importer, signal),
  }
}

/** A redirect would lose the API key and the body of an upload, so it is an error instead. */
async function fetchWithoutRedirects(...[url, init]: Parameters<typeof fetch>): Promise<Response> {
  const response = await fetch(url, { ...init, redirect: 'manual' })
  const location = response.headers.get('location')
  if (location === null || response.status < 300 || response.status >= 400) return response
  const detail = `The service redirects to ${new URL(location, String(url)).origin}.`
  const headers = { 'content-type': 'application/problem+json' }
  return new Response(JSON.stringify({ detail }), { status: response.status, headers })
}

/** Returns other errors unchanged. */
function toCommandError(error: unknown, url: string): unknown {
  if (error instanceof CommandError || error instanceof UsageError) return error
  // fetch reports a body that ends early as this TypeError.
  const isIncompleteBody = error instanceof TypeError && error.message === 'terminated'
  if (isIncompleteBody || error instanceof AssayConnectionError) return connectionError(error, url)
  if (error instanceof AssayError)
    return new CommandError(error.detail.replaceAll('\n', ' '), hintFor(error, url))
  return error
}

function connectionError(error: unknown, url: string): CommandError {
  let cause = error as Error & { code?: string }
  while (cause.cause instanceof Error) cause = cause.cause as typeof cause
  // An error of the file that was being sent.
  if (cause instanceof CommandError) return cause
  const { code = '' } = cause
  const message = (cause.message || code || 'unknown error').replaceAll('\n', ' ').replace(/[.: ]+$/, '')
  // Errors of OpenSSL contain positions in its source: the reason is the part before them.
  const [, reason = message] = /:error:\w+:[^:]*:[^:]*:([^:]+):/.exec(message) ?? []
  const hint = /WRONG_VERSION_NUMBER|PACKET_LENGTH_TOO_LONG/.test(code)
    ? 'The service does not use TLS. Use http:// instead of https://, or check the port.'
    : /CERT|UNABLE_TO_VERIFY/.test(code)
      ? 'Check the certificate. Set NODE_EXTRA_CA_CERTS to the file of your own certificate authority.'
      : 'Check the URL, and that the service is running and reachable.'
  return new CommandError(`The connection to ${url} failed: ${reason}.`, hint)
}

/** The response does not come from the API of a service. */
function notAssayError(url: string): CommandError {
  return new CommandError(`${url} is not the URL of an Assay service.`, urlHint(url))
}

function urlHint(url: string): string {
  const withoutApi = url.replace(/\/api$/, '')
  if (withoutApi !== url) return `Omit /api at the end: use ${withoutApi}.`
  return 'Use the URL of its web page, such as https://evals.example.'
}

function hintFor({ code, status }: AssayError, url: string): string {
  if (status >= 300 && status < 400) return 'Set the URL of the service to its new address.'
  if (status === 401) return 'Set ASSAY_KEY to a valid API key of this service.'
  if (status === 403) return 'API keys are created with assay keys create, on the store of the service.'
  if (code === undefined) return `Check that ${url} is the URL of the web page of an Assay service.`
  if (code === 'route-not-found')
    return 'The service is older than this command. Upgrade it, or use an older version of assay.'
  if (status === 429 || status === 503) return 'Try again later.'
  return status >= 500 ? 'The log of the service contains the cause.' : 'Correct the input and try again.'
}
