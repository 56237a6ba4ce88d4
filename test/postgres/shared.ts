// One server for a whole run: as the module of --test-global-setup it starts it before the first test file and
// removes it after the last. A test file that is run alone gets a server of its own.
import { type Cluster, startCluster } from './cluster.ts'

let cluster: Promise<Cluster> | undefined

export async function globalSetup(): Promise<void> {
  if (process.env.ASSAY_TEST_SERVER) return
  cluster = startCluster()
  process.env.ASSAY_TEST_SERVER = (await cluster).url()
}

export async function globalTeardown(): Promise<void> {
  await (await cluster)?.remove()
}

/** The server that tests share. One that this process starts itself goes with it: see keeper.ts. */
export async function serverUrl(): Promise<string> {
  if (process.env.ASSAY_TEST_SERVER) return process.env.ASSAY_TEST_SERVER
  cluster ??= startCluster()
  return (await cluster).url()
}
