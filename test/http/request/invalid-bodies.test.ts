// Tests that invalid request bodies are rejected: wrong media type or encoding, malformed JSON, invalid content, too
// large, or incomplete.
import assert from 'node:assert/strict'
import { once } from 'node:events'
import { connect } from 'node:net'
import { describe, test } from 'node:test'
import { setImmediate } from 'node:timers/promises'
import { gzipSync, zstdCompressSync } from 'node:zlib'
import { startTestService } from '../../support/harness.ts'
import { schemaErrors } from '../../support/http.ts'
import {
  contentTooLarge,
  type InvalidBodyCase,
  invalidBodies,
  invalidContent,
  invalidJson,
  invalidRequest,
  type RejectionCase,
  startRejectionSuite,
  unsupportedMediaType,
} from '../../support/invalid-writes.ts'
import {
  type Body,
  EVALUATIONS,
  evaluationOfSize,
  FULL_RESULTS,
  FULL_SCENARIOS,
  gzipHeaders,
  JSON_TYPE,
  JSONL,
  NDJSON,
  NEW_REVISIONS,
  NEW_SCENARIOS,
  ndjsonHeaders,
  nestedArrays,
  OPERATIONS,
  objectWithMembers,
  revisionBody,
  scenarioOfSize,
  thousandRows,
  VARIANTS,
  zstdHeaders,
} from '../../support/write-requests.ts'

const { store, key, service, dump, send, testRejections } = await startRejectionSuite()
const smallRecordService = await startTestService(store, {
  max_record_bytes: 2048,
  max_body_bytes: 10 * 1024 * 1024,
})
const smallBodyService = await startTestService(store, { max_body_bytes: 4096 })

const deepObject = `${'{"a":'.repeat(200)}1${'}'.repeat(200)}`
const ndjsonRequest = (body: Body) => ({ body, headers: ndjsonHeaders })

testRejections(
  'a body with a wrong media type, encoding or JSON syntax',
  OPERATIONS.flatMap(({ method, path, body = '' }) => {
    if (body === '') return []
    const operation = { method, path, body }
    const id = `${method} ${path}`
    const takesRecords = [NEW_SCENARIOS, FULL_RESULTS].includes(path)
    const accept = takesRecords ? `${JSON_TYPE}, ${NDJSON}, ${JSONL}` : JSON_TYPE
    const withType = (type: string, headers = {}): RejectionCase => [
      `${id} with Content-Type '${type}'`,
      { ...operation, headers: { 'content-type': type } },
      { ...unsupportedMediaType, headers },
    ]
    const withEncoding = (encoding: string): RejectionCase => [
      `${id} with Content-Encoding '${encoding}'`,
      { ...operation, headers: { 'content-encoding': encoding } },
      { ...unsupportedMediaType, headers: { 'accept-encoding': 'gzip, zstd', accept: undefined } },
    ]
    const gzippedBody = gzipSync(body)
    return [
      [
        `${id} without a Content-Type`,
        { ...operation, headers: { 'content-type': undefined } },
        { ...unsupportedMediaType, headers: { accept } },
      ],
      withType('text/plain', { accept }),
      withType('application/jsonx', { accept }),
      withType('text/json; charset=utf-8', { accept }),
      ...(takesRecords ? [] : [NDJSON, JSONL].map((type) => withType(type, { accept }))),
      ...['iso-8859-1', 'us-ascii', '"UTF-16"', 'utf-8x', '""'].map((charset): RejectionCase => {
        const [name, request] = withType(`${JSON_TYPE}; charset=${charset}`)
        return [name, request, { ...unsupportedMediaType, detail: 'Send the body as UTF-8.' }]
      }),
      ...['json', 'application/json json', ''].map((type) => withType(type)),
      ...['br', 'deflate', 'gzip, gzip', 'constructor'].map(withEncoding),
      ...(
        [
          [
            'with Content-Encoding gzip and no gzip data',
            { headers: gzipHeaders },
            { ...invalidRequest, detail: 'gzip' },
          ],
          [
            'with Content-Encoding zstd and no zstd data',
            { headers: zstdHeaders },
            { ...invalidRequest, detail: 'zstd' },
          ],
          [
            'with truncated gzip data',
            { body: gzippedBody.subarray(0, -6), headers: gzipHeaders },
            invalidRequest,
          ],
          [
            'with truncated zstd data',
            { body: zstdCompressSync(body).subarray(0, -3), headers: zstdHeaders },
            invalidRequest,
          ],
          [
            'with a wrong gzip checksum',
            { body: withWrongChecksum(gzippedBody), headers: gzipHeaders },
            invalidRequest,
          ],
          ['with an empty body', { body: '' }, invalidJson(1, 0)],
          ['with only whitespace', { body: ' \n ' }, invalidJson()],
          ['with truncated JSON', { body: body.slice(0, -1) }, invalidJson(1)],
          ['with text after the JSON value', { body: `${body}\n x` }, invalidJson(2, body.length + 2)],
          ['with a byte order mark', { body: `\ufeff${body}` }, invalidJson(1, 0, 'byte order mark')],
          ['with a JSON value of the wrong type', { body: '"text"' }, invalidContent('')],
          ...(takesRecords ? [['with a deep object', { body: deepObject }, invalidContent('')]] : []),
        ] as RejectionCase[]
      ).map(
        ([name, request, expected]): RejectionCase => [
          `${id} ${name}`,
          { ...operation, ...request },
          expected,
        ],
      ),
    ]
  }),
)

