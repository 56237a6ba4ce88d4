// Loads modules of the page in Node. Vite compiles their JSX and CSS modules, which Node cannot.
import { join } from 'node:path'
import { createServer } from 'vite'

const WEB_SOURCES = join(import.meta.dirname, '../../web')

/** The modules share one instance of what they import. Paths are relative to web/src. */
export async function loadPageModules<Modules extends object[]>(...paths: string[]): Promise<Modules> {
  // The API client needs an address.
  Object.assign(globalThis, { location: new URL('http://127.0.0.1/') })
  const server = await createServer({
    root: WEB_SOURCES,
    configFile: false,
    appType: 'custom',
    logLevel: 'error',
    server: { middlewareMode: true, ws: false, watch: null },
    optimizeDeps: { noDiscovery: true },
  })
  try {
    return (await Promise.all(paths.map((path) => server.ssrLoadModule(`/src/${path}`)))) as Modules
  } finally {
    // Other tests of this process check what the client does without an address.
    Reflect.deleteProperty(globalThis, 'location')
    await server.close()
  }
}
