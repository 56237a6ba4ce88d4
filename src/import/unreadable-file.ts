// The error of a file that cannot be read as a whole.

export class UnreadableFile extends Error {
  override name = 'UnreadableFile'
  readonly line: number

  constructor(message: string, line = 1) {
    super(message)
    this.line = line
  }
}
