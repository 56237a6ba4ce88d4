// Deliberate breaks of the service: small mistakes that a careless change could make, each with the test that detects it.
// biome-ignore-all lint/suspicious/noTemplateCurlyInString: these strings are source code.
import type { Engine } from '../support/options.ts'

export interface Break {
  /** What the broken service does. */
  name: string
  area: Area
  file: string
  /** Occurs exactly once in the file. */
  text: string
  replacement: string
  test: { file: string; name: string; engine?: Engine }
}

type Area =
  | 'authentication'
  | 'isolation'
  | 'ETags and caches'
  | 'failed responses'
  | 'serialization'
  | 'limits'
  | 'durability'
  | 'import'
  | 'PostgreSQL'

/** The source with the break. Throws if the text does not occur exactly once. */
export function applyBreak({ name, file, text, replacement }: Break, source: string): string {
  const count = source.split(text).length - 1
  if (count !== 1) throw new Error(`The text of the break "${name}" occurs ${count} times in ${file}.`)
  return source.replace(text, () => replacement)
}

const AUTH = 'src/http/request/auth.ts'
const DIRECT_READS = 'src/http/direct-reads.ts'
const DIRECT_TEST = {
  file: 'test/http/server/direct-reads.test.ts',
  name: 'rejects keys and old versions right after direct responses',
}
const AUTH_TEST = 'test/http/request/auth.test.ts'
const CONTRACT_TEST = 'test/http/routes/contract.test.ts'
const RESTRICTED_KEYS_TEST = 'test/http/routes/restricted-keys.test.ts'

const AUTHENTICATION_BREAKS: Omit<Break, 'area'>[] = [
  {
    name: 'accepts a key with a wrong secret',
    file: 'src/schema/keys.ts',
    text: "hash('sha256', key, 'latin1')",
    replacement: "hash('sha256', key.slice(0, 18), 'latin1')",
    test: {
      file: AUTH_TEST,
      name: 'an unknown key and a wrong secret are rejected with one statement, also if the key is cached',
    },
  },
  {
    name: 'rejects an unknown key before its hash is compared',
    file: AUTH,
    text: 'const hasCorrectHash =',
    replacement: `if (!storedKey) return 'This API key does not exist.'
  const hasCorrectHash =`,
    test: {
      file: AUTH_TEST,
      name: 'a wrong secret and an unknown key are hashed and compared in the same way',
    },
  },
  {
    name: 'accepts a key at the time of its expiry',
    file: AUTH,
    text: 'Date.parse(expires_at) <= now',
    replacement: 'Date.parse(expires_at) < now',
    test: { file: AUTH_TEST, name: 'a key expires exactly at expires_at' },
  },
  {
    name: 'accepts a revoked key',
    file: AUTH,
    text: 'if (storedKey.revoked_at !== null)',
    replacement: 'if (storedKey.revoked_at === undefined)',
    test: { file: CONTRACT_TEST, name: 'returns 401 unauthorized for a revoked key' },
  },
  {
    name: 'accepts a revoked key in the direct path until its entry is evicted',
    file: DIRECT_READS,
    text: 'if (latest === this.#latest) return true',
    replacement: 'if (this.#latest) return true',
    test: DIRECT_TEST,
  },
  {
    name: 'accepts an expired key in the direct path',
    file: DIRECT_READS,
    text: ' || isExpired(repeatable, clock())',
    replacement: '',
    test: DIRECT_TEST,
  },
  {
    name: 'repeats responses of other keys in the direct path',
    file: DIRECT_READS,
    text: "${hash('sha256', authorization, 'latin1')}",
    replacement: '',
    test: DIRECT_TEST,
  },
  {
    name: 'does not check the scopes of a key',
    file: AUTH,
    text: 'if (missingScope !== undefined)',
    replacement: 'if (missingScope === null)',
    test: { file: CONTRACT_TEST, name: 'returns 403 access-denied for a key without the scope read' },
  },
  {
    name: 'lets restricted keys use every route',
    file: AUTH,
    text: 'if (confined_to && !allowsRestrictedKeys) throw outsideRestrictionError(confined_to)',
    replacement: '',
    test: { file: RESTRICTED_KEYS_TEST, name: 'POST /api/evaluations returns 403 and changes nothing' },
  },
  {
    name: 'lets restricted keys read other evaluations',
    file: 'src/store/access/projects.ts',
    text: 'if (confined_to === null || isAllowedBy(confined_to, noun, id)) return',
    replacement: 'if (confined_to === null || isAllowedBy(confined_to, noun, id) !== undefined) return',
    test: {
      file: RESTRICTED_KEYS_TEST,
      name: 'GET /api/evaluations/{evaluation_id} returns only data that the key allows',
    },
  },
  {
    name: 'searches the history of a row in evaluations that a restricted key cannot read',
    file: 'src/store/analysis/histories.ts',
    text: 'if (confined_to === null)',
    replacement: 'if (confined_to !== undefined)',
    test: {
      file: 'test/http/routes/history.test.ts',
      name: 'a restricted key searches only the evaluations that it can read, and notices nothing of others',
    },
  },
  {
    name: 'never limits the number of invalid keys',
    file: 'src/http/request/failed-key-limiter.ts',
    text: 'if (failuresLeft >= 1) return',
    replacement: 'if (failuresLeft >= 0) return',
    test: {
      file: AUTH_TEST,
      name: 'invalid keys are rate-limited per client address, and valid keys are not affected',
    },
  },
  {
    name: 'looks up keys with a wrong checksum',
    file: 'src/schema/keys.ts',
    text: 'key.slice(-6) === computeChecksum(key.slice(0, -6))',
    replacement: 'key.slice(-6) !== computeChecksum(key)',
    test: { file: AUTH_TEST, name: 'a key with a wrong checksum is rejected without reading the store' },
  },
  {
    name: 'writes the secret of a key to the log',
    file: 'src/schema/keys.ts',
    text: "'$1***'",
    replacement: "'$&'",
    test: {
      file: 'test/http/server/server.test.ts',
      name: 'the log has one line per request, with the request id and without secrets of API keys',
    },
  },
  {
    name: 'leaves share links active when their key is revoked',
    file: 'src/store/access/keys.ts',
    text: '(public_id = ? OR made_by = ?)',
    replacement: '(public_id = ? OR public_id = ?)',
    test: { file: 'test/http/routes/shares.test.ts', name: 'revoking the key revokes its shares' },
  },
]

