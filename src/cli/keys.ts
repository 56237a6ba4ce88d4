// assay keys …: mints, lists, ends and replaces API keys.
import { CommandError } from '../errors.ts'
import { confinementText } from '../schema/confinement.ts'
import { isId } from '../schema/ids.ts'
import { isPublicId, SCOPES, type Scope } from '../schema/keys.ts'
import { type Settings, wrongUse } from '../settings.ts'
import * as keys from '../store/keys.ts'
import { type Command, print } from './command.ts'
import { readExpiry } from './expiry.ts'
import { withStore } from './store.ts'
import { visible } from './visible.ts'

export const createKey: Command = {
  name: 'keys create',
  summary: 'Makes a key and prints it, the only time it is shown.',
  words: [0, 0],
  async run(settings) {
    for (const name of ['project', 'name'] as const) {
      if (!isId(settings[name] ?? 'none')) {
        throw wrongUse(`--${name} is not a name of 1 to 200 printable characters.`, 'keys create')
      }
    }
    const key: keys.NewKey = {
      project: settings.project,
      name: settings.name ?? null,
      scopes: readScopes(settings.scope),
      expires_at: settings.expires === undefined ? null : readExpiry(settings.expires, 'keys create'),
    }
    const minted = await withStore(
      settings,
      ({ writer }) => writer.transaction((transaction) => keys.addKey(transaction, key)),
      true,
    )
    printKey(settings, { key: minted.key, public_id: minted.public_id, ...key })
  },
}

export const listKeys: Command = {
  name: 'keys list',
  summary: 'Lists the keys of a project, without their secrets.',
  words: [0, 0],
  async run(settings) {
    const listed = await withStore(settings, ({ reader }) => keys.listKeys(reader, settings.project))
    if (settings.json) return print(JSON.stringify(listed, null, 2))
    if (listed.length === 0) return print(`The project '${settings.project}' has no keys.`)
    const head = ['PUBLIC', 'ENDS IN', 'SCOPES', 'CREATED', 'STATE', 'NAME', 'CONFINED TO']
    const rows = listed.map((key) => [
      key.public_id,
      key.last_four,
      key.scopes.join(','),
      key.created_at,
      state(key),
      visible(key.name ?? ''),
      key.confined_to ? visible(confinementText(key.confined_to)) : '',
    ])
    print(table([head, ...rows]))
  },
}

export const revokeKey: Command = {
  name: 'keys revoke',
  takes: 'PUBLIC',
  summary: 'Ends a key, named by its public part, from the next request on.',
  words: [1, 1],
  async run(settings, [word = '']) {
    const public_id = readPublicId(word, 'keys revoke')
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
  name: 'keys rotate',
  takes: 'PUBLIC',
  summary: 'Makes a key like the one named and prints it; the old one ends after the overlap.',
  words: [1, 1],
  async run(settings, [word = '']) {
    const public_id = readPublicId(word, 'keys rotate')
    const now = Date.now()
    const minted = await withStore(settings, ({ writer }) =>
      writer.transaction(async (transaction) => {
        const old = await keys.getKey(transaction, public_id)
        if (hasEnded(old, now)) {
          throw new CommandError(
            `The key ${public_id} has ended: it is ${state(old)}.`,
            'assay keys create makes a new one.',
          )
        }
        await keys.expireKey(transaction, public_id, new Date(now + settings.overlap).toISOString())
        const key = { ...old, expires_at: sameSpan(old, now) }
        const minted = await keys.addKey(transaction, key)
        await keys.passShares(transaction, public_id, minted.public_id)
        return { ...key, ...minted }
      }),
    )
    const { key, public_id: fresh, project, name, scopes, confined_to, expires_at } = minted
    printKey(settings, { key, public_id: fresh, project, name, scopes, confined_to, expires_at })
  },
}

/** The key stands alone on standard output, so that it can be piped and assigned. */
function printKey(settings: Settings, key: keys.NewKey & { key: string; public_id: string }): void {
  print(settings.json ? JSON.stringify(key, null, 2) : key.key)
}

function readScopes(names: string[]): Scope[] {
  const unknown = names.find((name) => !SCOPES.includes(name as Scope))
  if (unknown === undefined && names.length > 0) return SCOPES.filter((scope) => names.includes(scope))
  const what = unknown === undefined ? 'No scope is named' : `There is no scope '${unknown}'`
  throw wrongUse(`${what}; a key may read, write or both.`, 'keys create')
}

function readPublicId(text: string, command: string): string {
  if (isPublicId(text)) return text
  throw wrongUse('The public part of a key is the 12 characters between its two underscores.', command)
}

function hasEnded(key: keys.ListedKey, now: number): boolean {
  return key.revoked_at !== null || (key.expires_at !== null && Date.parse(key.expires_at) <= now)
}

/** A key that lasted 30 days is followed by one that lasts 30 days. */
function sameSpan({ created_at, expires_at }: keys.ListedKey, now: number): string | null {
  if (expires_at === null) return null
  return new Date(now + Date.parse(expires_at) - Date.parse(created_at)).toISOString()
}

function state(key: keys.ListedKey): string {
  if (key.revoked_at !== null) return `revoked ${key.revoked_at}`
  if (key.expires_at === null) return 'active'
  return `${Date.parse(key.expires_at) <= Date.now() ? 'expired' : 'expires'} ${key.expires_at}`
}

function table(rows: string[][]): string {
  const widths = rows[0]?.map((_, column) => Math.max(...rows.map((row) => row[column]?.length ?? 0))) ?? []
  return rows
    .map((row) =>
      row
        .map((cell, column) => cell.padEnd(widths[column] ?? 0))
        .join('  ')
        .trimEnd(),
    )
    .join('\n')
}
