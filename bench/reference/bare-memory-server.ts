// Reference for cached reads: a bare Node server that sends the same headers and bytes from memory, or a 304.
import { readFileSync } from 'node:fs'
import { createServer } from 'node:http'

const [headersFile = '', bodyFile = ''] = process.argv.slice(2)
const headers: Record<string, string> = JSON.parse(readFileSync(headersFile, 'utf8'))
const {
  'content-length': _length,
  'content-type': _type,
  'content-encoding': _encoding,
  ...unchanged
} = headers
const body = readFileSync(bodyFile)

const server = createServer((request, response) => {
  if (request.headers['if-none-match'] === headers.etag) response.writeHead(304, unchanged).end()
  else response.writeHead(200, headers).end(body)
})
server.listen(0, '127.0.0.1', () => process.send?.((server.address() as { port: number }).port))
