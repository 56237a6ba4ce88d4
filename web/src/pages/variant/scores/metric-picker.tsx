// Picks the metric of the plot: adjacent buttons for a few evaluators, or else a menu.

import type { Metric } from '../../../revisions/metrics.ts'
import { useChangeSearchParams } from '../../../state/search-params.ts'
import { Menu, MenuItem, MenuItems } from '../../../ui/menus/menu.tsx'
import { Segments } from '../../../ui/tabs.tsx'
import styles from './cards.module.css'

const MAX_SEGMENTS = 5

export function MetricPicker({ metrics, metric }: { metrics: readonly Metric[]; metric: Metric }) {
  const changeParams = useChangeSearchParams<'/variants/$variantId'>()
  const select = ({ search: { on, figure } }: Metric) => changeParams({ on, figure })
  // Latency and cost have their own card, which narrow windows do not show.
  const segments = metrics.filter((item) => item.search.on !== undefined || item === metric)
  const menu = (
    <Menu label={metric.name} size="small" title="Change the metric">
      <MenuItems>
        {metrics.map((item) => (
          <MenuItem key={keyOf(item)} isChosen={item === metric} onClick={() => select(item)}>
            {item.name}
          </MenuItem>
        ))}
      </MenuItems>
    </Menu>
  )
  if (segments.length > MAX_SEGMENTS) return menu
  return (
    <>
      <span className={styles.narrow}>{menu}</span>
      <span className={styles.wide}>
        <Segments
          label="Metric"
          options={segments.map((item) => ({ value: keyOf(item), label: item.name }))}
          value={keyOf(metric)}
          onChange={(key) => {
            const item = metrics.find((item) => keyOf(item) === key)
            if (item) select(item)
          }}
        />
      </span>
    </>
  )
}

/** An evaluator can have the name of another metric. */
function keyOf({ search: { on, figure } }: Metric): string {
  return on === undefined ? `figure ${figure}` : `on ${on}`
}
