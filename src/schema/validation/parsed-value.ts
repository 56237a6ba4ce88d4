// A parsed JSON object together with the exact text of each member, which is what gets stored.

export interface ParsedValue<Value> {
  value: Value
  /** The text of each member, without whitespace outside of strings. */
  memberTexts: ReadonlyMap<string, string>
}

/** Wraps a JavaScript object. Undefined members are omitted. */
export function parsedValue<Value extends object>(value: Value): ParsedValue<Value> {
  const members = Object.entries(value).filter(([, member]) => member !== undefined)
  return { value, memberTexts: new Map(members.map(([name, member]) => [name, JSON.stringify(member)])) }
}
