// The style sheet of the API reference. Colors and sizes are those of web/src/style/tokens.css; a test compares them.

/** `font` is the address of the font of the page, relative to the style sheet, if the page is built. */
export function docsStyle(font: string | undefined): string {
  return `${font === undefined ? '' : `@font-face { font-family: 'Inter Variable'; font-weight: 100 900; font-display: swap; src: url('${font}') format('woff2') }\n`}${STYLE}`
}

const STYLE = `:root { color-scheme: light dark;
  --font: "Inter Variable", system-ui, -apple-system, "Segoe UI", "Noto Sans", sans-serif;
  --mono: ui-monospace, "SF Mono", "Cascadia Mono", "DejaVu Sans Mono", monospace;
  --background: light-dark(#ffffff, #0f1013);
  --subtle: light-dark(#fafafb, #131418);
  --raised: light-dark(#ffffff, #16181c);
  --hover: light-dark(#f4f4f6, #1c1e23);
  --sunken: light-dark(#f4f4f6, #1a1c21);
  --line: light-dark(#e9e9ee, #25272d);
  --line-strong: light-dark(#d6d6de, #363942);
  --text: light-dark(#17181c, #ededf0);
  --text-muted: light-dark(#51535e, #b0b2bc);
  --text-quiet: light-dark(#686a76, #8e919d);
  --accent: light-dark(#3f4fd0, #a3adff);
  --accent-fill: light-dark(#3f4fd0, #4f5fdc);
  --selected: light-dark(#eef0fd, #1e2240);
  --shadow: 0 8px 28px light-dark(rgb(20 20 40 / 14%), rgb(0 0 0 / 55%));
  --edge: 24px }
:root[data-theme=light] { color-scheme: light } :root[data-theme=dark] { color-scheme: dark }
*, *::before, *::after { box-sizing: border-box }
html { background: var(--background); color: var(--text); scrollbar-color: var(--line-strong) transparent; scroll-padding-top: 16px;
  -webkit-text-size-adjust: 100% }
body { margin: 0; font: 400 .875rem/22px var(--font); font-feature-settings: "cv11", "ss03"; -webkit-font-smoothing: antialiased }
h1, h2, h3, p, dl, dd, ul { margin: 0 }
a { color: var(--accent); text-decoration: none } a:hover { text-decoration: underline; text-underline-offset: 3px }
main p a, main li a, main td a { text-decoration: underline; text-decoration-color: var(--line-strong); text-underline-offset: 3px }
:focus-visible { outline: 2px solid var(--accent); outline-offset: 1px }
button { font: inherit; font-size: .75rem; font-weight: 500; line-height: 20px; color: inherit; min-height: 24px; padding: 0 8px;
  border: 1px solid var(--line-strong); border-radius: 6px; background: var(--raised); cursor: pointer }
button:hover { background: var(--hover) } [hidden] { display: none }
.skip { position: absolute; top: -100px; left: 8px; padding: 6px 12px; background: var(--background) } .skip:focus { top: 8px; z-index: 2 }
header { display: flex; align-items: center; justify-content: space-between; height: 48px; padding: 0 var(--edge);
  border-bottom: 1px solid var(--line); font-size: .8125rem; line-height: 20px }
header nav { display: flex; align-items: center; gap: 4px }
header nav a { padding: 4px 10px; border-radius: 6px; color: var(--text-muted); font-weight: 500 }
header nav a:hover { background: var(--hover); text-decoration: none }
header nav a[aria-current] { background: var(--sunken); color: var(--text) }
header nav .brand { display: flex; align-items: center; gap: 8px; margin-right: 8px; padding-left: 0; color: var(--text);
  font-size: .875rem; font-weight: 600; letter-spacing: -.01em }
header nav .brand:hover { background: none } .logo { fill: var(--accent-fill) }
.contents-button { display: none; min-height: 28px }
.columns { display: grid; grid-template-columns: 264px minmax(0, 1fr) }
#contents { display: block; position: sticky; inset: 0 auto auto; width: auto; height: 100vh; margin: 0; padding: 24px 12px 24px var(--edge);
  overflow: auto; border: 0; border-right: 1px solid var(--line); background: var(--background); color: var(--text);
  font-size: .8125rem; line-height: 20px; scrollbar-width: thin }
#contents h2 { margin: 20px 8px 4px; font-size: .75rem; font-weight: 600; line-height: 20px; color: var(--text-quiet) }
#contents ul { padding: 0; list-style: none }
#contents a { display: flex; gap: 8px; padding: 3px 8px; border-radius: 6px; color: var(--text-muted) }
#contents a:hover { background: var(--hover); color: var(--text); text-decoration: none }
#contents a[aria-current] { background: var(--sunken); color: var(--text) }
.pages { display: grid; gap: 2px } .pages a { font-weight: 500 }
#contents .method { flex: none; width: 42px; font-size: .625rem; color: var(--text-quiet) }
#contents summary { margin: 20px 8px 4px; font-size: .75rem; font-weight: 600; color: var(--text-quiet); cursor: pointer }
main { width: 100%; max-width: 60rem; padding: 32px 40px 80px } main h2[id], main h3[id], tr[id] { scroll-margin-top: 16px }
h1 { display: flex; align-items: center; gap: 12px; font-size: 1.75rem; font-weight: 600; line-height: 36px; letter-spacing: -.02em }
.badge { padding: 0 8px; border: 1px solid var(--line); border-radius: 10px; color: var(--text-muted); font-size: .75rem; font-weight: 500;
  line-height: 20px; letter-spacing: 0 }
.lead { max-width: 44rem; margin-top: 8px; color: var(--text-muted); font-size: 1rem; line-height: 26px }
main h2 { margin: 40px 0 8px; font-size: 1.25rem; font-weight: 600; line-height: 28px; letter-spacing: -.015em }
main h2.group { margin-top: 64px; padding-top: 24px; border-top: 1px solid var(--line) }
main h3 { margin: 40px 0 8px; font-size: 1rem; font-weight: 600; line-height: 24px; overflow-wrap: anywhere }
main p + p, .code + p, table + p, p + .code, p + table { margin-top: 12px } main ul { padding-left: 18px } main li + li { margin-top: 6px }
.note { margin-top: 12px; color: var(--text-muted); font-size: .8125rem }
.facts { display: grid; grid-template-columns: repeat(3, auto); justify-content: space-between; gap: 8px 24px; margin-top: 20px; padding: 12px 16px;
  border: 1px solid var(--line); border-radius: 10px; background: var(--subtle) }
.facts dd { font-size: .8125rem } .facts dt { color: var(--text-quiet); font-size: .75rem; line-height: 18px }
.cards { display: grid; gap: 12px; margin-top: 12px }
.card { padding: 12px 16px 16px; border: 1px solid var(--line); border-radius: 10px;
  background: var(--raised) }
.card h3 { margin: 0; font-size: .875rem; line-height: 22px } .card p { color: var(--text-muted); font-size: .8125rem; line-height: 20px }
.card .code { margin-top: 8px }
code, pre { font-family: var(--mono); font-size: .75rem; font-feature-settings: normal; overflow-wrap: anywhere }
.code { position: relative } .copy { position: absolute; top: 6px; right: 6px }
pre { margin: 0; padding: 10px 12px; border: 1px solid var(--line); border-radius: 6px; background: var(--subtle); line-height: 18px;
  white-space: pre-wrap } .code pre { padding-right: 64px; word-break: break-all } p + pre { margin-top: 8px }
.endpoint { display: flex; gap: 12px; padding: 6px 12px; border-radius: 6px; background: var(--sunken) }
.method { font: 600 .6875rem/20px var(--mono); letter-spacing: .02em } .endpoint code { line-height: 20px }
.endpoint + p, .endpoint + .code, .code + table { margin-top: 12px }
table { width: 100%; margin: 12px 0; border-collapse: collapse; font-size: .8125rem; line-height: 20px }
th { padding: 6px 16px 6px 0; color: var(--text-quiet); font-size: .75rem; font-weight: 500; text-align: left }
td { padding: 8px 16px 8px 0; vertical-align: top; overflow-wrap: break-word } th, td { border-bottom: 1px solid var(--line) }
th:first-child, td:first-child { min-width: 8rem } td:first-child code { white-space: nowrap } .value { white-space: nowrap; font-variant-numeric: tabular-nums }
:target { background: var(--selected); box-shadow: 0 0 0 4px var(--selected); border-radius: 2px }
@media (max-width: 900px) {
  :root { --edge: 16px }
  .contents-button { display: block }
  .columns { display: block }
  #contents:not(:popover-open) { display: none }
  #contents { position: fixed; inset: 48px 8px auto auto; width: min(320px, calc(100vw - 16px)); height: auto; max-height: calc(100vh - 64px);
    padding: 12px; border: 1px solid var(--line); border-radius: 10px; background: var(--raised); box-shadow: var(--shadow) }
  main { max-width: none; padding: 20px var(--edge) 64px }
}
@media (max-width: 640px) {
  h1 { font-size: 1.25rem; line-height: 28px } .lead { font-size: .875rem; line-height: 22px }
  header nav a { padding: 4px 6px } header nav .brand { margin-right: 0 }
  .facts { grid-template-columns: minmax(0, 1fr) }
  td:first-child code { white-space: normal }
  th, td { padding-right: 8px } th:first-child, td:first-child { min-width: 6rem } td:first-child { overflow-wrap: anywhere }
}
`