describe('a body that does not match its Content-Encoding', () => {
  for (const encoding of ['gzip', 'zstd']) {
    test(`leaves no timers active (${encoding})`, async () => {
      const countTimers = () => process.getActiveResourcesInfo().filter((name) => name === 'Timeout').length
      const headers = { 'content-encoding': encoding, connection: 'close' }
      const target = await startTestService(store)
      const initialTimers = countTimers()
      for (let count = 0; count < 5; count += 1)
        assert.equal((await send({ path: EVALUATIONS, body: '{}', headers, service: target })).status, 400)
      while ((await target.countConnections()) > 0) await setImmediate()
      const leakedTimers = countTimers() - initialTimers
      await target.stop()
      assert.ok(leakedTimers < 5, `${leakedTimers} timers are still active`)
    })
  }
})

/** Invalid JSON values of a member, and the offset of the error from the start of the value. */
const INVALID_JSON: [text: string, errorOffset: number][] = [
  ['NaN', 0],
  ['Infinity', 0],
  ['-Infinity', 1],
  [`'single'`, 0],
  ['undefined', 0],
  ['[1,]', 3],
  ['{"a":1,}', 7],
  ['/* why */ 1', 0],
  ['1 // why', 2],
  ['01', 0],
  ['+1', 0],
  ['.5', 0],
  ['1.', 2],
  ['0x10', 1],
  ['"\\x41"', 1],
  ['"\\u12"', 1],
  ['"a\tb"', 2],
  ['True', 0],
  ['{a:1}', 1],
  ['[1 2]', 3],
]
const invalidUtf8 = (prefix: string, suffix: string) =>
  Buffer.concat([Buffer.from(prefix), Buffer.from([0x22, 0xc3, 0x28, 0x22]), Buffer.from(suffix)])
const notUtf8 = {
  inArray: invalidUtf8('[{"id":"a"},\n{"note":', '}]'),
  inLine: invalidUtf8('{"id":"a"}\n{"note":', '}'),
  inDocument: invalidUtf8('{"name":', '}'),
}

