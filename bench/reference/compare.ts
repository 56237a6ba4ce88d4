// Starts the reference servers that the service is compared with, and alternates between both.
import { once } from 'node:events'
import { forkOnCore } from '../load-generator.ts'
import { median } from '../timing.ts'

/** Odd, so that the median is one of them. */
export const ROUNDS = 5

export interface ReferenceServer {
  url: string
  stop(): Promise<void>
}

/** Starts one of the bare servers on core 0. */
export async function startReference(name: string, args: string[]): Promise<ReferenceServer> {
  const server = forkOnCore(0, new URL(name, import.meta.url).pathname, args)
  const [port] = await once(server, 'message')
  return {
    url: `http://127.0.0.1:${port}/`,
    async stop() {
      server.kill()
      if (server.exitCode === null) await once(server, 'exit')
    },
  }
}

export interface Comparison {
  ours: number[]
  theirs: number[]
  /** Our value divided by theirs, of each round. */
  ratios: number[]
}

/** Measures both in each round, so that other load on the machine affects both. Alternates which one is first. */
export async function compare(
  measureOurs: () => Promise<number>,
  measureTheirs: () => Promise<number>,
): Promise<Comparison> {
  const result: Comparison = { ours: [], theirs: [], ratios: [] }
  for (let round = 0; round < ROUNDS; round += 1) {
    const measureFirst = round % 2 === 0 ? measureOurs : measureTheirs
    const first = await measureFirst()
    const second = await (measureFirst === measureOurs ? measureTheirs : measureOurs)()
    const [ours, theirs] = measureFirst === measureOurs ? [first, second] : [second, first]
    result.ours.push(ours)
    result.theirs.push(theirs)
    result.ratios.push(ours / theirs)
  }
  return result
}

export function formatComparison({ ours, theirs, ratios }: Comparison): string {
  const rounds = ratios.map((ratio) => ratio.toFixed(2)).join(', ')
  return `${median(ours).toFixed(0)} and ${median(theirs).toFixed(0)}, ratio ${median(ratios).toFixed(2)} (${rounds})`
}
