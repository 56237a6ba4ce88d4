// Markdown as elements. Nothing is loaded by showing it: images are their words and address, links wait for a click.
import { Children, type ReactNode, useEffect, useState } from 'react'
import styles from './content.module.css'
import { isSafeAddress, type Node, readMarkdown } from './markdown.ts'

export function MarkdownText({ text }: { text: string }) {
  const [read, setRead] = useState<{ text: string; nodes: Node[] | undefined }>()
  useEffect(() => {
    let isGone = false
    const keep = (nodes: Node[] | undefined) => {
      if (!isGone) setRead({ text, nodes })
    }
    readMarkdown(text).then(keep, () => keep(undefined))
    return () => {
      isGone = true
    }
  }, [text])
  if (read?.text !== text) return null
  if (read.nodes) return <div className={styles.markdown}>{elements(read.nodes)}</div>
  return (
    <>
      <p className={styles.remark}>This text could not be read as Markdown.</p>
      <pre className={styles.text}>{text}</pre>
    </>
  )
}

/** What was read never changes its place: toArray names each by it. */
function each<Item>(items: Item[], show: (item: Item) => ReactNode): ReactNode {
  return Children.toArray(items.map(show))
}

function elements(nodes: Node[]): ReactNode {
  return each(nodes, element)
}

function element(node: Node): ReactNode {
  switch (node.kind) {
    case 'text':
      return node.text
    case 'code':
      return <code>{node.text}</code>
    case 'code block':
      return <pre>{node.text}</pre>
    // The headings of a page are its own: those of a text are only bold to a screen reader.
    case 'heading':
      return (
        <p className={styles.heading} data-level={node.level}>
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
      return <Table head={node.head} rows={node.rows} />
    case 'paragraph':
      return <p>{elements(node.nodes)}</p>
    case 'quote':
      return <blockquote>{elements(node.nodes)}</blockquote>
    case 'strong':
      return <strong>{elements(node.nodes)}</strong>
    case 'emphasis':
      return <em>{elements(node.nodes)}</em>
    case 'deleted':
      return <s>{elements(node.nodes)}</s>
    case 'rule':
      return <hr />
    case 'break':
      return <br />
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
  const children = each(items, (item) => <li>{elements(item)}</li>)
  return start === undefined ? <ul>{children}</ul> : <ol start={start}>{children}</ol>
}

function Table({ head, rows }: { head: Node[][]; rows: Node[][][] }) {
  const cells = (row: Node[][]) => each(row, (cell) => <td>{elements(cell)}</td>)
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a wide table scrolls, from the keyboard too
    <div className={styles.wide} tabIndex={0}>
      <table>
        <thead>
          <tr>
            {each(head, (cell) => (
              <th scope="col">{elements(cell)}</th>
            ))}
          </tr>
        </thead>
        <tbody>
          {each(rows, (row) => (
            <tr>{cells(row)}</tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}
