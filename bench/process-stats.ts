// CPU time and memory of a process, from /proc (Linux only).
import type { ChildProcess } from 'node:child_process'
import { readFileSync } from 'node:fs'

const MS_PER_TICK = 10

/** CPU time of all threads in milliseconds. More reliable than elapsed time on a shared machine. */
export function cpuMs({ pid }: ChildProcess): number {
  const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]?.split(' ') ?? []
  return (Number(fields[11]) + Number(fields[12])) * MS_PER_TICK
}

/** Current or peak resident memory, in MiB. */
export function memoryMiB({ pid }: ChildProcess, which: 'current' | 'peak'): number {
  const status = readFileSync(`/proc/${pid}/status`, 'utf8')
  const line = which === 'current' ? /VmRSS:\s+(\d+)/ : /VmHWM:\s+(\d+)/
  return Number(line.exec(status)?.[1]) / 1024
}
