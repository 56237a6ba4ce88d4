// Tests the grouping of error messages with realistic messages.
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { errorGroup } from '../../../src/store/scenarios/error-groups.ts'

/** The name of each group, and messages that belong to it. */
const GROUPS: [group: string, ...messages: string[]][] = [
  [
    'HTTP <n> rate limit exceeded for key <…>',
    'HTTP 429 rate limit exceeded for key sk-abc123XYZ',
    'HTTP 429 rate limit exceeded for key sk-9f8e7d',
    'HTTP 503 rate limit exceeded for key "a b"',
  ],
  ['Timeout after <n> ms', 'Timeout after 3000 ms', 'Timeout after 3,000.5 ms', 'Timeout\n\tafter 20 ms '],
  ['Timeout after <n>ms', 'Timeout after 300ms', 'Timeout after 3000ms'],
  [
    'Unexpected token <…> in JSON at position <n>',
    'Unexpected token < in JSON at position 17',
    'Unexpected token } in JSON at position 2',
  ],
  [
    'Unexpected token <…>, <…>... is not valid JSON',
    `Unexpected token '<', "<!DOCTYPE "... is not valid JSON`,
  ],
  ["I can't and won't answer <…>", "I can't and won't answer 'this'", "I can't and won't answer 'that one'"],
  ["The users' data isn't there", "The users' data isn't there"],
  [
    'Request to <…> failed: <n>',
    'Request to https://api.example.com/v1/chat?key=abc failed: 500',
    'Request to http://127.0.0.1:8080 failed: 502',
  ],
  ['Cannot reach <…>.', 'Cannot reach https://a.example/x.', 'Cannot reach wss://b.example.'],
  [
    'Row <…> is gone',
    'Row 01890a5d-ac96-774b-bcce-b302099a8057 is gone',
    'Row 0xff is gone',
    'Row 4f2c9a is gone',
    'Row 2026-11-15T09:15:00.123Z is gone',
    'Row 2026-11-15 09:15 is gone',
    'Row /srv/data/run-12/out.json is gone',
    'Row ../out/3 is gone',
    String.raw`Row C:\runs\12\out.json is gone`,
    'Row ana@example.com is gone',
    `Row ${'x'.repeat(50)} is gone`,
  ],
  ['error in line<n> of user-<n>', 'error in line7 of user-1234', 'error in line12345 of user-8'],
  ['ERR_HTTP<n>_STREAM_ERROR (code <n>)', 'ERR_HTTP2_STREAM_ERROR (code 1)'],
  ['score <n> is below <n>', 'score 1e-7 is below 0.5', 'score 0.25 is below 1'],
  ['Use true/false and/or text/html', 'Use true/false and/or text/html'],
  ['Quota überschritten für <…>', 'Quota überschritten für "Ä"'],
  ['an unclosed "quote and it\'s <n>', 'an unclosed "quote and it\'s 5'],
  ['', '', ' \n '],
]

describe('error groups', () => {
  for (const [group, ...messages] of GROUPS) {
    test(`groups messages as '${group}'`, () => {
      for (const message of messages) assert.equal(errorGroup(message), group, message)
    })
  }
})

test('limits a group name to 200 characters without splitting a surrogate pair', () => {
  assert.equal(errorGroup('💡 '.repeat(1000)), '💡 '.repeat(100))
  assert.ok(errorGroup(`${'a'.repeat(30)} `.repeat(30)).length <= 200)
  assert.ok(errorGroup('\ud800').isWellFormed())
})

test('reads only the beginning of a long message', () => {
  const ending = 'needle '.repeat(200_000)
  for (const repeatedText of ['a', 'a1', 'a-', '/a', '"', "'", 'a@', 'http://', 'c:\\', '1.']) {
    const beginning = repeatedText.repeat(800)
    assert.equal(errorGroup(beginning + ending), errorGroup(beginning), repeatedText)
  }
})
