// A bare server process that runs the hand-written queries and returns their rows as JSON.
import { createServer } from 'node:http'
import { DatabaseSync } from 'node:sqlite'
import pg from 'pg'
import { ANALYSIS_QUERIES } from './hand-written-analysis.ts'
import { type Engine, QUERIES } from './hand-written-queries.ts'

const [engine, url = ''] = process.argv.slice(2) as [Engine, string]

type Row = Record<string, unknown>

async function openDatabase(): Promise<(statement: string) => Promise<Row[]>> {
  if (engine === 'sqlite') {
    const database = new DatabaseSync(url.replace('sqlite:', ''), { readOnly: true })
    return async (statement) => database.prepare(statement).all()
  }
  const client = new pg.Client(url)
  await client.connect()
  return async (statement) => (await client.query(statement)).rows
}

const runStatement = await openDatabase()
const rows = await runStatement(`SELECT id, key FROM evaluation WHERE id IN ('base', 'candidate')`)
const keyOf = (id: string) => Number(rows.find((row) => row.id === id)?.key)
const subject = { engine, base: keyOf('base'), candidate: keyOf('candidate') }
const server = createServer(async (request, response) => {
  const name = decodeURIComponent(request.url?.slice(1) ?? '')
  const query = [...QUERIES, ...ANALYSIS_QUERIES].find((candidate) => candidate.name === name)
  response.end(JSON.stringify(query ? await runStatement(query.sql(subject)) : null))
})
server.listen(0, '127.0.0.1', () => {
  const { port } = server.address() as { port: number }
  process.send?.(`http://127.0.0.1:${port}`)
})
