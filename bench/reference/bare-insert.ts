// The simplest import: parses each line of an NDJSON file and inserts it into one table of SQLite, in one transaction. Nothing is
// validated or derived. Sends the milliseconds to its parent, without the start of the process.
import { createReadStream } from 'node:fs'
import { DatabaseSync } from 'node:sqlite'

const [file = '', database = ''] = process.argv.slice(2)
const startTime = performance.now()
const db = new DatabaseSync(database)
db.exec(
  'PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL; CREATE TABLE scenario (id TEXT PRIMARY KEY, body TEXT)',
)
const insert = db.prepare('INSERT INTO scenario VALUES (?, ?)')
db.exec('BEGIN')
let rest = ''
// The fastest simple method: readline and larger chunks are slower.
for await (const chunk of createReadStream(file, 'utf8')) {
  const lines = `${rest}${chunk}`.split('\n')
  rest = lines.pop() ?? ''
  for (const line of lines) insert.run(JSON.parse(line).id, line)
}
db.exec('COMMIT')
db.close()
process.send?.(performance.now() - startTime)
