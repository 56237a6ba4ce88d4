// What people prefer in a comparison, as a sentence.
import type { PreferenceCounts } from 'assay-client'
import { formatCount, formatDecimal } from './numbers.ts'

const percent = (share: number) => formatDecimal(share * 100, 0)

/** "People prefer r6 in 61 % of 46 rows (45 to 75), 12 equal, 2 both bad." */
export function preferenceText(name: string, counts: PreferenceCounts): string {
  const { candidate, baseline, equal, both_bad, share, interval } = counts
  const others = [
    equal > 0 && `${formatCount(equal)} equal`,
    both_bad > 0 && `${formatCount(both_bad)} both bad`,
  ].filter((text) => text !== false)
  const rest = others.length === 0 ? '' : `${share === null ? '' : ', '}${others.join(', ')}`
  if (share === null) return others.length === 0 ? 'No answers yet.' : `People prefer neither: ${rest}.`
  const [low = 0, high = 1] = interval ?? []
  const rows = candidate + baseline
  return `People prefer ${name} in ${percent(share)} % of ${formatCount(rows)} ${rows === 1 ? 'row' : 'rows'} (${percent(low)} to ${percent(high)})${rest}.`
}
