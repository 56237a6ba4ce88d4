// A value on its way in: parsed so that it can be judged, with the exact texts it was written as so that they
// can be kept.

export interface Written<Value> {
  value: Value
  /** The text of each member, without white space outside strings. */
  texts: ReadonlyMap<string, string>
}

/** Of a value that is made here and was never a text. Members that are undefined are left out. */
export function written<Value extends object>(value: Value): Written<Value> {
  const members = Object.entries(value).filter(([, member]) => member !== undefined)
  return { value, texts: new Map(members.map(([name, member]) => [name, JSON.stringify(member)])) }
}
