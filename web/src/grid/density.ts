// How tall rows are: one line of text, four or seven.
export const DENSITIES = ['compact', 'medium', 'tall'] as const
export type Density = (typeof DENSITIES)[number]

/** The same heights are in grid.module.css. */
export const ROW_HEIGHTS: Record<Density, number> = { compact: 28, medium: 96, tall: 150 }

export function nextDensity(density: Density): Density {
  return DENSITIES[(DENSITIES.indexOf(density) + 1) % DENSITIES.length] ?? 'compact'
}
