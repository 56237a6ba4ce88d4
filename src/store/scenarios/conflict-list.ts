// The errors of an upload that is canceled because of records whose id already exists.
import { Problem } from '../../errors.ts'
import type { OnConflict } from '../../schema/scenarios.ts'
import type { RejectedRow } from './conflicts.ts'
import { MISALIGNED_DETAILS } from './corrections.ts'

/** Conflicts in the detail, and in the list, of the response. */
const [MAX_NAMED, MAX_LISTED] = [3, 100]

export class ConflictList {
  count = 0
  readonly #listed: { id: string; pointer: string; line: number }[] = []
  readonly #onConflict: OnConflict

  constructor(onConflict: OnConflict = 'error') {
    this.#onConflict = onConflict
  }

  add({ id, location }: RejectedRow): void {
    this.count += 1
    if (this.#listed.length === MAX_LISTED) return
    this.#listed.push({ id, pointer: `/${location?.index ?? 0}/id`, line: location?.line ?? 1 })
  }

  toProblem(): Problem {
    const named = this.#listed
      .slice(0, MAX_NAMED)
      .map(({ id, pointer, line }) => `'${id}' (at ${pointer}, line ${line})`)
    const others = this.count > MAX_NAMED ? ` and ${this.count - MAX_NAMED} more` : ''
    const ids = `${named.join(', ')}${others}`
    const detail =
      this.#onConflict === 'replace_all' ? describeDuplicates(ids) : describeConflicts(ids, this.count)
    const members = { conflicts: this.#listed, conflict_count: this.count }
    return new Problem('conflict', detail, {}, { members })
  }
}

function describeConflicts(ids: string, count: number): string {
  const subject = count === 1 ? 'This scenario exists' : 'These scenarios exist'
  return `${subject} already with different content, so nothing was stored: ${ids}. Use on_conflict=replace to replace stored scenarios, or on_conflict=skip to leave them as they are.`
}

/** Stored scenarios are replaced, so the other record is in the same upload. */
function describeDuplicates(ids: string): string {
  return `The body has several records with the same id and different content, so nothing was stored: ${ids}. Use each id once.`
}

/** The error of a record whose results cannot be merged with those of the stored scenario. */
export function misalignedDetailsProblem({ location }: RejectedRow): Problem {
  const { index = 0, line = 1 } = location ?? {}
  const pointer = `/${index}/extra/results`
  const members = { errors: [{ pointer, line, detail: MISALIGNED_DETAILS }], error_count: 1 }
  const detail = `${MISALIGNED_DETAILS} (at ${pointer}, line ${line}) Nothing was stored.`
  return new Problem('invalid-content', detail, {}, { members })
}