testRejections('malformed JSON, reported with line and offset', [
  ...INVALID_JSON.flatMap(([text, errorOffset]): RejectionCase[] => [
    [
      `${text} in an array`,
      { body: `[{"id":"a"},\n{"id":"b","extra":{"x":${text}}}]` },
      invalidJson(2, 13 + 23 + errorOffset),
    ],
    [
      `${text} in NDJSON`,
      ndjsonRequest(`{"id":"a"}\n{"id":"b","extra":{"x":${text}}}\n{"id":"c"}\n`),
      invalidJson(2, 11 + 23 + errorOffset),
    ],
    [
      `${text} in a document`,
      { path: EVALUATIONS, body: `{"id":"fresh",\n"metadata":{"x":${text}}}` },
      invalidJson(2, 15 + 16 + errorOffset),
    ],
  ]),
  ['invalid UTF-8 in an array', { body: notUtf8.inArray }, invalidJson(2, 13 + 9, 'UTF-8')],
  ['invalid UTF-8 in NDJSON', ndjsonRequest(notUtf8.inLine), invalidJson(2, 11 + 9)],
  ['invalid UTF-8 in a document', { path: EVALUATIONS, body: notUtf8.inDocument }, invalidJson(1, 9)],
  ['a comma after the last element', { body: '[{"id":"a"},]' }, invalidJson(1, 12)],
  ['a comma before the first element', { body: '[,{"id":"a"}]' }, invalidJson(1, 1)],
  ['no comma between two elements', { body: '[{"id":"a"}\n{"id":"b"}]' }, invalidJson(2, 12)],
  ['a second array after the first', { body: '[{"id":"a"}]\n[]' }, invalidJson(2, 13)],
  ['an array that is not closed', { body: '[{"id":"a"}' }, invalidJson(1, 11)],
  ['an element that is not closed', { body: '[{"id":"a"' }, invalidJson(1)],
  ['a closing bracket of the wrong kind', { body: '[{"id":"a"]]' }, invalidJson(1, 10)],
  ['a bare word', { body: 'scenarios' }, invalidJson(1, 0)],
  ['two records on one line', ndjsonRequest('{"id":"a"}\n{"id":"b"} {"id":"c"}\n'), invalidJson(2, 22)],
  ['a record that spans two lines', ndjsonRequest('{"id":"a"}\n\n{"id":\n"b"}\n'), invalidJson(3, 18)],
  ['a truncated last line', ndjsonRequest('{"id":"a"}\n{"id":"b"'), invalidJson(2)],
  ['a byte order mark in NDJSON', ndjsonRequest('\ufeff{"id":"a"}'), invalidJson(1, 0)],
  [
    'malformed JSON after a record with invalid content',
    ndjsonRequest('{"x":1}\nnonsense\n'),
    invalidJson(2, 8),
  ],
])

/** Invalid ids, as JSON. */
const INVALID_IDS: [name: string, json: string][] = [
  ['that is empty', '""'],
  ['.', '"."'],
  ['..', '".."'],
  ['with NUL', '"a\\u0000"'],
  ['with a line feed', '"a\\nb"'],
  ['with DEL', '"\\u007f"'],
  ['with an unpaired surrogate', '"\\ud83d"'],
  ['of 201 characters', `"${'💡'.repeat(201)}"`],
]
const invalidIds = (member: string) =>
  INVALID_IDS.map(
    ([name, id]): InvalidBodyCase => [
      `the ${member} ${name}`,
      `{"${member}":${id}}`,
      `/${member}`,
      'An id must have',
    ],
  )

const RESULT = '{"type":"text","value":1}'
const DUPLICATE_AMONG_MANY = Array.from({ length: 40 }, (_, index) => `"m${index % 39}":1`).join(',')

