// The table of all settings: type, default, range, help and the commands that accept each one (only `serve` if none is
// listed). Flag and environment variable are derived from the name.
import { COMMAND_SETTINGS, KEY_COMMANDS, PROJECT_COMMANDS, REMOTE_COMMANDS } from './command-setting-table.ts'
import { completeSettings, type SettingDeclaration } from './setting-types.ts'

const HOUR_MS = 3_600_000
const DAY_MS = 86_400_000
const WRITE_COMMANDS = ['serve', 'import'] as const
/** Commands that work on a store only. */
export const LOCAL_COMMANDS = [
  ...KEY_COMMANDS,
  'backup',
  'restore',
  'check',
  'migrate',
  'prune',
  'compact',
  ...PROJECT_COMMANDS,
] as const
/** Commands that open the store. */
const STORE_COMMANDS = ['serve', ...REMOTE_COMMANDS, ...LOCAL_COMMANDS] as const

/** In the package, the name of the folder says what it belongs to. In the checkout, git ignores the folder. */
export const DATA_FOLDERS = { package: './assay-data', checkout: './data' } as const
const isCheckout = import.meta.filename.endsWith('.ts')

/** Settings of the service by group, in the order of its help. Limits that only protect internals are constants instead. */
export const SERVICE_SETTINGS = {
  'Store and address': {
    data: {
      type: 'folder',
      default: isCheckout ? DATA_FOLDERS.checkout : DATA_FOLDERS.package,
      help: 'Folder of the embedded store (SQLite). Created if it does not exist.',
      commands: STORE_COMMANDS,
    },
    database: {
      type: 'text',
      placeholder: 'URL',
      help: 'Database URL: sqlite:FILE or postgres://USER:PASSWORD@HOST/DATABASE. If not set: the file assay.db in the data folder.',
      commands: STORE_COMMANDS,
    },
    host: {
      type: 'text',
      default: '127.0.0.1',
      placeholder: 'ADDRESS',
      help: 'Address to listen on.',
    },
    port: {
      type: 'integer',
      default: '8080',
      range: [0, 65535],
      help: 'Port to listen on. 0 selects a free port.',
    },
    public_url: {
      type: 'url',
      help: 'URL at which clients reach the service, for absolute links. If it has a path, such as https://evals.example/assay, the page and the API are below this path. If not set, links are absolute paths.',
      commands: ['serve', 'share', 'compare', 'agreement'],
    },
  },
  Access: {
    trust_proxy: {
      type: 'proxies',
      help: 'Reverse proxies whose X-Forwarded headers are used: how many of them forward each request, such as 1, or their addresses and CIDR ranges, such as 127.0.0.1,10.0.0.0/8. If not set, the headers are ignored.',
    },
    cors_origin: {
      type: 'origins',
      help: 'Origin whose web pages can call the API from a browser. Repeat the flag for several origins.',
    },
    conceal: {
      type: 'boolean',
      help: 'Return 404 instead of 403 for ids in other projects, and for ids that a share link does not open.',
    },
    metrics_token: {
      type: 'text',
      placeholder: 'TOKEN',
      help: 'Token required for GET /metrics, sent as Authorization: Bearer TOKEN.',
    },
  },
  Operation: {
    workers: {
      type: 'workers',
      default: '1',
      range: [1, 256],
      help: 'Number of worker processes that serve the port; auto starts one per CPU core. The workers share the limits of the other settings.',
    },
    log_level: {
      type: 'text',
      default: 'info',
      placeholder: 'LEVEL',
      help: 'Log level: trace, debug, info, warn, error, fatal or silent. Logs go to standard error: as JSON, or as text on a terminal.',
    },
    sample: {
      type: 'boolean',
      help: 'Load the sample data if the store is empty, and print an API key with read and write access to the project default. The key expires after one day. The sample key of the previous start is revoked.',
    },
    changes_retention: {
      type: 'duration',
      default: '90d',
      range: [1, 3650 * DAY_MS],
      help: 'How long entries of the change log can be read with GET /changes. The service deletes older entries when it starts and every hour.',
    },
  },
  PostgreSQL: {
    replica: {
      type: 'list',
      placeholder: 'URL',
      help: 'URL of a streaming replica of the PostgreSQL database, used for reads. Repeat the flag for several replicas.',
    },
    pool_size: {
      type: 'integer',
      default: '10',
      range: [2, 1000],
      help: 'Number of read connections to PostgreSQL, and to each replica. Long responses use at most three quarters of them. Writes have two fifths as many of their own.',
    },
    pool_timeout: {
      type: 'duration',
      default: '5s',
      range: [1, HOUR_MS],
      help: 'How long a request waits for a PostgreSQL connection before it returns 503. Writes and long responses wait up to six times as long.',
    },
    statement_timeout: {
      type: 'duration',
      default: '5s',
      range: [1, HOUR_MS],
      help: 'Time limit for one PostgreSQL statement. After it, the command or request fails (503); a response that has started is reset.',
      commands: [...STORE_COMMANDS, 'copy'],
    },
  },
  Limits: {
    max_body_bytes: {
      type: 'integer',
      default: '2147483648',
      range: [1024, 1099511627776],
      help: {
        serve: 'Maximum size of a request body after decompression, in bytes. Larger bodies return 413.',
        import: 'Maximum size of a file that is compressed with gzip or zstd, after decompression, in bytes.',
      },
      commands: WRITE_COMMANDS,
    },
    max_record_bytes: {
      type: 'integer',
      default: '8388608',
      range: [1024, 268435456],
      help: 'Maximum size of one scenario, revision or evaluation, in bytes. Larger records are rejected (413).',
      commands: WRITE_COMMANDS,
    },
    max_buffer_bytes: {
      type: 'integer',
      default: '8589934592',
      range: [0, 1099511627776],
      help: 'Disk limit for temporary files, in bytes: large responses while clients read them, and uploads until they are stored. Cached responses use at most an eighth of it, and none when others need the space. An upload needs two to three times the size of its body. With 0, large uploads are rejected and slow clients delay database reads.',
    },
    max_cache_bytes: {
      type: 'integer',
      default: '67108864',
      range: [0, 1099511627776],
      help: 'Memory limit for cached responses, in bytes. Larger responses are cached in temporary files. 0 disables both.',
    },
  },
  'Time limits': {
    query_timeout: {
      type: 'duration',
      default: '60s',
      range: [1, HOUR_MS],
      help: 'Time limit for a filter, search, summary or comparison until its response starts, and for the wait before it. After it, the request is canceled and fails (504, or 503 if it has waited). For commands, the time limit of one PostgreSQL statement of a query.',
      commands: [...STORE_COMMANDS, 'copy'],
    },
    stall_timeout: {
      type: 'duration',
      default: '30s',
      range: [1, DAY_MS],
      help: 'How long a client can pause while it reads a response or sends a body before it is disconnected. Also the time limit for the request headers.',
    },
    request_timeout: {
      type: 'duration',
      default: '1h',
      range: [1, DAY_MS],
      help: 'Time limit for receiving a whole request, including its body. After it, the request returns 408.',
    },
    drain_timeout: {
      type: 'duration',
      default: '30s',
      range: [1, DAY_MS],
      help: 'How long responses in progress can take to finish after SIGTERM or SIGINT.',
    },
  },
} as const satisfies Record<string, Record<string, SettingDeclaration>>

const CONNECTION_SETTINGS = {
  url: {
    type: 'url',
    help: 'URL of a running service. The command then works over HTTP, in the project of the API key, instead of on a local store.',
    commands: REMOTE_COMMANDS,
  },
  key: {
    type: 'text',
    placeholder: 'KEY',
    help: 'API key of the service. Other users of the machine can see flags: prefer the environment variable.',
    commands: [...REMOTE_COMMANDS, 'copy'],
  },
} as const satisfies Record<string, SettingDeclaration>

export const SETTINGS = completeSettings({
  ...SERVICE_SETTINGS['Store and address'],
  ...SERVICE_SETTINGS.Access,
  ...SERVICE_SETTINGS.Operation,
  ...SERVICE_SETTINGS.PostgreSQL,
  ...SERVICE_SETTINGS.Limits,
  ...SERVICE_SETTINGS['Time limits'],
  ...CONNECTION_SETTINGS,
  ...COMMAND_SETTINGS,
})
