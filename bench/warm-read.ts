// Benchmark: cached full read of 1,000 scenarios and its 304, compared with a bare Node server that sends the same bytes
// from memory, and with nginx.
import { fork, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { request } from 'node:http'
import { join } from 'node:path'
import type { Benchmark } from './benchmark.ts'
import { type Headers, isInstalled, measureLoad, moveToCore, pinToCore } from './load-generator.ts'
import { median } from './timing.ts'

const ROUNDS = 5

export const warmRead: Benchmark = {
  title: 'cached full read of 1,000 scenarios, in requests per second',
  async run({ baseUrl, pid, key, small, folder }) {
    const lines: string[] = []
    moveToCore(0, pid)
    for (const encoding of ['identity', 'gzip']) {
      const headers = { authorization: key, 'accept-encoding': encoding }
      const response = await fetchResponse(baseUrl + small, headers)
      const subfolder = join(folder, `warm-${encoding}`)
      mkdirSync(subfolder)
      writeFileSync(join(subfolder, 'body'), response.body)
      writeFileSync(join(subfolder, 'headers'), JSON.stringify(response.headers))
      const bare = await startBare(subfolder)
      const nginx = encoding === 'identity' ? await startNginx(subfolder) : undefined
      const url = baseUrl + small
      lines.push(`${encoding}: ${await ratio(url, bare.url, headers, 200)}`)
      if (nginx) lines.push(`identity compared with nginx: ${await ratio(url, nginx.url, headers, 200)}`)
      const unchanged = { ...headers, 'if-none-match': response.headers.etag ?? '' }
      if (encoding === 'identity') lines.push(`304: ${await ratio(url, bare.url, unchanged, 304)}`)
      await bare.stop()
      await nginx?.stop()
      rmSync(subfolder, { recursive: true })
    }
    return lines
  },
}

/** Alternates, so that other load on the machine affects both. */
async function ratio(ours: string, theirs: string, headers: Headers, status: 200 | 304): Promise<string> {
  const rates = { ours: [] as number[], theirs: [] as number[] }
  for (let round = 0; round < ROUNDS; round += 1) {
    rates.ours.push(await measureLoad(ours, headers, status))
    rates.theirs.push(await measureLoad(theirs, headers, status))
  }
  const ratios = rates.ours.map((rate, round) => rate / (rates.theirs[round] ?? Number.NaN))
  return `${median(rates.ours).toFixed(0)} and ${median(rates.theirs).toFixed(0)}, ratio ${median(ratios).toFixed(2)} (${ratios.map((value) => value.toFixed(2)).join(', ')})`
}

/** The response without the headers that Node sets itself. */
async function fetchResponse(
  url: string,
  requestHeaders: Headers,
): Promise<{ headers: Headers; body: Buffer }> {
  const clientRequest = request(url, { headers: requestHeaders })
  clientRequest.end()
  const [response] = await once(clientRequest, 'response')
  const chunks: Buffer[] = []
  for await (const chunk of response) chunks.push(chunk)
  const body = Buffer.concat(chunks)
  const {
    date: _date,
    connection: _connection,
    'keep-alive': _keepAlive,
    'transfer-encoding': _transfer,
    ...headers
  } = response.headers
  return { headers: { ...headers, 'content-length': String(body.length) }, body }
}

interface ReferenceServer {
  url: string
  stop(): Promise<void>
}

async function startBare(subfolder: string): Promise<ReferenceServer> {
  const script = new URL('./bare-memory-server.ts', import.meta.url).pathname
  const [execPath, [...execArgv]] = pinToCore(0, process.execPath, [])
  const bare = fork(script, [join(subfolder, 'headers'), join(subfolder, 'body')], { execPath, execArgv })
  const [port] = await once(bare, 'message')
  return {
    url: `http://127.0.0.1:${port}/`,
    async stop() {
      bare.kill()
      if (bare.exitCode === null) await once(bare, 'exit')
    },
  }
}

const NGINX_PORT = 18_089

async function startNginx(subfolder: string): Promise<ReferenceServer | undefined> {
  if (!isInstalled('nginx')) return undefined
  writeFileSync(
    join(subfolder, 'nginx.conf'),
    `daemon off; master_process off; pid ${subfolder}/pid; error_log ${subfolder}/error; user root;
     events {} http { access_log off; sendfile on; tcp_nopush on; keepalive_requests 1000000; default_type application/json;
     server { listen 127.0.0.1:${NGINX_PORT}; root ${subfolder}; } }`,
  )
  const nginx = spawn(...pinToCore(0, 'nginx', ['-c', join(subfolder, 'nginx.conf'), '-p', subfolder]))
  const url = `http://127.0.0.1:${NGINX_PORT}/body`
  for (let attempt = 0; attempt < 50; attempt += 1) {
    if (
      await fetch(url).then(
        ({ ok }) => ok,
        () => false,
      )
    )
      break
    await new Promise((resolve) => setTimeout(resolve, 100))
  }
  return {
    url,
    async stop() {
      nginx.kill()
      if (nginx.exitCode === null) await once(nginx, 'exit')
    },
  }
}
