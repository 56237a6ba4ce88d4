// The operations that growth.ts measures: every GET operation of the API, and small writes.
import { LARGE, SAME, timeOf } from './data.ts'

export interface Operation {
  name: string
  path: string
  /** The evaluation that is changed before each request, so that nothing about it is cached. */
  evaluation?: string
  write?: { method: string; body: (round: number) => unknown }
  /** Whether the response grows with the store. Other operations must take the same time in a store of any size. */
  grows?: true
}

const NEXT_PAGE = 'next page'

/** The path that depends on the response of another one: its cursor. */
export function isNextPage({ name }: Operation): boolean {
  return name.endsWith(NEXT_PAGE)
}

const scenarioPath = (id: string, scenario = '') =>
  `/api/evaluations/${id}/evaluation_scenarios${scenario && `/${scenario}`}`

function readsOf(label: string, id: string, other: string): Operation[] {
  const evaluation = `/api/evaluations/${id}`
  const comparison = `evaluation=${other}&evaluation=${id}`
  const paths: Record<string, string> = {
    evaluation,
    'one scenario': scenarioPath(id, 'scenario-7'),
    'history of a scenario': `${scenarioPath(id, 'scenario-7')}/history`,
    'all scenarios': scenarioPath(id),
    'page of 50 scenarios': `${scenarioPath(id)}?limit=50`,
    'scenarios with a filter': `${scenarioPath(id)}?result.exact_match=is.false&limit=50`,
    rows: `${evaluation}/rows?limit=50`,
    'rows with a filter': `${evaluation}/rows?limit=50&result.exact_match=is.false`,
    'rows, sorted by latency': `${evaluation}/rows?limit=50&order=latency.desc`,
    'rows, search': `${evaluation}/rows?limit=50&q=1vw`,
    'rows with a baseline': `${evaluation}/rows?limit=50&base=${other}`,
    summary: `${evaluation}/summary`,
    'summary of a search': `${evaluation}/summary?q=1vw`,
    'summary with a baseline': `${evaluation}/summary?base=${other}`,
    comparison: `/api/comparisons?${comparison}`,
    'comparison, rows': `/api/comparisons/rows?${comparison}&limit=50`,
    'comparison, rows that regressed': `/api/comparisons/rows?${comparison}&limit=50&show=regressed`,
  }
  return Object.entries(paths).map(([name, path]) => ({ name: `${label}: ${name}`, path, evaluation: id }))
}

function writesOf(label: string, id: string): Operation[] {
  const json = (round: number, isNew: boolean) => ({
    id: isNew ? `new-${Date.now()}-${round}` : 'scenario-9',
    outputs: [{ result: { type: 'text', value: `text ${round}` }, cost: 0.01, latency: 1.5 }],
    results: [{ evaluator_config: 'similarity', result: { type: 'number', value: Math.random() } }],
  })
  const result = { evaluator_config: 'similarity', scenario_id: 'scenario-8' }
  return [
    {
      name: `${label}: append one scenario`,
      path: scenarioPath(id),
      write: { method: 'POST', body: (round) => [json(round, true)] },
    },
    {
      name: `${label}: change one note`,
      path: scenarioPath(id, 'scenario-0'),
      write: { method: 'PATCH', body: (round) => ({ note: `note ${Date.now()} ${round}` }) },
    },
    {
      name: `${label}: write one result`,
      path: `/api/evaluations/${id}/results`,
      write: {
        method: 'POST',
        body: () => [{ ...result, result: { type: 'number', value: Math.random() } }],
      },
    },
    {
      name: `${label}: replace one scenario`,
      path: `${scenarioPath(id)}?on_conflict=replace`,
      write: { method: 'POST', body: (round) => [json(round, false)] },
    },
    {
      name: `${label}: change the evaluation`,
      path: `/api/evaluations/${id}`,
      write: { method: 'PATCH', body: (round) => ({ metadata: { round, time: Date.now() } }) },
    },
  ]
}

