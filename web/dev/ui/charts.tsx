// The parts of charts: the histogram, the points of plots, and bars.

import { Bar } from '../../src/ui/charts/bar.tsx'
import { Histogram, HistogramTable } from '../../src/ui/charts/histogram.tsx'
import { IntervalAxis, IntervalChart } from '../../src/ui/charts/interval-chart.tsx'
import { Marker } from '../../src/ui/charts/marker.tsx'
import { Sparkline } from '../../src/ui/charts/sparkline.tsx'
import styles from './page.module.css'

const COUNTS = [4, 0, 9, 21, 54, 32]
const BINS = COUNTS.map((count, index) => ({ from: index / 10, to: (index + 1) / 10, count }))
const CONSTANT = [{ from: 1, to: 1, count: 120 }]
const POINTS = [
  { id: 'r3', index: 0, value: 74.6 },
  { id: 'r4', index: 1, value: 91.3, direction: 'better' },
  { id: 'r5', index: 2, value: 70.1, direction: 'worse' },
] as const
const histogram = { name: 'faithfulness', format: (value: number) => value.toFixed(1) }

export function Charts() {
  return (
    <>
      <div className={styles.line}>
        <svg role="img" aria-label="Points: tied, better, worse" width="96" height="24">
          <Marker x={12} y={12} />
          <Marker x={48} y={12} direction="better" />
          <Marker x={84} y={12} direction="worse" />
        </svg>
        <div style={{ width: 160 }}>
          <Sparkline
            label="answer_correct"
            points={POINTS}
            positions={3}
            renderLink={({ id, value }, props) => (
              <a
                key={id}
                href={`#${id}`}
                aria-label={`${id}: ${value} %`}
                data-tooltip={`${id}: ${value} %`}
                {...props}
              />
            )}
          />
        </div>
        <div style={{ width: 160 }}>
          <Histogram {...histogram} bins={BINS} onPick={() => undefined} />
        </div>
        <div style={{ width: 160 }}>
          <Histogram {...histogram} bins={CONSTANT} />
        </div>
      </div>
      <div className={styles.line}>
        <div style={{ width: 220 }}>
          <IntervalAxis limit={20} />
          <IntervalChart change={12} interval={[4, 19]} direction="better" limit={20} />
          <IntervalChart change={-3} interval={[-9, 3]} direction="tied" limit={20} />
          <IntervalChart change={-16} interval={[-30, -8]} direction="worse" limit={20} />
        </div>
        <HistogramTable {...histogram} bins={BINS} />
        <div style={{ width: 160 }}>
          <Bar share={1} />
          <Bar share={0.4} />
        </div>
      </div>
    </>
  )
}
