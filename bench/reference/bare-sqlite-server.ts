// Reference for reads without cache: a bare Node server that writes the bodies of one evaluation from SQLite.
import { createServer } from 'node:http'
import { DatabaseSync } from 'node:sqlite'

const [file = '', id = ''] = process.argv.slice(2)
const rows = new DatabaseSync(file, { readOnly: true }).prepare(
  'SELECT body FROM scenario WHERE evaluation = (SELECT key FROM evaluation WHERE id = ?) ORDER BY position',
)

const server = createServer((_request, response) => {
  response.writeHead(200, { 'content-type': 'application/json' })
  let separator = '['
  for (const { body } of rows.iterate(id)) {
    response.write(`${separator}${body}`)
    separator = ','
  }
  response.end(']')
})
server.listen(0, '127.0.0.1', () => process.send?.((server.address() as { port: number }).port))