function listsOf(evaluations: number): Operation[] {
  const middle = timeOf(Math.floor(evaluations / 2))
  const lists: Record<string, string> = {
    'first page': '',
    'next page': '',
    'first page with scores': 'include=scores',
    'with scores, next page': 'include=scores',
    'by name': 'order=name.asc',
    'by name, next page': 'order=name.asc',
    'by update time': 'order=updated_at.desc',
    'by update time, next page': 'order=updated_at.desc',
    'created_at=lt': `created_at=lt.${middle}`,
    'created_at=gte, oldest first': `created_at=gte.${middle}&order=created_at.asc`,
    'updated_at=gte': 'updated_at=gte.2099-01-01&order=updated_at.asc',
    'name=eq': 'name=eq.Same 3',
    'variant_id=eq': `variant_id=eq.${SAME.variant}`,
    'variant_id=eq, revision=eq': `variant_id=eq.${SAME.variant}&revision=eq.3`,
    'status=eq.running': 'status=eq.running',
    'source=eq': `source=eq.${SAME.source}`,
    'tags=has, common tag': 'tags=has.nightly',
    'tags=has, rare tag': `tags=has.${SAME.tag}`,
    'tags=has, rare tag, with scores': `tags=has.${SAME.tag}&include=scores`,
    'q, few results': 'q=Same',
    'q, no result': 'q=absent',
    'source=contains, no result': 'source=contains.absent',
  }
  return Object.entries(lists).map(([name, filters]) => ({
    name: `evaluations: ${name}`,
    path: `/api/evaluations?limit=50${filters && `&${filters.replaceAll(' ', '%20')}`}`,
  }))
}

const OTHERS: Operation[] = [
  { name: 'evaluations: all', path: '/api/evaluations', grows: true },
  {
    name: 'evaluations: all, with scores',
    path: '/api/evaluations?include=scores',
    grows: true,
  },
  { name: 'variants: first page', path: '/api/variants?limit=50' },
  { name: 'variants: next page', path: '/api/variants?limit=50' },
  { name: 'variants: by name', path: '/api/variants?limit=50&order=name.asc' },
  { name: 'variants: name=eq', path: `/api/variants?limit=50&name=eq.Variant%20${SAME.variant}` },
  { name: 'variants: all', path: '/api/variants', grows: true },
  { name: 'variant', path: `/api/variants/${SAME.variant}` },
  { name: 'revisions', path: `/api/variants/${SAME.variant}/revisions` },
  {
    name: 'revisions with evaluations and changes',
    path: `/api/variants/${SAME.variant}/revisions?include=evaluations,changes`,
  },
  { name: 'revision', path: `/api/variants/${SAME.variant}/revisions/3` },
  { name: 'difference of two revisions', path: `/api/variants/${SAME.variant}/revisions/3/diff/4` },
  { name: 'changes: first page', path: '/api/changes?limit=100' },
  { name: 'changes: next page', path: '/api/changes?limit=100' },
  { name: 'key', path: '/api/key' },
  { name: 'share links', path: '/api/shares' },
  { name: 'livez', path: '/livez' },
  { name: 'readyz', path: '/readyz' },
  { name: 'metrics', path: '/metrics' },
  { name: 'index of the API', path: '/api' },
  { name: 'openapi.json', path: '/api/openapi.json' },
]

/** Small writes come last, because they change the lists. The large evaluation is measured if it is the only one. */
export function operationsOf({
  evaluations,
  scenarios,
}: {
  evaluations: number
  scenarios: number
}): Operation[] {
  const hasLarge = evaluations === 1 && scenarios > 0
  return [
    ...readsOf('1,000 scenarios', SAME.id, SAME.previous),
    ...listsOf(evaluations),
    ...OTHERS,
    ...writesOf('1,000 scenarios', SAME.id),
    ...(hasLarge
      ? [...readsOf('large evaluation', LARGE, SAME.id), ...writesOf('large evaluation', LARGE)]
      : []),
  ]
}
