// The formats of strings in requests. This module does not load the validator, which most commands do not need.

interface Format {
  isValid: (text: string) => boolean
  /** The error message for a text that does not have the format. */
  detail: string
}

export const FORMATS = new Map<string, Format>()

export function defineFormat(name: string, isValid: Format['isValid'], detail: string): void {
  FORMATS.set(name, { isValid, detail })
}
