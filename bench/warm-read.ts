// How fast is a whole read of 1,000 scenarios that was read before, and a 304 for it, against a bare Node server that
// sends the same fields and bytes from memory, and against nginx with the same file?
import { fork, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { request } from 'node:http'
import { join } from 'node:path'
import type { Bench } from './bench.ts'
import { type Fields, isInstalled, load, moveToCore, onCore } from './load.ts'
import { median } from './timing.ts'

const ROUNDS = 5

export const warmRead: Bench = {
  question: 'a whole read of 1,000 scenarios that was read before, in requests a second',
  async run({ base, pid, key, small, folder }) {
    const lines: string[] = []
    moveToCore(0, pid)
    for (const coding of ['identity', 'gzip']) {
      const fields = { authorization: key, 'accept-encoding': coding }
      const answer = await fetched(base + small, fields)
      const place = join(folder, `warm-${coding}`)
      mkdirSync(place)
      writeFileSync(join(place, 'body'), answer.body)
      writeFileSync(join(place, 'fields'), JSON.stringify(answer.fields))
      const bare = await startBare(place)
      const nginx = coding === 'identity' ? await startNginx(place) : undefined
      const url = base + small
      lines.push(`${coding}: ${await ratio(url, bare.url, fields, 200)}`)
      if (nginx) lines.push(`identity against nginx: ${await ratio(url, nginx.url, fields, 200)}`)
      const unchanged = { ...fields, 'if-none-match': answer.fields.etag ?? '' }
      if (coding === 'identity') lines.push(`304: ${await ratio(url, bare.url, unchanged, 304)}`)
      await bare.stop()
      await nginx?.stop()
      rmSync(place, { recursive: true })
    }
    return lines
  },
}

/** One after the other in each round, so that both have the same machine. */
async function ratio(ours: string, theirs: string, fields: Fields, status: 200 | 304): Promise<string> {
  const rates = { ours: [] as number[], theirs: [] as number[] }
  for (let round = 0; round < ROUNDS; round += 1) {
    rates.ours.push(await load(ours, fields, status))
    rates.theirs.push(await load(theirs, fields, status))
  }
  const ratios = rates.ours.map((rate, round) => rate / (rates.theirs[round] ?? Number.NaN))
  return `${median(rates.ours).toFixed(0)} against ${median(rates.theirs).toFixed(0)}, ratio ${median(ratios).toFixed(2)} (${ratios.map((one) => one.toFixed(2)).join(', ')})`
}

/** With the fields that Node does not send by itself. */
async function fetched(url: string, fields: Fields): Promise<{ fields: Fields; body: Buffer }> {
  const asked = request(url, { headers: fields })
  asked.end()
  const [response] = await once(asked, 'response')
  const chunks: Buffer[] = []
  for await (const chunk of response) chunks.push(chunk)
  const body = Buffer.concat(chunks)
  const {
    date: _date,
    connection: _connection,
    'keep-alive': _alive,
    'transfer-encoding': _transfer,
    ...own
  } = response.headers
  return { fields: { ...own, 'content-length': String(body.length) }, body }
}

interface Baseline {
  url: string
  stop(): Promise<void>
}

async function startBare(place: string): Promise<Baseline> {
  const script = new URL('./bare-memory-server.ts', import.meta.url).pathname
  const [execPath, [...execArgv]] = onCore(0, process.execPath, [])
  const bare = fork(script, [join(place, 'fields'), join(place, 'body')], { execPath, execArgv })
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

async function startNginx(place: string): Promise<Baseline | undefined> {
  if (!isInstalled('nginx')) return undefined
  writeFileSync(
    join(place, 'nginx.conf'),
    `daemon off; master_process off; pid ${place}/pid; error_log ${place}/error; user root;
     events {} http { access_log off; sendfile on; tcp_nopush on; keepalive_requests 1000000; default_type application/json;
     server { listen 127.0.0.1:${NGINX_PORT}; root ${place}; } }`,
  )
  const nginx = spawn(...onCore(0, 'nginx', ['-c', join(place, 'nginx.conf'), '-p', place]))
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
