// Parses hostile Markdown: it takes bounded time, and nothing in it runs.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { isSafeAddress, type Node, readMarkdown } from '../../web/src/content/markdown.ts'
import { MAX_MARKDOWN_LENGTH } from '../../web/src/content/markdown-limit.ts'
import { testOptions } from '../support/options.ts'

/** Every node of a tree with its depth. */
function* nodesIn(nodes: Node[], depth = 1): Generator<[Node, number]> {
  for (const node of nodes) {
    yield [node, depth]
    if ('nodes' in node) yield* nodesIn(node.nodes, depth + 1)
    if (node.kind === 'list') for (const item of node.items) yield* nodesIn(item, depth + 1)
    if (node.kind === 'table')
      for (const cell of [...node.header, ...node.rows.flat()]) yield* nodesIn(cell, depth + 1)
  }
}

const kinds = (nodes: Node[]) => new Set(Array.from(nodesIn(nodes), ([{ kind }]) => kind))
const textIn = (nodes: Node[]) =>
  Array.from(nodesIn(nodes), ([node]) => ('text' in node ? node.text : '')).join('')

test('parses headings, lists, tables, code and emphasis', async () => {
  const nodes = await readMarkdown(
    '# Head *it*\n\n- [x] **one** ~~gone~~\n- two\n\n3. three\n\n> `quoted`\n\n```\n<code>\n```\n\n| a | b |\n|---|---|\n| 1 | 2 |\n\n---\n',
  )
  assert.deepEqual(
    kinds(nodes),
    new Set<string>([
      'heading',
      'text',
      'emphasis',
      'list',
      'strong',
      'deleted',
      'quote',
      'paragraph',
      'code',
      'code block',
      'table',
      'rule',
    ]),
  )
})

test('HTML stays text everywhere', async () => {
  const html = '<img src=x onerror=alert(1)>'
  const nodes = await readMarkdown(
    `${html}\n\nin ${html} line\n\n- ${html}\n\n| ${html} |\n|---|\n\n<script>alert(1)</script>`,
  )
  assert.equal(textIn(nodes).split(html).length - 1, 4)
  assert.match(textIn(nodes), /<script>alert\(1\)<\/script>/)
})

test('only http, https and mailto links are links', async () => {
  for (const address of ['https://a.example/x', 'http://a.example', 'mailto:a@b.example']) {
    assert.ok(isSafeAddress(address), address)
  }
  const hostile = [
    'javascript:alert(1)',
    ' JavaScript:alert(1)',
    'java\nscript:alert(1)',
    'data:text/html,x',
    'vbscript:x',
    'file:///etc/passwd',
    '//a.example',
    '/api/key',
    '',
  ]
  for (const address of hostile) assert.ok(!isSafeAddress(address), address)
  const [node] = await readMarkdown('<javascript:alert(1)>')
  const links = node && [...nodesIn([node])].flatMap(([one]) => (one.kind === 'link' ? [one.address] : []))
  assert.deepEqual(links?.filter(isSafeAddress), [])
})

test('parses ten thousand nested elements in bounded time', async () => {
  const hostile: Record<string, string> = {
    quotes: `${'>'.repeat(10_000)} end`,
    lists: `${'- '.repeat(10_000)}end`,
    both: `${'1. > '.repeat(10_000)}end`,
    indents: `${Array.from({ length: 400 }, (_, depth) => `${' '.repeat(depth * 2)}- a`).join('\n')} end`,
    brackets: `${'['.repeat(10_000)}end${'](x)'.repeat(10_000)}`,
    images: `${'!['.repeat(10_000)}end`,
    emphasis: `${'*a **b '.repeat(10_000)}end`,
    intraword: `${'a**b'.repeat(20_000)}end`,
    strikes: `${'~~a '.repeat(20_000)}end`,
    mailbox: `${'a'.repeat(90_000)}@ end`,
    columns: `${'|a'.repeat(10_000)}|\n${'|-'.repeat(10_000)}|\n${'|\n'.repeat(20_000)}end`,
    rows: `|a|b|\n|-|-|\n${'|x|y|\n'.repeat(15_000)}\nend`,
    tags: `${'<a '.repeat(20_000)}end`,
    comments: `${'<!--'.repeat(20_000)}end`,
    backticks: `${'` `` '.repeat(15_000)}end`,
  }
  for (const [name, text] of Object.entries(hostile)) {
    const start = performance.now()
    const nodes = await readMarkdown(text)
    const elapsedMs = performance.now() - start
    if (testOptions.measures) assert.ok(elapsedMs < 4000, `${name} took ${elapsedMs} ms`)
    const depths = Array.from(nodesIn(nodes), ([, depth]) => depth)
    assert.ok(Math.max(...depths.slice(0, 50_000)) < 100, name)
    if (text.length < MAX_MARKDOWN_LENGTH) assert.match(textIn(nodes), /end/, name)
  }
})
