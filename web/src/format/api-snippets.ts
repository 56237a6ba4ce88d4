// Code snippets of an API request for curl, Python and TypeScript. They never contain the key.
export interface ApiCall {
  /** Path and query: /api/… */
  path: string
  /** The same as a method call of the TypeScript client, after `await assay.`. */
  client: string
}

export type Language = 'curl' | 'python' | 'typescript'

export function snippet(language: Language, { path, client }: ApiCall, serviceUrl: string): string {
  if (language === 'curl')
    return `curl -H "Authorization: Bearer $ASSAY_KEY" ${shellQuoted(serviceUrl + path)}`
  if (language === 'python') {
    return `import json, os, urllib.request

request = urllib.request.Request(
    ${JSON.stringify(serviceUrl + path)},
    headers={"Authorization": "Bearer " + os.environ["ASSAY_KEY"]},
)
data = json.load(urllib.request.urlopen(request))`
  }
  return `import { Assay } from 'assay-client'

const assay = new Assay({ baseUrl: ${JSON.stringify(`${serviceUrl}/api`)}, key: () => process.env.ASSAY_KEY })
const data = await assay.${client}`
}

function shellQuoted(text: string): string {
  return `'${text.replaceAll("'", `'\\''`)}'`
}
