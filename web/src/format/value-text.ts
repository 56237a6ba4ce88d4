// Converts any value to text: strings stay as they are, everything else becomes JSON.

export function compactText(value: unknown): string {
  return typeof value === 'string' ? value : (JSON.stringify(value) ?? '')
}

export function indentedText(value: unknown): string {
  return typeof value === 'string' ? value : (JSON.stringify(value, null, 2) ?? '')
}

/** The bytes of an image or another file inside a text. */
const BASE64_BYTES = /(data:[\w.+-]+\/[\w.+-]+;base64,)[\w+/=]+…?/g

/** For the cells of a table: "data:image/png;base64,…" instead of unreadable bytes. A cut text ends with an ellipsis. */
export function previewText(value: unknown, isCut = false): string {
  return (compactText(value) + (isCut ? '…' : '')).replace(BASE64_BYTES, '$1…')
}
