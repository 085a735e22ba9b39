import { describe, expect, test } from 'vitest'
import { catalogue, contract } from '../../../../presets/src/testing/contract.ts'
import { Answer } from '../../answer/answer.ts'
import { ParserUnavailable, type SyntaxParser } from '../../contract/syntax.ts'
import { check } from '../../engine/check/check.ts'
import { settle } from '../../engine/repair/settle.ts'
import { localeFaults } from '../../testing/locale-faults.ts'

interface Asked {
  readonly parser: SyntaxParser
  readonly sources: string[]
}

/** A parser that calls every line with `BAD` a fault, knows no `brainfuck`, and has no verdict on `GONE`. */
function fakeParser(): Asked {
  const sources: string[] = []
  return {
    sources,
    parser: {
      async parse(language, source) {
        sources.push(`${language}:${source}`)
        if (source.includes('GONE')) throw new ParserUnavailable('the parser does not answer', 'fault')
        if (source.includes('HUGE')) throw new ParserUnavailable('the code is too large to check', 'too-large')
        if (language === 'brainfuck') return { verdict: 'unsupported' }
        const trace = source.split(/\r\n|[\r\n]/).flatMap((line, index) => {
          const at = line.indexOf('BAD')
          const place = { line: index + 1, column: at + 1, endLine: index + 1, endColumn: at + 4 }
          return at < 0 ? [] : [{ ...place, message: "unknown word 'BAD'", suggestion: 'GOOD' }]
        })
        const [first, ...others] = trace
        return first === undefined ? { verdict: 'valid' } : { verdict: 'invalid', trace: [first, ...others] }
      },
    },
  }
}

async function judge(options: Readonly<Record<string, unknown>>, text: string | Answer) {
  const { parser, sources } = fakeParser()
  const report = await check(contract({ checks: [{ code_syntax: options }] }), text, { ports: { parser } })
  return { ...report, sources, facts: report.facts.code_syntax }
}

const pythonCode = 'import os\ndef f(x):\n    return x'

const fence = (tag: string, code: string): string => `\`\`\`${tag}\n${code}\n\`\`\`\n`

