// Parses Markdown into a small tree with the lexer of marked, without its HTML output. HTML in the text stays text. The text
// can be hostile, so depth and length are limited.
import type { Token, Tokens, TokensList } from 'marked'
import { MAX_MARKDOWN_LENGTH } from './markdown-limit.ts'

export type Node =
  | { kind: 'text'; text: string }
  | { kind: 'code'; text: string }
  | { kind: 'code block'; text: string }
  | { kind: 'heading'; level: number; nodes: Node[] }
  | { kind: 'link'; address: string; nodes: Node[] }
  | { kind: 'image'; address: string; text: string }
  | { kind: 'list'; start: number | undefined; items: Node[][] }
  | { kind: 'table'; header: Node[][]; rows: Node[][][] }
  | { kind: 'paragraph' | 'quote' | 'strong' | 'emphasis' | 'deleted'; nodes: Node[] }
  | { kind: 'rule' | 'break' }

/** Parsing emphasis takes quadratic time in the length of a paragraph. */
const MAX_PARAGRAPH_LENGTH = 5000
const MAX_DEPTH = 40
/** Rows are padded to the number of header cells, so a small text can produce many cells. */
const MAX_TABLE_CELLS = 10_000

export async function readMarkdown(text: string): Promise<Node[]> {
  const { Lexer, Tokenizer } = await import('marked')

  class PlainTokenizer extends Tokenizer {
    /** Bare URLs stay text: searching for them takes minutes in a hostile text. */
    override url(): undefined {
      return undefined
    }

    override table(source: string): Tokens.Table | undefined {
      const [tableText = ''] = this.rules.block.table.exec(source) ?? []
      const columns = tableText.slice(0, tableText.indexOf('\n')).split('|').length
      return columns * tableText.split('\n').length > MAX_TABLE_CELLS ? undefined : super.table(source)
    }
  }

  class BoundedLexer extends Lexer {
    #depth = 0

    override blockTokens(source: string, tokens: Token[] = [], lastParagraphClipped?: boolean): TokensList {
      const read = () => super.blockTokens(source, tokens, lastParagraphClipped)
      return this.#bounded(source, tokens, read) as TokensList
    }

    override inlineTokens(source: string, tokens: Token[] = []): Token[] {
      return this.#bounded(source, tokens, () =>
        source.length > MAX_PARAGRAPH_LENGTH
          ? pushPlainText(source, tokens)
          : super.inlineTokens(source, tokens),
      )
    }

    #bounded(source: string, tokens: Token[], read: () => Token[]): Token[] {
      if (this.#depth === MAX_DEPTH) return pushPlainText(source, tokens)
      this.#depth++
      try {
        return read()
      } finally {
        this.#depth--
      }
    }
  }

  const lexer = new BoundedLexer({ gfm: true, tokenizer: new PlainTokenizer() })
  return nodesOf(lexer.lex(text.slice(0, MAX_MARKDOWN_LENGTH)))
}

function pushPlainText(source: string, tokens: Token[]): Token[] {
  tokens.push({ type: 'text', raw: source, text: source, escaped: false })
  return tokens
}

function nodesOf(tokens: Token[] | undefined): Node[] {
  return tokens?.flatMap(nodeOf) ?? []
}

const CONTAINERS: Record<string, 'paragraph' | 'quote' | 'strong' | 'emphasis' | 'deleted'> = {
  paragraph: 'paragraph',
  blockquote: 'quote',
  strong: 'strong',
  em: 'emphasis',
  del: 'deleted',
}

function nodeOf(token: Token): Node | Node[] {
  const container = CONTAINERS[token.type]
  if (container) return { kind: container, nodes: nodesOf((token as Tokens.Paragraph).tokens) }
  switch (token.type) {
    case 'space':
    case 'def':
      return []
    case 'heading':
      return { kind: 'heading', level: (token as Tokens.Heading).depth, nodes: nodesOf(token.tokens) }
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
    case 'checkbox':
      return { kind: 'text', text: (token as Tokens.Checkbox).checked ? '[x] ' : '[ ] ' }
    case 'escape':
    case 'text': {
      const { tokens, text } = token as Tokens.Text
      return tokens ? nodesOf(tokens) : { kind: 'text', text }
    }
    // HTML, and token types of later versions.
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
  return { kind: 'table', header: cells(header), rows: rows.map(cells) }
}

/** Allows only URLs that cannot run code. */
export function isSafeAddress(address: string): boolean {
  try {
    return ['http:', 'https:', 'mailto:'].includes(new URL(address).protocol)
  } catch {
    return false
  }
}
