import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { contract } from '../../../../presets/src/testing/contract.ts'
import { ParserUnavailable, type SyntaxParser } from '../../contract/syntax.ts'
import { check } from '../../engine/check/check.ts'
import { enforceStream } from '../../engine/enforce.ts'
import { scripted } from '../../runners/scripted.ts'
import { assertStreamable } from '../../testing/assert-streamable.ts'
import { FirstLine } from './first-line.ts'
import { beginsLikeCode, looksLikeCode } from './looks-like-code.ts'

const place = { line: 1, column: 1, endLine: 1, endColumn: 2 }
let calls = 0

/** A parser that finds `BAD` wrong, knows no `txt`, and has no verdict on `GONE`. */
const parser: SyntaxParser = {
  async parse(language, source) {
    calls++
    await null
    if (source.includes('GONE')) throw new ParserUnavailable('the parser does not answer', 'fault')
    if (language === 'txt') return { verdict: 'unsupported' }
    return source.includes('BAD') ? { verdict: 'invalid', trace: [{ ...place, message: 'bad' }] } : { verdict: 'valid' }
  },
}

const optionSets: readonly Readonly<Record<string, unknown>>[] = [
  {},
  { language: 'py' },
  { languages: ['py', 'sql'] },
  { language: 'py', whole: true },
  { language: 'py', profile: 'avap' },
  { placeholders: 'allow', fragments: 'allow', dialect: 'postgresql' },
]

/** What the text is told to be. */
const contexts = [{}, {}, { file: 'answer.txt' }, { file: '<stdin>' }, { file: 'a.py' }, { file: 'a.sql' }]

async function stream(options: Record<string, unknown>, chunks: string[], context: Record<string, unknown> = {}) {
  const rules = contract({ checks: [{ code_syntax: options }], retries: 0, stream: 'verified' })
  const enforced = enforceStream({ contract: rules, runner: scripted([{ chunks }]), prompt: '', ports: { parser }, context })
  const shown: string[] = []
  for await (const piece of enforced) shown.push(piece)
  return { shown, outcome: await enforced.outcome }
}

const block = (tag: string, code: string): string => `\`\`\`${tag}\n${code}\n\`\`\`\n`

