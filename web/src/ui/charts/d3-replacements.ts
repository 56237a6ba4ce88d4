// Replaces d3-interpolate and d3-format in the build: d3-scale imports them for colors, dates and labels, which the charts do
// not use. The packages would add 7 kB to the first load.

type Interpolator = (fraction: number) => number

export function interpolateNumber(start: number, end: number): Interpolator {
  return (fraction) => start * (1 - fraction) + end * fraction
}

export const interpolate = interpolateNumber

export function interpolateRound(start: number, end: number): Interpolator {
  const exact = interpolateNumber(start, end)
  return (fraction) => Math.round(exact(fraction))
}

function notSupported(): never {
  throw new Error('The page is built without tickFormat and piecewise interpolation. See d3-replacements.ts.')
}

export {
  notSupported as format,
  notSupported as formatPrefix,
  notSupported as formatSpecifier,
  notSupported as piecewise,
  notSupported as precisionFixed,
  notSupported as precisionPrefix,
  notSupported as precisionRound,
}
