// HTML of the API reference: text, links, tables, code and the frame of its pages.

export function formatTable(headings: string[], rows: string[]): string {
  const names = headings.map((heading) => `<th scope="col">${heading}</th>`).join('')
  return `<table><thead><tr>${names}</tr></thead><tbody>${rows.join('')}</tbody></table>`
}

export function formatLink(href: string, text: string): string {
  return `<a href="${escapeHtml(href)}">${escapeHtml(text)}</a>`
}

/** Converts text in backticks to code. */
export function formatProse(text: string): string {
  return escapeHtml(text).replace(/`([^`]+)`/g, '<code>$1</code>')
}

/** A block of code. docs.js shows the button. */
export function formatCopyableCode(html: string): string {
  return `<div class="code"><pre>${html}</pre><button type="button" class="copy" hidden>Copy</button></div>`
}

export function escapeHtml(text: string): string {
  return text.replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`)
}

const LOGO = `<svg aria-hidden="true" viewBox="0 0 16 16" width="16" height="16"><path d="M8 .8 15.2 8 8 15.2.8 8Z" class="logo"/><path d="m5.2 8 2 2 3.6-3.8" fill="none" stroke="#fff" stroke-width="1.6" stroke-linecap="round"/></svg>`

const PAGES = [
  ['/docs', 'Operations'],
  ['/docs/errors', 'Errors'],
  ['/api/openapi.json', 'OpenAPI document'],
] as const

/** `contents` lists the links of the page, next to its content or, in narrow windows, in a popover. */
export function formatPage(path: string, title: string, contents: string, content: string): string {
  const pages = PAGES.map(([href, name]) =>
    href === path ? `<a href="${href}" aria-current="page">${name}</a>` : formatLink(href, name),
  )
  return `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
<title>${escapeHtml(title)} · Assay</title><script src="/theme.js"></script><link rel="icon" href="/icon.svg" type="image/svg+xml">
<link rel="stylesheet" href="/docs/style.css"><script src="/docs.js" defer></script></head>
<body><a class="skip" href="#content">Skip to content</a>
<header><nav aria-label="Main"><a class="brand" href="/">${LOGO} Assay</a>
${formatLink('/', 'Evaluations')} ${formatLink('/variants', 'Variants')} <a href="/docs" aria-current="page">API</a></nav>
<button type="button" class="contents-button" popovertarget="contents">Contents</button></header>
<div class="columns"><nav id="contents" aria-label="Reference" popover><p class="pages">${pages.join('')}</p>
${contents}</nav>
<main id="content">
${content}
</main></div></body></html>
`
}
