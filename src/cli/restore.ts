// assay restore: replaces an embedded store by a backup, and reports or revokes the keys that it would revive.
import { restoreStore } from '../store/restore.ts'
import type { Command } from './command.ts'
import { describeKeyState } from './keys.ts'
import { print, sanitizeLine } from './output/terminal-text.ts'

export const restore: Command = {
  argumentCount: [1, 1],
  async run(settings, [backup = '']) {
    const { revoke_newer_keys: revokes } = settings
    const result = await restoreStore(settings, backup, revokes)
    const { file, previous_store, revived_keys, not_compared } = result
    if (settings.json) {
      return print(JSON.stringify({ ...result, revoked: revokes }, null, 2))
    }
    print(`Restored ${backup} to ${file}.`)
    if (previous_store !== undefined) print(`The replaced store is ${previous_store}.`)
    if (not_compared !== undefined) {
      print(`Keys could not be compared: ${sanitizeLine(not_compared)}.`)
      print('Keys that were revoked after the backup are active again. Check them with assay keys list.')
    }
    if (revived_keys.length === 0) return
    print(
      revokes
        ? 'These keys were active in the backup, and are revoked again:'
        : 'WARNING: These keys were revoked after the backup, and are active again:',
    )
    for (const key of revived_keys) {
      const { public_id, project, name } = key
      print(
        sanitizeLine(`  ${public_id}  project ${project}  ${describeKeyState(key)}  ${name ?? ''}`.trimEnd()),
      )
    }
    if (!revokes) {
      print('Revoke them before you start the service: assay keys revoke PUBLIC_ID.')
      print('To revoke them during a restore, use --revoke-newer-keys.')
    }
  },
}
