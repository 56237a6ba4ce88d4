// The error for invalid JSON, with its position.

/** `array`: the input is valid, but not an array. */
export type JsonFault = 'syntax' | 'array' | 'duplicate' | 'depth' | 'members' | 'size'

/** A name or index as a step of a JSON pointer (RFC 6901). */
export function pointerStep(name: string): string {
  return `/${name.replaceAll('~', '~0').replaceAll('/', '~1')}`
}

/** `pointer` (RFC 6901) is the path inside the value. It is empty for syntax errors. */
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
