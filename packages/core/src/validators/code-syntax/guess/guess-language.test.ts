import { expect, test } from 'vitest'
import { guessLanguage } from './guess-language.ts'

test.each<[language: string, ...texts: string[]]>([
  [
    'python',
    'for i in range(3)\n print(i)',
    'for x in items:\n    total += x',
    'if x == 1\n    print(x)',
    'x = (1',
    '# Sum\nx = 1 +',
    'x = len(a\ny = 2',
  ],
  ['python', '@app.route("/")\ndef f(:', '"""Doc."""\nx =', 'try:\n    x = f(\nexcept E:\n    pass', 'while n > 0:\n\tn -= 1'],
  ['sql', 'SELCT * FROM users;', 'SELEC id, name FROM users WHERE id = 1', 'selct * from users', '-- All of them\nSELECT * FORM users'],
  ['typescript', 'function f(a) {\n  return a +\n}', 'const a: = 1', 'for (const x of y {', 'console.log(', '// Sum\nlet a = 1;'],
  ['bash', 'for f in *.txt; do\n echo $f\n', 'if [ -f x ]; then\n'],
])('takes for %s %j', (language, ...texts) => {
  for (const text of texts) expect({ text, language: guessLanguage(text, []) }).toEqual({ text, language })
})

test.each([
  ...['', ' \n', 'The answer is 42', 'Update the docs, then run the tests.', 'import duties rise', 'Select a file from the list'],
  ...[
    'for use in production:\n\n    npm install',
    'if you want:\n    - do it',
    'MONEY CAME FROM BANK',
    'TAKE IT FROM THERE',
    'with friends:\n  beer',
  ],
  ...[
    '# Title\n\nSome text',
    '# Title\n\n## Part\n',
    '- item\n- item',
    'name = foo bar',
    'version = 1.2.3\n[part]',
    'Note(s): see below',
    'f(x) is even',
  ],
  ...[
    'hash = getSHA256(pw)',
    'x = 1;\ny = (2;',
    'fetchData(url)',
    'x = f(() => {\n})',
    'a = $b',
    'file(s)\nand more',
    'get * from here and there',
  ],
  ...['x = y where y is 3.', 'call(me) maybe\nsomeDay(soon)'],
])('leaves alone %j', (text) => {
  expect(guessLanguage(text, [])).toBeUndefined()
})
