// Every setting, in one table: its default, what may be given, what it does, and the commands that take it. Its
// flag and its environment variable follow from its name.
import type { Kinds, Range } from './setting-kinds.ts'

export interface Setting {
  kind: keyof Kinds
  /** As it would be typed; undefined where the setting may stay open. */
  default: string | undefined
  /** What stands for the value in the help. */
  value?: string
  range?: Range
  help: string
  commands: readonly string[]
}

const HOUR_MS = 3_600_000
const DAY_MS = 86_400_000
const KEYS = ['keys create', 'keys list', 'keys revoke', 'keys rotate'] as const
const SERVE = ['serve'] as const
const WRITERS = ['serve', 'import'] as const
const FILES = ['import', 'export', 'backup', 'check'] as const
/** Whatever opens the store. */
const DATA = [...SERVE, ...KEYS, ...FILES] as const

export const SETTINGS = {
  data: {
    kind: 'text',
    default: './data',
    value: 'DIR',
    help: 'The folder that holds the embedded store. It is made when it is not there.',
    commands: DATA,
  },
  database: {
    kind: 'text',
    default: undefined,
    value: 'URL',
    help: 'The store, as sqlite:FILE or postgres://USER:PASSWORD@HOST/DATABASE. Without it: the file assay.db in the data folder.',
    commands: DATA,
  },
  replica: {
    kind: 'list',
    default: '',
    value: 'URL',
    help: 'A streaming replica of the PostgreSQL store, to read from. Repeat the flag for several.',
    commands: SERVE,
  },
  pool_size: {
    kind: 'whole',
    default: '10',
    value: 'N',
    range: [2, 1000],
    help: 'How many connections read from PostgreSQL, and from each replica. Long answers use at most three in four.',
    commands: SERVE,
  },
  write_pool_size: {
    kind: 'whole',
    default: '4',
    value: 'N',
    range: [1, 1000],
    help: 'How many connections write to PostgreSQL.',
    commands: SERVE,
  },
  pool_timeout: {
    kind: 'duration',
    default: '5s',
    value: 'TIME',
    range: [1, HOUR_MS],
    help: 'How long a request may wait for a connection to PostgreSQL, and a long answer six times as long; then it answers 503.',
    commands: SERVE,
  },
  statement_timeout: {
    kind: 'duration',
    default: '5s',
    value: 'TIME',
    range: [1, HOUR_MS],
    help: 'How long PostgreSQL may take for one statement; then the request answers 503, or is reset when its answer has begun.',
    commands: DATA,
  },
  host: {
    kind: 'text',
    default: '127.0.0.1',
    value: 'ADDRESS',
    help: 'The address to listen on.',
    commands: SERVE,
  },
  port: {
    kind: 'whole',
    default: '8080',
    value: 'N',
    range: [0, 65535],
    help: 'The port to listen on; 0 picks a free one.',
    commands: SERVE,
  },
  sample: {
    kind: 'switch',
    default: 'false',
    help: 'Load the sample data into an empty store, and print a read key that lasts a day; the key of the start before ends.',
    commands: SERVE,
  },
  public_url: {
    kind: 'url',
    default: undefined,
    value: 'URL',
    help: 'Where clients reach the service, for absolute links; without it links are absolute paths.',
    commands: SERVE,
  },
  cors_origin: {
    kind: 'origins',
    default: '',
    value: 'ORIGIN',
    help: 'An origin whose pages may call the API from a browser. Repeat the flag for several.',
    commands: SERVE,
  },
  trust_proxy: {
    kind: 'switch',
    default: 'false',
    help: 'Believe the X-Forwarded fields of the proxy in front; without it they are ignored.',
    commands: SERVE,
  },
  conceal: {
    kind: 'switch',
    default: 'false',
    help: 'Answer an id of another project exactly like one that exists nowhere (404 instead of 403).',
    commands: SERVE,
  },
  metrics_token: {
    kind: 'text',
    default: undefined,
    value: 'TOKEN',
    help: 'A token that GET /metrics then asks for, as Authorization: Bearer TOKEN.',
    commands: SERVE,
  },
  log_level: {
    kind: 'text',
    default: 'info',
    value: 'LEVEL',
    help: 'How much is logged to standard error: trace, debug, info, warn, error, fatal or silent.',
    commands: SERVE,
  },
  max_url_bytes: {
    kind: 'whole',
    default: '8192',
    value: 'N',
    range: [256, 65536],
    help: 'The longest request target that is read; a longer one answers 414.',
    commands: SERVE,
  },
  max_header_bytes: {
    kind: 'whole',
    default: '16384',
    value: 'N',
    range: [1024, 1048576],
    help: 'The largest header block that is read; a larger one answers 431.',
    commands: SERVE,
  },
  max_body_bytes: {
    kind: 'whole',
    default: '2147483648',
    value: 'N',
    range: [1024, 1099511627776],
    help: 'The largest body that is taken in, after decompression; a larger one answers 413.',
    commands: SERVE,
  },
  max_expansion: {
    kind: 'whole',
    default: '200',
    value: 'N',
    range: [1, 100000],
    help: 'How many times its size a compressed body may become, past 8 MiB; beyond it answers 413.',
    commands: SERVE,
  },
  max_record_bytes: {
    kind: 'whole',
    default: '8388608',
    value: 'N',
    range: [1024, 268435456],
    help: 'The largest scenario, revision or evaluation that is taken in; a larger one answers 413.',
    commands: WRITERS,
  },
  max_depth: {
    kind: 'whole',
    default: '128',
    value: 'N',
    range: [8, 1000],
    help: 'How deep a record may be nested, the record itself counted as 1; deeper answers 422.',
    commands: WRITERS,
  },
  max_members: {
    kind: 'whole',
    default: '10000',
    value: 'N',
    range: [16, 1000000],
    help: 'How many members an object may have; more answer 422.',
    commands: WRITERS,
  },
  max_spool_bytes: {
    kind: 'whole',
    default: '1073741824',
    value: 'N',
    range: [0, 1099511627776],
    help: 'How much of the answers to slow clients may lie in files of the data folder, so that none of them holds up the store. With 0 none does.',
    commands: SERVE,
  },
  max_connections: {
    kind: 'whole',
    default: '4096',
    value: 'N',
    range: [1, 1000000],
    help: 'How many connections may be open at once; a further one is closed unanswered.',
    commands: SERVE,
  },
  max_pipelined: {
    kind: 'whole',
    default: '100',
    value: 'N',
    range: [1, 10000],
    help: 'How many requests may wait on one connection; with more it is reset. They are answered one after the other.',
    commands: SERVE,
  },
  failed_key_limit: {
    kind: 'whole',
    default: '300',
    value: 'N',
    range: [1, 1000000],
    help: 'How many refused keys an address may send in a minute before it gets 429. A good key is always served.',
    commands: SERVE,
  },
  stall_timeout: {
    kind: 'duration',
    default: '30s',
    value: 'TIME',
    range: [1, DAY_MS],
    help: 'How long a client may take nothing of its answer, or send nothing of its body, before it is cut off, and how long the head of a request may take to arrive.',
    commands: SERVE,
  },
  request_timeout: {
    kind: 'duration',
    default: '1h',
    value: 'TIME',
    range: [1, DAY_MS],
    help: 'How long a whole request may take to arrive, its body included; then it answers 408.',
    commands: SERVE,
  },
  drain_timeout: {
    kind: 'duration',
    default: '30s',
    value: 'TIME',
    range: [1, DAY_MS],
    help: 'How long answers under way may take to finish after SIGTERM or SIGINT.',
    commands: SERVE,
  },
  project: {
    kind: 'text',
    default: 'default',
    value: 'NAME',
    help: 'The project that is meant. It comes into being with its first key or import.',
    commands: ['keys create', 'keys list', 'import', 'export'],
  },
  scope: {
    kind: 'list',
    default: 'read',
    value: 'SCOPES',
    help: 'What the key may do: read, write or both, as read,write.',
    commands: ['keys create'],
  },
  name: {
    kind: 'text',
    default: undefined,
    value: 'TEXT',
    help: 'A name to know the key by.',
    commands: ['keys create'],
  },
  expires: {
    kind: 'text',
    default: undefined,
    value: 'TIME',
    help: 'When the key ends: a time as 2027-01-31T12:00:00Z, or a span from now as 30d. Without it: never.',
    commands: ['keys create'],
  },
  overlap: {
    kind: 'duration',
    default: '24h',
    value: 'TIME',
    help: 'How long the old key still works beside the new one.',
    commands: ['keys rotate'],
  },
  format: {
    kind: 'text',
    default: undefined,
    value: 'NAME',
    help: 'import: what the files are, instead of finding out: scenarios, revisions, promptfoo, inspect, deepeval, lm-eval, phoenix, openai or table. export: json (the default), ndjson or csv.',
    commands: ['import', 'export'],
  },
  evaluation: {
    kind: 'text',
    default: undefined,
    value: 'ID',
    help: 'The evaluation that the scenarios go to, whatever the file says.',
    commands: ['import'],
  },
  variant: {
    kind: 'text',
    default: undefined,
    value: 'ID',
    help: 'The variant whose revisions these are, or that was evaluated.',
    commands: ['import'],
  },
  input: {
    kind: 'list',
    default: '',
    value: 'COLUMN',
    help: 'A column of a table that is an input. Repeat the flag for several, as for the four that follow.',
    commands: ['import'],
  },
  output_column: {
    kind: 'list',
    default: '',
    value: 'COLUMN',
    help: 'A column of a table that is the output.',
    commands: ['import'],
  },
  expected: {
    kind: 'list',
    default: '',
    value: 'COLUMN',
    help: 'A column of a table that is a correct answer.',
    commands: ['import'],
  },
  score: {
    kind: 'list',
    default: '',
    value: 'COLUMN',
    help: 'A column of a table that is the result of an evaluator.',
    commands: ['import'],
  },
  extra: {
    kind: 'list',
    default: '',
    value: 'COLUMN',
    help: 'A column of a table that is kept beside the scenario, as part of extra.',
    commands: ['import'],
  },
  dry_run: {
    kind: 'switch',
    default: 'false',
    help: 'Say what an import would do, and store nothing.',
    commands: ['import'],
  },
  skip_invalid: {
    kind: 'switch',
    default: 'false',
    help: 'Leave out the records that cannot be kept, list them, and store the others. Without it one such record refuses its file.',
    commands: ['import'],
  },
  full: {
    kind: 'switch',
    default: 'false',
    help: 'Export everything an import needs to restore the evaluation: as NDJSON, with a first line for the evaluation and the revision it ran, and with every extra.',
    commands: ['export'],
  },
  output: {
    kind: 'text',
    default: undefined,
    value: 'FILE',
    help: 'The file to write; it is there under this name once it is complete. Without it: standard output.',
    commands: ['export'],
  },
  json: {
    kind: 'switch',
    default: 'false',
    help: 'Print JSON instead of text.',
    commands: [...KEYS, 'import', 'check'],
  },
} as const satisfies Record<string, Setting>
