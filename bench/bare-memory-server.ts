// The baseline of what is kept: a bare Node server that sends the same fields and the same bytes from memory, and a 304
// to whoever has them, in a process of its own.
import { readFileSync } from 'node:fs'
import { createServer } from 'node:http'

const [fieldsFile = '', bodyFile = ''] = process.argv.slice(2)
const fields: Record<string, string> = JSON.parse(readFileSync(fieldsFile, 'utf8'))
const { 'content-length': _length, 'content-type': _type, 'content-encoding': _coding, ...unchanged } = fields
const body = readFileSync(bodyFile)

const server = createServer((request, response) => {
  if (request.headers['if-none-match'] === fields.etag) response.writeHead(304, unchanged).end()
  else response.writeHead(200, fields).end(body)
})
server.listen(0, '127.0.0.1', () => process.send?.((server.address() as { port: number }).port))