const ISOLATION_BREAKS: Omit<Break, 'area'>[] = [
  {
    name: 'finds an evaluation of any project by its id',
    file: 'src/store/resources/resource.ts',
    text: `body_bytes AS bytes
    FROM \${noun} WHERE project = ?`,
    replacement: `body_bytes AS bytes
    FROM \${noun} WHERE ? > 0`,
    test: { file: AUTH_TEST, name: 'no route returns data of another project' },
  },
  {
    name: 'lists the evaluations of all projects',
    file: 'src/store/reads/lists.ts',
    text: 'WHERE project = ? ${starts[part]}',
    replacement: 'WHERE ? > 0 ${starts[part]}',
    test: { file: AUTH_TEST, name: 'no route returns data of another project' },
  },
  {
    name: 'compares evaluations of other projects',
    file: 'src/http/routes/comparisons.ts',
    text: 'await getEvaluation(snapshot, viewer, id)',
    replacement: `(await snapshot.get<EvaluationInfo>(
      'SELECT key, version, scenario_count AS count, body_bytes AS bytes FROM evaluation WHERE id = ?', id)) as EvaluationInfo`,
    test: {
      file: 'test/http/routes/comparisons.test.ts',
      name: 'returns 403 for an evaluation of another project',
    },
  },
  {
    name: 'returns 403 for ids of other projects in spite of conceal',
    file: 'src/store/access/projects.ts',
    text: 'if (existsElsewhere && !viewer.conceal)',
    replacement: 'if (existsElsewhere)',
    test: {
      file: CONTRACT_TEST,
      name: 'returns the same response for a foreign and an unknown id with the setting conceal',
    },
  },
  {
    name: 'returns the change log of all projects',
    file: 'src/store/changes/change-log.ts',
    text: 'WHERE project = ? AND sequence > ? AND ${condition}',
    replacement: 'WHERE ? > 0 AND sequence > ? AND ${condition}',
    test: {
      file: 'test/http/routes/changes.test.ts',
      name: 'a client reads only the entries of its own project',
    },
  },
  {
    name: 'revokes share links of other projects',
    file: 'src/store/access/shares.ts',
    text: "'project = ? AND confined_to",
    replacement: "'? > 0 AND confined_to",
    test: {
      file: 'test/http/routes/foreign-ids.test.ts',
      name: 'revoking a share of another project returns the same response as an unknown share',
    },
  },
  {
    name: 'accepts references to variants of other projects',
    file: 'src/store/access/references.ts',
    text: 'FROM ${noun} WHERE project = ?',
    replacement: 'FROM ${noun} WHERE ? > 0',
    test: {
      file: 'test/http/routes/foreign-ids.test.ts',
      name: 'addEvaluation with variant_id has the same response as with an unknown id, 422, and the other project does not change',
    },
  },
  {
    name: 'returns the stored response of another API key',
    file: 'src/store/changes/idempotency.ts',
    text: 'WHERE api_key = ?',
    replacement: "WHERE ? <> ''",
    test: {
      file: 'test/http/request/idempotency.test.ts',
      name: 'counts as another request with another API key',
    },
  },
]

