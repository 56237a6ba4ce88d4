// Runs nginx with the site of deploy/nginx.conf and a self-signed certificate, or with another site.
import { execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync, writeFileSync } from 'node:fs'
import { connect } from 'node:net'
import { join } from 'node:path'
import { after } from 'node:test'
import { isInstalled } from '../../bench/load-generator.ts'
import { freePort } from '../postgres/server-folder.ts'
import { createTempFolder } from './harness.ts'

const SITE = new URL('../../deploy/nginx.conf', import.meta.url)

const missing = ['nginx', 'openssl'].filter((command) => !isInstalled(command))
/** The reason to skip tests with nginx, or false if it is installed. */
export const WITHOUT_NGINX =
  missing.length > 0 && `${missing.join(' and ')} not on the PATH (Debian: apt-get install nginx openssl)`

/** Proxies https://127.0.0.1:PORT/assay to `target`, such as 127.0.0.1:8080. */
export async function startNginx(port: number, target: string): Promise<void> {
  await startSite(port, (folder) => {
    createCertificate(folder)
    return siteFor(folder, port, target)
  })
}

/** Proxies to `target` with the defaults of nginx, which are HTTP/1.0 and response buffers. Returns the base URL. */
export async function startDefaultNginx(target: string, directives = ''): Promise<string> {
  const port = await freePort()
  await startSite(
    port,
    (folder) => `proxy_cache_path ${join(folder, 'cache')} keys_zone=cache:1m;
server { listen 127.0.0.1:${port}; location / { proxy_pass http://${target}; ${directives} } }`,
  )
  return `http://127.0.0.1:${port}`
}

/** Runs nginx with the site that is created for a folder, in which it can write. */
async function startSite(port: number, createSite: (folder: string) => string): Promise<void> {
  const folder = createTempFolder()
  writeFileSync(join(folder, 'site.conf'), createSite(folder))
  const configFile = join(folder, 'nginx.conf')
  writeFileSync(configFile, mainConfig(folder))
  const nginx = spawn('nginx', ['-c', configFile, '-p', folder, '-e', join(folder, 'error.log')])
  after(async () => {
    nginx.kill()
    if (nginx.exitCode === null) await once(nginx, 'exit')
  })
  for (;;) {
    if (nginx.exitCode !== null) throw new Error(readFileSync(join(folder, 'error.log'), 'utf8'))
    if (await isListening(port)) return
    await new Promise((resolve) => setTimeout(resolve, 20))
  }
}

function createCertificate(folder: string): void {
  execFileSync(
    'openssl',
    [
      ...[
        'req',
        '-x509',
        '-newkey',
        'ec',
        '-pkeyopt',
        'ec_paramgen_curve:prime256v1',
        '-nodes',
        '-days',
        '1',
      ],
      ...['-subj', '/CN=127.0.0.1', '-addext', 'subjectAltName=IP:127.0.0.1'],
      ...['-keyout', join(folder, 'privkey.pem'), '-out', join(folder, 'fullchain.pem')],
    ],
    { stdio: 'ignore' },
  )
}

/** The site with other addresses and files. Fails if the site does not contain what is replaced. */
function siteFor(folder: string, port: number, target: string): string {
  let site = readFileSync(SITE, 'utf8')
  for (const [from, to] of [
    ['server 127.0.0.1:8080;', `server ${target};`],
    ['listen 443 ssl;', `listen 127.0.0.1:${port} ssl;`],
    ['/etc/letsencrypt/live/evals.example', folder],
    ['/etc/letsencrypt/live/evals.example', folder],
  ] as const) {
    if (!site.includes(from)) throw new Error(`deploy/nginx.conf does not contain ${from}`)
    site = site.replace(from, to)
  }
  return site
}

/** One process, which writes only into its folder. */
function mainConfig(folder: string): string {
  const temporaryPaths = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi']
    .map((name) => `${name}_temp_path ${join(folder, name)};`)
    .join(' ')
  return `daemon off; master_process off; pid ${join(folder, 'nginx.pid')};
events {}
http { access_log off; ${temporaryPaths} include ${join(folder, 'site.conf')}; }
`
}

async function isListening(port: number): Promise<boolean> {
  const socket = connect(port, '127.0.0.1')
  try {
    await once(socket, 'connect')
    return true
  } catch {
    return false
  } finally {
    socket.destroy()
  }
}
