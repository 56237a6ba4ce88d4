// The search params of the variant page: the filter, and the metric of the plot.
import { oneOf, searchOf, text } from '../../state/search-params.ts'

export const variantSearch = searchOf({
  q: text,
  /** The evaluator whose scores are plotted, or another metric. */
  on: text,
  figure: oneOf(['latency', 'cost']),
})
