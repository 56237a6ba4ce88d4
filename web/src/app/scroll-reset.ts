// Replaces the scroll restoration of TanStack Router in the build. The page only uses a part of it: a new page starts at the
// top. The rest would add 1 kB to the first load.
import type { AnyRouter } from '@tanstack/react-router'

export function setupScrollRestoration(router: AnyRouter): void {
  router.subscribe('onRendered', ({ toLocation }) => {
    // The browser scrolls to an element, such as that of the skip link.
    if (toLocation.hash === '') scrollTo({ top: 0, left: 0 })
  })
}

function notSupported(): never {
  throw new Error('The page is built without scroll restoration. See scroll-reset.ts.')
}

export {
  notSupported as defaultGetScrollRestorationKey,
  notSupported as getElementScrollRestorationEntry,
  notSupported as storageKey,
}
