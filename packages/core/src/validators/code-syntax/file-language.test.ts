import { expect, test } from 'vitest'
import { languageOfFile } from './choice.ts'

test.each([
  ['script.py', 'python'],
  ['a/b/App.TSX', 'tsx'],
  ['run.sh', 'bash'],
  ['index.html', 'html'],
  ['old.HTM', 'html'],
  ['feed.xml', 'xml'],
  ['logo.svg', 'xml'],
  ['types.xsd', 'xml'],
  ['pyproject.toml', 'toml'],
  ['app.css', 'css'],
  ['answer.md', undefined],
  ['<stdin>', undefined],
  ['py', undefined],
  ['x.constructor', undefined],
])('the file %s is in %s', (name, language) => {
  expect(languageOfFile(name)).toBe(language)
})
