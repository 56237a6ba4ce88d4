// Benchmark: cached full read of 1,000 scenarios, compared with nginx sending the same bytes from a file.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Benchmark } from '../benchmark.ts'
import { fetchResponse } from '../floors/warm-read.ts'
import { isInstalled, measureLoad, onCore } from '../load-generator.ts'
import { compare, formatComparison, type ReferenceServer } from '../reference/compare.ts'
import { timeFullRead } from '../timing.ts'

const NGINX_PORT = 18_089

export const nginxRead: Benchmark = {
  title: 'cached full read of 1,000 scenarios, in requests per second of the service and of nginx',
  async run({ baseUrl, key, small, folder }) {
    if (!isInstalled('nginx')) return ['nginx is not installed']
    const headers = { authorization: key, 'accept-encoding': 'identity' }
    const subfolder = join(folder, 'nginx')
    mkdirSync(subfolder)
    writeFileSync(join(subfolder, 'body'), (await fetchResponse(baseUrl + small, headers)).body)
    const nginx = await startNginx(subfolder)
    const measureRate = async (url: string) => (await measureLoad(url, headers, 200)).requests
    const comparison = await compare(
      () => measureRate(baseUrl + small),
      () => measureRate(nginx.url),
    )
    await nginx.stop()
    return [formatComparison(comparison)]
  },
}

async function startNginx(folder: string): Promise<ReferenceServer> {
  writeFileSync(
    join(folder, 'nginx.conf'),
    `daemon off; master_process off; pid ${folder}/pid; error_log ${folder}/error; user root;
     events {} http { access_log off; sendfile on; tcp_nopush on; keepalive_requests 1000000; default_type application/json;
     server { listen 127.0.0.1:${NGINX_PORT}; root ${folder}; } }`,
  )
  const [program = '', ...args] = [...onCore(0), 'nginx', '-c', join(folder, 'nginx.conf'), '-p', folder]
  const nginx = spawn(program, args)
  const url = `http://127.0.0.1:${NGINX_PORT}/body`
  for (let attempt = 0; attempt < 50; attempt += 1) {
    const isReady = await timeFullRead(url, '').then(
      ({ status }) => status === 200,
      () => false,
    )
    if (isReady) break
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
