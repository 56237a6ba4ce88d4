// Reference for full reads: a bare Node server that pipes one file.
import { createReadStream } from 'node:fs'
import { createServer } from 'node:http'

const [file = ''] = process.argv.slice(2)
const server = createServer((_request, response) => {
  response.writeHead(200, { 'content-type': 'application/json' })
  createReadStream(file, { highWaterMark: 256 * 1024 }).pipe(response)
})
server.listen(0, '127.0.0.1', () => process.send?.((server.address() as { port: number }).port))