describe('which code is checked', () => {
  test.each<[what: string, options: Record<string, unknown>, text: string, checked: string[]]>([
    [
      'every block with a language',
      {},
      `${fence('py', 'a')}x\n\n${fence('', 'b')}${fence('ts {1,3}', 'c')}`,
      ['python:a\n', 'typescript:c\n'],
    ],
    [
      'blocks in the language',
      { language: 'Python' },
      `${fence('sql', 'a')}${fence('py', 'b')}${fence('python', 'c')}`,
      ['python:b\n', 'python:c\n'],
    ],
    ['else the first block', { language: 'python' }, `Text\n\n${fence('', '')}${fence('sql', 'a')}${fence('', 'b')}`, ['python:a\n']],
    ['else the text, when it looks like code', { language: 'avap' }, 'addVar(x, 1)\naddResult(x)\n', ['avap:addVar(x, 1)\naddResult(x)\n']],
    ['markup without a fence', { language: 'html' }, '<div><span>x</div>', ['html:<div><span>x</div>']],
    [
      'a page of words',
      { language: 'html' },
      '<p>This is what they all said.</p>\nYes.\n<p>x',
      ['html:<p>This is what they all said.</p>\nYes.\n<p>x'],
    ],
    ['XML without a fence', { language: 'xml' }, '<?xml version="1.0"?><a><b></a>', ['xml:<?xml version="1.0"?><a><b></a>']],
    ['styles without a fence', { language: 'css' }, '.a { color: red;', ['css:.a { color: red;']],
    ['styles of several elements', { language: 'css' }, 'h1, h2 > a:hover {\n  x: y\n', ['css:h1, h2 > a:hover {\n  x: y\n']],
    ['TOML without a fence', { language: 'toml' }, '[tool.x]\nrequires-python = 3\n', ['toml:[tool.x]\nrequires-python = 3\n']],
    ['a key of TOML', { language: 'toml' }, 'requires-python = 3\n', ['toml:requires-python = 3\n']],
    ['no prose with a tag', { language: 'html' }, '<b>Note</b> that this is not a page.', []],
    ['no prose below a tag', { language: 'xml' }, '<a/>\n\nThis is an empty element.\nIt has no text.', []],
    ['no prose about styles', { language: 'css' }, 'body is the element that has all others.', []],
    ['no list', { language: 'css' }, '* One {x}\n* Two', []],
    ['no link', { language: 'toml' }, '[docs](https://example.com)', []],
    ['no markup in another language', { language: 'avap' }, '<div>x</div>', []],
    ['else nothing', { language: 'avap' }, 'The answer is 42.', []],
    [
      'blocks in one of the languages',
      { languages: ['js', 'sql'] },
      `${fence('py', 'a')}${fence('SQL', 'b')}${fence('mjs', 'c')}`,
      ['sql:b\n', 'javascript:c\n'],
    ],
    ['nothing but blocks in one of the languages', { languages: ['js'] }, fence('py', 'a'), []],
    ['the whole text', { language: 'py', whole: true }, fence('py', 'a'), [`python:${fence('py', 'a')}`]],
    ['the text without its reasoning', { language: 'py', whole: true }, '<think>no</think>a\n', ['python:a\n']],
    ['no block in the reasoning', {}, `<think>${fence('py', 'a')}</think>\n${fence('py', 'b')}`, ['python:b\n']],
    [
      'blocks of a document in a fence',
      {},
      `\`\`\`markdown\n# T\n\n${fence('py', 'a')}\n${fence('js', 'b')}\n\`\`\`\n`,
      ['python:a\n', 'javascript:b\n'],
    ],
    ['a block in a list and a quote', {}, '- > ```py\n  > a\n  >   b\n  > ```\n', ['python:a\n  b\n']],
    ['a block that is never closed', {}, '```py\na\nb', ['python:a\nb\n']],
    [
      'code that is not indented as its list item',
      {},
      '1. Run:\n   ```py\na:\n  b\n    c\n   ```\n2. Done.\n',
      ['python:a:\n  b\n    c\n'],
    ],
    ['code that is indented less than its list item', {}, '10. ```py\n  a\n    b\n  ```\nDone.\n', ['python:a\n  b\n']],
    ['code without the marks of its quote', {}, '> ```py\na\n> b\n> ```\n', ['python:a\nb\n']],
    ['a list item that is closed at the margin', {}, '- ```py\na\n```\n\n```js\nb\n```\n', ['python:a\n', 'javascript:b\n']],
    ['a block behind one that its container ends', {}, '- ```txt\n  a\n\n```py\nb\n```\n', ['txt:a\n\n', 'python:b\n']],
    ['a block that is indented too far', {}, '1. Run:\n        ```py\n        a\n          b\n        ```\n', ['python:a\n  b\n']],
    ['a block in an item that interrupts no paragraph', {}, 'Text:\n2. ```py\n   a\n   ```\n', ['python:a\n']],
    ['a block in HTML', {}, `<details><summary>x</summary>\n${fence('py', 'a')}</details>\n`, ['python:a\n']],
    ['a block behind invisible characters', {}, '\u200B\u00A0```py\na\n\u200B```\nText.', ['python:a\n']],
    ['a block between rules', {}, `---\n${fence('py', 'a')}---\n`, ['python:a\n']],
    ['a block behind an empty one', { language: 'py' }, `${fence('py', '')}${fence('', 'a')}`, ['python:a\n']],
    ['a block behind one of comments', { language: 'py' }, `${fence('py', '# no')}${fence('', 'a')}`, ['python:# no\n', 'python:a\n']],
    ['a block that names a file', {}, fence('src/main.py', 'a'), ['python:a\n']],
    ['no empty block', {}, fence('py', '  \n'), []],
    ['an empty block of JSON', {}, fence('json', ''), ['json:']],
    ['nothing, where it must be JSON', { language: 'json' }, ' \n', ['json: \n']],
    ['nothing beside reasoning, where it must be JSON', { language: 'json' }, '<think>x</think>', ['json:']],
    ['a block without a tag whose language is certain', {}, `${fence('', pythonCode)}${fence('', 'a\nb')}`, [`python:${pythonCode}\n`]],
    [
      'blocks without a tag in one of the languages',
      { languages: ['bash'] },
      `${fence('', pythonCode)}${fence('', 'npm ci')}`,
      ['bash:npm ci\n'],
    ],
    [
      'blocks without a tag in the language, beside others',
      { language: 'py' },
      `${fence('', 'npm ci')}${fence('py', 'a')}${fence('', pythonCode)}${fence('', 'b')}`,
      ['python:a\n', `python:${pythonCode}\n`],
    ],
    [
      'JavaScript without a tag as TypeScript',
      { language: 'ts' },
      `${fence('', 'x')}${fence('', 'let a = 1\nconsole.log(a)')}`,
      ['typescript:let a = 1\nconsole.log(a)\n'],
    ],
  ])('%s', async (_what, options, text, checked) => {
    const { sources, issues, unchecked } = await judge(options, text)
    expect(sources).toEqual(checked)
    expect({ issues, unchecked }).toEqual({ issues: [], unchecked: [] })
  })

  test('not what was cut off, which has its own failure', async () => {
    const { sources, issues, unchecked } = await judge({}, new Answer(`${fence('py', 'a')}\n\`\`\`py\nBAD`, { finishReason: 'length' }))
    expect(sources).toEqual(['python:a\n'])
    expect(unchecked).toMatchObject([{ validator: 'code_syntax', message: 'the code was cut off' }])
    expect(issues.map(({ code }) => code)).toEqual(['TRUNCATED'])
  })

  test('a whole text needs its language', () => {
    expect(() => contract({ checks: [{ code_syntax: { whole: true } }] })).toThrow(/whole.*name the `language` of the text/)
    expect(() => contract({ checks: [{ code_syntax: { language: 'a', languages: ['b'] } }] })).toThrow(/either `language` or `languages`/)
  })
})

