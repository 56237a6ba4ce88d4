// Checks names and prose against the phrases that plain technical English replaces.
import assert from 'node:assert/strict'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { fileURLToPath } from 'node:url'

const ROOT = fileURLToPath(new URL('..', import.meta.url))

const REPLACED: [pattern: RegExp, use: string][] = [
  [/\b(?:whoever|somebody|(?<!user |')nobody)\b/i, 'you, the client, the caller'],
  [/\bbecom(?:es?|ing) of\b/i, 'happens to'],
  [/\b(?:find|finds|found|finding) out\b/i, 'detect, compute, determine'],
  [/\b(?:give|gives|given|gave) up\b/i, 'cancel, abort, discard'],
  [/\bon (?:its|their|the) way\b/, 'being sent, being written'],
  [/\b(?:set|sets|setting|put|puts) aside\b|\bsetAside/i, 'buffer'],
  [/\bkept (?:answers?|responses?|texts?|files?)\b|\bKept[A-Z]\w*|\bkept-/, 'cached response, cache'],
  [/rendition/i, 'cached response, serialize'],
  [
    /\b(?:one|two) an? (?:line|row|file|noun|command|format|evaluator|candidate|field|test)\b/i,
    'one per line',
  ],
  [/\banswers? [1-5]\d\d\b/i, 'returns 404'],
  [/\bheld against\b|\bholds? [\w ]{0,20}against\b/i, 'compared with, validated against'],
  [/\bpartners?\b/i, 'matching row'],
  [/\bPeers\b|\bpeers\.ts\b/, 'workers, WorkerChannel'],
  [/\bfigures\b|\w*Figures\b/i, 'statistics, metrics, counts'],
  [/\bcodings?\b/i, 'encoding'],
  [/goodbye/i, 'closeAfterResponse'],
  [/roomFor|\brooms\b/, 'inList, size limit'],
  [/unlessGone|ClientGone|\bha(?:s|ve) gone\b/, 'abortOnDisconnect, disconnected'],
  [/\b(?:in|out of) sight\b/i, 'visible'],
  [/\bunnamed file|\bfiles? without a name\b|openUnnamed/i, 'temporary file'],
  [/\bspool(?!edTemporaryFile)/i, 'buffer'],
  [/\brelays?\b/i, 'disk buffer'],
  [/\bconfin(?:e|es|ing|ement)\b|\bconfined\b(?!_)/i, 'restricted key, share link'],
  [/\b(?:take|takes|taken|took) in\b/i, 'import, upload, accept'],
  [/\bfindings\b|\bFindings?\b/, 'import event'],
  [/\bdraftOf\b|\bDraft\b/, 'ScenarioBuilder'],
  [/\bSqlWords\b|\bmarks: string\b/, 'SqlFragments, placeholders'],
  [/\bmoment\(\)/, 'latest()'],
  [/\banew\b/i, 'again'],
  [/\blies? (?:in|beside|behind|between)\b/i, 'is in'],
  [/\bquestions\.ts\b|\w*(?:Rows|View|List|ask)Questions?\b|\bQuestion[A-Z]\w*/, 'query'],
  [/\b(?:shown|settled|opened|kept)\.ts\b/, 'a noun that names the contents'],
  [
    /\w*(?:colour|behaviour|honour|favour|licence|normalis|serialis|summaris|recognis|synchronis|optimis|initialis)\w*/i,
    'American spelling',
  ],
]

const FOLDERS = ['.ci', 'bench', 'client', 'docs', 'openapi', 'package', 'python', 'src', 'test', 'web']
const PAGES = [
  'README.md',
  'ARCHITECTURE.md',
  'CONTRIBUTING.md',
  'CODE_OF_CONDUCT.md',
  'CHANGELOG.md',
  'package.json',
]
/** Files whose words are data: fixtures, build output, and the table above. */
const EXCLUDED =
  /(?:^|\/)(?:node_modules|dist|\.venv|\.\w+_cache)\/|^test\/fixtures\/|^test\/language\.test\.ts/

const files = FOLDERS.flatMap((folder) =>
  readdirSync(join(ROOT, folder), { recursive: true, encoding: 'utf8' }).map((name) => join(folder, name)),
)
  .concat(PAGES)
  .filter((file) => /\.(?:tsx?|css|md|html|json|py|toml)$|\.ci\/run$/.test(file) && !EXCLUDED.test(file))
const texts = files.map((file) => [file, readFileSync(join(ROOT, file), 'utf8').split('\n')] as const)

for (const [pattern, use] of REPLACED) {
  test(`uses "${use}" instead of ${pattern.source}`, () => {
    const hits = texts.flatMap(([file, lines]) => [
      ...(pattern.test(file) ? [file] : []),
      ...lines.flatMap((line, index) => (pattern.test(line) ? [`${file}:${index + 1} ${line.trim()}`] : [])),
    ])
    assert.deepEqual(hits, [])
  })
}
