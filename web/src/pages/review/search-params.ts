// Search params of the page of a review.
import { numberUpTo, searchOf, text } from '../../state/search-params.ts'

export const reviewSearch = searchOf({
  /** The row that a key of the project decides. */
  row: text,
  /** The number of the output, if a row has several. */
  output: numberUpTo(Number.MAX_SAFE_INTEGER),
})
