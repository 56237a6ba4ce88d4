// assay share: a link to one evaluation, comparison or variant, with a key that reads it and nothing else.
import { isId } from '../schema/ids.ts'
import type { ConfinedTo } from '../schema/shares.ts'
import { type Settings, wrongUse } from '../settings.ts'
import { addShare } from '../store/shares.ts'
import type { Connection } from '../store/store.ts'
import { addressOf } from './address.ts'
import { type Command, print } from './command.ts'
import { readExpiry } from './expiry.ts'
import { pathStep } from './markdown.ts'
import { getOwnEvaluation, getOwnVariant } from './owned.ts'
import { withStore } from './store.ts'

const LIFE = '7d'

export const share: Command = {
  name: 'share',
  takes: 'EVALUATION…',
  summary: 'Prints a link that opens one evaluation, one comparison or one variant, until it ends.',
  words: [0, 4],
  expects: 'one evaluation, a base and one to three candidates, or --variant',
  async run(settings, ids) {
    const confined_to = readConfinedTo(settings, ids)
    const { project, name = null } = settings
    if (name !== null && !isId(name))
      throw wrongUse('--name is not a name of 1 to 200 printable characters.', 'share')
    const expires_at = readExpiry(settings.expires ?? LIFE, 'share')
    const page = `${originOf(settings)}${pathOf(confined_to)}`
    const made = await withStore(settings, ({ writer }) =>
      writer.transaction(async (transaction) => {
        await checkOwn(transaction, project, confined_to)
        return addShare(transaction, { project, name, confined_to, expires_at }, Date.now())
      }),
    )
    // Behind the number sign it stays in the browser, which sends it nowhere.
    const link = `${page}#key=${made.key}`
    print(settings.json ? JSON.stringify({ link, project, ...made }, null, 2) : link)
  },
}

function readConfinedTo({ variant }: Settings, ids: string[]): ConfinedTo {
  const [only, ...others] = ids
  if (only === undefined && variant === undefined)
    throw wrongUse('Nothing is named to be shared: evaluations, or --variant.', 'share')
  if (only === undefined) return { variant_id: variant as string }
  if (variant !== undefined)
    throw wrongUse('A link opens evaluations or the variant of --variant: choose one.', 'share')
  const twice = ids.find((id, place) => ids.indexOf(id) !== place)
  if (twice !== undefined) throw wrongUse(`The evaluation '${twice}' is named twice.`, 'share')
  return others.length === 0 ? { evaluation_id: only } : { comparison: ids }
}

async function checkOwn(
  connection: Connection,
  project: string,
  { evaluation_id, comparison = [], variant_id }: ConfinedTo,
): Promise<void> {
  if (variant_id !== undefined) await getOwnVariant(connection, project, variant_id)
  const ids = evaluation_id === undefined ? comparison : [evaluation_id]
  for (const id of ids) await getOwnEvaluation(connection, project, id)
}

function originOf({ public_url, host, port }: Settings): string {
  if (public_url !== undefined) return public_url
  if (port > 0) return addressOf(host, port)
  throw wrongUse('With --port 0 nobody knows where the link leads: give the port, or --public-url.', 'share')
}

/** Links go into messages and pull requests, where more characters mean something than in an address. */
function pathOf({ evaluation_id, comparison = [], variant_id }: ConfinedTo): string {
  if (evaluation_id !== undefined) return `/evaluations/${pathStep(evaluation_id)}`
  if (variant_id !== undefined) return `/variants/${pathStep(variant_id)}`
  return `/compare?${comparison.map((id) => `evaluation=${pathStep(id)}`).join('&')}`
}
