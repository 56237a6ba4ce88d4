// Notices above the content of a page: the error message of the server, and search params that have no effect.
import { AssayError } from 'assay-client'
import type { ReactNode } from 'react'
import { isUnreachable } from '../api/client.ts'
import { CopyButton } from '../ui/copy-button.tsx'

/** `children` are actions that resolve the error. */
export function ErrorNotice({ error, children }: { error: unknown; children?: ReactNode }) {
  // The banner already reports an unavailable server.
  if (!(error instanceof AssayError) || isUnreachable(error)) return null
  return (
    <p role="alert" className="notice">
      {error.detail} {children} <CopyDetailsButton error={error} />
    </p>
  )
}

/** Copies the error and the id of the request, which is also in the log of the server. */
export function CopyDetailsButton({ error }: { error: AssayError }) {
  return (
    <CopyButton
      variant="plain"
      text={`${error.status} ${error.code}: ${error.detail} (request ${error.instance})`}
    >
      Copy details
    </CopyButton>
  )
}

/** Lists the URL parameters that the page ignores. */
export function IgnoredParams({ params }: { params: string[] }) {
  if (params.length === 0) return null
  return (
    <p role="status" className="notice">
      Ignored invalid URL parameter{params.length === 1 ? '' : 's'}: {params.join(', ')}
    </p>
  )
}
