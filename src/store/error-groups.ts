// Error messages that differ only in their numbers, names and keys are one group: the message with those taken out.

/** What is kept of a message; messages that differ behind it are one group. */
const SHOWN = 200

/** Quoted texts, then anything that mixes letters and digits as ids and keys do, then numbers. */
const PARTS = [
  [/"[^"]*"|'[^']*'(?!\p{L})|`[^`]*`/gu, '<…>'],
  [/\b(?=[\w-]*\d)(?=[\w-]*\p{L})[\w-]{6,}\b/gu, '<…>'],
  [/\d+(?:[.,:]\d+)*/g, '<n>'],
] as const

export function errorGroup(message: string): string {
  // Where parts are taken out, less may be left: more is looked at than is shown.
  let group = message.slice(0, 4 * SHOWN).replace(/\s+/g, ' ')
  for (const [part, name] of PARTS) group = group.replace(part, name)
  return [...group.trim()].slice(0, SHOWN).join('').toWellFormed()
}