describe('a stream', () => {
  test('releases prose at once, and broken code never', async () => {
    const { shown, outcome } = await stream({}, ['Here ', 'it is:\n\n', '```py\n', 'x = 1\n', 'BAD\n', '```\n', 'More.'])
    expect(shown).toEqual(['Here ', 'it is:\n\n'])
    expect(outcome).toMatchObject({ status: 'unresolved', issues: [{ code: 'SYNTAX_ERROR' }] })
  })

  test('holds a block without a tag until its language is certain, and releases one that is not code at once', async () => {
    const code = await stream({}, ['```\n', 'npm ci\n', 'npm BAD\n', '```\n', 'More.'])
    expect(code).toMatchObject({ shown: [], outcome: { status: 'unresolved', issues: [{ code: 'SYNTAX_ERROR' }] } })
    const listing = await stream({}, ['Files:\n', '```\n', '├── a.py\n', 'npm ', 'BAD\n', '```\n', 'More.'])
    expect(listing.shown).toEqual(['Files:\n', '```\n├── a.py\n', 'npm ', 'BAD\n', '```\n', 'More.'])
    expect(listing.outcome.status).toBe('valid')
  })

  test('stops at a block with the wrong tag, unless it is repaired', async () => {
    const chunks = ['Run:\n', '```py\n', 'npm ci # BAD\n', '```\n', 'More.']
    const rules = (repair: 'first' | 'never') => contract({ checks: ['code_syntax'], retries: 0, stream: 'verified', repair })
    const bash: SyntaxParser = {
      parse: async (language, source) => (language === 'bash' ? { verdict: 'valid' } : parser.parse(language, source)),
    }
    const run = async (repair: 'first' | 'never') => {
      const enforced = enforceStream({ contract: rules(repair), runner: scripted([{ chunks }]), prompt: '', ports: { parser: bash } })
      const shown: string[] = []
      for await (const piece of enforced) shown.push(piece)
      return { shown: shown.join(''), status: (await enforced.outcome).status }
    }
    expect(await run('never')).toEqual({ shown: 'Run:\n', status: 'unresolved' })
    expect(await run('first')).toEqual({ shown: 'Run:\n```bash\nnpm ci # BAD\n```\nMore.', status: 'repaired' })
  })

  test('releases a block with its verdict', async () => {
    const { shown, outcome } = await stream({}, ['Here:\n', '```py\n', 'x\n', '```', '\n', 'More.'])
    expect(shown).toEqual(['Here:\n', '```py\nx\n```\n', 'More.'])
    expect(outcome.status).toBe('valid')
  })

  test('asks for each verdict once', async () => {
    calls = 0
    await stream({}, [block('py', 'a'), block('sql', 'b'), 'Done.'])
    expect(calls).toBe(2)
  })

  test('asks once for a verdict that is not to be had', async () => {
    calls = 0
    const { outcome } = await stream({}, [block('py', 'GONE'), 'Done.'])
    expect([calls, outcome.status]).toEqual([1, 'unchecked'])
  })

  test.each<[what: string, options: Record<string, unknown>, chunks: string[], shown: string[]]>([
    ['an unknown language when the parser says so', {}, ['```txt\n', 'BAD\n', '```\n', 'x'], ['```txt\nBAD\n```\n', 'x']],
    ['what the options exclude', { languages: ['py'] }, ['```sql\n', 'BAD\n', '```\n', 'x'], ['```sql\n', 'BAD\n', '```\n', 'x']],
    ['a block without a tag from its first line on', {}, ['```\n', 'BAD\n', 'x', '\n```\n', 'x'], ['```\nBAD\n', 'x', '\n```\n', 'x']],
    [
      'another block once one in the language is there',
      { language: 'py' },
      ['A\n', block('sql', 'BAD'), 'B\n', block('py', 'x'), 'C\n', block('sql', 'BAD'), 'D'],
      ['A\n', `${block('sql', 'BAD')}B\n`, block('py', 'x'), 'C\n', block('sql', 'BAD'), 'D'],
    ],
    ['prose where code could do without a fence', { language: 'py' }, ['The ', 'answer', ' is 42.'], ['The answer', ' is 42.']],
    [
      'a line that opens no fence',
      {},
      ['- ', 'item', ' more\n', '1', '2 apples\n', '`', 'code` here'],
      ['- item', ' more\n', '12 apples\n', '`code` here'],
    ],
    ['reasoning', { language: 'py', whole: true }, ['<think>', 'hm', '</think>', 'x = 1'], ['<think>', 'hm', '</think>', 'x = 1']],
  ])('releases %s', async (_what, options, chunks, shown) => {
    const result = await stream(options, chunks)
    expect(result.outcome.status).toBe('valid')
    expect(result.shown).toEqual(shown)
  })

  test.each<[what: string, options: Record<string, unknown>, chunks: string[], shown: string[]]>([
    ['code without a fence', { language: 'py' }, ['import os\n', 'x = 1\n', 'BAD'], []],
    ['markup without a fence', { language: 'html' }, ['<', '!DOC', 'TYPE html>\n', '<p>', 'BAD'], []],
    ['styles without a fence', { language: 'css' }, ['bo', 'dy ', '{\n', 'BAD: x;', '}'], []],
    ['TOML without a fence', { language: 'toml' }, ['[', 'a', ']\n', 'BAD = 1'], []],
    ['the first block, when none is in the language', { language: 'py' }, ['A\n', block('sql', 'BAD'), 'B'], ['A\n']],
    ['a block in a list', {}, ['1. ', '```', 'py\n', '   BAD\n', '   ```\n', 'x\n'], []],
    ['a block that its list item ends', {}, ['1. Run:\n', '   ```py\n', 'BAD\n', '   ```\n', '2. Done\n'], ['1. Run:\n']],
    ['a block that its quote ends', {}, ['> ', '```py\n', 'BAD\n', '> ```\n', 'x\n'], []],
    ['a block in HTML', {}, ['<div>\n', '```py\n', 'BAD\n', '```\n', '</div>\n'], ['<div>\n']],
    ['a block between rules', {}, ['---\n', '```py\n', 'BAD\n', '```\n', '---\n'], ['---\n']],
    ['a block behind an empty one', { language: 'py' }, ['```py\n', '```\n', 'A\n', block('', 'BAD'), 'B'], ['```py\n```\n', 'A\n']],
    ['a block in a document', {}, ['A\n', '```markdown\n# T\n\n', '```py\nBAD\n```\n', '\n```\n', 'x\n'], ['A\n']],
    ['a block that is never closed', {}, ['A\n', '```py\n', 'BAD\n'], ['A\n']],
  ])('never releases %s', async (_what, options, chunks, shown) => {
    const result = await stream(options, chunks)
    expect(result.outcome).toMatchObject({ status: 'unresolved', issues: [{ code: 'SYNTAX_ERROR' }] })
    expect(result.shown).toEqual(shown)
  })

  test('never releases broken code without a fence in a file that may be code', async () => {
    const file = { file: 'answer.txt' }
    const { shown, outcome } = await stream({}, ['def area(r:\n', '    BAD\n', 'more = 1\n'], file)
    expect({ shown, status: outcome.status }).toEqual({ shown: [], status: 'unresolved' })
    const prose = await stream({}, ['The area ', 'of it.\n', 'More.'], file)
    expect(prose.shown).toEqual(['The area of it.\n', 'More.'])
  })

  test.each(['1. ', '> ', '- ', '   '])('shows no %j before a rejected block, which would change how the retry is read', async (marks) => {
    const rules = contract({ checks: ['code_syntax'], retries: 1, stream: 'verified' })
    const turns = [`A\n${marks}${block('py', 'BAD')}`, block('py', 'x')].map((text) => ({ text, chunkSize: 3 }))
    const enforced = enforceStream({ contract: rules, runner: scripted(turns), prompt: '', ports: { parser } })
    for await (const _ of enforced);
    expect(await enforced.outcome).toMatchObject({ status: 'valid', text: `A\n${block('py', 'x')}` })
  })

  test('holds code without a verdict to the end', async () => {
    const { shown, outcome } = await stream({}, ['A\n', block('py', 'GONE'), 'B\n', block('py', 'x')])
    expect(shown).toEqual(['A\n'])
    expect(outcome).toMatchObject({ status: 'unchecked', unchecked: [{ validator: 'code_syntax', cause: 'unavailable' }] })
  })
})

