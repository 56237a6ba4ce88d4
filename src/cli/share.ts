// assay share: creates a link to one evaluation, comparison, variant or review, with a key restricted to it.
import { UsageError } from '../errors.ts'
import type { KeyRestriction } from '../schema/shares.ts'
import type { Settings } from '../settings/settings.ts'
import type { Command } from './command.ts'
import { encodePathSegment } from './output/markdown.ts'
import { print } from './output/terminal-text.ts'
import { withTarget } from './target/open-target.ts'
import { resolveEvaluations, resolveId } from './target/resolve-id.ts'
import type { Target } from './target/target.ts'
import { checkEvaluations, checkNames, readExpiry } from './validation.ts'

export const share: Command = {
  argumentCount: [0, 4],
  argumentHelp: 'one evaluation, a baseline and one to three candidates, --variant or --review',
  async run(settings, ids) {
    const named = readRestriction(settings, ids)
    const { name = null } = settings
    checkNames(settings, 'name')
    const expires_at = settings.expires === undefined ? undefined : readExpiry(settings.expires)
    // A command does not know the address of a service that uses the store.
    const { public_url, url = '' } = settings
    const service = public_url ?? url
    await withTarget(settings, async (target) => {
      const confined_to = await resolveRestriction(target, named)
      const page = `${service}${pagePath(confined_to)}`
      const createdShare = await target.createShare({ name, confined_to, expires_at })
      // Browsers do not send the fragment to the server, so the key appears in no server log.
      const link = `${page}#key=${createdShare.key}`
      const { project } = target
      if (service === '')
        process.stderr.write(
          'Put the address of the service before this link, or set it with --public-url.\n',
        )
      print(settings.json ? JSON.stringify({ link, project, ...createdShare }, null, 2) : link)
    })
  },
}

function readRestriction({ variant, review, name }: Settings, ids: string[]): KeyRestriction {
  const [firstId, ...otherIds] = ids
  if (firstId === undefined && variant === undefined && review === undefined)
    throw new UsageError('Nothing to share. Name one to four evaluations, or use --variant or --review.')
  if (Number(firstId !== undefined) + Number(variant !== undefined) + Number(review !== undefined) > 1)
    throw new UsageError('Evaluations, --variant and --review cannot be combined.')
  if (review !== undefined && name === undefined)
    throw new UsageError('--review needs the name of the reviewer. Set it with --name.')
  if (review !== undefined) return { review_id: review }
  if (firstId === undefined) return { variant_id: variant as string }
  checkEvaluations(ids)
  return otherIds.length === 0 ? { evaluation_id: firstId } : { comparison: ids }
}

/** Names are replaced by ids. */
async function resolveRestriction(
  target: Target,
  { evaluation_id, comparison = [], variant_id, review_id }: KeyRestriction,
): Promise<KeyRestriction> {
  if (review_id !== undefined) return { review_id }
  if (variant_id !== undefined) return { variant_id: await resolveId(target, 'variant', variant_id) }
  if (evaluation_id !== undefined)
    return { evaluation_id: await resolveId(target, 'evaluation', evaluation_id) }
  return { comparison: await resolveEvaluations(target, comparison) }
}

/** Encodes more characters than a URL requires, because links are pasted into Markdown. */
function pagePath({ evaluation_id, comparison = [], variant_id, review_id }: KeyRestriction): string {
  if (review_id !== undefined) return `/reviews/${encodePathSegment(review_id)}`
  if (evaluation_id !== undefined) return `/evaluations/${encodePathSegment(evaluation_id)}`
  if (variant_id !== undefined) return `/variants/${encodePathSegment(variant_id)}`
  return `/compare?${comparison.map((id) => `evaluation=${encodePathSegment(id)}`).join('&')}`
}
