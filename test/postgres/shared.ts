// The PostgreSQL server that tests use: the one that test/run.ts has started, or one of this process.
import { testOptions } from '../support/options.ts'
import { type Cluster, startCluster } from './cluster.ts'

let cluster: Promise<Cluster> | undefined

/** A server that this process starts is removed when the process ends: see server-supervisor.ts. */
export async function serverUrl(): Promise<string> {
  if (testOptions.serverUrl) return testOptions.serverUrl
  cluster ??= startCluster()
  return (await cluster).url()
}
