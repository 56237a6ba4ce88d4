// One API call as lines to paste: for a shell, for Python, for TypeScript. The key is never in them.
export interface Call {
  /** From the origin on: /api/… with its query. */
  path: string
  /** The same call of the client, after `await assay.`, for TypeScript. */
  client: string
}

export const LANGUAGES = { curl: 'curl', python: 'Python', typescript: 'TypeScript' } as const
export type Language = keyof typeof LANGUAGES

export function snippet(language: Language, { path, client }: Call, origin: string): string {
  if (language === 'curl') return `curl -H "Authorization: Bearer $ASSAY_KEY" ${shellQuoted(origin + path)}`
  if (language === 'python') {
    return `import json, os, urllib.request

request = urllib.request.Request(
    ${JSON.stringify(origin + path)},
    headers={"Authorization": "Bearer " + os.environ["ASSAY_KEY"]},
)
answer = json.load(urllib.request.urlopen(request))`
  }
  return `import { Assay } from 'assay-client'

const assay = new Assay({ baseUrl: ${JSON.stringify(`${origin}/api`)}, key: () => process.env.ASSAY_KEY })
const answer = await assay.${client}`
}

function shellQuoted(text: string): string {
  return `'${text.replaceAll("'", `'\\''`)}'`
}
