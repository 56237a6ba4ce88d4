// The changes between two revisions of a variant, as JSON text. Cached, because revisions are immutable and keys are
// never reused.
import { setImmediate } from 'node:timers/promises'
import { type Change, compareObjects, isSameString } from '../../json/changes.ts'
import { JsonNode } from '../../json/json-node.ts'
import { MAX_CHANGES, MAX_CHANGES_PER_REVISION } from '../../schema/revision-changes.ts'
import { TextCache } from '../cache/lru-cache.ts'
import type { Connection } from '../dialect/dialect.ts'
import { getRevisionText } from './revisions.ts'

/** In characters. */
const MAX_CACHE_SIZE = 16 * 1024 * 1024

export interface RevisionBody {
  revision: number
  body: string
}

export class RevisionChangeCache {
  readonly #cache = new TextCache(MAX_CACHE_SIZE)

  /** All changes between two existing revisions, with old and new values. */
  between(
    connection: Connection,
    variant: { key: number; id: string },
    from: number,
    to: number,
  ): Promise<string> {
    return this.#cache.getOrCreate(`${variant.key} ${from} ${to} whole`, async () => {
      const [oldBody, newBody] = await Promise.all([
        getRevisionText(connection, variant.key, from),
        getRevisionText(connection, variant.key, to),
      ])
      const members = `"variant_id":${JSON.stringify(variant.id)},"from":${from},"to":${to}`
      return `{${members},${await comparison(oldBody, newBody, MAX_CHANGES, fullChange)}}`
    })
  }

  /** The changes of a revision since the previous one, without values; null for the first revision. */
  async sincePrevious(
    variant: number,
    before: RevisionBody | undefined,
    after: RevisionBody,
  ): Promise<string> {
    if (!before) return 'null'
    return this.#cache.getOrCreate(`${variant} ${before.revision} ${after.revision} brief`, async () => {
      const changes = await comparison(before.body, after.body, MAX_CHANGES_PER_REVISION, briefChange)
      return `{"against":${before.revision},${changes}}`
    })
  }
}

async function comparison(
  oldBody: string,
  newBody: string,
  limit: number,
  serialize: (change: Change) => string,
): Promise<string> {
  const before = configOf(oldBody)
  // Each pass can read megabytes, so other requests get a turn between them.
  await setImmediate()
  const after = configOf(newBody)
  const result = await compareObjects(before.parameters, after.parameters, limit)
  return [
    `"config_name":${isSameString(before.name, after.name) ? 'null' : `{"old":${before.name},"new":${after.name}}`}`,
    `"parameter_count":${result.parameter_count}`,
    `"change_count":${result.change_count}`,
    `"changes":[${result.changes.map(serialize).join(',')}]`,
  ].join(',')
}

const NO_PARAMETERS = JsonNode.of('{}')

function configOf(body: string): { name: string; parameters: JsonNode } {
  const config = new Map(new Map(JsonNode.of(body).members()).get('config')?.members())
  return {
    name: config.get('config_name')?.text ?? '""',
    parameters: config.get('parameters') ?? NO_PARAMETERS,
  }
}

function briefChange({ path, old_path, kind, lines }: Change): string {
  return JSON.stringify({ path, old_path, kind, lines })
}

/** Inserts the values as their original JSON text. */
function fullChange({ path, old_path, kind, old, new: newValue, lines }: Change): string {
  const values = [
    old === undefined ? '' : `"old":${old},`,
    newValue === undefined ? '' : `"new":${newValue},`,
  ]
  return `${JSON.stringify({ path, old_path, kind }).slice(0, -1)},${values.join('')}"lines":${JSON.stringify(lines)}}`
}
