// Lines on logarithmic axes, as SVG that is read in light and in dark.

export interface Panel {
  title: string
  along: string
  lines: { name: string; points: [x: number, y: number][] }[]
}

const WIDTH = 460
const HEIGHT = 300
const INSET = { left: 56, right: 110, top: 34, bottom: 46 }
const COLUMNS = 2
const COLOURS = ['#0f766e', '#c2410c', '#6d5bd0']

export function plot(panels: Panel[]): string {
  const rows = Math.ceil(panels.length / COLUMNS)
  const drawn = panels.map((panel, index) => {
    const place = `translate(${(index % COLUMNS) * WIDTH} ${Math.floor(index / COLUMNS) * HEIGHT})`
    return `<g transform="${place}">${drawPanel(panel)}</g>`
  })
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${WIDTH * COLUMNS} ${HEIGHT * rows}" font-family="system-ui, sans-serif" font-size="12">
<title>How time, memory and disk grow</title>
<rect width="100%" height="100%" fill="#fff"/>
${drawn.join('\n')}
</svg>
`
}

function drawPanel({ title, along, lines }: Panel): string {
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
      `<text x="${INSET.left - 8}" y="${at + 4}" text-anchor="end" fill="#555">${written(value)}</text>`,
    )
  }
  for (const value of x.ticks) {
    parts.push(
      `<text x="${x.place(value)}" y="${HEIGHT - INSET.bottom + 18}" text-anchor="middle" fill="#555">${written(value)}</text>`,
    )
  }
  parts.push(`<text x="${INSET.left}" y="${HEIGHT - 8}" fill="#555">${along}</text>`)
  const names: Name[] = []
  for (const [index, { name, points }] of lines.entries()) {
    const colour = COLOURS[index % COLOURS.length]
    const places = points.map(([count, value]) => [x.place(count), y.place(value)] as const)
    parts.push(
      `<polyline fill="none" stroke="${colour}" stroke-width="2" points="${places.map((place) => place.join()).join(' ')}"/>`,
    )
    for (const [left, top] of places)
      parts.push(`<circle cx="${left}" cy="${top}" r="2.5" fill="${colour}"/>`)
    const [left = 0, top = 0] = places.at(-1) ?? []
    names.push({ left, top, text: `fill="${colour}">${name}` })
  }
  for (const { left, top, text } of apart(names))
    parts.push(`<text x="${left + 8}" y="${top + 4}" ${text}</text>`)
  return parts.join('')
}

interface Name {
  left: number
  top: number
  text: string
}

const LINE = 14

/** Names of lines that end at the same height stand below each other. */
function apart(names: Name[]): Name[] {
  const placed: Name[] = []
  for (const name of names.toSorted((one, other) => one.top - other.top)) {
    const above = placed.at(-1)?.top ?? -LINE
    placed.push({ ...name, top: Math.max(name.top, above + LINE) })
  }
  return placed
}

/** From the power of ten below the least value to the one above the most. */
function axis(values: number[], from: number, to: number) {
  const least = Math.floor(Math.log10(Math.min(...values)))
  const most = Math.max(least + 1, Math.ceil(Math.log10(Math.max(...values)) - 1e-9))
  const place = (value: number) =>
    Number((from + ((Math.log10(value) - least) / (most - least)) * (to - from)).toFixed(1))
  return { place, ticks: Array.from({ length: most - least + 1 }, (_, index) => 10 ** (least + index)) }
}

function written(value: number): string {
  return value < 1000 ? String(value) : `${(value / 1000).toLocaleString('en')}k`
}
