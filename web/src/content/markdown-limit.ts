// In a module of its own, because the Markdown parser loads when it is first used.

/** Characters parsed as Markdown. */
export const MAX_MARKDOWN_LENGTH = 100_000
