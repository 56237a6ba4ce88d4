// What a conversation consists of, in whatever format it was stored.

export type Part =
  | { kind: 'text' | 'refusal'; text: string }
  /** The text is empty if the provider removed or encrypted it. */
  | { kind: 'reasoning'; text: string }
  /** `isInvalid` if the arguments should be JSON, but are not. `input` is their text then. */
  | { kind: 'call'; name: string; id: string | undefined; input: unknown; isInvalid?: boolean }
  | { kind: 'result'; name: string | undefined; id: string | undefined; parts: Part[]; isError: boolean }
  /** An image, audio, video or file. The address is a `data:` URI, a URL or the id of a file. */
  | { kind: 'media'; mediaType: string; address: string }
  /** A part of an unknown type. */
  | { kind: 'json'; name: string; value: unknown }

export interface Message {
  /** `system`, `user`, `assistant`, `tool`, or the role as it was stored. */
  role: string
  /** The name of the author, if it has one. */
  name: string | undefined
  parts: Part[]
}

export interface Conversation {
  messages: Message[]
  /** Members of the stored object that are not messages, such as the model and its parameters. */
  otherMembers: Record<string, unknown>
}
