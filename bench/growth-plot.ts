// Draws line charts with logarithmic axes as SVG, readable in light and dark mode.

export interface Panel {
  title: string
  xLabel: string
  lines: { name: string; points: [x: number, y: number][] }[]
}

const WIDTH = 460
const HEIGHT = 300
const INSET = { left: 56, right: 110, top: 34, bottom: 46 }
const COLUMNS = 2
const COLORS = ['#0f766e', '#c2410c', '#6d5bd0']

export function plot(panels: Panel[]): string {
  const rows = Math.ceil(panels.length / COLUMNS)
  const charts = panels.map((panel, index) => {
    const transform = `translate(${(index % COLUMNS) * WIDTH} ${Math.floor(index / COLUMNS) * HEIGHT})`
    return `<g transform="${transform}">${drawPanel(panel)}</g>`
  })
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${WIDTH * COLUMNS} ${HEIGHT * rows}" font-family="system-ui, sans-serif" font-size="12">
<title>How time, memory and disk grow</title>
<rect width="100%" height="100%" fill="#fff"/>
${charts.join('\n')}
</svg>
`
}

function drawPanel({ title, xLabel, lines }: Panel): string {
  const points = lines.flatMap(({ points }) => points)
  const x = axis(
    points.map(([value]) => value),
    INSET.left,
    WIDTH - INSET.right,
  )
  const y = axis(
    points.map(([, value]) => value),
    HEIGHT - INSET.bottom,
    INSET.top,
  )
  const parts = [`<text x="${INSET.left}" y="20" font-weight="600">${title}</text>`]
  for (const value of y.ticks) {
    const at = y.place(value)
    parts.push(
      `<line x1="${INSET.left}" x2="${WIDTH - INSET.right}" y1="${at}" y2="${at}" stroke="#e2e4e9"/>`,
    )
    parts.push(
      `<text x="${INSET.left - 8}" y="${at + 4}" text-anchor="end" fill="#555">${formatTick(value)}</text>`,
    )
  }
  for (const value of x.ticks) {
    parts.push(
      `<text x="${x.place(value)}" y="${HEIGHT - INSET.bottom + 18}" text-anchor="middle" fill="#555">${formatTick(value)}</text>`,
    )
  }
  parts.push(`<text x="${INSET.left}" y="${HEIGHT - 8}" fill="#555">${xLabel}</text>`)
  const labels: Label[] = []
  for (const [index, { name, points }] of lines.entries()) {
    const color = COLORS[index % COLORS.length]
    const places = points.map(([count, value]) => [x.place(count), y.place(value)] as const)
    parts.push(
      `<polyline fill="none" stroke="${color}" stroke-width="2" points="${places.map((place) => place.join()).join(' ')}"/>`,
    )
    for (const [left, top] of places) parts.push(`<circle cx="${left}" cy="${top}" r="2.5" fill="${color}"/>`)
    const [left = 0, top = 0] = places.at(-1) ?? []
    labels.push({ left, top, text: `fill="${color}">${name}` })
  }
  for (const { left, top, text } of separateLabels(labels))
    parts.push(`<text x="${left + 8}" y="${top + 4}" ${text}</text>`)
  return parts.join('')
}

interface Label {
  left: number
  top: number
  text: string
}

const LINE_HEIGHT = 14

/** Moves labels apart that would overlap. */
function separateLabels(labels: Label[]): Label[] {
  const placed: Label[] = []
  for (const label of labels.toSorted((one, other) => one.top - other.top)) {
    const above = placed.at(-1)?.top ?? -LINE_HEIGHT
    placed.push({ ...label, top: Math.max(label.top, above + LINE_HEIGHT) })
  }
  return placed
}

/** A logarithmic axis from the power of ten below the minimum to the one above the maximum. */
function axis(values: number[], from: number, to: number) {
  const low = Math.floor(Math.log10(Math.min(...values)))
  const high = Math.max(low + 1, Math.ceil(Math.log10(Math.max(...values)) - 1e-9))
  const place = (value: number) =>
    Number((from + ((Math.log10(value) - low) / (high - low)) * (to - from)).toFixed(1))
  return { place, ticks: Array.from({ length: high - low + 1 }, (_, index) => 10 ** (low + index)) }
}

function formatTick(value: number): string {
  return value < 1000 ? String(value) : `${(value / 1000).toLocaleString('en')}k`
}