describe('what is reported', () => {
  test('every fault, at its place in the answer', async () => {
    const text = `Look:\n\n${fence('py', 'a\n  BAD')}\n${fence('sql', 'BAD')}`
    const { issues, facts } = await judge({}, text)
    expect(issues).toEqual([
      {
        code: 'SYNTAX_ERROR',
        severity: 'error',
        validator: 'code_syntax',
        message: 'Correct line 2 of code block 1 (python): unknown word "BAD".',
        hint: 'Write "GOOD" instead',
        span: { start: 17, end: 20 },
        suggestion: 'GOOD',
      },
      expect.objectContaining({ message: 'Correct line 1 of code block 2 (sql): unknown word "BAD".' }),
    ])
    expect(issues.map(({ span }) => text.slice(span?.start, span?.end))).toEqual(['BAD', 'BAD'])
    expect(facts).toEqual({ blocks: 2, languages: ['python', 'sql'], code: 'invalid' })
  })

  test('at most twenty faults', async () => {
    expect((await judge({}, fence('py', 'BAD\n'.repeat(50)))).issues).toHaveLength(20)
  })

  test.each(['GONE', 'HUGE'])('no verdict on %s', async (word) => {
    const { issues, unchecked, facts } = await judge({}, fence('py', word))
    expect({ issues, facts }).toEqual({ issues: [], facts: undefined })
    expect(unchecked).toMatchObject([
      { validator: 'code_syntax', cause: 'unavailable', message: expect.stringMatching(/does not answer|too large/) },
    ])
  })

  test('a fault in one block where another has no verdict', async () => {
    const { issues, unchecked } = await judge({}, `${fence('py', 'HUGE')}${fence('py', 'BAD')}`)
    expect(issues).toHaveLength(1)
    expect(unchecked).toEqual([])
  })

  test('nothing in a language that the parser does not know', async () => {
    expect(await judge({}, fence('brainfuck', 'BAD'))).toMatchObject({ issues: [], unchecked: [], facts: { code: 'unsupported' } })
  })

  test.each([{ language: 'brainfuck' }, { languages: ['py', 'brainfuck'] }])(
    'no verdict in a language that %j names and the parser does not know',
    async (options) => {
      const { unchecked, sources } = await judge(options, `${fence('brainfuck', 'x')}${fence('py', 'a')}`)
      expect(unchecked).toMatchObject([{ cause: 'unavailable', reason: 'unsupported', message: 'the parser does not know brainfuck' }])
      expect(sources).toHaveLength('languages' in options ? 2 : 1)
    },
  )

  test('no verdict without a port', async () => {
    const { unchecked } = await check(contract({ checks: ['code_syntax'] }), fence('py', 'a'))
    expect(unchecked).toEqual([
      { validator: 'code_syntax', cause: 'unavailable', message: expect.stringMatching(/pass the port `parser`/) },
    ])
    expect(await check(contract({ checks: ['code_syntax'] }), 'No code.')).toMatchObject({ issues: [], unchecked: [] })
  })
})

