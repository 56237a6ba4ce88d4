// The operand of the operator `in`: a list in parentheses, quoted as in PostgREST. in.(a,"b,c","say \"hi\"")

export const MAX_IN_MEMBERS = 100

const BARE_CHARACTER = '[^,()"\\\\]'
/** Without quotes, a member can contain spaces, but not begin or end with one. */
const BARE = `[^,()"\\\\\\s](${BARE_CHARACTER}*[^,()"\\\\\\s])?`
/** In quotes, a backslash escapes the next character. */
const QUOTED_CHARACTER = '([^"\\\\]|\\\\[\\s\\S])'

const MEMBER = new RegExp(`"(?<quoted>${QUOTED_CHARACTER}*)"|${BARE}`, 'y')

/** The members of the list. Undefined if the text is not a list of at least one member. */
export function parseInList(text: string): string[] | undefined {
  if (!text.startsWith('(')) return undefined
  const members: string[] = []
  for (let position = 0; text[position] === (position === 0 ? '(' : ','); position = MEMBER.lastIndex) {
    MEMBER.lastIndex = position + 1
    const match = MEMBER.exec(text)
    if (!match) return undefined
    members.push(match.groups?.quoted?.replace(/\\([\s\S])/g, '$1') ?? match[0])
    if (text[MEMBER.lastIndex] === ')') return MEMBER.lastIndex === text.length - 1 ? members : undefined
  }
  return undefined
}

/** Writes a list that parseInList reads. Quotes the members that need it. */
export function formatInList(members: readonly string[]): string {
  const isBare = new RegExp(`^${BARE}$`)
  const texts = members.map((text) => (isBare.test(text) ? text : `"${text.replace(/["\\]/g, '\\$&')}"`))
  return `(${texts.join(',')})`
}

/** A regular expression for the list, for OpenAPI. Without a pattern, the members are texts. */
export function inListPattern(pattern: string | undefined, isNotEmpty = false): string {
  const textMember = `"${QUOTED_CHARACTER}${isNotEmpty ? '+' : '*'}"|${BARE}`
  const member = pattern === undefined ? `(${textMember})` : `(${pattern}|"${pattern}")`
  return `\\(${member}(,${member})*\\)`
}
