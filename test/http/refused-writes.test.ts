// Writes that are refused whatever becomes of their bodies: for their key, scope or query, for what they name that
// is foreign, unknown or taken, and for references, numbers and times that cannot be.
import { mint, serveStore } from '../harness.ts'
import {
  badRequest,
  conflict,
  denied,
  type Expected,
  type Misfit,
  misfits,
  notFound,
  type Refusal,
  refusingService,
} from '../refusals.ts'
import {
  EVALUATIONS,
  FRESH,
  FRESH_REVISIONS,
  FULL,
  ndjson,
  OPERATIONS,
  type Operation,
  REVISIONS,
  revision,
  revisionsOf,
  scenariosOf,
  thousand,
  VARIANTS,
} from '../writes.ts'

const { store, refuses } = await refusingService()
const readOnly = await mint(store, { scopes: ['read'] })
const concealing = await serveStore(store, { conceal: true })

const unauthorized = (challenge: string): Expected => ({
  status: 401,
  code: 'unauthorized',
  fields: { 'www-authenticate': `Bearer realm="assay"${challenge}` },
})

refuses(
  'every operation judges the request',
  OPERATIONS.flatMap((operation): Refusal[] => {
    const { method, to } = operation
    const id = `${method} ${to}`
    const keyed = (authorization: string | undefined) => ({ ...operation, headers: { authorization } })
    return [
      [`${id} without a key`, keyed(undefined), unauthorized('')],
      [`${id} with an unknown key`, keyed('nonsense'), unauthorized(', error="invalid_token"')],
      [`${id} with a key that may only read`, keyed(readOnly.key), { ...denied, says: `'write'` }],
      [
        `${id} with a query parameter`,
        { ...operation, to: `${to}?limit=1` },
        { ...badRequest, says: `'limit'` },
      ],
      ...['x'.repeat(256), 'a b', 'ü', ''].map(
        (token): Refusal => [
          `${id} with the Idempotency-Key '${token.slice(0, 5)}'`,
          { ...operation, headers: { 'idempotency-key': Buffer.from(token).toString('latin1') } },
          { ...badRequest, says: 'Idempotency-Key' },
        ],
      ),
    ]
  }),
)

/** What names an evaluation or variant that must be there. */
const NAMING: [noun: string, operation: Operation][] = [
  ['evaluation', { method: 'PATCH', to: `${EVALUATIONS}/ID`, body: '{"name":"x"}' }],
  ['evaluation', { method: 'DELETE', to: `${EVALUATIONS}/ID` }],
  ['evaluation', { method: 'PATCH', to: `${scenariosOf('ID')}/s-0`, body: '{"note":"x"}' }],
  ['variant', { method: 'DELETE', to: `${VARIANTS}/ID` }],
]
const mark = { method: 'PATCH', body: '{"note":"x"}' }

refuses('what belongs to others, or to nobody, stays', [
  ['sending scenarios to a foreign evaluation', { to: scenariosOf('foreign'), body: '[{"id":"a"}]' }, denied],
  ['sending a revision to a foreign variant', { to: revisionsOf('foreign'), body: revision() }, denied],
  ...NAMING.flatMap(([noun, operation]): Refusal[] => {
    const name = `${operation.method} ${operation.to}`
    const request = (id: string) => ({ ...operation, to: operation.to.replace('ID', id) })
    return [
      [`${name} with a foreign id`, request('foreign'), denied],
      [`${name} with a foreign id, concealed,`, { ...request('foreign'), on: concealing }, notFound(noun)],
      [`${name} with an unknown id`, request('unknown'), notFound(noun)],
      [`${name} with an id in other letters`, request('FULL'), notFound(noun)],
      [`${name} with a dot segment as id`, request('%2E%2E'), notFound(noun)],
      [`${name} with an id that is too long`, request('x'.repeat(201)), notFound(noun)],
    ]
  }),
  ...['%2E', '%2E%2E', 'a%00b', 'x'.repeat(201)].flatMap((id): Refusal[] => [
    [
      `sending scenarios to the id ${id.slice(0, 9)}`,
      { to: FRESH.replace('fresh', id), body: '[]' },
      notFound('evaluation'),
    ],
    [
      `sending a revision to the id ${id.slice(0, 9)}`,
      { to: FRESH_REVISIONS.replace('fresh', id), body: revision() },
      notFound('variant'),
    ],
  ]),
  [
    'marking a scenario that is not there',
    { ...mark, to: `${FULL}/s-99` },
    { ...notFound('scenario'), says: `'s-99'` },
  ],
  [
    'marking a scenario of another evaluation',
    { ...mark, to: `${scenariosOf('empty')}/s-0` },
    notFound('scenario'),
  ],
  [
    'a foreign evaluation before what is wrong with the body',
    { to: scenariosOf('foreign'), body: 'nonsense', headers: { 'content-type': 'text/plain' } },
    denied,
  ],
])

