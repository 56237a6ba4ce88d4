// What the system says of a process. Only Linux does.
import type { ChildProcess } from 'node:child_process'
import { readFileSync } from 'node:fs'

const MS_A_TICK = 10

/** Milliseconds that all of its threads have been on a processor: says more than a clock while others use the machine. */
export function cpuMs({ pid }: ChildProcess): number {
  const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]?.split(' ') ?? []
  return (Number(fields[11]) + Number(fields[12])) * MS_A_TICK
}

/** Its memory now, or the most it has had, in MiB. */
export function memoryMiB({ pid }: ChildProcess, which: 'now' | 'most'): number {
  const status = readFileSync(`/proc/${pid}/status`, 'utf8')
  const line = which === 'now' ? /VmRSS:\s+(\d+)/ : /VmHWM:\s+(\d+)/
  return Number(line.exec(status)?.[1]) / 1024
}