const CACHE_BREAKS: Omit<Break, 'area'>[] = [
  {
    name: 'caches the changes of a revision by its number only',
    file: 'src/store/variants/revision-changes.ts',
    text: "return `${revision}:${Buffer.from(digest).toString('base64')}`",
    replacement: 'return `${revision}:${digest.length}`',
    test: {
      file: 'test/http/routes/revision-deletion.test.ts',
      name: 'another revision with the same number is compared by its own content',
    },
  },
  {
    name: 'gives all encodings the same ETag',
    file: 'src/http/response/etag.ts',
    text: '-${suffix}-${encoding}"`',
    replacement: '-${suffix}"`',
    test: { file: CONTRACT_TEST, name: 'each format and encoding has its own strong ETag' },
  },
  {
    name: 'caches responses without their version',
    file: 'src/http/response/response-store.ts',
    text: 'return `${etag} ${contentKey}`',
    replacement: "return `${etag?.split('-').slice(1)} ${contentKey}`",
    test: {
      file: 'test/http/response/response-caches.test.ts',
      name: 'serves a cached response without reading rows until the evaluation changes',
    },
  },
  {
    name: 'caches responses with and without extra under one key',
    file: 'src/http/response/response-store.ts',
    text: 'return `${etag} ${contentKey}`',
    replacement: 'return `${etag} ${contentKey.slice(0, 0)}`',
    test: { file: CONTRACT_TEST, name: 'extra is returned only with include=extra, as the last member' },
  },
  {
    name: 'returns 304 for a version that has changed',
    file: 'src/store/dialect/sqlite/row-cache.ts',
    text: 'if (data_version !== this.#dataVersion)',
    replacement: 'if (this.#dataVersion === undefined)',
    test: {
      file: 'test/http/routes/changes.test.ts',
      name: 'polling returns 304 until something changes',
    },
  },
  {
    name: 'leaves RESPONSE_FORMAT out of the ETag',
    file: 'src/http/response/etag.ts',
    text: '`${format}${RESPONSE_FORMAT}`',
    replacement: 'format',
    test: {
      file: 'test/http/response/response-format.test.ts',
      name: 'after an upgrade that changes CSV, no encoding returns old bytes and no old ETag returns 304',
    },
  },
  {
    name: 'changes the bytes of responses without a new RESPONSE_FORMAT',
    file: 'src/serialize/csv.ts',
    text: '\\r\\n`',
    replacement: '\\n`',
    test: {
      file: 'test/http/response/response-format.test.ts',
      name: 'responses with an ETag have the same bytes as before, unless RESPONSE_FORMAT has increased',
    },
  },
  {
    name: 'sends cached files that were changed',
    file: 'src/http/response/response-store.ts',
    text: 'if (!reader || (await response.isIntact())) return reader',
    replacement: 'if (reader) return reader\n    if (!reader) return undefined',
    test: { file: 'test/http/response/response-files.test.ts', name: 'with a flipped bit' },
  },
  {
    name: 'ignores If-Match',
    file: 'src/http/request/preconditions.ts',
    text: 'if (ifMatch.strong.some(isCurrent)) return',
    replacement: 'if (ifMatch.strong.length > 0) return',
    test: {
      file: 'test/http/routes/conditional-writes.test.ts',
      name: 'lets exactly one of several concurrent writes with the same ETag succeed',
    },
  },
  {
    name: 'gives a list the same ETag for every query',
    file: 'src/http/response/etag.ts',
    text: '[logVersion, path, query]',
    replacement: '[logVersion, path]',
    test: {
      file: 'test/http/routes/changes.test.ts',
      name: 'differs for each query, and If-None-Match returns 304',
    },
  },
]

