// Layout of the plot of kappa over thresholds: a line with a band for its confidence intervals, and two marked thresholds.
import type { Agreement } from 'assay-client'
import { ticks } from 'd3-array'
import { formatScore } from '../../format/numbers.ts'
import { valueScale } from '../../ui/charts/scales.ts'

interface LayoutOptions {
  width: number
  height: number
  /** The declared threshold. */
  now: number | null
  best: NonNullable<Agreement['best_threshold']>
}

const MARGIN = { left: 44, right: 16, top: 24, bottom: 28 }
const TICK_WIDTH = 70

export type ThresholdLayout = ReturnType<typeof thresholdLayout>

export function thresholdLayout(points: Agreement['thresholds'], options: LayoutOptions) {
  const { width, height, now, best } = options
  const area = {
    left: MARGIN.left,
    right: Math.max(MARGIN.left + 1, width - MARGIN.right),
    top: MARGIN.top,
    bottom: height - MARGIN.bottom,
  }
  const sorted = points.toSorted((a, b) => a.threshold - b.threshold)
  const [low, high] = [sorted[0]?.threshold ?? 0, sorted.at(-1)?.threshold ?? 1]
  const xOf = (threshold: number) =>
    area.left + ((threshold - low) / (high - low || 1)) * (area.right - area.left)
  const values = sorted.flatMap(({ kappa, interval }) => [kappa ?? 0, ...(interval ?? [])])
  const scale = valueScale(values, {
    range: [area.bottom, area.top],
    tickCount: 4,
    hasZero: true,
    maximum: 1,
  })
  const placed = sorted.map(({ threshold, kappa, interval }) => {
    const [bottom = kappa ?? 0, top = kappa ?? 0] = interval ?? []
    return { x: xOf(threshold), y: scale.yOf(kappa ?? 0), bottom: scale.yOf(bottom), top: scale.yOf(top) }
  })
  const upper = placed.map(({ x, top }) => `${x} ${top}`)
  const lower = placed.map(({ x, bottom }) => `${x} ${bottom}`).reverse()
  const isInside = now !== null && now >= low && now <= high && now !== best.threshold
  // The labels are on the outer sides of both lines, so that they do not overlap.
  const isBestRight = now === null || best.threshold >= now
  return {
    area,
    ticks: scale.ticks,
    columns: ticks(low, high, Math.max(2, (area.right - area.left) / TICK_WIDTH))
      .filter((value) => value >= low && value <= high)
      .map((value) => ({ x: xOf(value), label: formatScore(value) })),
    band: placed.length === 0 ? '' : `M${[...upper, ...lower].join('L')}Z`,
    line: placed.map(({ x, y }) => `${x},${y}`).join(' '),
    now: isInside
      ? {
          x: xOf(now),
          label: `now ${formatScore(now)}`,
          anchor: isBestRight ? ('end' as const) : ('start' as const),
        }
      : undefined,
    best: {
      x: xOf(best.threshold),
      y: scale.yOf(best.kappa ?? 0),
      label: `best ${formatScore(best.threshold)}`,
      anchor: anchorOf(xOf(best.threshold), area, isInside && !isBestRight ? 'end' : 'start'),
    },
  }
}

const LABEL_WIDTH = 60

/** A label near an edge of the plot is on the side with space. */
function anchorOf(x: number, area: { left: number; right: number }, preferred: 'start' | 'end') {
  if (x + LABEL_WIDTH > area.right) return 'end'
  return x - LABEL_WIDTH < area.left ? 'start' : preferred
}
