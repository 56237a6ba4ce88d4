// Markdown as a tree of the few things that are shown. The lexer of marked finds them; its HTML is never used, and HTML in
// the text stays text. Whoever wrote the text may mean harm, so there is an end to how deep and how long anything is.
import type { Token, Tokens, TokensList } from 'marked'

export type Node =
  | { kind: 'text'; text: string }
  | { kind: 'code'; text: string }
  | { kind: 'code block'; text: string }
  | { kind: 'heading'; level: number; nodes: Node[] }
  | { kind: 'link'; address: string; nodes: Node[] }
  | { kind: 'image'; address: string; text: string }
  | { kind: 'list'; start: number | undefined; items: Node[][] }
  | { kind: 'table'; head: Node[][]; rows: Node[][][] }
  | { kind: 'paragraph' | 'quote' | 'strong' | 'emphasis' | 'deleted'; nodes: Node[] }
  | { kind: 'rule' | 'break' }

/** How much is read as Markdown. */
export const READ = 100_000
/** Emphasis takes time by the square of a paragraph's length. */
const LONGEST_PARAGRAPH = 5000
const DEEPEST = 40
/** Every row of a table has as many cells as its head, even where nothing stands in them. */
const MOST_CELLS = 10_000

export async function readMarkdown(text: string): Promise<Node[]> {
  const { Lexer, Tokenizer } = await import('marked')

  class PlainTokenizer extends Tokenizer {
    /** Addresses in running text stay text: to look for them takes minutes on a text made for that. */
    override url(): undefined {
      return undefined
    }

    override table(source: string): Tokens.Table | undefined {
      const [found = ''] = this.rules.block.table.exec(source) ?? []
      const columns = found.slice(0, found.indexOf('\n')).split('|').length
      return columns * found.split('\n').length > MOST_CELLS ? undefined : super.table(source)
    }
  }

  class BoundedLexer extends Lexer {
    #depth = 0

    override blockTokens(source: string, tokens: Token[] = [], isLastParagraphCut?: boolean): TokensList {
      const read = () => super.blockTokens(source, tokens, isLastParagraphCut)
      return this.#bounded(source, tokens, read) as TokensList
    }

    override inlineTokens(source: string, tokens: Token[] = []): Token[] {
      return this.#bounded(source, tokens, () =>
        source.length > LONGEST_PARAGRAPH ? plain(source, tokens) : super.inlineTokens(source, tokens),
      )
    }

    #bounded(source: string, tokens: Token[], read: () => Token[]): Token[] {
      if (this.#depth === DEEPEST) return plain(source, tokens)
      this.#depth++
      try {
        return read()
      } finally {
        this.#depth--
      }
    }
  }

  const lexer = new BoundedLexer({ gfm: true, tokenizer: new PlainTokenizer() })
  return nodesOf(lexer.lex(text.slice(0, READ)))
}

function plain(source: string, tokens: Token[]): Token[] {
  tokens.push({ type: 'text', raw: source, text: source, escaped: false })
  return tokens
}

function nodesOf(tokens: Token[] | undefined): Node[] {
  return tokens?.flatMap(nodeOf) ?? []
}

function nodeOf(token: Token): Node | Node[] {
  switch (token.type) {
    case 'space':
    case 'def':
      return []
    case 'heading':
      return { kind: 'heading', level: (token as Tokens.Heading).depth, nodes: nodesOf(token.tokens) }
    case 'paragraph':
      return { kind: 'paragraph', nodes: nodesOf(token.tokens) }
    case 'blockquote':
      return { kind: 'quote', nodes: nodesOf(token.tokens) }
    case 'strong':
      return { kind: 'strong', nodes: nodesOf(token.tokens) }
    case 'em':
      return { kind: 'emphasis', nodes: nodesOf(token.tokens) }
    case 'del':
      return { kind: 'deleted', nodes: nodesOf(token.tokens) }
    case 'code':
      return { kind: 'code block', text: (token as Tokens.Code).text }
    case 'codespan':
      return { kind: 'code', text: (token as Tokens.Codespan).text }
    case 'hr':
      return { kind: 'rule' }
    case 'br':
      return { kind: 'break' }
    case 'list':
      return listOf(token as Tokens.List)
    case 'table':
      return tableOf(token as Tokens.Table)
    case 'link':
      return { kind: 'link', address: (token as Tokens.Link).href, nodes: nodesOf(token.tokens) }
    case 'image':
      return { kind: 'image', address: (token as Tokens.Image).href, text: (token as Tokens.Image).text }
    case 'escape':
      return { kind: 'text', text: (token as Tokens.Escape).text }
    case 'checkbox':
      return { kind: 'text', text: (token as Tokens.Checkbox).checked ? '☑ ' : '☐ ' }
    case 'text':
      return token.tokens ? nodesOf(token.tokens) : { kind: 'text', text: (token as Tokens.Text).text }
    // HTML, and whatever a later lexer may find.
    default:
      return { kind: 'text', text: token.raw }
  }
}

function listOf({ ordered, start, items }: Tokens.List): Node {
  return {
    kind: 'list',
    start: ordered ? start || 1 : undefined,
    items: items.map(({ tokens }) => nodesOf(tokens)),
  }
}

function tableOf({ header, rows }: Tokens.Table): Node {
  const cells = (row: Tokens.TableCell[]) => row.map(({ tokens }) => nodesOf(tokens))
  return { kind: 'table', head: cells(header), rows: rows.map(cells) }
}

/** Where a link may lead: nowhere that runs something. */
export function isSafeAddress(address: string): boolean {
  try {
    return ['http:', 'https:', 'mailto:'].includes(new URL(address).protocol)
  } catch {
    return false
  }
}