const INVALID_SCENARIOS: InvalidBodyCase[] = [
  ['an input without name', '{"inputs":[{"type":"t","value":1}]}', '/inputs/0', `'name'`],
  ['an input without type', '{"inputs":[{"name":"n","value":1}]}', '/inputs/0', `'type'`],
  ['an input without value', '{"inputs":[{"name":"n","type":"t"}]}', '/inputs/0', `'value'`],
  ['an output without result', '{"outputs":[{"cost":1}]}', '/outputs/0', `'result'`],
  ['a result without type', '{"outputs":[{"result":{"value":1}}]}', '/outputs/0/result', `'type'`],
  [
    'an error without message',
    '{"outputs":[{"result":{"type":"error","error":{}}}]}',
    '/outputs/0/result/error',
    `'message'`,
  ],
  ['a correct answer without key', '{"correct_answers":[{"value":"v"}]}', '/correct_answers/0', `'key'`],
  ['a correct answer without value', '{"correct_answers":[{"key":"k"}]}', '/correct_answers/0', `'value'`],
  [
    'a score without evaluator_config',
    `{"results":[{"result":${RESULT}}]}`,
    '/results/0',
    `'evaluator_config'`,
  ],
  ['a score without result', '{"results":[{"evaluator_config":"e"}]}', '/results/0', `'result'`],
  ...[
    ['/surplus', '{"surplus":1}'],
    ['/inputs/0/surplus', '{"inputs":[{"name":"n","type":"t","value":1,"surplus":1}]}'],
    ['/outputs/0/surplus', `{"outputs":[{"result":${RESULT},"surplus":1}]}`],
    ['/outputs/0/result/surplus', '{"outputs":[{"result":{"type":"text","surplus":1}}]}'],
    [
      '/outputs/0/result/error/surplus',
      '{"outputs":[{"result":{"type":"error","error":{"message":"m","surplus":1}}}]}',
    ],
    ['/correct_answers/0/surplus', '{"correct_answers":[{"key":"k","value":"v","surplus":1}]}'],
    ['/results/0/surplus', `{"results":[{"evaluator_config":"e","result":${RESULT},"surplus":1}]}`],
    [
      '/results/0/result/surplus',
      '{"results":[{"evaluator_config":"e","result":{"type":"text","surplus":1}}]}',
    ],
  ].map(
    ([pointer = '', body = '']): InvalidBodyCase => [
      `an unknown member at ${pointer}`,
      body,
      pointer,
      `'surplus'`,
    ],
  ),
  ['a member called __proto__', '{"__proto__":{}}', '/__proto__'],
  ['a member called constructor', '{"constructor":{}}', '/constructor'],
  ['a member with a slash in its name', '{"a/b~c":1}', '/a~1b~0c', `'a/b~c'`],
  ['a scenario that is null', 'null', ''],
  ['a scenario that is an array', '[]', ''],
  ['a scenario that is a number', '1', ''],
  ['inputs that are null', '{"inputs":null}', '/inputs', 'an array'],
  ['outputs that are null', '{"outputs":null}', '/outputs', 'an array'],
  ['results that are null', '{"results":null}', '/results', 'an array'],
  ['inputs that are an object', '{"inputs":{}}', '/inputs'],
  ['an input that is null', '{"inputs":[null]}', '/inputs/0'],
  ['an output that is a string', '{"outputs":["x"]}', '/outputs/0'],
  ['an evaluation_id that is null', '{"evaluation_id":null}', '/evaluation_id'],
  ['an evaluation_id of another evaluation', '{"evaluation_id":"full"}', '/evaluation_id', `'full'`],
  ['an is_pinned that is 1', '{"is_pinned":1}', '/is_pinned', 'true or false or null'],
  ['a note that is a number', '{"note":1}', '/note'],
  ['an extra that is an array', '{"extra":[]}', '/extra'],
  ['an id that is a number', '{"id":1}', '/id'],
  [
    'a cost that is a string',
    `{"outputs":[{"result":${RESULT},"cost":"1"}]}`,
    '/outputs/0/cost',
    'a number or null',
  ],
  [
    'an expected value that is a number',
    '{"correct_answers":[{"key":"k","value":1}]}',
    '/correct_answers/0/value',
  ],
  ['a type that is null', '{"outputs":[{"result":{"type":null}}]}', '/outputs/0/result/type'],
  ...['a', '\\u0061'].flatMap((name): InvalidBodyCase[] => [
    [`the duplicate name ${name} in extra`, `{"extra":{"a":1,"${name}":2}}`, '/extra/a'],
    [
      `the duplicate name ${name} deep in a value`,
      `{"inputs":[{"name":"n","type":"json","value":[0,{"b":{"a":1,"x":2,"${name}":3}}]}]}`,
      '/inputs/0/value/1/b/a',
    ],
  ]),
  ['the duplicate name id', '{"id":"a","id":"a"}', '/id', 'two members'],
  ['the duplicate name id, once escaped', '{"id":"a","\\u0069d":"b"}', '/id'],
  ['a duplicate name among many', `{"extra":{${DUPLICATE_AMONG_MANY}}}`, '/extra/m0'],
  ...invalidIds('id'),
  ['several errors at once', '{"note":1,"is_pinned":1,"inputs":[{}]}', '/inputs/0', '', 5],
]

