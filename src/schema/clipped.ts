// Texts that others wrote, in messages.

const SHOWN = 500

/** Names and values in messages may be megabytes; what is shown of them is not. A copy, which holds on to nothing. */
export function clipped(text: string, shown = SHOWN): string {
  return text.length <= shown ? text : `${Buffer.from(text.slice(0, shown)).toString()}…`
}
