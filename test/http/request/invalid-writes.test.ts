// Tests that invalid writes are rejected: bad keys, scopes or queries, unknown, foreign or duplicate ids, and invalid
// references, revision numbers, times, statuses, counts and tags.
import { createTestKey, startTestService } from '../../support/harness.ts'
import {
  accessDenied,
  conflict,
  type Expected,
  type InvalidBodyCase,
  invalidBodies,
  invalidRequest,
  notFound,
  type RejectionCase,
  startRejectionSuite,
} from '../../support/invalid-writes.ts'
import {
  EVALUATIONS,
  FULL_REVISIONS,
  FULL_SCENARIOS,
  NEW_REVISIONS,
  NEW_SCENARIOS,
  ndjsonHeaders,
  OPERATIONS,
  type Operation,
  resultsPath,
  revisionBody,
  revisionsPath,
  scenariosPath,
  thousandRows,
  VARIANTS,
} from '../../support/write-requests.ts'

const { store, testRejections } = await startRejectionSuite()
const readOnlyKey = await createTestKey(store, { scopes: ['read'] })
const concealingService = await startTestService(store, { conceal: true })

const unauthorized = (challenge: string): Expected => ({
  status: 401,
  code: 'unauthorized',
  headers: { 'www-authenticate': `Bearer realm="assay"${challenge}` },
})

testRejections(
  'every write operation, with an invalid key, query or header',
  OPERATIONS.flatMap((operation): RejectionCase[] => {
    const { method, path, query = '' } = operation
    const id = `${method} ${path}`
    const request = { ...operation, path: `${path}${query}` }
    const withKey = (authorization: string | undefined) => ({ ...request, headers: { authorization } })
    return [
      [`${id} without a key`, withKey(undefined), unauthorized('')],
      [`${id} with an unknown key`, withKey('nonsense'), unauthorized(', error="invalid_token"')],
      [`${id} with a read-only key`, withKey(readOnlyKey.key), { ...accessDenied, detail: `'write'` }],
      [
        `${id} with a query parameter`,
        { ...operation, path: `${path}?limit=1` },
        { ...invalidRequest, detail: `'limit'` },
      ],
      ...['x'.repeat(256), 'a b', 'ü', ''].map(
        (idempotencyKey): RejectionCase => [
          `${id} with the Idempotency-Key '${idempotencyKey.slice(0, 5)}'`,
          { ...request, headers: { 'idempotency-key': Buffer.from(idempotencyKey).toString('latin1') } },
          { ...invalidRequest, detail: 'Idempotency-Key' },
        ],
      ),
    ]
  }),
)

/** Operations on an evaluation or variant that must exist. */
const OPERATIONS_BY_ID: [noun: string, operation: Operation][] = [
  ['evaluation', { method: 'PATCH', path: `${EVALUATIONS}/ID`, body: '{"name":"x"}' }],
  ['evaluation', { method: 'DELETE', path: `${EVALUATIONS}/ID` }],
  ['evaluation', { method: 'PATCH', path: `${scenariosPath('ID')}/s-0`, body: '{"note":"x"}' }],
  ['variant', { method: 'PATCH', path: `${VARIANTS}/ID`, body: '{"name":"x"}' }],
  ['evaluation', { method: 'PUT', path: `${scenariosPath('ID')}/s-0`, body: '{"note":"x"}' }],
  ['evaluation', { method: 'DELETE', path: `${scenariosPath('ID')}/s-0` }],
  ['evaluation', { method: 'DELETE', path: `${scenariosPath('ID')}?note=is.null` }],
  ['evaluation', { method: 'POST', path: resultsPath('ID'), body: '[]' }],
  ['evaluation', { method: 'DELETE', path: `${resultsPath('ID')}?evaluator=e` }],
  ['evaluation', { method: 'DELETE', path: `${scenariosPath('ID')}/s-0/results/e` }],
  ['variant', { method: 'DELETE', path: `${VARIANTS}/ID` }],
  ['variant', { method: 'DELETE', path: `${revisionsPath('ID')}/1` }],
]
const patchNote = { method: 'PATCH', body: '{"note":"x"}' }

