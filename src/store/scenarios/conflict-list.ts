// The errors of an upload that is canceled because of records whose id already exists.
import { Problem } from '../../errors.ts'
import type { RejectedRow } from './conflicts.ts'
import { MISALIGNED_DETAILS } from './corrections.ts'

/** Conflicts in the detail, and in the list, of the response. */
const [MAX_NAMED, MAX_LISTED] = [3, 100]

export class ConflictList {
  count = 0
  readonly #listed: { id: string; pointer: string; line: number }[] = []

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
    const subject = this.count === 1 ? 'This scenario exists' : 'These scenarios exist'
    const detail = `${subject} already with different content, so nothing was stored: ${named.join(', ')}${others}. Use on_conflict=replace to replace stored scenarios, or on_conflict=skip to leave them as they are.`
    const members = { conflicts: this.#listed, conflict_count: this.count }
    return new Problem('conflict', detail, {}, { members })
  }
}

/** The error of a record whose results cannot be merged with those of the stored scenario. */
export function misalignedDetailsProblem({ location }: RejectedRow): Problem {
  const { index = 0, line = 1 } = location ?? {}
  const pointer = `/${index}/extra/results`
  const members = { errors: [{ pointer, line, detail: MISALIGNED_DETAILS }], error_count: 1 }
  const detail = `${MISALIGNED_DETAILS} (at ${pointer}, line ${line}) Nothing was stored.`
  return new Problem('invalid-content', detail, {}, { members })
}
