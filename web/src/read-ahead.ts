// Fetches what is not in the first file: when it is first wanted, or a while after the first page stands, so that it opens
// while the server is away too.
const AFTER_MS = 5000
const LONGEST_WAIT_MS = 30_000

export const loadDetailPages = () => untilThere(() => import('./detail-pages.ts'))

export function readAhead(): void {
  setTimeout(loadDetailPages, AFTER_MS)
}

/** Tries until the server gives it. */
async function untilThere<Module>(load: () => Promise<Module>): Promise<Module> {
  for (let wait = 1000; ; wait = Math.min(LONGEST_WAIT_MS, wait * 2)) {
    try {
      return await load()
    } catch {
      // A server that answers and does not have it has been built anew since: begin again with its page.
      if (await isServerThere()) location.reload()
      await new Promise((resolve) => setTimeout(resolve, wait))
    }
  }
}

async function isServerThere(): Promise<boolean> {
  try {
    return (await fetch('/livez')).ok
  } catch {
    return false
  }
}