testRejections('a path with a foreign or unknown id', [
  ...OPERATIONS_BY_ID.flatMap(([noun, operation]): RejectionCase[] => {
    const name = `${operation.method} ${operation.path}`
    const request = (id: string) => ({ ...operation, path: operation.path.replace('ID', id) })
    return [
      [`${name} with a foreign id`, request('foreign'), accessDenied],
      [
        `${name} with a foreign id and the setting conceal`,
        { ...request('foreign'), service: concealingService },
        notFound(noun),
      ],
      [`${name} with an unknown id`, request('unknown'), notFound(noun)],
      [`${name} with an id in a different case`, request('FULL'), notFound(noun)],
      [`${name} with a dot segment as id`, request('%2E%2E'), notFound(noun)],
      [`${name} with an id that is too long`, request('x'.repeat(201)), notFound(noun)],
    ]
  }),
  ...['%2E', '%2E%2E', 'a%00b', 'x'.repeat(201)].flatMap((id): RejectionCase[] => [
    [
      `appending scenarios to the id ${id.slice(0, 9)}`,
      { path: NEW_SCENARIOS.replace('fresh', id), body: '[]' },
      notFound('evaluation'),
    ],
    [
      `adding a revision to the id ${id.slice(0, 9)}`,
      { path: NEW_REVISIONS.replace('fresh', id), body: revisionBody() },
      notFound('variant'),
    ],
  ]),
  [
    'changing a scenario that does not exist',
    { ...patchNote, path: `${FULL_SCENARIOS}/s-99` },
    { ...notFound('scenario'), detail: `'s-99'` },
  ],
  [
    'changing a scenario of another evaluation',
    { ...patchNote, path: `${scenariosPath('empty')}/s-0` },
    notFound('scenario'),
  ],
  [
    'a foreign evaluation, even with an invalid body',
    {
      method: 'PATCH',
      path: `${EVALUATIONS}/foreign`,
      body: 'nonsense',
      headers: { 'content-type': 'text/plain' },
    },
    accessDenied,
  ],
])

const CONFIG = '{"config_name":"r1","parameters":{"temperature":0.1,"project":1}}'

testRejections('an id or revision number that is already taken', [
  [
    'a scenario id that is already taken',
    { path: FULL_SCENARIOS, body: '{"id":"new"}\n\n{"id":"s-3","note":"x"}', headers: ndjsonHeaders },
    { ...conflict, detail: `'s-3' (at /1/id, line 3)`, headers: { 'retry-after': undefined } },
  ],
  [
    'a duplicate scenario id in one body',
    { body: '[{"id":"a"},{"id":"b"},\n{"id":"a","extra":{}}]' },
    { ...conflict, detail: `'a' (at /2/id, line 2)` },
  ],
  [
    'a duplicate scenario id among a thousand',
    {
      body: thousandRows('lines', (index) => `{"id":"r-${index % 999}","extra":{"index":${index}}}`),
      headers: ndjsonHeaders,
    },
    { ...conflict, detail: `'r-0' (at /999/id, line 1000)` },
  ],
  [
    'an evaluation id that is already taken',
    { path: EVALUATIONS, body: '{"id":"full"}' },
    { ...conflict, detail: `'full'` },
  ],
  [
    'a variant id that is already taken',
    { path: VARIANTS, body: '{"id":"full","name":"x"}' },
    { ...conflict, detail: `'full'` },
  ],
  ...[
    ['config', revisionBody('{"config_name":"x"}', ',"revision":1')],
    ['author', revisionBody(CONFIG, ',"revision":1').replace('Ana', 'Ben')],
    ['time', revisionBody(CONFIG, ',"revision":1,"created_at":"2026-09-11T08:00:01Z"')],
    ['message', revisionBody(CONFIG, ',"revision":1,"message":"m"')],
  ].map(
    ([member, body = '']): RejectionCase => [
      `an existing revision number with a different ${member}`,
      { path: FULL_REVISIONS, body },
      { ...conflict, detail: 'Revision 1 ' },
    ],
  ),
])

testRejections('an invalid reference, reported with its pointer', [
  ...invalidBodies('POST', EVALUATIONS, [
    ['a variant_id that does not exist', '{"variant_id":"none"}', '/variant_id'],
    ['a variant_id of another project', '{"variant_id":"foreign"}', '/variant_id'],
    ['a revision that does not exist', '{"variant_id":"full","revision":99}', '/revision'],
    ['a revision without variant_id', '{"revision":1}', '/revision'],
  ]),
  ...invalidBodies('PATCH', `${EVALUATIONS}/full`, [
    ['a variant_id that does not exist', '{"variant_id":"none"}', '/variant_id'],
    ['a revision that does not exist', '{"name":"x","revision":99}', '/revision'],
  ]),
  ...invalidBodies('PATCH', `${EVALUATIONS}/empty`, [
    ['a revision for an evaluation without a variant', '{"revision":1}', '/revision'],
  ]),
])

