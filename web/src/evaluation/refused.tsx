// A question that cannot be answered as it is: what the server says, over rows that stay.
import { AssayError } from 'assay-client'
import { isUnreachable } from '../api.ts'
import { CopyButton } from '../parts/copy-button.tsx'

export function Refused({ error }: { error: Error | null }) {
  // While the server is away the banner says so.
  if (!(error instanceof AssayError) || isUnreachable(error)) return null
  return (
    <p role="alert" className="notice">
      {error.detail}{' '}
      <CopyButton text={`${error.status} ${error.code}: ${error.detail} (request ${error.instance})`}>
        Copy details
      </CopyButton>
    </p>
  )
}
