// Tests which values of a configuration are masked.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { withoutSecrets } from '../../src/import/secrets.ts'
import { Json } from '../../src/json/value.ts'

function masked(value: unknown): { value: unknown; pointers: string[] } {
  const pointers: string[] = []
  const json = withoutSecrets(Json.of(value), (pointer) => pointers.push(pointer))
  return { value: JSON.parse(json.text), pointers }
}

for (const [what, value, pointer] of [
  ['a key', { apiKey: 'sk-1' }, '/apiKey'],
  ['a key in an environment', { env: { OPENAI_API_KEY: 'x' } }, '/env/OPENAI_API_KEY'],
  ['a header', { headers: { Authorization: 'x' } }, '/headers/Authorization'],
  ['a token', { token: 'x' }, '/token'],
  ['keys in a list', { 'api-key': ['a', 'b'] }, '/api-key'],
  ['names in the plural', { config: { apiKeys: ['a'] } }, '/config/apiKeys'],
  ['an option', ['--api-key=abcdef'], '/0'],
  ['a web token', ['eyJhbGciOiJI.eyJzdWIiOiIx.abc'], '/0'],
  ['credentials that are an object', [{ credentials: { user: 'u' } }], '/0/credentials'],
  ['a text with the prefix of a key', { value: 'sk-abcdefgh12345678' }, '/value'],
  ['a bearer token', { value: 'Bearer abc-12345' }, '/value'],
  ['a setting in a list', { args: 'pretrained=m,token=hf_x,dtype=auto' }, '/args'],
  ['the password of a URL', { url: 'https://ann:pw@example.org/x' }, '/url'],
  ['a key in a URL', { url: 'https://example.org/x?api_key=abc&y=1' }, '/url'],
] as const) {
  test(`masks and reports ${what}`, () => {
    const { value: result, pointers } = masked(value)
    assert.deepEqual(pointers, [pointer])
    assert.match(JSON.stringify(result), /\*\*\*/)
  })
}

test('does not change the rest of a text', () => {
  assert.deepEqual(masked(['a=b,token=hf_x,c=d', 'https://ann:pw@h/?token=t&y=1']).value, [
    'a=b,token=***,c=d',
    'https://ann:***@h/?token=***&y=1',
  ])
})

for (const [what, value] of [
  ['token counts', { max_tokens: 5, tokenUsage: { total: 3 }, eos_token: '</s>', stop_token_ids: [1] }],
  ['prose', { prompt: 'Basic understanding of the password=hunter2 rule; Bearer tokens are secret' }],
  ['empty values, numbers and booleans', { apiKey: '', secret: null, password: false, token: 42 }],
  ['templates and variables', { apiKey: '{{key}}', args: 'password={{x}}', token: '$TOKEN' }],
  ['two words', ['Basic arithmetic', 'Bearer missing', 'Basic chemistry']],
  ['URLs without secrets', { url: 'https://example.org/tokens?x=1' }],
] as const) {
  test(`does not change ${what}`, () => {
    assert.deepEqual(masked(value), { value, pointers: [] })
  })
}

test('checks long texts in linear time', () => {
  for (const text of [
    'key='.padEnd(2_000_000, '1'),
    'token-'.repeat(300_000),
    `a=${'b,token='.repeat(200_000)}`,
  ])
    assert.equal(masked({ note: text }).pointers.length, 0)
  for (const text of ['key='.padEnd(9999, '1'), 'token-'.repeat(1600), `a=${'b,token='.repeat(1100)}`])
    masked({ note: text })
})