/** An array of a valid scenario and the given one, which is on the second line. */
const afterValidScenario = (scenario: string) => `[{"id":"good"},\n${scenario}]`
const oneInvalidRow = (index: number) => `{"id":"r-${index}","note":${index === 777 ? 7 : '"7"'}}`
const manyInvalidRows = (index: number) => (index < 150 ? '{"note":7}' : '{"note":"7"}')

testRejections('an invalid scenario, reported with pointer and line', [
  ...INVALID_SCENARIOS.flatMap(([name, body, pointer, detail, count = 1]): RejectionCase[] => [
    [
      `${name}, in an array`,
      { body: afterValidScenario(body) },
      invalidContent(`/1${pointer}`, detail, { line: 2, count }),
    ],
    [
      `${name}, in NDJSON`,
      ndjsonRequest(`\n{"id":"good"}\r\n\n${body}\n`),
      invalidContent(`/1${pointer}`, detail, { line: 4, count }),
    ],
  ]),
  ['an object instead of an array', { body: '{"id":"a"}' }, invalidContent('', NDJSON)],
  ['null instead of an array', { body: 'null' }, invalidContent('', 'array')],
  ['an array as an NDJSON record', ndjsonRequest('[{"id":"a"}]'), invalidContent('/0')],
  [
    'one invalid row in a thousand, in an array',
    { body: thousandRows('array', oneInvalidRow) },
    invalidContent('/777/note', 'Nothing was stored', { line: 778 }),
  ],
  [
    'one invalid row in a thousand, in NDJSON',
    ndjsonRequest(thousandRows('lines', oneInvalidRow)),
    invalidContent('/777/note', 'Nothing was stored', { line: 778 }),
  ],
  [
    '150 invalid rows',
    ndjsonRequest(thousandRows('lines', manyInvalidRows)),
    invalidContent('/0/note', '150 errors in total', { count: 150 }),
  ],
  [
    '150 errors in one row',
    { body: `[{"inputs":[${Array(50).fill('{}').join(',')}]}]` },
    invalidContent('/0/inputs/0', '', { count: 150 }),
  ],
])

testRejections('an invalid document, reported with its pointer', [
  ...invalidBodies('POST', EVALUATIONS, [
    ['an array', '[]', ''],
    ['an unknown member', '{"surplus":1}', '/surplus', `'surplus'`],
    ['a scenario_count', '{"scenario_count":1}', '/scenario_count'],
    ['a name that is a number', '{"name":1}', '/name'],
    ['metadata that is an array', '{"metadata":[]}', '/metadata'],
    ['evaluators that are an object', '{"evaluators":{}}', '/evaluators'],
    ['an evaluator without name', '{"evaluators":[{"threshold":1}]}', '/evaluators/0', `'name'`],
    [
      'an unknown member of an evaluator',
      '{"evaluators":[{"name":"e","surplus":1}]}',
      '/evaluators/0/surplus',
      `'surplus'`,
    ],
    [
      'a threshold that is a string',
      '{"evaluators":[{"name":"e","threshold":"1"}]}',
      '/evaluators/0/threshold',
    ],
    ['a duplicate name', '{"metadata":{"a":{"b":1,"\\u0062":1}}}', '/metadata/a/b'],
    ...['id', 'baseline_id', 'variant_id', 'family'].flatMap(invalidIds),
  ]),
  ...invalidBodies('PATCH', `${EVALUATIONS}/full`, [
    ...['id', 'source', 'created_at', 'surplus'].map(
      (member): InvalidBodyCase => [`the member ${member}`, `{"${member}":"x"}`, `/${member}`, `'${member}'`],
    ),
    ['an evaluator with a duplicate name', '{"evaluators":[{"name":"e","name":"e"}]}', '/evaluators/0/name'],
  ]),
  ...invalidBodies('PATCH', `${FULL_SCENARIOS}/s-0`, [
    ...['id', 'inputs', 'results', 'surplus'].map(
      (member): InvalidBodyCase => [`the member ${member}`, `{"${member}":[]}`, `/${member}`, `'${member}'`],
    ),
    ['a note that is a number', '{"note":1}', '/note'],
    ['an is_pinned that is a string', '{"is_pinned":"true"}', '/is_pinned'],
    ['a duplicate note', '{"note":"a","is_pinned":true,"note":"b"}', '/note'],
  ]),
  ...invalidBodies('POST', VARIANTS, [
    ['an unknown member', '{"surplus":1}', '/surplus', `'surplus'`],
    ['a name that is an object', '{"name":{}}', '/name'],
    ...invalidIds('id'),
  ]),
  ...invalidBodies('POST', NEW_REVISIONS, [
    ['no modified_by', '{"config":{"config_name":"c"}}', '', `'modified_by'`],
    ['no config', '{"modified_by":"Ana"}', '', `'config'`],
    ['no config_name', revisionBody('{}'), '/config', `'config_name'`],
    ['neither modified_by nor config', '{}', '', '', 2],
    ['a config that is null', revisionBody('null'), '/config'],
    [
      'parameters that are null',
      revisionBody('{"config_name":"c","parameters":null}'),
      '/config/parameters',
      'an object',
    ],
    [
      'parameters with a duplicate name',
      revisionBody('{"config_name":"c","parameters":{"t":1,"\\u0074":1}}'),
      '/config/parameters/t',
    ],
    [
      'an unknown member of config',
      revisionBody('{"config_name":"c","surplus":1}'),
      '/config/surplus',
      `'surplus'`,
    ],
    ['an unknown member', revisionBody(undefined, ',"surplus":1'), '/surplus', `'surplus'`],
  ]),
])

