// Bodies of writes that are refused: for their type or coding, as no JSON, as what does not fit, as too much, and
// because the rest of them never comes.
import assert from 'node:assert/strict'
import { once } from 'node:events'
import { connect } from 'node:net'
import { describe, test } from 'node:test'
import { setImmediate } from 'node:timers/promises'
import { gzipSync, zstdCompressSync } from 'node:zlib'
import { serveStore } from '../harness.ts'
import {
  badContent,
  badJson,
  badRequest,
  badType,
  type Misfit,
  misfits,
  type Refusal,
  refusingService,
  tooLarge,
} from '../refusals.ts'
import { schemaErrors } from '../wire.ts'
import {
  type Body,
  crowd,
  EVALUATIONS,
  FRESH,
  FRESH_REVISIONS,
  FULL,
  gzip,
  JSON_TYPE,
  NDJSON,
  nameOfBytes,
  ndjson,
  nested,
  OPERATIONS,
  revision,
  rowOfBytes,
  thousand,
  VARIANTS,
  zstd,
} from '../writes.ts'

const { store, key, service, dump, send, refuses } = await refusingService()
const small = await serveStore(store, {
  max_record_bytes: 2048,
  max_body_bytes: 10 * 1024 * 1024,
  max_expansion: 20,
})
const smaller = await serveStore(store, { max_body_bytes: 4096 })

const lines = (body: Body) => ({ body, headers: ndjson })

refuses(
  'a body of another kind is not looked at',
  OPERATIONS.flatMap(({ method, to, body = '' }) => {
    if (body === '') return []
    const operation = { method, to, body }
    const id = `${method} ${to}`
    const accept = to === FRESH ? `${JSON_TYPE}, ${NDJSON}` : JSON_TYPE
    const typed = (type: string, fields = {}): Refusal => [
      `${id} as '${type}'`,
      { ...operation, headers: { 'content-type': type } },
      { ...badType, fields },
    ]
    const coded = (coding: string): Refusal => [
      `${id} in the coding '${coding}'`,
      { ...operation, headers: { 'content-encoding': coding } },
      { ...badType, fields: { 'accept-encoding': 'gzip, zstd', accept: undefined } },
    ]
    const gzipped = gzipSync(body)
    return [
      [
        `${id} without a Content-Type`,
        { ...operation, headers: { 'content-type': undefined } },
        { ...badType, fields: { accept } },
      ],
      typed('text/plain', { accept }),
      typed('application/jsonx', { accept }),
      typed('text/json; charset=utf-8', { accept }),
      ...(to === FRESH ? [] : [typed(NDJSON, { accept })]),
      ...['json', 'application/json json', ''].map((type) => typed(type)),
      ...['br', 'deflate', 'gzip, gzip', 'constructor'].map(coded),
      ...(
        [
          ['that is not the gzip it says', { headers: gzip }, { ...badRequest, says: 'gzip' }],
          ['that is not the zstd it says', { headers: zstd }, { ...badRequest, says: 'zstd' }],
          ['with gzip that is cut off', { body: gzipped.subarray(0, -6), headers: gzip }, badRequest],
          [
            'with zstd that is cut off',
            { body: zstdCompressSync(body).subarray(0, -3), headers: zstd },
            badRequest,
          ],
          [
            'with gzip whose checksum is wrong',
            { body: withOtherChecksum(gzipped), headers: gzip },
            badRequest,
          ],
          ['without a byte', { body: '' }, badJson(1, 0)],
          ['of white space', { body: ' \n ' }, badJson()],
          ['that ends early', { body: body.slice(0, -1) }, badJson(1)],
          ['with something behind it', { body: `${body}\n x` }, badJson(2, body.length + 2)],
          ['behind a byte order mark', { body: `\ufeff${body}` }, badJson(1, 0, 'byte order mark')],
          ['with a value of another kind', { body: '"text"' }, badContent('')],
        ] satisfies Refusal[]
      ).map(
        ([name, request, expected]): Refusal => [`${id} ${name}`, { ...operation, ...request }, expected],
      ),
    ]
  }),
)

