// What is wrong with a JSON text, and where.

export type JsonFault = 'syntax' | 'duplicate' | 'depth' | 'members' | 'size'

/** A name or a number as a step of a pointer (RFC 6901). */
export function pointerStep(name: string): string {
  return `/${name.replaceAll('~', '~0').replaceAll('/', '~1')}`
}

/** `pointer` (RFC 6901) leads to the place inside the value; it says nothing for syntax. */
export class JsonProblem extends Error {
  override name = 'JsonProblem'
  readonly fault: JsonFault
  readonly offset: number
  readonly line: number
  readonly pointer: string

  constructor(fault: JsonFault, message: string, offset: number, line: number, pointer = '') {
    super(message)
    this.fault = fault
    this.offset = offset
    this.line = line
    this.pointer = pointer
  }
}