// JSON.parse turns 1e400 into Infinity. It must be treated like any other number.
testRejections('a number beyond the range of a double, where no number is allowed', [
  ...[
    ['as an unknown member', '{"surplus":1e400}', '/surplus'],
    ['as a note', '{"note":1e400}', '/note'],
    ['as an is_pinned', '{"is_pinned":-1e400}', '/is_pinned'],
    ['as an id', '{"id":1e400}', '/id'],
    ['as inputs', '{"inputs":1e400}', '/inputs'],
    ['as an input', '{"inputs":[1e400]}', '/inputs/0'],
    ['as the name of an input', '{"inputs":[{"name":1e400,"type":"t","value":1}]}', '/inputs/0/name'],
    ['as a scenario', '1e400', ''],
  ].map(
    ([name, body, pointer]): RejectionCase => [
      `1e400 ${name}`,
      { body: `[${body}]` },
      invalidContent(`/0${pointer}`),
    ],
  ),
  ...invalidBodies('POST', EVALUATIONS, [
    ['1e400 as an evaluation', '1e400', ''],
    ['1e400 as a name', '{"name":1e400}', '/name'],
    ['1e400 as an unknown member', '{"surplus":1e400}', '/surplus'],
    ['1e400 as metadata', '{"metadata":1e400}', '/metadata'],
  ]),
  ...invalidBodies('POST', VARIANTS, [['1e400 as a variant', '1e400', '']]),
  ...invalidBodies('POST', NEW_REVISIONS, [
    ['1e400 as an author', '{"modified_by":1e400,"config":{"config_name":"c"}}', '/modified_by'],
    ['1e400 as a config', revisionBody('1e400'), '/config'],
    ['a revision of 400 digits', revisionBody(undefined, `,"revision":${'9'.repeat(400)}`), '/revision'],
  ]),
])

testRejections('a negative cost', [
  [
    'in an array',
    { body: '[{},{"outputs":[{"result":{"type":"text"},"cost":-0.01}]}]' },
    invalidContent('/1/outputs/0/cost', 'must be >= 0'),
  ],
])

