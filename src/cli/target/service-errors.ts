// Converts the errors of the client to errors of commands.
import { AssayConnectionError, AssayError } from 'assay-client'
import { CommandError, UsageError } from '../../errors.ts'
import type { ImportReport } from '../../schema/imports.ts'

export function hasCode(error: unknown, code: string): boolean {
  return error instanceof AssayError && error.code === code
}

/** The report of a rejected import. */
export function importReportOf(error: unknown): ImportReport | undefined {
  return error instanceof AssayError ? (error.report as ImportReport | undefined) : undefined
}

/** Returns other errors unchanged. */
export function toCommandError(error: unknown, url: string): unknown {
  if (error instanceof CommandError || error instanceof UsageError) return error
  if (error instanceof AssayConnectionError) return connectionError(error, url)
  if (error instanceof AssayError)
    return new CommandError(error.detail.replaceAll('\n', ' '), hintFor(error, url))
  return error
}

/** `error` is that of a request, or of reading the body of a response. */
export function connectionError(error: unknown, url: string): CommandError {
  return new CommandError(
    `The connection to ${url} failed: ${describeCause(error)}.`,
    'Check the URL, and that the service is running and reachable.',
  )
}

function describeCause(error: unknown): string {
  let cause = error as Error & { code?: string }
  while (cause.cause instanceof Error) cause = cause.cause as typeof cause
  return (cause.message || cause.code || 'unknown error').replaceAll('\n', ' ').replace(/\.$/, '')
}

function hintFor({ code, status }: AssayError, url: string): string {
  if (status === 401) return 'Set ASSAY_KEY to a valid API key of this service.'
  if (status === 403) return 'Use an API key with the required scope, for the right project.'
  if (code === undefined || code === 'route-not-found')
    return `Check that ${url} is the URL of the web page of an Assay service.`
  if (status === 429 || status === 503) return 'Try again later.'
  return status >= 500 ? 'The log of the service contains the cause.' : 'Correct the input and try again.'
}
