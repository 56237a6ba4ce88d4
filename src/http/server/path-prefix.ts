// The path of --public-url. A reverse proxy can forward requests with this prefix or without it.
import { CommandError } from '../../errors.ts'

/** Such as /assay. Empty if the service is at the root of its host. */
export function pathPrefixOf({ public_url }: { public_url?: string | undefined }): string {
  return public_url === undefined ? '' : new URL(public_url).pathname.replace(/\/$/, '')
}

/** Removes the prefix from a request target. Other targets are returned as they are. */
export function removePrefix(target: string, prefix: string): string {
  // Proxies can send an absolute URL.
  const path = target.replace(/^https?:\/\/[^/?]*/i, '')
  const rest = path.slice(prefix.length)
  if (!path.startsWith(prefix) || !/^(?:[/?]|$)/.test(rest)) return target
  return rest.startsWith('/') ? rest : `/${rest}`
}

/** Adds the prefix to all links to absolute paths. In HTML text, quotation marks are escaped, so only attributes match. */
export function prefixLinks(html: string, prefix: string): string {
  const escapedPrefix = prefix.replaceAll('&', '&#38;')
  return html.replaceAll('="/', () => `="${escapedPrefix}/`)
}

/** If a path of the service began like the prefix, a request without the prefix would be ambiguous. Throws CommandError. */
export function checkPrefix(prefix: string, routePath: string): void {
  const [, firstSegment] = prefix.split('/')
  if (firstSegment === undefined || firstSegment !== routePath.split('/')[1]) return
  throw new CommandError(
    `The path of --public-url begins with /${firstSegment}, which is also a path of the service.`,
    'Use another path, such as /assay.',
    2,
  )
}