// Strict parsers reject the whole array if one typed number is outside the range of a double.
const OUT_OF_RANGE = 'outside the range of a double'
const outputWith = (members: string) => `{"outputs":[{"result":{"type":"text"},${members}}]}`
testRejections('a typed number beyond the range of a double', [
  ...[
    ['cost 1e400', '/outputs/0/cost', outputWith('"cost":1e400')],
    ['cost -1e400', '/outputs/0/cost', outputWith('"cost":-1e400')],
    ['latency of 400 digits', '/outputs/0/latency', outputWith(`"latency":${'9'.repeat(400)}`)],
  ].flatMap(([name, pointer, body]): RejectionCase[] => [
    [`${name} in an array`, { body: `[{},${body}]` }, invalidContent(`/1${pointer}`, OUT_OF_RANGE)],
    [
      `${name} in NDJSON`,
      ndjsonRequest(`{}\n${body}\n`),
      invalidContent(`/1${pointer}`, OUT_OF_RANGE, { line: 2 }),
    ],
  ]),
  ...invalidBodies('POST', EVALUATIONS, [
    [
      'threshold 1e400',
      '{"evaluators":[{"name":"e","threshold":1e400}]}',
      '/evaluators/0/threshold',
      OUT_OF_RANGE,
    ],
  ]),
  ...invalidBodies('PATCH', `${EVALUATIONS}/full`, [
    [
      'threshold -1e400',
      '{"evaluators":[{"name":"e","threshold":-1e400}]}',
      '/evaluators/0/threshold',
      OUT_OF_RANGE,
    ],
  ]),
])

const SPACES = `[${' '.repeat(4095)}]`
const MANY_SPACES = `[${' '.repeat(9 * 1024 * 1024)}]`
const TOO_DEEP = nestedArrays(127)
const deepest = `/x${'/0'.repeat(126)}`

testRejections('content over a limit', [
  [
    'a record over max_record_bytes in an array',
    { body: `[{"id":"a"},${scenarioOfSize(2049)}]`, service: smallRecordService },
    { ...contentTooLarge, detail: '2048' },
  ],
  [
    'a record over max_record_bytes in NDJSON',
    { ...ndjsonRequest(`{"id":"a"}\n${scenarioOfSize(2049)}\n`), service: smallRecordService },
    contentTooLarge,
  ],
  [
    'a document over max_record_bytes',
    { path: EVALUATIONS, body: evaluationOfSize(2049), service: smallRecordService },
    contentTooLarge,
  ],
  [
    'a document that expands over max_record_bytes',
    {
      path: EVALUATIONS,
      body: gzipSync(evaluationOfSize(2049)),
      headers: gzipHeaders,
      service: smallRecordService,
    },
    contentTooLarge,
  ],
  [
    'a body over max_body_bytes',
    { body: SPACES, service: smallBodyService },
    { ...contentTooLarge, detail: '4096' },
  ],
  [
    'a body that expands over max_body_bytes',
    { body: gzipSync(SPACES), headers: gzipHeaders, service: smallBodyService },
    contentTooLarge,
  ],
  [
    'a gzip body that expands beyond the limit',
    { body: gzipSync(MANY_SPACES), headers: gzipHeaders, service: smallRecordService },
    { ...contentTooLarge, detail: '200 times' },
  ],
  [
    'a zstd body that expands beyond the limit',
    { body: zstdCompressSync(MANY_SPACES), headers: zstdHeaders, service: smallRecordService },
    { ...contentTooLarge, detail: '200 times' },
  ],
  [
    'a scenario of 129 levels',
    { body: afterValidScenario(`{"extra":{"x":${TOO_DEEP}}}`) },
    invalidContent(`/1/extra${deepest}`, '128', { line: 2 }),
  ],
  [
    'a document of 129 levels',
    { path: EVALUATIONS, body: `{"metadata":{"x":${TOO_DEEP}}}` },
    invalidContent(`/metadata${deepest}`),
  ],
  [
    'a scenario of 100,000 levels',
    { body: `[{"extra":{"x":${nestedArrays(100_000)}}}]` },
    invalidContent(`/0/extra${deepest}`, '128'),
  ],
  [
    'an object of 10,001 members in a scenario',
    { body: afterValidScenario(`{"extra":${objectWithMembers(10_001)}}`) },
    invalidContent('/1/extra', '10000', { line: 2 }),
  ],
  [
    'an object of 10,001 members in a document',
    { path: EVALUATIONS, body: `{"metadata":${objectWithMembers(10_001)}}` },
    invalidContent('/metadata'),
  ],
])

