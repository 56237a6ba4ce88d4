// Bundles the GitHub Action, so that its jobs have nothing to install. A release contains the bundle in action/dist.
import { join } from 'node:path'
import { build } from 'vite'

const ROOT = join(import.meta.dirname, '..')
/** Packages that only a service and a store load. The Action runs commands on a service. */
const SERVICE_PACKAGES = ['fastify', 'pg', 'pino', 'prom-client']

/** Writes the Action and the command line that it runs to a folder. */
export async function bundleAction(folder: string): Promise<void> {
  await build({
    configFile: false,
    root: ROOT,
    logLevel: 'warn',
    publicDir: false,
    ssr: { target: 'node', noExternal: true, external: SERVICE_PACKAGES },
    build: {
      ssr: true,
      target: 'node24',
      outDir: folder,
      emptyOutDir: true,
      rolldownOptions: {
        input: { action: join(ROOT, 'action/import-and-compare.ts'), assay: join(ROOT, 'src/main.ts') },
        output: { entryFileNames: '[name].js', chunkFileNames: 'chunks/[name]-[hash].js' },
      },
    },
  })
}
