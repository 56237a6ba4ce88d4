// Search params of the revision diff.
import { oneOf, searchOf } from '../../state/search-params.ts'

export const revisionDiffSearch = searchOf({
  all: oneOf(['true', 'false']),
  space: oneOf(['ignored', 'kept']),
  diff: oneOf(['split', 'unified']),
  wrap: oneOf(['on', 'off']),
})