const STREAMING_TEST = 'test/http/response/streaming.test.ts'
const DAMAGED_PAGE_TEST = 'every client detects a failed response when a page in the middle is damaged'

const FAILED_RESPONSE_BREAKS: Omit<Break, 'area'>[] = [
  {
    name: 'ends a failed response as if it were complete',
    file: 'src/http/response/send.ts',
    text: 'response.req.socket.resetAndDestroy()',
    replacement: 'response.end()',
    test: { file: STREAMING_TEST, name: DAMAGED_PAGE_TEST },
  },
  {
    name: 'closes the connection of a failed response without a reset',
    file: 'src/http/response/send.ts',
    text: 'response.req.socket.resetAndDestroy()',
    replacement: 'response.req.socket.destroy()',
    test: { file: STREAMING_TEST, name: DAMAGED_PAGE_TEST },
  },
  {
    name: 'neither ends nor resets a failed response',
    file: 'src/http/response/send.ts',
    text: 'if (response.headersSent) response.req.socket.resetAndDestroy()',
    replacement: '',
    test: { file: STREAMING_TEST, name: DAMAGED_PAGE_TEST },
  },
  {
    name: 'sends more or fewer bytes than Content-Length',
    file: 'src/http/response/respond.ts',
    text: 'strictContentLength = true',
    replacement: 'strictContentLength = false',
    test: {
      file: STREAMING_TEST,
      name: 'a read returns 500 or resets the connection when the stored length is wrong',
    },
  },
  {
    name: 'completes a response whose source has failed',
    file: 'src/http/response/stored-response.ts',
    text: 'this.#notify({ failure })',
    replacement: "this.#notify('complete')",
    test: { file: STREAMING_TEST, name: DAMAGED_PAGE_TEST },
  },
  {
    name: 'never ends a streamed response',
    file: 'src/http/response/send.ts',
    text: `    writer.end()
`,
    replacement: '',
    test: {
      file: STREAMING_TEST,
      name: 'a client that pauses gets the state at the time of its request, with the matching ETag',
    },
  },
  {
    name: 'never continues after the first written chunk',
    file: 'src/http/response/send.ts',
    text: 'setImmediate(pendingWrite.resolve)',
    replacement: '',
    test: {
      file: STREAMING_TEST,
      name: 'a client that pauses gets the state at the time of its request, with the matching ETag',
    },
  },
  {
    name: 'never disconnects a client that reads nothing',
    file: 'src/http/server/stalled-clients.ts',
    text: 'performance.now() - previous.since >= timeoutMs',
    replacement: 'performance.now() - previous.since >= timeoutMs * 1000',
    test: {
      file: STREAMING_TEST,
      name: 'disconnects a client that reads nothing after the stall timeout, and no other client',
    },
  },
]

const WRITES_TEST = 'test/http/routes/writes.test.ts'