const lines = fc.constantFrom(
  ...[
    '```',
    '```py',
    '```sql',
    '```txt',
    '~~~py',
    '~~~',
    '````py',
    '````',
    '```markdown',
    '- ```py',
    '> ```py',
    '  ```',
    '> ```',
    '1. ```sql',
    '2. ```py',
    '- ```',
    '        ```py',
    '   ```py',
    '> - ```py',
    '     > ```py',
    '\u200B```py',
    '-\u00A0```py',
    '\u00A0```',
    '```main.py',
    '```',
    '```js',
  ],
  // Blocks without a tag in a certain language, and in none.
  ...['npm ci', 'npm BAD', 'import os', 'def f(x):', 'The end.', '$ ls', '{"a": 1}', 'git clone <BAD-x>'],
  ...[
    '   BAD',
    '> BAD',
    'BAD',
    'x = 1',
    'f(x)',
    'Some text.',
    '',
    '---',
    'a: 1',
    '<div>',
    '</div>',
    '<details><summary>x</summary>',
    '1. item',
    '# comment',
    '> quote',
    '# T',
    '    code',
    '- item',
    '\tBAD',
    '```py BAD`',
    'GONE',
  ],
)
const documents = fc
  .tuple(
    fc.constantFrom(
      '',
      '',
      '',
      '<think>```py\nBAD\n```</think>',
      '<think>',
      '\uFEFF',
      'import os\n',
      '# T\nx = (1)\n',
      '// a\ndef f(x):\n',
      '// a\naddVar(a)\n',
    ),
    fc.array(fc.tuple(lines, fc.constantFrom('\n', '\n', '\n', '\r\n', '\r')), { maxLength: 14 }),
    fc.constantFrom('', '```', 'x'),
  )
  .map(([head, body, tail]) => head + body.flat().join('') + tail)

test('says the same as the whole check, for every chunking of random documents', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.constantFrom(...optionSets),
      fc.constantFrom(...contexts),
      documents,
      fc.array(fc.integer({ min: 1, max: 9 }), { minLength: 1, maxLength: 5 }),
      async (options, context, text, sizes) => {
        await assertStreamable(contract({ checks: [{ code_syntax: options }] }), text, [1, 3, sizes], { ports: { parser }, context })
      },
    ),
    { numRuns: 60 },
  )
})

test('never shows a piece of code that does not parse, whatever the document', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.constantFrom(...optionSets),
      fc.constantFrom(...contexts),
      documents,
      fc.integer({ min: 1, max: 9 }),
      async (options, context, text, size) => {
        const { issues } = await check(contract({ checks: [{ code_syntax: options }] }), text, { ports: { parser }, context })
        const starts = issues.flatMap(({ code, span }) => (code === 'SYNTAX_ERROR' && span ? [span.start] : []))
        const { shown } = await stream(options, text.match(new RegExp(`[^]{1,${size}}`, 'g')) ?? [], context)
        expect(shown.join('').length).toBeLessThanOrEqual(Math.min(text.length, ...starts))
      },
    ),
    { numRuns: 60 },
  )
})

