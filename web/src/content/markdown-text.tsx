// Renders Markdown as React elements. Loads nothing: images are shown as text and URL.
import { Children, type ReactNode, useEffect, useState } from 'react'
import styles from './content.module.css'
import { isSafeAddress, type Node, readMarkdown } from './markdown.ts'

export function MarkdownText({ text }: { text: string }) {
  const [parsed, setParsed] = useState<{ text: string; nodes: Node[] | undefined }>()
  useEffect(() => {
    let isCancelled = false
    const onParsed = (nodes: Node[] | undefined) => {
      if (!isCancelled) setParsed({ text, nodes })
    }
    readMarkdown(text).then(onParsed, () => onParsed(undefined))
    return () => {
      isCancelled = true
    }
  }, [text])
  if (parsed?.text !== text) return null
  if (parsed.nodes) return <div className={styles.markdown}>{elements(parsed.nodes)}</div>
  return (
    <>
      <p className={styles.hint}>This text could not be parsed as Markdown.</p>
      <pre className={styles.text}>{text}</pre>
    </>
  )
}

/** Nodes never move, so their index is a stable key. */
function keyed<Item>(items: Item[], show: (item: Item) => ReactNode): ReactNode {
  return Children.toArray(items.map(show))
}

function elements(nodes: Node[]): ReactNode {
  return keyed(nodes, element)
}

const TAGS = { quote: 'blockquote', strong: 'strong', emphasis: 'em', deleted: 's' } as const

function element(node: Node): ReactNode {
  switch (node.kind) {
    case 'text':
      return node.text
    case 'code':
      return <code>{node.text}</code>
    case 'code block':
      return <pre>{node.text}</pre>
    // Not heading elements: those structure the page itself.
    case 'heading':
      return (
        <p className={styles.heading} data-level={node.level} dir="auto">
          {elements(node.nodes)}
        </p>
      )
    case 'link':
      return <MarkdownLink address={node.address}>{elements(node.nodes)}</MarkdownLink>
    case 'image':
      return (
        <span className={styles.image}>
          image {node.text && `“${node.text}” `}at {node.address}
        </span>
      )
    case 'list':
      return <List start={node.start} items={node.items} />
    case 'table':
      return <Table header={node.header} rows={node.rows} />
    case 'rule':
      return <hr />
    case 'break':
      return <br />
    // Each block has the direction of its own language.
    case 'paragraph':
      return <p dir="auto">{elements(node.nodes)}</p>
    default: {
      const Tag = TAGS[node.kind]
      return <Tag>{elements(node.nodes)}</Tag>
    }
  }
}

function MarkdownLink({ address, children }: { address: string; children: ReactNode }) {
  if (!isSafeAddress(address)) {
    return (
      <>
        {children} <span className={styles.image}>({address})</span>
      </>
    )
  }
  return (
    <a href={address} title={address} target="_blank" rel="noreferrer noopener">
      {children}
    </a>
  )
}

function List({ start, items }: { start: number | undefined; items: Node[][] }) {
  const children = keyed(items, (item) => <li dir="auto">{elements(item)}</li>)
  return start === undefined ? <ul>{children}</ul> : <ol start={start}>{children}</ol>
}

function Table({ header, rows }: { header: Node[][]; rows: Node[][][] }) {
  const cells = (row: Node[][]) => keyed(row, (cell) => <td dir="auto">{elements(cell)}</td>)
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a wide table scrolls and must be focusable
    <div className={styles.wide} tabIndex={0}>
      <table>
        <thead>
          <tr>
            {keyed(header, (cell) => (
              <th scope="col" dir="auto">
                {elements(cell)}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {keyed(rows, (row) => (
            <tr>{cells(row)}</tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}
