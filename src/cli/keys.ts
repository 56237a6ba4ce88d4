// assay keys …: creates, lists, revokes and rotates API keys.
import { CommandError, UsageError } from '../errors.ts'
import { describeRestriction } from '../schema/key-restriction.ts'
import { isPublicId, PROJECT_SCOPES, type Scope } from '../schema/keys.ts'
import type { Settings } from '../settings/settings.ts'
import * as keys from '../store/access/keys.ts'
import type { Command } from './command.ts'
import { formatTable, print, sanitizeLine } from './output/terminal-text.ts'
import { withStore } from './target/with-store.ts'
import { checkNames, readExpiry } from './validation.ts'

export const createKey: Command = {
  async run(settings) {
    checkNames(settings, 'project', 'name')
    const key: keys.NewKey = {
      project: settings.project,
      name: settings.name ?? null,
      scopes: readScopes(settings.scope),
      expires_at: settings.expires === undefined ? null : readExpiry(settings.expires),
    }
    const createdKey = await withStore(
      settings,
      ({ writer }) => writer.transaction((transaction) => keys.addKey(transaction, key)),
      true,
    )
    printKey(settings, { key: createdKey.key, public_id: createdKey.public_id, ...key })
  },
}

export const listKeys: Command = {
  async run(settings) {
    const listedKeys = await withStore(settings, ({ reader }) => keys.listKeys(reader, settings.project))
    if (settings.json) return print(JSON.stringify(listedKeys, null, 2))
    if (listedKeys.length === 0) return print(sanitizeLine(`The project '${settings.project}' has no keys.`))
    const headings = ['PUBLIC ID', 'LAST FOUR', 'SCOPES', 'CREATED', 'STATE', 'NAME', 'RESTRICTED TO']
    const rows = listedKeys.map((key) => [
      key.public_id,
      key.last_four,
      key.scopes.join(','),
      key.created_at,
      describeKeyState(key),
      sanitizeLine(key.name ?? ''),
      key.confined_to ? sanitizeLine(describeRestriction(key.confined_to)) : '',
    ])
    print(formatTable([headings, ...rows]))
  },
}

export const revokeKey: Command = {
  argumentCount: [1, 1],
  async run(settings, [argument = '']) {
    const public_id = readPublicId(argument)
    const key = await withStore(settings, ({ writer }) =>
      writer.transaction(async (transaction) => {
        await keys.getKey(transaction, public_id)
        await keys.revokeKey(transaction, public_id)
        return keys.getKey(transaction, public_id)
      }),
    )
    print(settings.json ? JSON.stringify(key, null, 2) : `Revoked ${public_id}.`)
  },
}

export const rotateKey: Command = {
  argumentCount: [1, 1],
  async run(settings, [argument = '']) {
    const public_id = readPublicId(argument)
    const now = Date.now()
    const rotatedKey = await withStore(settings, ({ writer }) =>
      writer.transaction(async (transaction) => {
        const oldKey = await keys.getKey(transaction, public_id)
        if (isInactive(oldKey, now)) {
          throw new CommandError(
            `The key ${public_id} is not active: ${describeKeyState(oldKey)}.`,
            'Create a new key with assay keys create.',
          )
        }
        const expiry = new Date(now + settings.overlap).toISOString()
        await keys.expireKey(transaction, public_id, expiry, 'key.rotated')
        const key = { ...oldKey, expires_at: renewedExpiry(oldKey, now) }
        const added = await keys.addKey(transaction, key)
        await keys.transferShares(transaction, public_id, added.public_id)
        return { ...key, ...added }
      }),
    )
    const { key, public_id: new_id, project, name, scopes, confined_to, expires_at } = rotatedKey
    printKey(settings, { key, public_id: new_id, project, name, scopes, confined_to, expires_at })
  },
}

/** Prints only the key to standard output, so that scripts can pipe or assign it. */
function printKey({ json }: Settings, key: keys.NewKey & { key: string; public_id: string }): void {
  const { scopes, project } = key
  if (!json) {
    const noun = scopes.length === 1 ? 'scope' : 'scopes'
    const line = `Created a key with the ${noun} ${scopes.join(' and ')} for the project '${project}'.`
    process.stderr.write(`${sanitizeLine(line)}\n`)
  }
  print(json ? JSON.stringify(key, null, 2) : key.key)
}

function readScopes(names: string[]): Scope[] {
  if (names.includes('review'))
    throw new UsageError(
      "Only share links of a review have the scope 'review'. Use assay share --review REVIEW --name NAME.",
    )
  const unknownScope = names.find((name) => !PROJECT_SCOPES.some((scope) => scope === name))
  if (unknownScope === undefined && names.length > 0)
    return PROJECT_SCOPES.filter((scope) => names.includes(scope))
  const problem = unknownScope === undefined ? 'The scope is missing' : `Unknown scope '${unknownScope}'`
  throw new UsageError(`${problem}. Use read, write or read,write.`)
}

function readPublicId(text: string): string {
  if (isPublicId(text)) return text
  throw new UsageError('The public id must be the 12 characters between the two underscores of a key.')
}

function isInactive(key: keys.ListedKey, now: number): boolean {
  return key.revoked_at !== null || (key.expires_at !== null && Date.parse(key.expires_at) <= now)
}

/** The new key has the same lifetime as the old one: 30 days if that was valid for 30 days. */
function renewedExpiry({ created_at, expires_at }: keys.ListedKey, now: number): string | null {
  if (expires_at === null) return null
  return new Date(now + Date.parse(expires_at) - Date.parse(created_at)).toISOString()
}

export function describeKeyState(key: keys.ListedKey): string {
  if (key.revoked_at !== null) return `revoked ${key.revoked_at}`
  if (key.expires_at === null) return 'active'
  return `${Date.parse(key.expires_at) <= Date.now() ? 'expired' : 'expires'} ${key.expires_at}`
}