const SERIALIZATION_BREAKS: Omit<Break, 'area'>[] = [
  {
    name: 'stores inputs with JSON.stringify instead of their text',
    file: 'src/store/scenarios/row.ts',
    text: "${memberTexts.get('inputs') ?? '[]'}",
    replacement: '${JSON.stringify(value.inputs ?? [])}',
    test: { file: WRITES_TEST, name: 'stores the exact text of every JSON value' },
  },
  {
    name: 'stores revisions with JSON.stringify instead of their text',
    file: 'src/store/variants/revisions.ts',
    text: 'const texts = new Map(memberTexts)',
    replacement:
      'const texts = new Map([...memberTexts].map(([name, text]) => [name, JSON.stringify(JSON.parse(text))]))',
    test: { file: WRITES_TEST, name: 'returns the exact text of a revision and adds it once' },
  },
  {
    name: 'stores added results with JSON.stringify instead of their text',
    file: 'src/store/scenarios/result-rows.ts',
    text: "${memberTexts.get('result')}",
    replacement: '${JSON.stringify(result)}',
    test: {
      file: 'test/http/routes/results.test.ts',
      name: 'appends a result with the digits, escapes and spelling that were sent',
    },
  },
  {
    name: 'accepts objects with duplicate names',
    file: 'src/json/scan.ts',
    text: "if (!isNew) this.#fail('An object has two members with this name.'",
    replacement: "if (false) this.#fail('An object has two members with this name.'",
    test: {
      file: 'test/json/scan.test.ts',
      name: 'rejects duplicate names after unescaping, with their pointer',
    },
  },
  {
    name: 'writes lone surrogates and NUL to text columns',
    file: 'src/json/storable-text.ts',
    text: "wellFormed.includes('\\0') ? wellFormed.replaceAll('\\0', '\\ufffd') : wellFormed",
    replacement: 'text',
    test: { file: WRITES_TEST, name: 'stores the exact text of every JSON value', engine: 'postgres' },
  },
  {
    name: 'does not quote CSV cells that contain a carriage return',
    file: 'src/serialize/csv.ts',
    text: '/[",\\r\\n]/',
    replacement: '/[",\\n]/',
    test: {
      file: 'test/serialize/csv.test.ts',
      name: 'writes lines that a CSV parser reads back unchanged',
    },
  },
  {
    name: 'sets the prototype of a parsed object with the name __proto__',
    file: 'src/json/parse.ts',
    text: 'return Object.fromEntries(members)',
    replacement: `const object: Record<string, unknown> = {}
    for (const [name, value] of members) object[name] = value
    return object`,
    test: { file: 'test/json/parse.test.ts', name: 'parses escaped names to the same value as JSON.parse' },
  },
  {
    name: 'separates NDJSON lines, but does not end the last one',
    file: 'src/serialize/format.ts',
    text: `    yield chunk
    yield Buffer.from('\\n')`,
    replacement: '    yield chunk',
    test: {
      file: CONTRACT_TEST,
      name: 'NDJSON has one element per line, and every line ends with a newline',
    },
  },
]

const INVALID_BODIES_TEST = 'test/http/request/invalid-bodies.test.ts'
const SERVER_TEST = 'test/http/server/server.test.ts'

const LIMIT_BREAKS: Omit<Break, 'area'>[] = [
  {
    name: 'does not limit the nesting depth',
    file: 'src/json/scan.ts',
    text: 'if (this.#depth === this.#limits.depth)',
    replacement: 'if (this.#depth === Number.MAX_SAFE_INTEGER)',
    test: { file: 'test/json/scan.test.ts', name: 'limits the nesting depth' },
  },
  {
    name: 'does not limit the size of a record',
    file: 'src/json/records.ts',
    text: 'if (piece.length <= remaining) return piece',
    replacement: 'if (piece.length <= Number.MAX_SAFE_INTEGER) return piece',
    test: { file: 'test/json/records.test.ts', name: 'rejects a record that is too large before its end' },
  },
  {
    name: 'does not limit the expansion of compressed bodies',
    file: 'src/import/decompress.ts',
    text: 'expandedBytes > receivedBytes * MAX_EXPANSION',
    replacement: 'expandedBytes > receivedBytes * MAX_EXPANSION * 1000',
    test: {
      file: INVALID_BODIES_TEST,
      name: 'a gzip body that expands beyond the limit: returns 413 content-too-large and stores nothing',
    },
  },
  {
    name: 'limits only the compressed size of a body',
    file: 'src/http/request/body.ts',
    text: 'if (bytes > max_body_bytes)',
    replacement: 'if (bytes < 0)',
    test: {
      file: INVALID_BODIES_TEST,
      name: 'a body that expands over max_body_bytes: returns 413 content-too-large and stores nothing',
    },
  },
  {
    name: 'waits for a body that does not arrive',
    file: 'src/http/request/body.ts',
    text: 'isReading && fail(bodyTimeoutProblem()), limits.stall_timeout',
    replacement: 'isReading && fail(bodyTimeoutProblem()), limits.request_timeout',
    test: { file: SERVER_TEST, name: 'returns 408 when the body does not arrive in time' },
  },
  {
    name: 'waits for headers that do not arrive',
    file: 'src/http/fastify-app.ts',
    text: 'headersTimeout: Math.min(settings.stall_timeout, settings.request_timeout)',
    replacement: 'headersTimeout: 60_000',
    test: { file: SERVER_TEST, name: 'returns 408 when the headers do not arrive in time' },
  },
  {
    name: 'does not limit the size of headers',
    file: 'src/http/request/checks.ts',
    text: 'if (bytes > MAX_HEADER_BYTES)',
    replacement: 'if (bytes < 0)',
    test: {
      file: CONTRACT_TEST,
      name: 'returns 431 header-fields-too-large for headers that are too large',
    },
  },
  {
    name: 'never continues with the next pipelined request',
    file: 'src/http/server/connections.ts',
    text: 'state.turns.release()',
    replacement: '',
    test: {
      file: SERVER_TEST,
      name: 'responds to pipelined requests in order, and resets the connection above the limit',
    },
  },
]

