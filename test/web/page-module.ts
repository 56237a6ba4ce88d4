// Imports modules of the page that contain JSX or styles, which Node cannot load by itself.
import { join } from 'node:path'
import { createServer } from 'vite'

const WEB = join(import.meta.dirname, '../../web')

/** `path` starts at web/src: table/row.tsx. */
export async function importPageModule<Module>(path: string): Promise<Module> {
  // The API client needs an address.
  Object.assign(globalThis, { location: new URL('http://127.0.0.1/') })
  const server = await createServer({
    root: WEB,
    configFile: false,
    logLevel: 'error',
    server: { middlewareMode: true, hmr: false, ws: false, watch: null },
    optimizeDeps: { noDiscovery: true },
  })
  try {
    return (await server.ssrLoadModule(join(WEB, 'src', path))) as Module
  } finally {
    await server.close()
  }
}
