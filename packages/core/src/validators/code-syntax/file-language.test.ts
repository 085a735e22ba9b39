import { expect, test } from 'vitest'
import { languageOfFile } from './choice.ts'

test.each([
  ['script.py', 'python'],
  ['a/b/App.TSX', 'tsx'],
  ['run.sh', 'bash'],
  ['answer.md', undefined],
  ['<stdin>', undefined],
  ['py', undefined],
  ['x.constructor', undefined],
])('the file %s is in %s', (name, language) => {
  expect(languageOfFile(name)).toBe(language)
})