const CONFIG = '{"config_name":"r1","parameters":{"temperature":0.1,"project":1}}'

refuses('what is there is not overwritten', [
  [
    'a scenario id that is taken',
    { to: FULL, body: '{"id":"new"}\n\n{"id":"s-3","note":"x"}', headers: ndjson },
    { ...conflict, says: `'s-3' (record 2, line 3)`, fields: { 'retry-after': undefined } },
  ],
  [
    'a scenario id that comes twice in one body',
    { body: '[{"id":"a"},{"id":"b"},\n{"id":"a","extra":{}}]' },
    { ...conflict, says: `'a' (record 3, line 2)` },
  ],
  [
    'a scenario id that comes twice among a thousand',
    {
      body: thousand('lines', (index) => `{"id":"r-${index % 999}","extra":{"index":${index}}}`),
      headers: ndjson,
    },
    { ...conflict, says: `'r-0' (record 1000, line 1000)` },
  ],
  [
    'an evaluation id that is taken',
    { to: EVALUATIONS, body: '{"id":"full"}' },
    { ...conflict, says: `'full'` },
  ],
  [
    'a variant id that is taken',
    { to: VARIANTS, body: '{"id":"full","name":"x"}' },
    { ...conflict, says: `'full'` },
  ],
  ...[
    ['config', revision('{"config_name":"x"}', ',"revision":1')],
    ['author', revision(CONFIG, ',"revision":1').replace('Ana', 'Ben')],
    ['time', revision(CONFIG, ',"revision":1,"created_at":"2026-09-11T08:00:01Z"')],
    ['message', revision(CONFIG, ',"revision":1,"message":"m"')],
  ].map(
    ([what, body = '']): Refusal => [
      `a revision number that is taken with another ${what}`,
      { to: REVISIONS, body },
      { ...conflict, says: 'Revision 1 ' },
    ],
  ),
])

refuses('what refers to nothing is told with its pointer', [
  ...misfits('POST', EVALUATIONS, [
    ['a variant_id that is nowhere', '{"variant_id":"none"}', '/variant_id'],
    ['a variant_id of another project', '{"variant_id":"foreign"}', '/variant_id'],
    ['a revision that is nowhere', '{"variant_id":"full","revision":99}', '/revision'],
    ['a revision without variant_id', '{"revision":1}', '/revision'],
  ]),
  ...misfits('PATCH', `${EVALUATIONS}/full`, [
    ['a variant_id that is nowhere', '{"variant_id":"none"}', '/variant_id'],
    ['a revision that is nowhere', '{"name":"x","revision":99}', '/revision'],
  ]),
  ...misfits('PATCH', `${EVALUATIONS}/empty`, [
    ['a revision of an evaluation without a variant', '{"revision":1}', '/revision'],
  ]),
])

/** The same member with each value, in a body that is good but for it. */
const each = (what: string, values: string[], pointer: string, body: (value: string) => string, says = '') =>
  values.map((value): Misfit => [`the ${what} ${value}`, body(value), pointer, says])

const NUMBERS = ['-1', '1.0', '1e0', '"1"', '2147483648', '-0', '1.5']

refuses('what is no number of a revision is told with its pointer', [
  ...misfits(
    'POST',
    EVALUATIONS,
    each('revision', NUMBERS, '/revision', (number) => `{"variant_id":"full","revision":${number}}`),
  ),
  ...misfits(
    'PATCH',
    `${EVALUATIONS}/full`,
    each('revision', NUMBERS, '/revision', (number) => `{"revision":${number}}`),
  ),
  ...misfits('POST', FRESH_REVISIONS, [
    ...each('revision', NUMBERS, '/revision', (number) => revision(undefined, `,"revision":${number}`)),
    ['a revision that is null', revision(undefined, ',"revision":null'), '/revision'],
  ]),
])

const TIMES = [
  '"2026-02-30T00:00:00Z"',
  '"2026-01-01"',
  '"2026-01-01T25:00:00Z"',
  '"yesterday"',
  '""',
  '"2026-01-01T00:00:00"',
]

refuses('what is no time is told with its pointer', [
  ...misfits('POST', EVALUATIONS, [
    ...each('time', TIMES, '/created_at', (time) => `{"created_at":${time}}`, 'RFC 3339'),
    ['a created_at that is a number', '{"created_at":1}', '/created_at'],
  ]),
  ...misfits('POST', FRESH_REVISIONS, [
    ...each('time', TIMES, '/created_at', (time) => revision(undefined, `,"created_at":${time}`), 'RFC 3339'),
    ['a created_at that is null', revision(undefined, ',"created_at":null'), '/created_at'],
  ]),
])
