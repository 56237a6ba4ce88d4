// The API of a running service, over HTTP.
import { Assay } from 'assay-client'
import { UsageError } from '../../errors.ts'
import type { Api } from './api.ts'
import { notAssayError, toCommandError } from './service-errors.ts'
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
