// What tests of the writes send, and where to.

export const JSON_TYPE = 'application/json'
export const NDJSON = 'application/x-ndjson'
export const ndjson = { 'content-type': NDJSON }
export const gzip = { 'content-encoding': 'gzip' }
export const zstd = { 'content-encoding': 'zstd' }

export const EVALUATIONS = '/api/evaluations'
export const VARIANTS = '/api/variants'
export const scenariosOf = (id: string) => `${EVALUATIONS}/${encodeURIComponent(id)}/evaluation_scenarios`
export const revisionsOf = (id: string) => `${VARIANTS}/${encodeURIComponent(id)}/revisions`
/** What the corpus has. */
export const FULL = scenariosOf('full')
export const REVISIONS = revisionsOf('full')
/** Nothing has these ids, so that a refusal that made one would show. */
export const FRESH = scenariosOf('fresh')
export const FRESH_REVISIONS = revisionsOf('fresh')

export type Body = string | Uint8Array

export interface Operation {
  method: string
  to: string
  body?: string
}

/** Every operation that writes, with a body that it would take. */
export const OPERATIONS: Operation[] = [
  { method: 'POST', to: EVALUATIONS, body: '{"id":"fresh"}' },
  { method: 'PATCH', to: `${EVALUATIONS}/full`, body: '{"name":"x"}' },
  { method: 'DELETE', to: `${EVALUATIONS}/full` },
  { method: 'POST', to: FRESH, body: '[{"id":"a"}]' },
  { method: 'PATCH', to: `${FULL}/s-0`, body: '{"note":"x"}' },
  { method: 'POST', to: VARIANTS, body: '{"id":"fresh"}' },
  { method: 'DELETE', to: `${VARIANTS}/full` },
  { method: 'POST', to: FRESH_REVISIONS, body: '{"modified_by":"Ana","config":{"config_name":"c"}}' },
]

export function revision(config = '{"config_name":"c"}', more = ''): string {
  return `{"modified_by":"Ana","config":${config}${more}}`
}

export function nested(depth: number): string {
  return `${'['.repeat(depth)}${']'.repeat(depth)}`
}

export function crowd(members: number): string {
  return `{${Array.from({ length: members }, (_, index) => `"m${index}":0`).join(',')}}`
}

export function rowOfBytes(bytes: number): string {
  return `{"note":"${'x'.repeat(bytes - 11)}"}`
}

export function nameOfBytes(bytes: number): string {
  return `{"name":"${'x'.repeat(bytes - 11)}"}`
}

export function thousand(shape: 'array' | 'lines', row: (index: number) => string): string {
  const rows = Array.from({ length: 1000 }, (_, index) => row(index))
  return shape === 'lines' ? `${rows.join('\n')}\n` : `[${rows.join(',\n')}]`
}