describe('a body that is not what its coding says', () => {
  for (const coding of ['gzip', 'zstd']) {
    test(`leaves nothing behind that waits for more of it (${coding})`, async () => {
      const timers = () => process.getActiveResourcesInfo().filter((name) => name === 'Timeout').length
      const headers = { 'content-encoding': coding, connection: 'close' }
      const on = await serveStore(store)
      const before = timers()
      for (let count = 0; count < 5; count += 1)
        assert.equal((await send({ to: EVALUATIONS, body: '{}', headers, on })).status, 400)
      while ((await on.open()) > 0) await setImmediate()
      const left = timers() - before
      await on.stop()
      assert.ok(left < 5, `${left} timers are left`)
    })
  }
})

/** What is no JSON as the value of a member, and how far behind the value's start that shows. */
const NO_JSON: [text: string, behind: number][] = [
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
const invalidUtf8 = (before: string, behind: string) =>
  Buffer.concat([Buffer.from(before), Buffer.from([0x22, 0xc3, 0x28, 0x22]), Buffer.from(behind)])
const notUtf8 = {
  inArray: invalidUtf8('[{"id":"a"},\n{"note":', '}]'),
  inLine: invalidUtf8('{"id":"a"}\n{"note":', '}'),
  inDocument: invalidUtf8('{"name":', '}'),
}

refuses('what is no JSON is told with its place', [
  ...NO_JSON.flatMap(([text, behind]): Refusal[] => [
    [
      `${text} in an array`,
      { body: `[{"id":"a"},\n{"id":"b","extra":{"x":${text}}}]` },
      badJson(2, 13 + 23 + behind),
    ],
    [
      `${text} in a line`,
      lines(`{"id":"a"}\n{"id":"b","extra":{"x":${text}}}\n{"id":"c"}\n`),
      badJson(2, 11 + 23 + behind),
    ],
    [
      `${text} in a document`,
      { to: EVALUATIONS, body: `{"id":"fresh",\n"metadata":{"x":${text}}}` },
      badJson(2, 15 + 16 + behind),
    ],
  ]),
  ['what is not UTF-8 in an array', { body: notUtf8.inArray }, badJson(2, 13 + 9, 'UTF-8')],
  ['what is not UTF-8 in a line', lines(notUtf8.inLine), badJson(2, 11 + 9)],
  ['what is not UTF-8 in a document', { to: EVALUATIONS, body: notUtf8.inDocument }, badJson(1, 9)],
  ['a comma behind the last element', { body: '[{"id":"a"},]' }, badJson(1, 12)],
  ['a comma before the first element', { body: '[,{"id":"a"}]' }, badJson(1, 1)],
  ['no comma between two elements', { body: '[{"id":"a"}\n{"id":"b"}]' }, badJson(2, 12)],
  ['a second array behind the first', { body: '[{"id":"a"}]\n[]' }, badJson(2, 13)],
  ['an array that is not closed', { body: '[{"id":"a"}' }, badJson(1, 11)],
  ['an element that is not closed', { body: '[{"id":"a"' }, badJson(1)],
  ['a closing bracket of the other kind', { body: '[{"id":"a"]]' }, badJson(1, 10)],
  ['a word that is no JSON', { body: 'scenarios' }, badJson(1, 0)],
  ['two records in a line', lines('{"id":"a"}\n{"id":"b"} {"id":"c"}\n'), badJson(2, 22)],
  ['a record over two lines', lines('{"id":"a"}\n\n{"id":\n"b"}\n'), badJson(3, 18)],
  ['a last line that is cut off', lines('{"id":"a"}\n{"id":"b"'), badJson(2)],
  ['a byte order mark in NDJSON', lines('\ufeff{"id":"a"}'), badJson(1, 0)],
  ['what is no JSON behind what does not fit', lines('{"x":1}\nnonsense\n'), badJson(2, 8)],
])

/** What cannot be an id, as JSON. */
const WRONG_IDS: [name: string, json: string][] = [
  ['that is empty', '""'],
  ['.', '"."'],
  ['..', '".."'],
  ['with NUL', '"a\\u0000"'],
  ['with a line feed', '"a\\nb"'],
  ['with DEL', '"\\u007f"'],
  ['with half a surrogate pair', '"\\ud83d"'],
  ['of 201 characters', `"${'💡'.repeat(201)}"`],
]
const wrongIds = (member: string) =>
  WRONG_IDS.map(
    ([name, id]): Misfit => [`the ${member} ${name}`, `{"${member}":${id}}`, `/${member}`, 'An id has'],
  )

const RESULT = '{"type":"text","value":1}'
const TWICE = Array.from({ length: 40 }, (_, index) => `"m${index % 39}":1`).join(',')

const MISFITS: Misfit[] = [
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
  ['an answer without key', '{"correct_answers":[{"value":"v"}]}', '/correct_answers/0', `'key'`],
  ['an answer without value', '{"correct_answers":[{"key":"k"}]}', '/correct_answers/0', `'value'`],
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
    ([pointer = '', body = '']): Misfit => [`an unknown member at ${pointer}`, body, pointer, `'surplus'`],
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
  ['an output that is a text', '{"outputs":["x"]}', '/outputs/0'],
  ['an evaluation_id that is null', '{"evaluation_id":null}', '/evaluation_id'],
  ['an evaluation_id that is another', '{"evaluation_id":"full"}', '/evaluation_id', `'full'`],
  ['an is_pinned that is 1', '{"is_pinned":1}', '/is_pinned', 'true or false or null'],
  ['a note that is a number', '{"note":1}', '/note'],
  ['an extra that is an array', '{"extra":[]}', '/extra'],
  ['an id that is a number', '{"id":1}', '/id'],
  [
    'a cost that is a text',
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
  ...['a', '\\u0061'].flatMap((name): Misfit[] => [
    [`the name ${name} twice in extra`, `{"extra":{"a":1,"${name}":2}}`, '/extra/a'],
    [
      `the name ${name} twice deep in a value`,
      `{"inputs":[{"name":"n","type":"json","value":[0,{"b":{"a":1,"x":2,"${name}":3}}]}]}`,
      '/inputs/0/value/1/b/a',
    ],
  ]),
  ['the name id twice', '{"id":"a","id":"a"}', '/id', 'two members'],
  ['the name id twice, once escaped', '{"id":"a","\\u0069d":"b"}', '/id'],
  ['a name that stands twice among many', `{"extra":{${TWICE}}}`, '/extra/m0'],
  ...wrongIds('id'),
  ['several errors at once', '{"note":1,"is_pinned":1,"inputs":[{}]}', '/inputs/0', '', 5],
]

/** One scenario in an array of two, the other of which is good; pointers and lines are those of the second. */
const second = (scenario: string) => `[{"id":"good"},\n${scenario}]`
const oneIsBad = (index: number) => `{"id":"r-${index}","note":${index === 777 ? 7 : '"7"'}}`
const manyAreBad = (index: number) => (index < 150 ? '{"note":7}' : '{"note":"7"}')

refuses('a scenario that does not fit is told with its pointer and line', [
  ...MISFITS.flatMap(([name, body, pointer, says, count = 1]): Refusal[] => [
    [`${name}, in an array,`, { body: second(body) }, badContent(`/1${pointer}`, says, { line: 2, count })],
    [
      `${name}, in a line,`,
      lines(`\n{"id":"good"}\r\n\n${body}\n`),
      badContent(`/1${pointer}`, says, { line: 4, count }),
    ],
  ]),
  ['an object in place of an array', { body: '{"id":"a"}' }, badContent('', NDJSON)],
  ['null in place of an array', { body: 'null' }, badContent('', 'array')],
  ['an array in a line of NDJSON', lines('[{"id":"a"}]'), badContent('/0')],
  [
    'one bad row in a thousand, in array,',
    { body: thousand('array', oneIsBad) },
    badContent('/777/note', 'Nothing was stored', { line: 778 }),
  ],
  [
    'one bad row in a thousand, in lines,',
    lines(thousand('lines', oneIsBad)),
    badContent('/777/note', 'Nothing was stored', { line: 778 }),
  ],
  [
    'a hundred and fifty bad rows',
    lines(thousand('lines', manyAreBad)),
    badContent('/0/note', '150 such errors', { count: 150 }),
  ],
  [
    'a hundred and fifty errors in one row',
    { body: `[{"inputs":[${Array(50).fill('{}').join(',')}]}]` },
    badContent('/0/inputs/0', '', { count: 150 }),
  ],
])

refuses('a document that does not fit is told with its pointer', [
  ...misfits('POST', EVALUATIONS, [
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
      'a threshold that is a text',
      '{"evaluators":[{"name":"e","threshold":"1"}]}',
      '/evaluators/0/threshold',
    ],
    ['a name twice', '{"metadata":{"a":{"b":1,"\\u0062":1}}}', '/metadata/a/b'],
    ...['id', 'baseline_id', 'variant_id'].flatMap(wrongIds),
  ]),
  ...misfits('PATCH', `${EVALUATIONS}/full`, [
    ...['id', 'source', 'created_at', 'surplus'].map(
      (member): Misfit => [`the member ${member}`, `{"${member}":"x"}`, `/${member}`, `'${member}'`],
    ),
    ['evaluators with a name twice', '{"evaluators":[{"name":"e","name":"e"}]}', '/evaluators/0/name'],
  ]),
  ...misfits('PATCH', `${FULL}/s-0`, [
    ...['id', 'inputs', 'results', 'surplus'].map(
      (member): Misfit => [`the member ${member}`, `{"${member}":[]}`, `/${member}`, `'${member}'`],
    ),
    ['a note that is a number', '{"note":1}', '/note'],
    ['an is_pinned that is a text', '{"is_pinned":"true"}', '/is_pinned'],
    ['a note twice', '{"note":"a","is_pinned":true,"note":"b"}', '/note'],
  ]),
  ...misfits('POST', VARIANTS, [
    ['an unknown member', '{"surplus":1}', '/surplus', `'surplus'`],
    ['a name that is an object', '{"name":{}}', '/name'],
    ...wrongIds('id'),
  ]),
  ...misfits('POST', FRESH_REVISIONS, [
    ['no modified_by', '{"config":{"config_name":"c"}}', '', `'modified_by'`],
    ['no config', '{"modified_by":"Ana"}', '', `'config'`],
    ['no config_name', revision('{}'), '/config', `'config_name'`],
    ['neither of them', '{}', '', '', 2],
    ['a config that is null', revision('null'), '/config'],
    [
      'parameters that are null',
      revision('{"config_name":"c","parameters":null}'),
      '/config/parameters',
      'an object',
    ],
    [
      'parameters with a name twice',
      revision('{"config_name":"c","parameters":{"t":1,"\\u0074":1}}'),
      '/config/parameters/t',
    ],
    [
      'an unknown member of config',
      revision('{"config_name":"c","surplus":1}'),
      '/config/surplus',
      `'surplus'`,
    ],
    ['an unknown member', revision(undefined, ',"surplus":1'), '/surplus', `'surplus'`],
  ]),
])

// JSON.parse makes Infinity of 1e400, which is a number like any other and fits where a number does.
refuses('a number beyond the range of a double is a number', [
  ...[
    ['as a member nobody knows', '{"surplus":1e400}', '/surplus'],
    ['as a note', '{"note":1e400}', '/note'],
    ['as an is_pinned', '{"is_pinned":-1e400}', '/is_pinned'],
    ['as an id', '{"id":1e400}', '/id'],
    ['as inputs', '{"inputs":1e400}', '/inputs'],
    ['as an input', '{"inputs":[1e400]}', '/inputs/0'],
    ['as the name of an input', '{"inputs":[{"name":1e400,"type":"t","value":1}]}', '/inputs/0/name'],
    ['as a scenario', '1e400', ''],
  ].map(
    ([name, body, pointer]): Refusal => [`1e400 ${name}`, { body: `[${body}]` }, badContent(`/0${pointer}`)],
  ),
  ...misfits('POST', EVALUATIONS, [
    ['1e400 as an evaluation', '1e400', ''],
    ['1e400 as a name', '{"name":1e400}', '/name'],
    ['1e400 as a member nobody knows', '{"surplus":1e400}', '/surplus'],
    ['1e400 as metadata', '{"metadata":1e400}', '/metadata'],
  ]),
  ...misfits('POST', VARIANTS, [['1e400 as a variant', '1e400', '']]),
  ...misfits('POST', FRESH_REVISIONS, [
    ['1e400 as an author', '{"modified_by":1e400,"config":{"config_name":"c"}}', '/modified_by'],
    ['1e400 as a config', revision('1e400'), '/config'],
    ['1e400 in digits as a revision', revision(undefined, `,"revision":${'9'.repeat(400)}`), '/revision'],
  ]),
])

const SPACES = `[${' '.repeat(4095)}]`
const MANY_SPACES = `[${' '.repeat(9 * 1024 * 1024)}]`
const TOO_DEEP = nested(127)
const deepest = `/x${'/0'.repeat(126)}`

refuses('what is too much is told', [
  [
    'a record over max_record_bytes in an array',
    { body: `[{"id":"a"},${rowOfBytes(2049)}]`, on: small },
    { ...tooLarge, says: '2048' },
  ],
  [
    'a record over max_record_bytes in a line',
    { ...lines(`{"id":"a"}\n${rowOfBytes(2049)}\n`), on: small },
    tooLarge,
  ],
  ['a document over max_record_bytes', { to: EVALUATIONS, body: nameOfBytes(2049), on: small }, tooLarge],
  [
    'a document that expands over max_record_bytes',
    { to: EVALUATIONS, body: gzipSync(nameOfBytes(2049)), headers: gzip, on: small },
    tooLarge,
  ],
  ['a body over max_body_bytes', { body: SPACES, on: smaller }, { ...tooLarge, says: '4096' }],
  [
    'a body that expands over max_body_bytes',
    { body: gzipSync(SPACES), headers: gzip, on: smaller },
    tooLarge,
  ],
  [
    'a body of gzip that expands beyond max_expansion',
    { body: gzipSync(MANY_SPACES), headers: gzip, on: small },
    { ...tooLarge, says: '20-fold' },
  ],
  [
    'a body of zstd that expands beyond max_expansion',
    { body: zstdCompressSync(MANY_SPACES), headers: zstd, on: small },
    { ...tooLarge, says: '20-fold' },
  ],
  [
    'a scenario of 129 levels',
    { body: second(`{"extra":{"x":${TOO_DEEP}}}`) },
    badContent(`/1/extra${deepest}`, '128', { line: 2 }),
  ],
  [
    'a document of 129 levels',
    { to: EVALUATIONS, body: `{"metadata":{"x":${TOO_DEEP}}}` },
    badContent(`/metadata${deepest}`),
  ],
  [
    'a scenario of a hundred thousand levels',
    { body: `[{"extra":{"x":${nested(100_000)}}}]` },
    badContent(`/0/extra${deepest}`, '128'),
  ],
  [
    'an object of 10,001 members in a scenario',
    { body: second(`{"extra":${crowd(10_001)}}`) },
    badContent('/1/extra', '10000', { line: 2 }),
  ],
  [
    'an object of 10,001 members in a document',
    { to: EVALUATIONS, body: `{"metadata":${crowd(10_001)}}` },
    badContent('/metadata'),
  ],
])

refuses('what stands behind compressed content', [
  ...['zstd', 'gzip'].flatMap((coding): Refusal[] => {
    const compress = coding === 'zstd' ? zstdCompressSync : gzipSync
    const [first, second] = [compress('{"id":"a"}\n'), compress('{"id":"b"}\n')]
    const spoilt = Buffer.from(second)
    spoilt[0] = (spoilt[0] ?? 0) ^ 1
    const headers = { ...ndjson, 'content-encoding': coding }
    return [
      [
        `garbage behind ${coding}`,
        { body: Buffer.concat([first, Buffer.from('junkjunk')]), headers },
        badRequest,
      ],
      [
        `a second part of ${coding} that is spoilt`,
        { body: Buffer.concat([first, spoilt]), headers },
        badRequest,
      ],
      [
        `a second part of ${coding} that is cut off`,
        { body: Buffer.concat([first, second.subarray(0, 8)]), headers },
        badRequest,
      ],
    ]
  }),
])

test('the reason arrives at a client that looks for it only when it has sent everything', async () => {
  const socket = connect(service.port, '127.0.0.1')
  const head = `POST ${FRESH} HTTP/1.1\r\nHost: x\r\nAuthorization: ${key}\r\nConnection: close\r\n`
  const bytes = 30_000_000
  socket.write(`${head}Content-Type: ${NDJSON}\r\nContent-Length: ${bytes}\r\n\r\n`)
  socket.pause()
  const part = Buffer.alloc(1_000_000, 'x\n')
  for (let sent = 0; sent < bytes; sent += part.length) {
    if (!socket.write(part)) await once(socket, 'drain')
  }
  const chunks: Buffer[] = []
  for await (const chunk of socket) chunks.push(chunk as Buffer)
  assert.match(Buffer.concat(chunks).toString(), /^HTTP\/1\.1 400 /)
})

describe('a body that is cut off', () => {
  const head = (framing: string) =>
    `POST ${FRESH} HTTP/1.1\r\nHost: x\r\nAuthorization: ${key}\r\nContent-Type: ${NDJSON}\r\n${framing}\r\n\r\n`
  const row = '{"id":"a"}\n'
  const cases: [name: string, text: string][] = [
    ['before its Content-Length', `${head('Content-Length: 1000')}${row}`],
    ['before its last chunk', `${head('Transfer-Encoding: chunked')}b\r\n${row}\r\n`],
    ['inside a chunk', `${head('Transfer-Encoding: chunked')}ff\r\n${row}`],
    ['before its first byte', head('Content-Length: 1000')],
  ]
  const read = { method: 'GET', to: `${FULL}?limit=1` }
  for (const [name, text] of cases) {
    test(`${name} by a connection that goes stores nothing, and the service lives`, async () => {
      const on = await serveStore(store)
      const before = await dump()
      const socket = connect(on.port, '127.0.0.1')
      await once(socket, 'connect')
      await new Promise((resolve) => socket.write(text, resolve))
      assert.equal((await send({ ...read, on })).status, 200)
      socket.resetAndDestroy()
      while ((await on.open()) > 0) await setImmediate()
      assert.equal((await send({ ...read, on })).status, 200)
      assert.equal(await dump(), before)
      await on.stop()
    })

    test(`${name} by a client that closes its half is refused with 400, and the service lives`, async () => {
      const before = await dump()
      const socket = connect({ port: service.port, host: '127.0.0.1', allowHalfOpen: true })
      socket.end(text)
      let answer = ''
      for await (const chunk of socket) answer += chunk
      assert.match(answer, /^HTTP\/1.1 400 /)
      const problem = JSON.parse(answer.slice(answer.indexOf('\r\n\r\n')))
      assert.deepEqual(schemaErrors('Problem', problem), [])
      assert.equal(problem.code, 'invalid-request')
      assert.equal(await dump(), before)
      assert.equal((await send(read)).status, 200)
    })
  }
})

function withOtherChecksum(gzip: Buffer): Buffer {
  const changed = Buffer.from(gzip)
  changed.writeUInt32LE(~gzip.readUInt32LE(gzip.length - 8) >>> 0, gzip.length - 8)
  return changed
}
