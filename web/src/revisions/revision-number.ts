// Revision numbers in the URL.

/** The largest revision number of the API. */
const MAX_NUMBER = 2_147_483_647

/** Undefined if the text is not a revision number. */
export function revisionNumberOf(text: string): number | undefined {
  return /^\d+$/.test(text) && Number(text) <= MAX_NUMBER ? Number(text) : undefined
}
