// How the Python snippets of the docs are read. test/python/package.test.ts runs them.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { expectedLines, missingLine, outdatedEntries, readSteps } from './snippets.ts'

const PAGE = `# Title

\`\`\`python
x = 1
print(x)  # → 1
\`\`\`

1. A file:

   \`\`\`python
   # tests/test_x.py
   def test_x(assay):
       pass
   \`\`\`

\`\`\`sh
pip install pytest
ASSAY_KEY=abc pytest --assay tests
\`\`\`

\`\`\`text
1 passed
\`\`\`

\`\`\`python
print(x)
# → 1
\`\`\`
`

test('a page has its code, its files and the commands that run them as steps', () => {
  assert.deepEqual(readSteps('page.md', PAGE), [
    { kind: 'code', line: 4, text: 'x = 1\nprint(x)  # → 1\n' },
    {
      kind: 'file',
      line: 11,
      name: 'tests/test_x.py',
      text: '# tests/test_x.py\ndef test_x(assay):\n    pass\n',
    },
    { kind: 'command', line: 17, text: 'ASSAY_KEY=abc pytest --assay tests', output: ['1 passed'] },
    { kind: 'code', line: 26, text: 'print(x)\n# → 1\n' },
  ])
})

test('a page must run each of its files', () => {
  const page = PAGE.replace('ASSAY_KEY=abc pytest', 'ls')
  assert.throws(() => readSteps('page.md', page), /^Error: page\.md: no command runs tests\/test_x\.py$/)
})

test('the comments of a snippet are lines of its output in this order, and … is any text', () => {
  const expected = readSteps('page.md', PAGE).flatMap(expectedLines)
  assert.deepEqual(expected, ['1', '1 passed', '1'])
  assert.equal(missingLine(['1', 'a … b', '2'], '0\n1\na x y b\n2\n'), undefined)
  for (const output of ['1\n2\na x b', '1\na x bc\n2', ''])
    assert.ok(missingLine(['1', 'a … b', '2'], output))
})

test('the list of snippets that are not run has no outdated entry', () => {
  assert.deepEqual(outdatedEntries(), [])
})