const FAILED_COMMIT_TEST = {
  file: 'test/http/routes/changes.test.ts',
  name: 'a write whose log entry cannot be stored returns 500, stores nothing and can be repeated',
}

const DURABILITY_BREAKS: Omit<Break, 'area'>[] = [
  {
    name: 'deletes scenarios by filters that were applied before the evaluation changed',
    file: 'src/http/bulk/delete-scenarios.ts',
    text: 'found && found.version === version',
    replacement: 'found',
    test: {
      file: 'test/http/routes/filtered-deletion.test.ts',
      name: 'deletes each row once while rows are added',
    },
  },
  {
    name: 'commits without waiting for the disk (synchronous = NORMAL)',
    file: 'src/store/dialect/sqlite/file.ts',
    text: 'synchronous: 2',
    replacement: 'synchronous: 1',
    test: {
      file: 'test/store/dialect/sqlite.test.ts',
      name: 'commits wait until their data is on the disk (synchronous = FULL)',
    },
  },
  {
    name: 'does not sync a backup before it gets its name',
    file: 'src/cli/output/atomic-file.ts',
    text: `    await sync(temporaryPath)
`,
    replacement: '',
    test: {
      file: 'test/cli/backup.test.ts',
      name: 'syncs the copy before it gets its name, and then its folder',
    },
  },
  {
    name: 'does not sync the folder of a backup',
    file: 'src/cli/output/atomic-file.ts',
    text: `    await sync(dirname(target))
`,
    replacement: '',
    test: {
      file: 'test/cli/backup.test.ts',
      name: 'syncs the copy before it gets its name, and then its folder',
    },
  },
  {
    name: 'does not sync a restored file',
    file: 'src/store/dialect/sqlite/restore-file.ts',
    text: `  sync(copy)
`,
    replacement: '',
    test: {
      file: 'test/cli/restore.test.ts',
      name: 'syncs the restored file before it gets the name of the store, and then the folder',
    },
  },
  {
    name: 'acknowledges a write before its commit has succeeded',
    file: 'src/store/dialect/sqlite/transactions.ts',
    text: "if (!isReadOnly) await session.send({ operation: 'commit', transaction: number, statements })",
    replacement:
      "if (!isReadOnly) session.send({ operation: 'commit', transaction: number, statements }).catch(() => undefined)",
    test: FAILED_COMMIT_TEST,
  },
  {
    name: 'never starts a write that has waited for another one',
    file: 'src/semaphore.ts',
    text: 'next.onAcquired()',
    replacement: '',
    test: {
      file: 'test/http/routes/conditional-writes.test.ts',
      name: 'lets exactly one of several concurrent writes with the same ETag succeed',
    },
  },
  {
    name: 'reads each part of a response in another state',
    file: 'src/store/dialect/sqlite/sqlite.ts',
    text: "translateErrors(this.path, () => statements.database.exec('BEGIN'))",
    replacement: '',
    test: {
      file: STREAMING_TEST,
      name: 'a client that pauses gets the state at the time of its request, with the matching ETag',
    },
  },
  {
    name: 'stores the response for an Idempotency-Key in its own transaction',
    file: 'src/http/request/write-transaction.ts',
    text: 'await storeResponse(transaction, token, { digest, ...response }, details)',
    replacement:
      'void writer.transaction((other) => storeResponse(other, token, { digest, ...response }, details))',
    test: FAILED_COMMIT_TEST,
  },
  {
    name: 'adds the entries of the change log in a second transaction',
    file: 'src/store/changes/logged-writer.ts',
    text: 'return this.#writer.transaction(work, ({ sql, changes }) => logStatements(sql, changes, actor))',
    replacement: `let changes: Change[] = []
    return this.#writer
      .transaction(async (transaction) => {
        const result = await work(transaction)
        changes = transaction.changes
        return result
      })
      .then(async (result) => {
        await this.#writer.transaction(async () => undefined, ({ sql }) => logStatements(sql, changes, actor))
        return result
      })`,
    test: FAILED_COMMIT_TEST,
  },
]

