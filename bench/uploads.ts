// Uploads and imports of files, in this process or in another one.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createReadStream, statSync } from 'node:fs'
import { request } from 'node:http'
import { text } from 'node:stream/consumers'
import { pipeline } from 'node:stream/promises'
import { forkOnCore } from './load-generator.ts'
import { MAIN } from './service.ts'

export const NDJSON = 'application/x-ndjson'

export async function importFile(data: string, file: string, flags: string[] = []): Promise<void> {
  const child = spawn(process.execPath, [MAIN, 'import', '--data', data, ...flags, file], {
    stdio: ['ignore', 'ignore', 'inherit'],
  })
  const [code] = await once(child, 'exit')
  if (code !== 0) throw new Error(`The import exited with code ${code}`)
}

export async function postFile(url: string, key: string, file: string, type: string): Promise<void> {
  const headers = { authorization: key, 'content-type': type, 'content-length': statSync(file).size }
  const upload = request(url, { method: 'POST', headers })
  const responsePromise = once(upload, 'response')
  await pipeline(createReadStream(file), upload)
  const [response] = await responsePromise
  const body = await text(response)
  if (response.statusCode >= 300) throw new Error(`The service returned ${response.statusCode}: ${body}`)
}

/** Starts another process on core 1 that posts NDJSON, so that the upload does not delay this process. */
export async function startUploader(url: string, key: string, file: string): Promise<() => Promise<void>> {
  const child = forkOnCore(1, import.meta.filename, [url, key, file])
  await once(child, 'message')
  return async () => {
    child.send('post')
    const [code] = await once(child, 'exit')
    if (code !== 0) throw new Error(`The upload process exited with code ${code}`)
  }
}

if (import.meta.main) {
  const [url = '', key = '', file = ''] = process.argv.slice(2)
  process.send?.('ready')
  await once(process, 'message')
  await postFile(url, key, file, NDJSON)
  process.disconnect?.()
}
