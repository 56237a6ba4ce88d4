// Deliberate breaks of the service: small mistakes that a careless change could make, each with the test that detects it.
// Code and tests are found by their names, in any file: see find.ts.
// biome-ignore-all lint/suspicious/noTemplateCurlyInString: these strings are source code.
import type { Engine } from '../support/options.ts'

export interface Break {
  /** What the broken service does. */
  name: string
  /** The function, constant or member of a class (`Class.member`) that is changed. */
  in: string
  /** Occurs once in all functions of this name. Short, so that other changes of the function do not matter. */
  text: string
  replacement: string
  /** The name of the test that detects the break. */
  test: string
  /** Only if the test's name is made by a template that is in several files. */
  testFile?: string
  engine?: Engine
}

const PAUSED_CLIENT = 'a client that pauses gets the state at the time of its request, with the matching ETag'
const DAMAGED_PAGE = 'every client detects a failed response when a page in the middle is damaged'
const CONCURRENT_WRITES = 'lets exactly one of several concurrent writes with the same ETag succeed'
const FAILED_COMMIT =
  'a write whose log entry cannot be stored returns 500, stores nothing and can be repeated'
const ASSEMBLED_SCENARIO =
  'validates a scenario like the text that is made of it, also where it exceeds limits'
const DIRECT_READS = 'rejects keys and old versions right after direct responses'
const FOREIGN_DATA = 'no route returns data of another project'
const SORTED_LINES = 'sorts by sort key and then by insertion, in memory and in a file'