/** One case per invalid value, in a body that is valid otherwise. */
const each = (
  noun: string,
  values: string[],
  pointer: string,
  body: (value: string) => string,
  detail = '',
) => values.map((value): InvalidBodyCase => [`the ${noun} ${value}`, body(value), pointer, detail])

const INVALID_REVISION_NUMBERS = ['-1', '1.0', '1e0', '"1"', '2147483648', '-0', '1.5']

testRejections('an invalid revision number, reported with its pointer', [
  ...invalidBodies(
    'POST',
    EVALUATIONS,
    each(
      'revision',
      INVALID_REVISION_NUMBERS,
      '/revision',
      (number) => `{"variant_id":"full","revision":${number}}`,
    ),
  ),
  ...invalidBodies(
    'PATCH',
    `${EVALUATIONS}/full`,
    each('revision', INVALID_REVISION_NUMBERS, '/revision', (number) => `{"revision":${number}}`),
  ),
  ...invalidBodies('POST', NEW_REVISIONS, [
    ...each('revision', INVALID_REVISION_NUMBERS, '/revision', (number) =>
      revisionBody(undefined, `,"revision":${number}`),
    ),
    ['a revision that is null', revisionBody(undefined, ',"revision":null'), '/revision'],
  ]),
])

const INVALID_TIMES = [
  '"2026-02-30T00:00:00Z"',
  '"2026-01-01"',
  '"2026-01-01T25:00:00Z"',
  '"yesterday"',
  '""',
  '"2026-01-01T00:00:00"',
]

testRejections('an invalid time, reported with its pointer', [
  ...invalidBodies('POST', EVALUATIONS, [
    ...each('time', INVALID_TIMES, '/created_at', (time) => `{"created_at":${time}}`, 'RFC 3339'),
    ['a created_at that is a number', '{"created_at":1}', '/created_at'],
  ]),
  ...invalidBodies('POST', NEW_REVISIONS, [
    ...each(
      'time',
      INVALID_TIMES,
      '/created_at',
      (time) => revisionBody(undefined, `,"created_at":${time}`),
      'RFC 3339',
    ),
    ['a created_at that is null', revisionBody(undefined, ',"created_at":null'), '/created_at'],
  ]),
])

const TAG_RULES = 'A tag must have 1 to 64 characters'
/** The member, an invalid value, the pointer of the error and a part of its message. */
const INVALID_FIELDS: [name: string, value: string, pointer: string, detail?: string][] = [
  ...['"done"', '"Running"', '""'].map((value): [string, string, string, string] => [
    'status',
    value,
    '/status',
    'one of running, finished, failed',
  ]),
  ['status', '1', '/status', 'a string'],
  ...['-1', '1.5', '"1"', '2147483648', '1e300', 'true', '[]'].map((value): [string, string, string] => [
    'expected_count',
    value,
    '/expected_count',
  ]),
  ['tags', '"nightly"', '/tags'],
  ['tags', '["a",1]', '/tags/1'],
  ['tags', '["a","b","\\u0061"]', '/tags', 'duplicate'],
  ['tags', JSON.stringify(Array.from({ length: 21 }, (_, index) => `t${index}`)), '/tags'],
  ...['""', `"${'x'.repeat(65)}"`, '"a\\u0000"', '"\\n"', '"\\ud800"'].map(
    (tag): [string, string, string, string] => ['tags', `[${tag}]`, '/tags/0', TAG_RULES],
  ),
  ['updated_at', '"2026-01-01T00:00:00Z"', '/updated_at', 'unknown'],
]
const fieldCases = INVALID_FIELDS.map(
  ([name, value, pointer, detail]): InvalidBodyCase => [
    `the ${name} ${value.slice(0, 30)}`,
    `{"name":"x","${name}":${value}}`,
    pointer,
    detail ?? '',
  ],
)

testRejections('an invalid status, count or tag, or an update time, reported with its pointer', [
  ...invalidBodies('POST', EVALUATIONS, fieldCases),
  ...invalidBodies('PATCH', `${EVALUATIONS}/full`, fieldCases),
  ...invalidBodies('PATCH', `${VARIANTS}/full`, [
    ['a name that is not a string', '{"name":1}', '/name'],
    ['an id', '{"id":"other"}', '/id', 'unknown'],
    ['an update time', '{"updated_at":"2026-01-01T00:00:00Z"}', '/updated_at', 'unknown'],
  ]),
])
