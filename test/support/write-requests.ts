// Paths, headers and bodies for tests of write operations.

export const JSON_TYPE = 'application/json'
export const NDJSON = 'application/x-ndjson'
export const JSONL = 'application/jsonl'
export const ndjsonHeaders = { 'content-type': NDJSON }
export const gzipHeaders = { 'content-encoding': 'gzip' }
export const zstdHeaders = { 'content-encoding': 'zstd' }

export const EVALUATIONS = '/api/evaluations'
export const VARIANTS = '/api/variants'
export const scenariosPath = (id: string) => `${EVALUATIONS}/${encodeURIComponent(id)}/evaluation_scenarios`
export const resultsPath = (id: string) => `${EVALUATIONS}/${encodeURIComponent(id)}/results`
export const revisionsPath = (id: string) => `${VARIANTS}/${encodeURIComponent(id)}/revisions`
/** Paths that exist in the corpus. */
export const FULL_SCENARIOS = scenariosPath('full')
export const FULL_RESULTS = resultsPath('full')
export const FULL_REVISIONS = revisionsPath('full')
/** Paths with ids that do not exist, so that a test notices if a rejected write creates them. */
export const NEW_SCENARIOS = scenariosPath('fresh')
export const NEW_REVISIONS = revisionsPath('fresh')

export type Body = string | Uint8Array

export interface Operation {
  method: string
  path: string
  /** The required query. */
  query?: string
  body?: string
}

/** Every write operation, with a valid body. */
export const OPERATIONS: Operation[] = [
  { method: 'POST', path: EVALUATIONS, body: '{"id":"fresh"}' },
  { method: 'PATCH', path: `${EVALUATIONS}/full`, body: '{"name":"x"}' },
  { method: 'DELETE', path: `${EVALUATIONS}/full` },
  { method: 'POST', path: NEW_SCENARIOS, body: '[{"id":"a"}]' },
  { method: 'PATCH', path: `${FULL_SCENARIOS}/s-0`, body: '{"note":"x"}' },
  { method: 'PUT', path: `${FULL_SCENARIOS}/s-0`, body: '{"note":"x"}' },
  { method: 'DELETE', path: `${FULL_SCENARIOS}/s-0` },
  { method: 'DELETE', path: FULL_SCENARIOS, query: '?note=is.null' },
  {
    method: 'POST',
    path: FULL_RESULTS,
    body: '[{"scenario_id":"s-0","evaluator_config":"e","result":{"type":"x"}}]',
  },
  { method: 'DELETE', path: FULL_RESULTS, query: '?evaluator=exact' },
  { method: 'DELETE', path: `${FULL_SCENARIOS}/s-0/results/exact` },
  { method: 'POST', path: VARIANTS, body: '{"id":"fresh"}' },
  { method: 'PATCH', path: `${VARIANTS}/full`, body: '{"name":"x"}' },
  { method: 'DELETE', path: `${VARIANTS}/full` },
  { method: 'DELETE', path: `${revisionsPath('full')}/1` },
  { method: 'POST', path: NEW_REVISIONS, body: '{"modified_by":"Ana","config":{"config_name":"c"}}' },
]

export function revisionBody(config = '{"config_name":"c"}', more = ''): string {
  return `{"modified_by":"Ana","config":${config}${more}}`
}

export function nestedArrays(depth: number): string {
  return `${'['.repeat(depth)}${']'.repeat(depth)}`
}

export function objectWithMembers(members: number): string {
  return `{${Array.from({ length: members }, (_, index) => `"m${index}":0`).join(',')}}`
}

export function scenarioOfSize(bytes: number): string {
  return `{"note":"${'x'.repeat(bytes - 11)}"}`
}

export function evaluationOfSize(bytes: number): string {
  return `{"name":"${'x'.repeat(bytes - 11)}"}`
}

export function thousandRows(shape: 'array' | 'lines', row: (index: number) => string): string {
  const rows = Array.from({ length: 1000 }, (_, index) => row(index))
  return shape === 'lines' ? `${rows.join('\n')}\n` : `[${rows.join(',\n')}]`
}