testRejections('data after the first member of a compressed body', [
  ...['zstd', 'gzip'].flatMap((encoding): RejectionCase[] => {
    const compress = encoding === 'zstd' ? zstdCompressSync : gzipSync
    const [first, second] = [compress('{"id":"a"}\n'), compress('{"id":"b"}\n')]
    const corrupted = Buffer.from(second)
    corrupted[0] = (corrupted[0] ?? 0) ^ 1
    const headers = { ...ndjsonHeaders, 'content-encoding': encoding }
    return [
      [
        `garbage after ${encoding} data`,
        { body: Buffer.concat([first, Buffer.from('junkjunk')]), headers },
        invalidRequest,
      ],
      [
        `a second, corrupted ${encoding} member`,
        { body: Buffer.concat([first, corrupted]), headers },
        invalidRequest,
      ],
      [
        `a second, truncated ${encoding} member`,
        { body: Buffer.concat([first, second.subarray(0, 8)]), headers },
        invalidRequest,
      ],
    ]
  }),
])

test('a client that reads only after sending its whole body receives the error response', async () => {
  const socket = connect(service.port, '127.0.0.1')
  const head = `POST ${NEW_SCENARIOS} HTTP/1.1\r\nHost: x\r\nAuthorization: ${key}\r\nConnection: close\r\n`
  const bytes = 30_000_000
  socket.write(`${head}Content-Type: ${NDJSON}\r\nContent-Length: ${bytes}\r\n\r\n`)
  socket.pause()
  const chunk = Buffer.alloc(1_000_000, 'x\n')
  for (let sentBytes = 0; sentBytes < bytes; sentBytes += chunk.length) {
    if (!socket.write(chunk)) await once(socket, 'drain')
  }
  const chunks: Buffer[] = []
  for await (const chunk of socket) chunks.push(chunk as Buffer)
  assert.match(Buffer.concat(chunks).toString(), /^HTTP\/1\.1 400 /)
})

describe('an incomplete body', () => {
  const createHead = (framing: string) =>
    `POST ${NEW_SCENARIOS} HTTP/1.1\r\nHost: x\r\nAuthorization: ${key}\r\nContent-Type: ${NDJSON}\r\n${framing}\r\n\r\n`
  const row = '{"id":"a"}\n'
  const cases: [name: string, text: string][] = [
    ['ends before its Content-Length', `${createHead('Content-Length: 1000')}${row}`],
    ['ends before its last chunk', `${createHead('Transfer-Encoding: chunked')}b\r\n${row}\r\n`],
    ['ends inside a chunk', `${createHead('Transfer-Encoding: chunked')}ff\r\n${row}`],
    ['ends before its first byte', createHead('Content-Length: 1000')],
  ]
  const validRead = { method: 'GET', path: `${FULL_SCENARIOS}?limit=1` }
  for (const [name, text] of cases) {
    test(`${name} because of a connection reset: stores nothing, and the service keeps running`, async () => {
      const target = await startTestService(store)
      const dumpBefore = await dump()
      const socket = connect(target.port, '127.0.0.1')
      await once(socket, 'connect')
      await new Promise((resolve) => socket.write(text, resolve))
      assert.equal((await send({ ...validRead, service: target })).status, 200)
      socket.resetAndDestroy()
      while ((await target.countConnections()) > 0) await setImmediate()
      assert.equal((await send({ ...validRead, service: target })).status, 200)
      assert.equal(await dump(), dumpBefore)
      await target.stop()
    })

    test(`${name} because the client half-closes the connection: returns 400, stores nothing, and the service keeps running`, async () => {
      const dumpBefore = await dump()
      const socket = connect({ port: service.port, host: '127.0.0.1', allowHalfOpen: true })
      socket.end(text)
      let response = ''
      for await (const chunk of socket) response += chunk
      assert.match(response, /^HTTP\/1.1 400 /)
      const problem = JSON.parse(response.slice(response.indexOf('\r\n\r\n')))
      assert.deepEqual(schemaErrors('Problem', problem), [])
      assert.equal(problem.code, 'invalid-request')
      assert.equal(await dump(), dumpBefore)
      assert.equal((await send(validRead)).status, 200)
    })
  }
})

function withWrongChecksum(gzip: Buffer): Buffer {
  const copy = Buffer.from(gzip)
  copy.writeUInt32LE(~gzip.readUInt32LE(gzip.length - 8) >>> 0, gzip.length - 8)
  return copy
}