const SORTED_LINES_TEST = {
  file: 'test/store/buffer/sorted-line-buffer.test.ts',
  name: 'sorts by sort key and then by insertion, in memory and in a file',
}

const IMPORT_BREAKS: Omit<Break, 'area'>[] = [
  {
    name: 'drops the last row of an evaluation',
    file: 'src/store/buffer/sorted-line-buffer.ts',
    text: 'this.#spans(numbers.subarray(start, end))',
    replacement: 'this.#spans(numbers.subarray(start, end - 1))',
    test: SORTED_LINES_TEST,
  },
  {
    name: 'stores rows in the order of the file instead of the test set',
    file: 'src/store/buffer/sorted-line-buffer.ts',
    text: 'this.#compare(last, group, sortKey) > 0) this.#isSorted = false',
    replacement: 'this.#compare(last, group, sortKey) > 0) this.#isSorted = true',
    test: SORTED_LINES_TEST,
  },
  {
    name: 'drops the first row of a table',
    file: 'src/import/csv-rows.ts',
    text: 'row.index > 0 &&',
    replacement: 'row.index > 1 &&',
    test: {
      file: 'test/import/tables.test.ts',
      name: 'restores the same scenarios from a CSV export of Assay',
    },
  },
  {
    name: 'ends a row at a line break inside a quoted cell',
    file: 'src/import/csv-parser.ts',
    text: "this.#state = isQuoted ? 'quoted' : 'unquoted'",
    replacement: "this.#state = 'unquoted'",
    test: {
      file: 'test/import/csv-parser.test.ts',
      name: 'reads the same rows and faults as csv-parse, in any chunks',
    },
  },
  {
    name: 'stores scenarios that are nested too deeply',
    file: 'src/json/value.ts',
    text: 'this.#depth <= depth &&',
    replacement: '',
    test: {
      file: 'test/import/tool-run.test.ts',
      name: 'validates a scenario like the text that is made of it, also where it exceeds limits',
    },
  },
  {
    name: 'stores scenarios with two members of one name',
    file: 'src/json/value.ts',
    text: 'if (assembled.size < count)',
    replacement: 'if (assembled.size > count)',
    test: {
      file: 'test/import/tool-run.test.ts',
      name: 'validates a scenario like the text that is made of it, also where it exceeds limits',
    },
  },
  {
    name: 'stores scenarios with too many members',
    file: 'src/json/value.ts',
    text: '&& this.#width <= Math.min(members, elements)',
    replacement: '&& members + elements > 0',
    test: {
      file: 'test/import/tool-run.test.ts',
      name: 'validates a scenario like the text that is made of it, also where it exceeds limits',
    },
  },
  {
    name: 'rewrites the digits of numbers in a table',
    file: 'src/import/csv-rows.ts',
    text: '? new Json(text) : Json.of(Number(text))',
    replacement: '? Json.of(Number(text)) : Json.of(Number(text))',
    test: { file: 'test/import/tables.test.ts', name: 'reads the score cell [1.0] as number 1.0' },
  },
  {
    name: 'ignores the roles of columns in the id of a table',
    file: 'src/import/table/columns.ts',
    text: "? '' : text",
    replacement: "? '' : ''",
    test: {
      file: 'test/import/tables.test.ts',
      name: 'imports a table with other roles as another evaluation',
    },
  },
  {
    name: 'commits the valid part of a rejected file',
    file: 'src/store/ingest/staged-import.ts',
    text: 'if (dry_run || isRejected())',
    replacement: 'if (dry_run)',
    test: {
      file: 'test/cli/import.test.ts',
      name: '--on-conflict rejects, replaces or skips scenarios that exist with different content',
    },
  },
  {
    name: 'stores the records of a dry run',
    file: 'src/store/ingest/staged-import.ts',
    text: 'if (dry_run || isRejected())',
    replacement: 'if (isRejected())',
    test: { file: 'test/cli/import.test.ts', name: '--dry-run reports the result and stores nothing' },
  },
]

