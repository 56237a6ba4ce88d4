// What changed from one revision of a variant to another, as JSON text. Revisions never change and keys are never
// given twice, so what was found out once stays true.
import { setImmediate } from 'node:timers/promises'
import { type Change, compareObjects, isSameString } from '../json/changes.ts'
import { Part } from '../json/outline.ts'
import { MAX_CHANGES, MAX_CHANGES_A_REVISION } from '../schema/revision-changes.ts'
import type { Connection } from './dialect/dialect.ts'
import { KeptTexts } from './kept-texts.ts'
import { getRevisionText } from './revisions.ts'

/** Characters of answers that are kept. */
const ROOM = 16 * 1024 * 1024

export interface RevisionBody {
  revision: number
  body: string
}

export class RevisionChanges {
  readonly #kept = new KeptTexts(ROOM)

  /** The whole difference of two revisions that are there, with the values on both sides. */
  between(
    connection: Connection,
    variant: { key: number; id: string },
    from: number,
    to: number,
  ): Promise<string> {
    return this.#kept.get(`${variant.key} ${from} ${to} whole`, async () => {
      const [old, now] = await Promise.all([
        getRevisionText(connection, variant.key, from),
        getRevisionText(connection, variant.key, to),
      ])
      const head = `"variant_id":${JSON.stringify(variant.id)},"from":${from},"to":${to}`
      return `{${head},${await comparison(old, now, MAX_CHANGES, wholeChange)}}`
    })
  }

  /** What a revision changed, without the values; null for the first. */
  async since(variant: number, before: RevisionBody | undefined, after: RevisionBody): Promise<string> {
    if (!before) return 'null'
    return this.#kept.get(`${variant} ${before.revision} ${after.revision} brief`, async () => {
      const found = await comparison(before.body, after.body, MAX_CHANGES_A_REVISION, briefChange)
      return `{"against":${before.revision},${found}}`
    })
  }
}

async function comparison(
  old: string,
  now: string,
  limit: number,
  write: (change: Change) => string,
): Promise<string> {
  const before = configOf(old)
  // Each is a pass over what may be megabytes; others have their turn in between.
  await setImmediate()
  const after = configOf(now)
  const found = await compareObjects(before.parameters, after.parameters, limit)
  return [
    `"config_name":${isSameString(before.name, after.name) ? 'null' : `{"old":${before.name},"new":${after.name}}`}`,
    `"parameter_count":${found.parameter_count}`,
    `"change_count":${found.change_count}`,
    `"changes":[${found.changes.map(write).join(',')}]`,
  ].join(',')
}

const NO_PARAMETERS = Part.of('{}')

function configOf(body: string): { name: string; parameters: Part } {
  const config = new Map(new Map(Part.of(body).members()).get('config')?.members())
  return {
    name: config.get('config_name')?.text ?? '""',
    parameters: config.get('parameters') ?? NO_PARAMETERS,
  }
}

function briefChange({ path, old_path, kind, lines }: Change): string {
  return JSON.stringify({ path, old_path, kind, lines })
}

/** The values are spliced in as they were written. */
function wholeChange({ path, old_path, kind, old, new: now, lines }: Change): string {
  const values = [old === undefined ? '' : `"old":${old},`, now === undefined ? '' : `"new":${now},`]
  return `${JSON.stringify({ path, old_path, kind }).slice(0, -1)},${values.join('')}"lines":${JSON.stringify(lines)}}`
}
