// A question that cannot be answered as it is: what the server says, over what is on screen.
import { AssayError } from 'assay-client'
import type { ReactNode } from 'react'
import { isUnreachable } from '../api.ts'
import { CopyButton } from './copy-button.tsx'

/** `children` are ways out. */
export function Refused({ error, children }: { error: unknown; children?: ReactNode }) {
  // While the server is away the banner says so.
  if (!(error instanceof AssayError) || isUnreachable(error)) return null
  return (
    <p role="alert" className="notice">
      {error.detail} {children} <CopyDetails error={error} />
    </p>
  )
}

/** What whoever runs the service needs to find it in the log. */
export function CopyDetails({ error }: { error: AssayError }) {
  return (
    <CopyButton text={`${error.status} ${error.code}: ${error.detail} (request ${error.instance})`}>
      Copy details
    </CopyButton>
  )
}