export const BREAKS: Record<string, Break[]> = {
  authentication: [
    {
      name: 'accepts a key with a wrong secret',
      in: 'hashKey',
      text: "'sha256', key",
      replacement: "'sha256', key.slice(0, 18)",
      test: 'an unknown key and a wrong secret are rejected with one statement, also if the key is cached',
    },
    {
      name: 'rejects an unknown key before its hash is compared',
      in: 'checkKey',
      text: 'const hasCorrectHash =',
      replacement: `if (!storedKey) return 'This API key does not exist.'
  const hasCorrectHash =`,
      test: 'a wrong secret and an unknown key are hashed and compared in the same way',
    },
    {
      name: 'accepts a key at the time of its expiry',
      in: 'checkKey',
      text: '<= now',
      replacement: '< now',
      test: 'a key expires exactly at expires_at',
    },
    {
      name: 'accepts a revoked key',
      in: 'checkKey',
      text: 'revoked_at !== null',
      replacement: 'revoked_at === undefined',
      test: 'returns 401 unauthorized for a revoked key',
      testFile: 'test/http/routes/contract.test.ts',
    },
    {
      name: 'accepts a revoked key in the direct path until its entry is evicted',
      in: 'DirectReads.#useState',
      text: 'latest === this.#latest',
      replacement: 'this.#latest',
      test: DIRECT_READS,
    },
    {
      name: 'accepts an expired key in the direct path',
      in: 'DirectReads.#find',
      text: ' || clock() >= repeatable.expiresAt',
      replacement: '',
      test: DIRECT_READS,
    },
    {
      name: 'repeats responses of other keys in the direct path',
      in: 'nameOf',
      text: "hash('sha256', authorization, 'latin1')",
      replacement: "''",
      test: DIRECT_READS,
    },
    {
      name: 'does not check the scopes of a key',
      in: 'authenticate',
      text: 'missingScope !== undefined',
      replacement: 'missingScope === null',
      test: 'returns 403 access-denied for a key without the scope read',
      testFile: 'test/http/routes/contract.test.ts',
    },
    {
      name: 'lets restricted keys use every route',
      in: 'authenticate',
      text: '!allowsRestrictedKeys',
      replacement: 'false',
      test: 'POST /api/evaluations returns 403 and changes nothing',
    },
    {
      name: 'lets restricted keys read other evaluations',
      in: 'rejectOutsideRestriction',
      text: 'isAllowedBy(confined_to, noun, id)',
      replacement: 'true',
      test: 'GET /api/evaluations/{evaluation_id} returns only data that the key allows',
    },
    {
      name: 'searches the history of a row in evaluations that a restricted key cannot read',
      in: 'findNewest',
      text: 'confined_to === null',
      replacement: 'true',
      test: 'a restricted key searches only the evaluations that it can read, and notices nothing of others',
    },
    {
      name: 'never limits the number of invalid keys',
      in: 'FailedKeyLimiter.recordFailure',
      text: 'failuresLeft >= 1',
      replacement: 'failuresLeft >= 0',
      test: 'invalid keys are rate-limited per client address, and valid keys are not affected',
    },
    {
      name: 'looks up keys with a wrong checksum',
      in: 'publicIdOf',
      text: '=== computeChecksum(key.slice(0, -6))',
      replacement: '!== computeChecksum(key)',
      test: 'a key with a wrong checksum is rejected without reading the store',
    },
    {
      name: 'writes the secret of a key to the log',
      in: 'maskKeys',
      text: "'$1***'",
      replacement: "'$&'",
      test: 'the log has one line per request, with the request id and without secrets of API keys',
    },
    {
      name: 'leaves share links active when their key is revoked',
      in: 'revokeKey',
      text: 'OR made_by = ?',
      replacement: 'OR public_id = ?',
      test: 'revoking the key revokes its shares',
    },
  ],
  isolation: [
    {
      name: 'finds an evaluation of any project by its id',
      in: 'defineResource',
      text: `body_bytes AS bytes
    FROM \${noun} WHERE project = ?`,
      replacement: `body_bytes AS bytes
    FROM \${noun} WHERE ? > 0`,
      test: FOREIGN_DATA,
    },
    {
      name: 'lists the evaluations of all projects',
      in: 'listStatement',
      text: 'project = ? ${starts',
      replacement: '? > 0 ${starts',
      test: FOREIGN_DATA,
    },
    {
      name: 'compares evaluations of other projects',
      in: 'prepareComparison',
      text: 'await getEvaluation(snapshot, viewer, id)',
      replacement: `(await snapshot.get<EvaluationInfo>(
      'SELECT key, version, scenario_count AS count, body_bytes AS bytes FROM evaluation WHERE id = ?', id)) as EvaluationInfo`,
      test: 'returns 403 for an evaluation of another project',
    },
    {
      name: 'returns 403 for ids of other projects in spite of conceal',
      in: 'rejectOtherProject',
      text: '&& !viewer.conceal',
      replacement: '',
      test: 'returns the same response for a foreign and an unknown id with the setting conceal',
    },
    {
      name: 'returns the change log of all projects',
      in: 'READ_CHANGES',
      text: 'project = ? AND',
      replacement: '? > 0 AND',
      test: 'a client reads only the entries of its own project',
    },
    {
      name: 'revokes share links of other projects',
      in: 'IS_ACTIVE',
      text: 'project = ?',
      replacement: '? > 0',
      test: 'revoking a share of another project returns the same response as an unknown share',
    },
    {
      name: 'accepts references to variants of other projects',
      in: 'exists',
      text: 'project = ?',
      replacement: '? > 0',
      test: 'addEvaluation with variant_id has the same response as with an unknown id, 422, and the other project does not change',
      testFile: 'test/http/routes/foreign-ids.test.ts',
    },
    {
      name: 'returns the stored response of another API key',
      in: 'FIND_STORED_RESPONSE',
      text: 'api_key = ?',
      replacement: "? <> ''",
      test: 'counts as another request with another API key',
    },
  ],
  'ETags and caches': [
    {
      name: 'caches the changes of a revision by its number only',
      in: 'identityOf',
      text: "Buffer.from(digest).toString('base64')",
      replacement: 'digest.length',
      test: 'another revision with the same number is compared by its own content',
    },
    {
      name: 'gives all encodings the same ETag',
      in: 'etag',
      text: '-${encoding}',
      replacement: '',
      test: 'each format and encoding has its own strong ETag',
    },
    {
      name: 'caches responses without their version',
      in: 'responseName',
      text: '${etag}',
      replacement: "${etag?.split('-').slice(1)}",
      test: 'serves a cached response without reading rows until the evaluation changes',
    },
    {
      name: 'caches responses with and without extra under one key',
      in: 'responseName',
      text: '${contentKey}',
      replacement: '',
      test: 'extra is returned only with include=extra, as the last member',
    },
    {
      name: 'returns 304 for a version that has changed',
      in: 'SqliteReader.latest',
      text: 'dataVersion !== this.#dataVersion',
      replacement: 'this.#dataVersion === undefined',
      test: 'polling returns 304 until something changes',
    },
    {
      name: 'leaves RESPONSE_FORMAT out of the ETag',
      in: 'etag',
      text: '${RESPONSE_FORMAT}',
      replacement: '',
      test: 'after an upgrade that changes CSV, no encoding returns old bytes and no old ETag returns 304',
    },
    {
      name: 'changes the bytes of responses without a new RESPONSE_FORMAT',
      in: 'formatCsvLine',
      text: '\\r\\n',
      replacement: '\\n',
      test: 'responses with an ETag have the same bytes as before, unless RESPONSE_FORMAT has increased',
    },
    {
      name: 'sends cached files that were changed',
      in: 'StoredResponse.isIntact',
      text: '=== this.#fileIdentity',
      replacement: '!== undefined',
      test: 'with a flipped bit',
    },
    {
      name: 'ignores If-Match',
      in: 'checkIfMatch',
      text: 'ifMatch.strong.some(isCurrent)',
      replacement: 'ifMatch.strong.length > 0',
      test: CONCURRENT_WRITES,
    },
    {
      name: 'gives a list the same ETag for every query',
      in: 'listVersion',
      text: '[logVersion, path, query]',
      replacement: '[logVersion, path]',
      test: 'differs for each query, and If-None-Match returns 304',
    },
  ],
  'failed responses': [
    {
      name: 'ends a failed response as if it were complete',
      in: 'sendBytes',
      text: 'req.socket.resetAndDestroy()',
      replacement: 'end()',
      test: DAMAGED_PAGE,
    },
    {
      name: 'closes the connection of a failed response without a reset',
      in: 'sendBytes',
      text: 'resetAndDestroy',
      replacement: 'destroy',
      test: DAMAGED_PAGE,
    },
    {
      name: 'neither ends nor resets a failed response',
      in: 'sendBytes',
      text: 'if (response.headersSent) response.req.socket.resetAndDestroy()',
      replacement: '',
      test: DAMAGED_PAGE,
    },
    {
      name: 'sends more or fewer bytes than Content-Length',
      in: 'sendStream',
      text: 'strictContentLength = true',
      replacement: 'strictContentLength = false',
      test: 'a read returns 500 or resets the connection when the stored length is wrong',
    },
    {
      name: 'completes a response whose source has failed',
      in: 'StoredResponse.fill',
      text: 'this.#notify({ failure })',
      replacement: "this.#notify('complete')",
      test: DAMAGED_PAGE,
    },
    {
      name: 'never ends a streamed response',
      in: 'sendBytes',
      text: 'writer.end()',
      replacement: '',
      test: PAUSED_CLIENT,
    },
    {
      name: 'never continues after the first written chunk',
      in: 'ResponseWriter.write',
      text: 'setImmediate(pendingWrite.resolve)',
      replacement: '',
      test: PAUSED_CLIENT,
    },
    {
      name: 'never disconnects a client that reads nothing',
      in: 'disconnectStalledClients',
      text: '>= timeoutMs',
      replacement: '>= timeoutMs * 1000',
      test: 'disconnects a client that reads nothing after the stall timeout, and no other client',
    },
  ],
  comparison: [
    {
      name: 'pairs every row with the same join key with the first one',
      in: 'pairRows',
      text: 'index.nextRows[row] as number',
      replacement: 'row',
      test: 'pairs repeated keys in order and counts the surplus as missing',
    },
  ],
  serialization: [
    {
      name: 'stores inputs with JSON.stringify instead of their text',
      in: 'scenarioTexts',
      text: "memberTexts.get('inputs') ?? '[]'",
      replacement: 'JSON.stringify(value.inputs ?? [])',
      test: 'stores the exact text of every JSON value',
    },
    {
      name: 'stores revisions with JSON.stringify instead of their text',
      in: 'serializeBody',
      text: 'new Map(memberTexts)',
      replacement:
        'new Map([...memberTexts].map(([name, text]) => [name, JSON.stringify(JSON.parse(text))]))',
      test: 'returns the exact text of a revision and adds it once',
    },
    {
      name: 'stores added results with JSON.stringify instead of their text',
      in: 'resultRow',
      text: "memberTexts.get('result')",
      replacement: 'JSON.stringify(result)',
      test: 'appends a result with the digits, escapes and spelling that were sent',
    },
    {
      name: 'accepts objects with duplicate names',
      in: 'Scanner.#addName',
      text: '!isNew',
      replacement: 'false',
      test: 'rejects duplicate names after unescaping, with their pointer',
    },
    {
      name: 'writes lone surrogates and NUL to text columns',
      in: 'toStorableText',
      text: 'text.toWellFormed()',
      replacement: 'text\n  if (text) return text',
      test: 'stores the exact text of every JSON value',
      engine: 'postgres',
    },
    {
      name: 'does not quote CSV cells that contain a carriage return',
      in: 'formatCsvCell',
      text: '\\r',
      replacement: '',
      test: 'writes lines that a CSV parser reads back unchanged',
    },
    {
      name: 'sets the prototype of a parsed object with the name __proto__',
      in: 'parseWith',
      text: 'Object.fromEntries(members)',
      replacement: `members.reduce<Record<string, unknown>>((object, [name, value]) => {
      object[name] = value
      return object
    }, {})`,
      test: 'parses escaped names to the same value as JSON.parse',
    },
    {
      name: 'separates NDJSON lines, but does not end the last one',
      in: 'toLines',
      text: "yield Buffer.from('\\n')",
      replacement: '',
      test: 'NDJSON has one element per line, and every line ends with a newline',
    },
  ],
  limits: [
    {
      name: 'does not limit the nesting depth',
      in: 'Scanner.#openContainer',
      text: 'this.#limits.depth',
      replacement: 'Number.MAX_SAFE_INTEGER',
      test: 'limits the nesting depth',
    },
    {
      name: 'does not limit the size of a record',
      in: 'LineReader.#trimToLimit',
      text: 'piece.length <= remaining',
      replacement: 'true',
      test: 'rejects a record that is too large before its end',
    },
    {
      name: 'does not limit the expansion of compressed bodies',
      in: 'decompress',
      text: '* MAX_EXPANSION',
      replacement: '* MAX_EXPANSION * 1000',
      test: 'a gzip body that expands beyond the limit: returns 413 content-too-large and stores nothing',
    },
    {
      name: 'limits only the compressed size of a body',
      in: 'hashAndLimit',
      text: 'bytes > max_body_bytes',
      replacement: 'false',
      test: 'a body that expands over max_body_bytes: returns 413 content-too-large and stores nothing',
    },
    {
      name: 'waits for a body that does not arrive',
      in: 'receiveChunks',
      text: 'limits.stall_timeout',
      replacement: 'limits.request_timeout',
      test: 'returns 408 when the body does not arrive in time',
    },
    {
      name: 'waits for headers that do not arrive',
      in: 'createFastifyApp',
      text: 'Math.min(settings.stall_timeout, settings.request_timeout)',
      replacement: '60_000',
      test: 'returns 408 when the headers do not arrive in time',
    },
    {
      name: 'does not limit the size of headers',
      in: 'checkSyntax',
      text: 'bytes > MAX_HEADER_BYTES',
      replacement: 'false',
      test: 'returns 431 header-fields-too-large for headers that are too large',
      testFile: 'test/http/routes/contract.test.ts',
    },
    {
      name: 'never continues with the next pipelined request',
      in: 'Connections.#finish',
      text: 'state.turns.release()',
      replacement: '',
      test: 'responds to pipelined requests in order, and resets the connection above the limit',
    },
  ],
  durability: [
    {
      name: 'deletes scenarios by filters that were applied before the evaluation changed',
      in: 'deleteScenarios',
      text: '&& found.version === version',
      replacement: '',
      test: 'deletes each row once while rows are added',
    },
    {
      name: 'commits without waiting for the disk (synchronous = NORMAL)',
      in: 'PRAGMAS',
      text: 'synchronous: 2',
      replacement: 'synchronous: 1',
      test: 'commits wait until their data is on the disk (synchronous = FULL)',
    },
    {
      name: 'does not sync a backup before it gets its name',
      in: 'writeFileAtomically',
      text: 'await sync(temporaryPath)',
      replacement: '',
      test: 'syncs the copy before it gets its name, and then its folder',
    },
    {
      name: 'does not sync the folder of a backup',
      in: 'writeFileAtomically',
      text: 'await sync(dirname(target))',
      replacement: '',
      test: 'syncs the copy before it gets its name, and then its folder',
    },
    {
      name: 'does not sync a restored file',
      in: 'replaceStoreFile',
      text: 'sync(copy)',
      replacement: '',
      test: 'syncs the restored file before it gets the name of the store, and then the folder',
    },
    {
      name: 'acknowledges a write before its commit has succeeded',
      in: 'SqliteTransactions.#transact',
      text: "await session.send({ operation: 'commit', transaction: number, statements })",
      replacement:
        "session.send({ operation: 'commit', transaction: number, statements }).catch(() => undefined)",
      test: FAILED_COMMIT,
    },
    {
      name: 'never starts a write that has waited for another one',
      in: 'Semaphore.release',
      text: 'next.onAcquired()',
      replacement: '',
      test: CONCURRENT_WRITES,
    },
    {
      name: 'reads each part of a response in another state',
      in: 'SqliteConnections.begin',
      text: "? 'BEGIN' :",
      replacement: "? '' :",
      test: PAUSED_CLIENT,
    },
    {
      name: 'stores the response for an Idempotency-Key in its own transaction',
      in: 'writeInTransaction',
      text: 'await storeResponse(transaction, token, { digest, ...response }, details)',
      replacement:
        'void writer.transaction((other) => storeResponse(other, token, { digest, ...response }, details))',
      test: FAILED_COMMIT,
    },
    {
      name: 'adds the entries of the change log in a second transaction',
      in: 'LoggedWriter.transaction',
      text: 'return this.#writer.transaction(work, ({ sql, changes }) => logStatements(sql, changes, actor), signal)',
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
      test: FAILED_COMMIT,
    },
  ],
  import: [
    {
      name: 'drops the last row of an evaluation',
      in: 'SortedLineBuffer.batches',
      text: 'subarray(start, end)',
      replacement: 'subarray(start, end - 1)',
      test: SORTED_LINES,
    },
    {
      name: 'stores rows in the order of the file instead of the test set',
      in: 'SortedLineBuffer.add',
      text: 'this.#isSorted = false',
      replacement: '',
      test: SORTED_LINES,
    },
    {
      name: 'drops the first row of a table',
      in: 'readDataRows',
      text: 'row.index > 0',
      replacement: 'row.index > 1',
      test: 'restores the same scenarios from a CSV export of Assay',
    },
    {
      name: 'ends a row at a line break inside a quoted cell',
      in: 'CsvParser.#readCell',
      text: "isQuoted ? 'quoted' : 'unquoted'",
      replacement: "'unquoted'",
      test: 'reads the same rows and faults as csv-parse, in any chunks',
    },
    {
      name: 'stores scenarios that are nested too deeply',
      in: 'Json.isWithin',
      text: 'this.#depth <= depth &&',
      replacement: '',
      test: ASSEMBLED_SCENARIO,
    },
    {
      name: 'stores scenarios with two members of one name',
      in: 'Json.object',
      text: 'assembled.size < count',
      replacement: 'false',
      test: ASSEMBLED_SCENARIO,
    },
    {
      name: 'stores scenarios with too many members',
      in: 'Json.isWithin',
      text: '&& this.#width <= Math.min(members, elements)',
      replacement: '&& members + elements > 0',
      test: ASSEMBLED_SCENARIO,
    },
    {
      name: 'rewrites the digits of numbers in a table',
      in: 'parseNumber',
      text: 'new Json(text)',
      replacement: 'Json.of(Number(text))',
      test: 'reads the score cell [1.0] as number 1.0',
    },
    {
      name: 'ignores the roles of columns in the id of a table',
      in: 'describeRoles',
      text: "? '' : text",
      replacement: "? '' : ''",
      test: 'imports a table with other roles as another evaluation',
    },
    {
      name: 'commits the valid part of a rejected file',
      in: 'StagedImport.store',
      text: '|| isRejected()',
      replacement: '',
      test: '--on-conflict rejects, replaces or skips scenarios that exist with different content',
    },
    {
      name: 'stores the records of a dry run',
      in: 'StagedImport.store',
      text: 'dry_run ||',
      replacement: '',
      test: '--dry-run reports the result and stores nothing',
    },
  ],
  PostgreSQL: [
    {
      name: 'does not lock what a write changes, so that an update is lost',
      in: 'PostgresConnection.lock',
      text: 'pg_advisory_xact_lock($1)',
      replacement: '$1::text',
      test: CONCURRENT_WRITES,
      engine: 'postgres',
    },
    {
      name: 'reads each part of a response from PostgreSQL in another state',
      in: 'SNAPSHOT_MODE',
      text: 'REPEATABLE READ',
      replacement: 'READ COMMITTED',
      test: PAUSED_CLIENT,
      engine: 'postgres',
    },
    {
      name: 'sets no time limit for statements',
      in: 'PostgresConnection.begin',
      text: '${statementMs}',
      replacement: '0',
      test: 'a query that exceeds query_timeout fails with query-timeout, and its connection is reused',
      engine: 'postgres',
    },
    {
      name: 'lets the reader write',
      in: 'STATEMENT_MODE',
      text: 'READ ONLY',
      replacement: 'READ WRITE',
      test: 'cannot write and can still read afterwards',
      engine: 'postgres',
    },
    {
      name: 'reports a commit that was rolled back as a success',
      in: 'PostgresConnection.end',
      text: 'results.at(-1)?.command !== command',
      replacement: 'results.length === 0',
      test: 'store nothing when they fail, and later ones succeed',
      engine: 'postgres',
    },
  ],
}
