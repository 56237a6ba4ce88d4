// The notices above the table: ignored search params, a missing baseline, a rejected request.

import { ErrorNotice } from '../../errors/error-notice.tsx'
import { IgnoredParams } from '../../errors/ignored-params.tsx'
import type { EvaluationState } from '../../evaluation-state/page-state.ts'
import { withoutFilters } from '../../state/row-params.ts'
import { useChangeSearchParams } from '../../state/search-params.ts'

export function Notices({ pageState }: { pageState: EvaluationState }) {
  const changeParams = useChangeSearchParams()
  const { filters } = pageState.params
  return (
    <>
      <IgnoredParams params={pageState.ignored} />
      {pageState.missingBaselineId !== undefined && (
        <p role="status" className="notice">
          Baseline {pageState.missingBaselineId} does not exist, or this key cannot read it. Select another
          one.
        </p>
      )}
      {/* The rest of the page stays: often one filter is invalid. */}
      <ErrorNotice error={pageState.error}>
        {filters.length > 0 && (
          <button type="button" onClick={() => changeParams(withoutFilters(filters))}>
            Clear all filters
          </button>
        )}
      </ErrorNotice>
    </>
  )
}