const POSTGRES_TEST = 'test/store/dialect/postgres.test.ts'

const POSTGRES_BREAKS: Omit<Break, 'area'>[] = [
  {
    name: 'does not lock what a write changes, so that an update is lost',
    file: 'src/store/dialect/postgres/connection.ts',
    text: "'SELECT pg_advisory_xact_lock($1)'",
    replacement: "'SELECT $1::text'",
    test: {
      file: 'test/http/routes/conditional-writes.test.ts',
      name: 'lets exactly one of several concurrent writes with the same ETag succeed',
      engine: 'postgres',
    },
  },
  {
    name: 'reads each part of a response from PostgreSQL in another state',
    file: 'src/store/dialect/postgres/reader.ts',
    text: "'ISOLATION LEVEL REPEATABLE READ READ ONLY; SET LOCAL enable_bitmapscan",
    replacement: "'ISOLATION LEVEL READ COMMITTED READ ONLY; SET LOCAL enable_bitmapscan",
    test: {
      file: STREAMING_TEST,
      name: 'a client that pauses gets the state at the time of its request, with the matching ETag',
      engine: 'postgres',
    },
  },
  {
    name: 'sets no time limit for statements',
    file: 'src/store/dialect/postgres/connection.ts',
    text: 'SET LOCAL statement_timeout = ${statementMs}',
    replacement: 'SET LOCAL statement_timeout = 0',
    test: {
      file: 'test/store/dialect/postgres-timeouts.test.ts',
      name: 'a query that exceeds query_timeout fails with query-timeout, and its connection is reused',
      engine: 'postgres',
    },
  },
  {
    name: 'lets the reader write',
    file: 'src/store/dialect/postgres/reader.ts',
    text: "const STATEMENT_MODE = 'READ ONLY'",
    replacement: "const STATEMENT_MODE = 'READ WRITE'",
    test: { file: POSTGRES_TEST, name: 'cannot write and can still read afterwards', engine: 'postgres' },
  },
  {
    name: 'reports a commit that was rolled back as a success',
    file: 'src/store/dialect/postgres/connection.ts',
    text: 'if (results.at(-1)?.command !== command)',
    replacement: 'if (results.length === 0)',
    test: {
      file: POSTGRES_TEST,
      name: 'store nothing when they fail, and later ones succeed',
      engine: 'postgres',
    },
  },
]

const inArea = (area: Area, breaks: Omit<Break, 'area'>[]): Break[] =>
  breaks.map((deliberateBreak) => ({ area, ...deliberateBreak }))

export const BREAKS: Break[] = [
  ...inArea('authentication', AUTHENTICATION_BREAKS),
  ...inArea('isolation', ISOLATION_BREAKS),
  ...inArea('ETags and caches', CACHE_BREAKS),
  ...inArea('failed responses', FAILED_RESPONSE_BREAKS),
  ...inArea('serialization', SERIALIZATION_BREAKS),
  ...inArea('limits', LIMIT_BREAKS),
  ...inArea('durability', DURABILITY_BREAKS),
  ...inArea('import', IMPORT_BREAKS),
  ...inArea('PostgreSQL', POSTGRES_BREAKS),
]