describe('a block in another language than its tag says', () => {
  /** A parser whose code is right in the languages that it names, in order. */
  const parser: SyntaxParser = {
    async parse(language, source) {
      const isRight = language === 'bash' ? /^npm/.test(source) : source.includes(language)
      const place = { line: 1, column: 1, endLine: 1, endColumn: 2 }
      return isRight ? { verdict: 'valid' } : { verdict: 'invalid', trace: [{ ...place, message: 'Write it right.' }] }
    },
  }
  const judgeTag = async (options: Record<string, unknown>, text: string) => {
    const {
      status,
      text: after,
      issues,
      repairs,
      fixed,
    } = await settle(contract({ checks: [{ code_syntax: options }] }), text, {
      ports: { parser },
    })
    return { status, after, said: [...issues, ...fixed].map(({ code, message }) => `${code} ${message}`), repairs }
  }

  test.each<[options: Record<string, unknown>, text: string, said: string, after?: string]>([
    [
      {},
      `Run:\n\n${fence('cs', 'npm ci')}`,
      'WRONG_CODE_TAG Code block 1 is tagged csharp but holds shell commands: change the tag to bash.',
      `Run:\n\n${fence('bash', 'npm ci')}`,
    ],
    [
      {},
      fence('js title="a"', 'let typescript: string\n'),
      'WRONG_CODE_TAG Code block 1 is tagged javascript but holds TypeScript: change the tag to typescript.',
      fence('typescript title="a"', 'let typescript: string\n'),
    ],
    [
      {},
      `- > ~~~ java\n  > import os\n  > def python(x):\n  > ~~~\n`,
      'WRONG_CODE_TAG Code block 1 is tagged java but holds Python: change the tag to python.',
      `- > ~~~ python\n  > import os\n  > def python(x):\n  > ~~~\n`,
    ],
    // What installs packages is no code of the language; any other code must be in it.
    [
      { language: 'ruby' },
      `${fence('ruby', 'npm ci')}${fence('ruby', 'ruby')}`,
      'WRONG_CODE_TAG Code block 1 is tagged ruby but holds shell commands: change the tag to bash.',
      `${fence('bash', 'npm ci')}${fence('ruby', 'ruby')}`,
    ],
    [
      { language: 'java' },
      fence('java', 'import os\ndef python(x):'),
      'SYNTAX_ERROR Correct line 1 of code block 1 (java): write it right.',
    ],
    // Broken in both languages.
    [{}, fence('java', 'import os\ndef f(x):'), 'SYNTAX_ERROR Correct line 1 of code block 1 (java): write it right.'],
    // Not certain.
    [{}, fence('java', 'python'), 'SYNTAX_ERROR Correct line 1 of code block 1 (java): write it right.'],
    // A file is not renamed.
    [{}, fence('a.java', 'npm ci'), 'SYNTAX_ERROR Correct line 1 of code block 1 (java): write it right.'],
  ])('%j %j', async (options, text, said, after) => {
    const found = await judgeTag(options, text)
    expect(found).toMatchObject({ said: [said], after: after ?? text, status: after === undefined ? 'unresolved' : 'repaired' })
    expect(found.repairs).toMatchObject(after === undefined ? [] : [{ rule: 'correct-tag', class: 'lossless' }])
  })

  test('a block without a tag is right as TypeScript too', async () => {
    const text = fence('', "import a from 'typescript'\nconst b: string = a.trim()\nconsole.log(b)")
    expect(await judgeTag({}, text)).toMatchObject({ status: 'valid', after: text })
  })
})

describe('dialects of SQL', () => {
  const mysql = 'CREATE TABLE `a` (id int AUTO_INCREMENT) -- BAD'
  test.each<[options: Record<string, unknown>, sql: string, status: string, asked: string]>([
    [{}, mysql, 'valid', 'sql'],
    [{}, 'SELECT BAD', 'unresolved', 'sql'],
    [{ language: 'sql' }, mysql, 'unchecked', 'sql'],
    [{ dialect: 'postgresql' }, mysql, 'unresolved', 'sql'],
    [{ dialect: 'mysql' }, mysql, 'unchecked', 'mysql'],
    [{ dialect: 'mysql' }, 'SELECT 1', 'unchecked', 'mysql'],
  ])('%j %j is %s', async (options, sql, status, asked) => {
    const known = fakeParser()
    const parser: SyntaxParser = {
      parse: async (language, source) => (language === 'mysql' ? { verdict: 'unsupported' } : known.parser.parse(language, source)),
      load(language) {
        known.sources.push(language)
        return undefined
      },
    }
    const report = await check(contract({ checks: [{ code_syntax: options }] }), fence('sql', sql), { ports: { parser } })
    expect(report.status).toBe(status)
    expect(known.sources[0]).toBe(asked)
  })

  test('a dialect that does not exist', () => {
    expect(() => contract({ checks: [{ code_syntax: { dialect: 'postgres' } as never }] })).toThrow(/dialect.*postgresql/s)
    expect(() => contract({ checks: [{ code_syntax: { fragment: 'allow' } as never }] })).toThrow(/fragments/)
    expect(() => contract({ checks: [{ code_syntax: { placeholders: true } as never }] })).toThrow(/placeholders.*allow/s)
  })
})

test('quotes what the parser says in a German sentence', async () => {
  const parser: SyntaxParser = {
    parse: async () => ({ verdict: 'invalid', trace: [{ line: 1, column: 1, endLine: 1, endColumn: 2, message: 'Close this `(`.' }] }),
  }
  const { issues } = await check(contract({ checks: ['code_syntax'], locale: 'de' }), '```python\nf(\n```', { ports: { parser } })
  expect(issues).toMatchObject([{ message: 'Korrigiere Zeile 1 in Codeblock 1 (python); der Parser meldet "Close this `(`".' }])
})

test('says everything in both languages', async () => {
  const unfenced = { text: 'So:\nx = 1', options: { language: 'json', profile: 'avap' } }
  expect(
    await localeFaults('code_syntax', [{ text: '```json\n[1,]\n```' }, { text: '```json\nnpm ci\n```' }, unfenced], catalogue),
  ).toEqual([])
})
