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
    return `from assay_client import Client

client = Client(${JSON.stringify(serviceUrl)})
data = ${pythonCall(path)}`
  }
  return `import { Assay } from 'assay-client'

const assay = new Assay({ baseUrl: ${JSON.stringify(`${serviceUrl}/api`)}, key: () => process.env.ASSAY_KEY })
const data = await assay.${client}`
}

/** A method call of the Python client. JSON texts, lists and objects of texts are valid in Python. */
function pythonCall(path: string): string {
  const [route = '', search = ''] = path.split('?')
  const segments = route.split('/').slice(2).map(decodeURIComponent)
  const params = search === '' ? '' : `, ${JSON.stringify(valuesByName(search), undefined, 4)}`
  if (segments.length === 3 && segments[2] === 'evaluation_scenarios')
    return `list(client.scenarios(${JSON.stringify(segments[1])}${params}))`
  const query = params.replace(', ', ', query=')
  return `client.request("GET", ${JSON.stringify(segments).replaceAll('","', '", "')}${query})`
}

/** A repeated name has a list of values. */
function valuesByName(search: string): Record<string, string | string[]> {
  const params = new URLSearchParams(search)
  return Object.fromEntries(
    [...new Set(params.keys())].map((name) => {
      const [first = '', ...others] = params.getAll(name)
      return [name, others.length === 0 ? first : [first, ...others]]
    }),
  )
}

function shellQuoted(text: string): string {
  return `'${text.replaceAll("'", `'\\''`)}'`
}
