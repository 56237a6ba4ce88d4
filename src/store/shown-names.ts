// Names in a message to whoever asked for one that is not there.
import { clipped } from '../schema/clipped.ts'

const SHOWN = 50

/** The first of them, each cut: an evaluation may have thousands, and a name may be megabytes. */
export function shownNames(names: string[]): string {
  const shown = names.slice(0, SHOWN).map((name) => `'${clipped(name, 100)}'`)
  const more = names.length > SHOWN ? ` and ${names.length - SHOWN} more` : ''
  return `${shown.join(', ')}${more}`
}