/** Answers of which each has one piece of broken code in a block, however its containers, HTML and rules hide it. */
const container = fc.constantFrom('', '', '1. ', '- ', '> ', '   ', '- > ', '     ', '\u200B', '* 1. ')
const margin = fc.constantFrom('', '', ' ', '  ', '   ', '> ', '      ')
const before = fc.constantFrom(
  '',
  'Text.\n',
  '1. Run:\n',
  '> So:\n',
  '<div>\n',
  '<details><summary>x</summary>\n',
  '---\n',
  '---\na: 1\n',
  '```py\n```\n',
)
const after = fc.constantFrom('', '\n', '\nText.\n', '\n2. Done.\n', '\n---\n', '\n</div>\n')
const broken = fc
  .tuple(before, container, fc.array(margin, { minLength: 3, maxLength: 3 }), fc.constantFrom('', '', 'x = 1\n', '\n'), after)
  .map(
    ([head, marks, [first = '', second = '', close = ''], code, tail]) =>
      `${head}${marks}\`\`\`py\n${code === '' ? '' : first + code}${second}BAD\n${close.length > 3 ? '' : close}\`\`\`${tail}`,
  )

test('finds broken code in every container, and shows none of it, also after a retry', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.constantFrom(...optionSets.filter(({ whole }) => !whole)),
      broken,
      broken,
      fc.integer({ min: 1, max: 9 }),
      async (options, text, retry, size) => {
        const rules = contract({ checks: [{ code_syntax: options }], retries: 1, stream: 'verified' })
        expect((await check(rules, text, { ports: { parser } })).issues).toMatchObject([{ code: 'SYNTAX_ERROR' }])
        const runner = scripted([text, retry].map((answer) => ({ text: answer, chunkSize: size })))
        const enforced = enforceStream({ contract: rules, runner, prompt: '', ports: { parser } })
        let shown = ''
        for await (const piece of enforced) shown += piece
        expect((await enforced.outcome).status).toBe('unresolved')
        expect(shown).not.toContain('BAD')
      },
    ),
    { numRuns: 60 },
  )
})

test('a first line is the same in pieces', () => {
  const words = fc.constantFrom(
    ...'x|def|import|print|(|)| |=|:|{|The|"|[|1|,|//|SELECT|.|\n|for|from| a|;|$|é|:=|@|#|!|<|?php|/|*|-|]|if|>|#|body|h1,| {|<b>|-a'.split(
      '|',
    ),
  )
  const languages = fc.constantFrom('python', 'html', 'xml', 'css', 'toml')
  fc.assert(
    fc.property(fc.array(words, { maxLength: 12 }), languages, (pieces, language) => {
      const line = new FirstLine(language)
      for (const piece of [...pieces, '\nx']) line.push(piece)
      const expected = beginsLikeCode(pieces.join(''), language) ? 'code' : 'prose'
      expect(line.verdict).toBe(pieces.join('').trim() === '' ? line.verdict : expected)
    }),
    { numRuns: 10_000 },
  )
})

const explanations = [
  'addVar(name, value)\n\nSets a variable to a value. It takes two arguments.',
  'getDateTime(format, delta, tz, target)\nThis command returns the date of today in the given format.',
  'status = 200 (OK)\n\nThe endpoint answered well.',
  'for example:\n\nuse a loop to go over it.',
  'DROP is not a command of AVAP\n\nUse ormDirect.',
  '// is how comments start in AVAP.\n\nEverything behind it is ignored.',
]

test.each(explanations)('an explanation that begins like code is prose: %j', async (text) => {
  expect(looksLikeCode(text)).toBe(false)
  calls = 0
  const { shown, outcome } = await stream({ language: 'avap' }, text.match(/[\s\S]{1,4}/g) ?? [])
  expect(outcome.status).toBe('valid')
  expect(shown.join('')).toBe(text)
  expect(calls).toBe(0)
  await assertStreamable(contract({ checks: [{ code_syntax: { language: 'avap' } }] }), text, [1, 3, 7], { ports: { parser } })
})

test.each([
  'addVar(x, 1)',
  '// Saves the user.\naddVar(x, 1)\naddResult(x)',
  '/* Saves the user.\n   It takes two steps. */\naddVar(x, 1)',
  'def f(x):\n    """\n    Doubles a number.\n    It may be negative.\n    """\n    # This is the easy part.\n    return x * 2',
  'addVar(x, 1)\naddVar(y, 2)\nThis is it.',
])('code with words in it is code: %j', (text) => {
  expect(looksLikeCode(text)).toBe(true)
})

test.each(['Note: the following', 'AVAP (Advanced', 'AVAP - a language', '[docs](https://example.com)', '<b>AVAP</b>', '# Heading'])(
  'words that no code begins with are released at once: %j',
  async (words) => {
    const { shown } = await stream({ language: 'avap' }, [words, ' and so on', '.\n'])
    expect(shown[0]).toBe(words)
  },
)
