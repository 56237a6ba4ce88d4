// The baseline of a cold read: a bare Node server that goes through the rows of one evaluation and writes each body, in
// a process of its own.
import { createServer } from 'node:http'
import { DatabaseSync } from 'node:sqlite'

const [file = '', id = ''] = process.argv.slice(2)
const rows = new DatabaseSync(file, { readOnly: true }).prepare(
  'SELECT body FROM scenario WHERE evaluation = (SELECT key FROM evaluation WHERE id = ?) ORDER BY position',
)

const server = createServer((_request, response) => {
  response.writeHead(200, { 'content-type': 'application/json' })
  let before = '['
  for (const { body } of rows.iterate(id)) {
    response.write(`${before}${body}`)
    before = ','
  }
  response.end(']')
})
server.listen(0, '127.0.0.1', () => process.send?.((server.address() as { port: number }).port))
