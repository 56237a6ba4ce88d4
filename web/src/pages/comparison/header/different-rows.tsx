// Why there is no outcome if most rows have different inputs.
import { Link } from '@tanstack/react-router'
import { formatCount, pluralize } from '../../../format/numbers.ts'
import type { Candidate } from '../statistics/outcomes.ts'

/** With a link that pairs the rows by their inputs instead. */
export function DifferentRows({ candidate: { inputs_differ, matched } }: { candidate: Candidate }) {
  return (
    <>
      {formatCount(inputs_differ)} of {pluralize(matched, 'row')} with the same id have different inputs.{' '}
      <Link to="/compare" search={(old) => ({ ...old, by: 'input', row: undefined })} className="count-link">
        Match rows by their inputs
      </Link>
    </>
  )
}
