// The preference that shows the statistics above the table.
import { usePreference } from '../../../state/preferences.ts'

/** Whether this browser shows the statistics above the table. */
export function useAreStatisticsVisible(): boolean {
  return usePreference('statistics') === 'on'
}
