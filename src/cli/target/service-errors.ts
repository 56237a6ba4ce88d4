// Converts the errors of requests to a service to errors of commands.
import { AssayConnectionError, AssayError } from 'assay-client'
import { CommandError, UsageError } from '../../errors.ts'

/** Returns other errors unchanged. */
export function toCommandError(error: unknown, url: string): unknown {
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
export function notAssayError(url: string): CommandError {
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
