// Fetches the pages that are not in the first file: when they are first wanted, or a while after the first page stands, so
// that they open while the server is away too.
const AFTER_MS = 5000
const LONGEST_WAIT_MS = 30_000

/** Tries until the server gives them. */
export async function loadOtherPages() {
  for (let wait = 1000; ; wait = Math.min(LONGEST_WAIT_MS, wait * 2)) {
    try {
      return await import('./other-pages.ts')
    } catch {
      // A server that answers and does not have them has been built anew since: begin again with its page.
      if (await isServerThere()) location.reload()
      await new Promise((resolve) => setTimeout(resolve, wait))
    }
  }
}

export function readAhead(): void {
  setTimeout(loadOtherPages, AFTER_MS)
}

async function isServerThere(): Promise<boolean> {
  try {
    return (await fetch('/livez')).ok
  } catch {
    return false
  }
}
