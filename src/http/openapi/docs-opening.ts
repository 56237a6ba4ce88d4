// The first screen of the API reference: what the API is, two requests to start with, keys and conventions.
import { escapeHtml, formatCopyableCode, formatLink, formatProse, formatTable } from './docs-html.ts'

/** A limit of requests that can be configured. */
export interface Limit {
  name: string
  default: string
  help: string
}

/** The two reads, with ids of the sample. */
const FIRST_REQUESTS = [
  {
    title: 'Results of an evaluation',
    text: 'Every scenario with its inputs, outputs, expected answers and results.',
    path: '/api/evaluations/support-answer-r5/evaluation_scenarios',
    operation: 'listEvaluationScenarios',
  },
  {
    title: 'History of a variant',
    text: 'Every revision with its parameters, exactly as they were saved.',
    path: '/api/variants/support-answer/revisions',
    operation: 'listVariantRevisions',
  },
] as const

/** Without a public URL, docs.js replaces the URL by the one in the address bar. */
export function formatOpening(
  { version, description }: { version: string; description: string },
  publicUrl: string | undefined,
): string {
  const url = publicUrl ? escapeHtml(publicUrl) : '<span class="service-url">http://127.0.0.1:8080</span>'
  const requests = FIRST_REQUESTS.map(({ title, text, path, operation }) => {
    const command = `curl -H &#34;Authorization: Bearer $ASSAY_KEY&#34; \\\n  &#34;${url}${path}&#34;`
    return `<section class="card"><h3>${formatLink(`#${operation}`, title)}</h3><p>${text}</p>${formatCopyableCode(command)}</section>`
  })
  return `<h1>API reference <span class="badge">${escapeHtml(version)}</span></h1>
<p class="lead">${formatProse(description.slice(0, description.indexOf('. ') + 1))}</p>
<dl class="facts"><div><dt>Base URL</dt><dd><code>${url}/api</code></dd></div>
<div><dt>Authentication</dt><dd><code>Authorization: Bearer &#60;key&#62;</code></dd></div>
<div><dt>Formats</dt><dd>JSON, NDJSON, CSV</dd></div></dl>
<h2 id="first-requests">First requests</h2>
<div class="cards">${requests.join('\n')}</div>
<p class="note">The ids are those of the sample. ${formatLink('#listEvaluations', 'List evaluations')} and ${formatLink('#listVariants', 'list variants')} return yours.</p>
<h2 id="authentication">Authentication</h2>
<p>Send an API key with every request under <code>/api</code>, except the index and the OpenAPI document. Create a key on the machine of the service:</p>
${formatCopyableCode('assay keys create --project default --scope read,write --expires 30d')}
<p>A key belongs to one project and has the scopes <code>read</code>, <code>write</code> or both. A share link is a key that can read one evaluation, comparison or variant.</p>
<h2 id="conventions">Conventions</h2>
<ul><li>Errors are <code>application/problem+json</code> with one of ${formatLink('/docs/errors', 'these codes')}.</li>
<li>Every read has an <code>ETag</code>. Send it as <code>If-None-Match</code> to get 304 while nothing has changed.</li>
<li><code>HEAD</code> returns the headers of <code>GET</code> without the body. <code>OPTIONS</code> lists the methods of a path.</li>
<li>Requests have ${formatLink('#limits', 'limits')}. Most are settings of the service.</li>
<li>In the examples, <code>$ASSAY_KEY</code> is a key, and <code>$ASSAY</code> is the URL of the service, such as <code>${url}</code>.</li>
<li>This page is the API reference. The full documentation is in the folder <code>docs/</code> of the repository. Start with <code>docs/README.md</code>.</li></ul>`
}

export const OPENING_LINKS = [
  ['first-requests', 'First requests'],
  ['authentication', 'Authentication'],
  ['conventions', 'Conventions'],
  ['limits', 'Limits'],
] as const

export function formatLimits(limits: readonly Limit[]): string {
  const rows = limits.map(
    ({ name, default: value, help }) =>
      `<tr><td><code>${escapeHtml(name)}</code></td><td class="value">${formatLimit(name, value)}</td><td>${formatProse(help)}</td></tr>`,
  )
  return `<h2 class="group" id="limits">Limits</h2>
<p>These are the defaults of the settings that limit requests. Limits that are the same in every service are in the list of ${formatLink('/docs/errors', 'errors')}.</p>
${formatTable(['Setting', 'Default', 'Meaning'], rows)}`
}

/** Sizes in the largest unit that divides them. */
function formatLimit(name: string, value: string): string {
  if (!name.endsWith('-bytes')) return escapeHtml(value)
  let [size, unit] = [Number(value), 0]
  while (size >= 1024 && size % 1024 === 0) [size, unit] = [size / 1024, unit + 1]
  return `${size} ${['bytes', 'KiB', 'MiB', 'GiB', 'TiB'][unit]}`
}
