// What a person must know before reading the table: parts of the address that mean nothing, a baseline that is gone, a
// question that the server refused.
import { AssayError } from 'assay-client'
import { useChangeSearch } from '../change-search.ts'
import { CopyButton } from '../parts/copy-button.tsx'
import { Ignored } from './ignored.tsx'
import type { Shown } from './shown.ts'

export function Notices({ shown, error }: { shown: Shown; error: unknown }) {
  return (
    <>
      <Ignored parts={shown.ignored} />
      {shown.missingBase !== undefined && (
        <p role="status" className="notice">
          The baseline {shown.missingBase} is gone, or not for this key. Nothing is compared.
        </p>
      )}
      {error instanceof AssayError && error.status < 500 && <Refused shown={shown} error={error} />}
    </>
  )
}

/** The view is kept: one filter less may be all it takes. */
function Refused({ shown, error }: { shown: Shown; error: AssayError }) {
  const change = useChangeSearch()
  const { filters } = shown.view
  const details = `${error.status} ${error.code}: ${error.detail} (request ${error.instance})`
  return (
    <p role="alert" className="notice">
      {error.detail}{' '}
      {filters.length > 0 && (
        <button
          type="button"
          onClick={() => change(Object.fromEntries(filters.map(([name]) => [name, undefined])))}
        >
          Clear all filters
        </button>
      )}{' '}
      <CopyButton text={details}>Copy details</CopyButton>
    </p>
  )
}
