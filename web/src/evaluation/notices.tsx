// What a person must know before reading the table: parts of the address that mean nothing, a baseline that is gone, a
// question that the server refused.
import { useChangeSearch } from '../change-search.ts'
import { Ignored } from '../parts/ignored.tsx'
import { Refused } from '../parts/refused.tsx'
import type { Shown } from './shown.ts'
import { withoutFilters } from './view.ts'

export function Notices({ shown }: { shown: Shown }) {
  const change = useChangeSearch()
  const { filters } = shown.view
  return (
    <>
      <Ignored parts={shown.ignored} />
      {shown.missingBase !== undefined && (
        <p role="status" className="notice">
          The baseline {shown.missingBase} is gone, or not for this key. Nothing is compared.
        </p>
      )}
      {/* The view is kept: one filter less may be all it takes. */}
      <Refused error={shown.error}>
        {filters.length > 0 && (
          <button type="button" onClick={() => change(withoutFilters(filters))}>
            Clear all filters
          </button>
        )}
      </Refused>
    </>
  )
}
