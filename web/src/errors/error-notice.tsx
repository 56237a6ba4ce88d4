// A notice with the error message of the server, above the content of the page.
import { AssayError } from 'assay-client'
import type { ReactNode } from 'react'
import { isUnreachable } from '../api/client.ts'
import { CopyButton } from '../ui/copy-button.tsx'

/** `children` are actions that resolve the error. */
export function ErrorNotice({ error, children }: { error: unknown; children?: ReactNode }) {
  // The banner reports an unreachable server.
  if (!(error instanceof AssayError) || isUnreachable(error)) return null
  return (
    <p role="alert" className="notice">
      {error.detail} {children} <CopyDetails error={error} />
    </p>
  )
}

/** Copies what an operator needs to find the request in the log. */
export function CopyDetails({ error }: { error: AssayError }) {
  return (
    <CopyButton text={`${error.status} ${error.code}: ${error.detail} (request ${error.instance})`}>
      Copy details
    </CopyButton>
  )
}
