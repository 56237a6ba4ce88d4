// The Node versions that run Assay. An older Node must be able to load this file, so it imports nothing.

/** The oldest version that works: the first release of Node 24 with long-term support. The package requires it too. */
export const MINIMUM_NODE = '24.11'

/** What to print if this Node version is too old. */
export function nodeVersionError(version = process.versions.node): string | undefined {
  const [major = 0, minor = 0] = version.split('.').map(Number)
  const [minMajor = 0, minMinor = 0] = MINIMUM_NODE.split('.').map(Number)
  if (major > minMajor || (major === minMajor && minor >= minMinor)) return undefined
  return `Assay needs Node ${MINIMUM_NODE} or later, but this is Node ${version}.`
}
