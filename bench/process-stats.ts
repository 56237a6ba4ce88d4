// CPU time and memory of a process, from /proc (Linux only).
import type { ChildProcess } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'

export const MS_PER_TICK = 10

/** The fields of /proc/PID/stat after the name of the program; none if the process has ended. */
export function statFields(pid: number | string | undefined): string[] {
  try {
    return readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]?.split(' ') ?? []
  } catch {
    return []
  }
}

/** CPU time of all threads in milliseconds. More reliable than elapsed time on a shared machine. */
export function cpuMs({ pid }: ChildProcess): number {
  const fields = statFields(pid)
  return (Number(fields[11]) + Number(fields[12])) * MS_PER_TICK
}

/** Current or peak resident memory, in MiB. */
export function memoryMiB({ pid }: ChildProcess, which: 'current' | 'peak'): number {
  const status = readFileSync(`/proc/${pid}/status`, 'utf8')
  const line = which === 'current' ? /VmRSS:\s+(\d+)/ : /VmHWM:\s+(\d+)/
  return Number(line.exec(status)?.[1]) / 1024
}

/** Sets the peak memory to the current memory. */
export function resetPeakMemory({ pid }: ChildProcess): void {
  writeFileSync(`/proc/${pid}/clear_refs`, '5')
}
