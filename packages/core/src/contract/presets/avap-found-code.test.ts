import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { processorMs } from '../../../../../tools/tests/processor-ms.ts'
import { contract } from '../../catalogue.ts'
import { check } from '../../engine/check/check.ts'
import { Tally } from '../../engine/decide/budget.ts'
import { enforce, enforceStream } from '../../engine/enforce.ts'
import { scripted } from '../../runners/scripted.ts'
import { LooseScanner } from '../../validators/code-syntax/anywhere/loose-scanner.ts'
import { codeIn } from '../../validators/code-syntax/choice.ts'
import { meantBlocks } from '../../validators/code-syntax/snippet.ts'
import type { SyntaxParser } from '../syntax.ts'

/** Knows statements of AVAP by their form, and one wrong command. */
const parser: SyntaxParser = {
  async parse(_language, source) {
    const isWrong = (line: string): boolean => line.includes('getSHA256') || !/^\s*(?:\w+\(.*\)|\w+ = \S+|\/\/.*|)$/.test(line)
    const lines = source.split('\n').flatMap((line, index) => (isWrong(line) ? [index + 1] : []))
    const fault = (line: number) => ({ line, column: 1, endLine: line, endColumn: 2, message: 'wrong' })
    return lines[0] === undefined ? { verdict: 'valid' } : { verdict: 'invalid', trace: [fault(lines[0])] }
  },
}

const strict = contract({ preset: 'avap', unresolved: 'withhold', unchecked: 'withhold' })

async function whole(text: string, rules = strict) {
  const outcome = await enforce({ contract: rules, runner: scripted([text, text]), prompt: '', ports: { parser } })
  return { status: outcome.status, told: outcome.validationStatus }
}

async function streamed(chunks: readonly string[], rules = strict) {
  const stream = enforceStream({ contract: rules, runner: scripted([{ chunks }, { chunks }]), prompt: '', ports: { parser } })
  let shown = ''
  for await (const piece of stream) shown += piece
  const outcome = await stream.outcome
  return { shown, status: outcome.status, told: outcome.validationStatus }
}

function chunksOf(text: string, size: number): string[] {
  return Array.from({ length: Math.ceil(text.length / size) }, (_, index) => text.slice(index * size, (index + 1) * size))
}

const each = (code: string, write: (line: string, index: number) => string): string => code.split('\n').map(write).join('\n')
const indent = (code: string, by: string): string => code.replaceAll(/^/gm, by)
const fence = '```'

/** How models write code without a fence of its own. */
const ways: Readonly<Record<string, (code: string) => string>> = {
  'below a line of prose': (code) => `Here is the code:\n${code}`,
  'between paragraphs': (code) => `Here is it\n\n${code}\n\nThis hashes the password.`,
  indented: (code) => `Code:\n\n${indent(code, '    ')}\n\nDone.`,
  'indented by tabs': (code) => `Code\n\n${indent(code, '\t')}`,
  'in <pre>': (code) => `Here:\n\n<pre>\n${code}\n</pre>\n\nDone.`,
  'in <pre><code>': (code) => `Here: <pre lang="avap"><code class="x">${code.replaceAll('"', '&quot;')}</code></pre> Done.`,
  'in <code>': (code) => `Here:\n<code>\n${code}\n</code>`,
  'in a fence after text': (code) => `Sure: ${fence}avap\n${code}\n${fence}\nDone.`,
  'on the line of its fence': (code) => `Here:\n\n${fence}avap ${code}\n${fence}\n`,
  'on the line of its fence without a tag': (code) => `${fence}${code}\n${fence}\n`,
  'with the closing fence on its last line': (code) => `${fence}avap\n${code}${fence}\nDone.`,
  'behind punctuation': (code) => each(code, (line, index) => `${',!;.'.charAt(index % 4)} ${line}`),
  'in a list': (code) => code.replaceAll(/^/gm, '1. '),
  'in a quote': (code) => `Look:\n${indent(code, '> ')}`,
  'with CRLF': (code) => `Here:\r\n${code.replaceAll('\n', '\r\n')}\r\nDone.`,
  'right after reasoning': (code) => `<think>hm</think>${code}`,
  'in a fence right after reasoning': (code) => `<think>hm</think>${fence}avap\n${code}\n${fence}`,
  'in bold, line by line': (code) => `Here is it:\n\n${each(code, (line) => `**${line}**`)}`,
  'in italics, line by line': (code) => each(code, (line) => `*${line}*  `),
  'struck out, line by line': (code) => each(code, (line) => `~~${line}~~`),
  'in bold items': (code) => each(code, (line) => `- **${line}**`),
  'behind bullets and check boxes': (code) => each(code, (line) => `• [ ] ${line}`),
  'behind other signs': (code) => each(code, (line) => `👉 ${line}`),
  'in cells': (code) => `| No | Code | |\n|---|---|---|\n${each(code, (line) => `| 1 | ${line} | does it |`)}`,
  'in one cell': (code) => `| Code |\n|---|\n| ${code.replaceAll('\n', '<br>')} |`,
  'in cells of HTML': (code) => `<table>\n${each(code, (line) => `<tr><td>1</td><td>${line}</td></tr>`)}\n</table>`,
  'in tags, line by line': (code) => each(code, (line) => `<p><b style="x">${line}</b></p>`),
  'in items of HTML': (code) => `<ol>\n${each(code, (line) => `  <li>${line}</li>`)}\n</ol>\nDone.`,
  'with <br>': (code) => `Here is it:<br>${code.replaceAll('\n', '<br />')}<br>Done.`,
  'in <code> with <br>': (code) => `Here: <code>${code.replaceAll('\n', '<br>')}</code> Done.`,
  'behind numbers of lines': (code) => each(code, (line, index) => `${index + 1} ${line}`),
  'behind numbers and bars': (code) => each(code, (line, index) => ` 0${index + 1} | ${line}`),
  'behind numbers in brackets': (code) => each(code, (line, index) => `[${index + 1}] ${line}`),
  'behind prompts': (code) => each(code, (line, index) => `${index === 0 ? '>>>' : '...'} ${line}`),
  'behind a prompt of a shell': (code) => each(code, (line) => `$ ${line}`),
  'behind invisible characters': (code) => each(code, (line) => `\u200b\u202a${line}\u202c`),
  'as a difference': (code) => each(code, (line) => `+${line}`),
  'in quotation marks': (code) => each(code, (line) => `„${line}“`),
  'in another markup': (code) => `[code]\n${code}\n[/code]\n`,
  'in an environment': (code) => `\\begin{verbatim}\n${code}\n\\end{verbatim}\n`,
  'between triple quotation marks': (code) => `'''avap\n${code}\n'''\n`,
  'in a comment': (code) => `<!--\n${code}\n-->\nDone.`,
  'below prose after reasoning': (code) => `<thinking>\nhm\n</thinking>\nSo:\n${code}`,
}
const good = 'addParam("password", pw)\nencodeSHA256(pw, hash)\naddResult(hash)'
const bad = 'addParam("password", pw)\nhash = getSHA256(pw)\naddResult(hash)'

describe.each(Object.entries(ways))('code %s', (_name, write) => {
  test('is judged, and shown only after its verdict, however it arrives', async () => {
    expect(await whole(write(good))).toEqual({ status: 'valid', told: '' })
    expect(await whole(write(bad))).toEqual({ status: 'unresolved', told: 'INVALID_UNRESOLVED' })
    for (let size = 1; size < write(bad).length; size += size < 12 ? 1 : 9) {
      const wrong = await streamed(chunksOf(write(bad), size))
      expect(wrong, `${size}`).toMatchObject({ status: 'unresolved', told: 'INVALID_UNRESOLVED' })
      expect(wrong.shown, `${size}`).not.toMatch(/addParam|getSHA256|```|<pre|<code/)
      expect(await streamed(chunksOf(write(good), size))).toEqual({ shown: write(good), status: 'valid', told: '' })
    }
    expect(codeIn(write(good), 'avap').join('').replaceAll(/^\s+/gm, '')).toBe(`${good}\n`)
  })

  test('is not looked for where the contract does not ask for it', async () => {
    const rules = contract({ checks: [{ code_syntax: { languages: ['avap'] } }] })
    const { facts } = await check(rules, write(bad), { ports: { parser } })
    const isBlock = /^(?:<think>hm<\/think>)?```avap/m.test(write(bad))
    expect(facts.code_syntax?.code).toBe(isBlock ? 'invalid' : 'none')
  })
})

test.each([
  ['a fence on one line', `Use ${fence}avap hash = getSHA256(pw)${fence} here.`, 'INVALID_UNRESOLVED'],
  ['a fence on one line without a tag', `${fence}hash = getSHA256(pw)${fence}`, 'INVALID_UNRESOLVED'],
  ['one statement below prose', 'Do this:\nhash = getSHA256(pw)', 'INVALID_UNRESOLVED'],
  ['another language', 'Here you go\n\nfor i in range(3):\n    print(i)\n\nThat is all.', 'INVALID_UNRESOLVED'],
  ['a statement in inline code', 'Use `hash = getSHA256(pw)` for it.', 'PARSER_UNAVAILABLE'],
  ['a statement in a sentence', 'You can use getSHA256(pw) for this.', 'PARSER_UNAVAILABLE'],
  ['a statement in an element', 'Use <code>getSHA256(pw)</code>.', 'PARSER_UNAVAILABLE'],
  ['an assignment alone', 'It follows that\n\ntotal = price 2', 'PARSER_UNAVAILABLE'],
  [
    'an excerpt beside a block',
    `${fence}avap\n${good}\n${fence}\n\nThen\nreturn_it(hash) getSHA256(pw)\nx = getSHA256(pw)`,
    'PARSER_UNAVAILABLE',
  ],
  [
    'an untagged block beside a tagged one',
    `${fence}avap\n${good}\n${fence}\n\n${fence}\nx = getSHA256(pw)\n${fence}\n`,
    'PARSER_UNAVAILABLE',
  ],
  [
    'an untagged block before a tagged one',
    `${fence}\nx = getSHA256(pw)\n${fence}\n\n${fence}avap\n${good}\n${fence}\n`,
    'PARSER_UNAVAILABLE',
  ],
  [
    'untagged blocks that parse, or hold no code',
    `${fence}\n${good}\n${fence}\n${fence}avap\n${good}\n${fence}\n${fence}\n{"hash": 1}\n${fence}`,
    '',
  ],
  ['a block of another language on one line', 'Do this\nfor i in range(3): print(i)', 'PARSER_UNAVAILABLE'],
  ['a space before the bracket', 'Here:\ngetSHA256 (pw)', 'INVALID_UNRESOLVED'],
  ['reasoning that never ends', `<think>hm\n${fence}avap\n${good}\n${fence}`, 'PARSER_UNAVAILABLE'],
  ['reasoning that never begins to say anything', '<think>', 'PARSER_UNAVAILABLE'],
  ['a loop in bold', '**for i in range(10):**\n**print(i)**', 'INVALID_UNRESOLVED'],
  ['a block that is never closed, in bold', '**startLoop(i, 1, 10)**\n**x = getSHA256(i)**', 'INVALID_UNRESOLVED'],
  ['a loop of another language on one line', 'for (let i = 0; i < 3; i++) { print(i) }', 'PARSER_UNAVAILABLE'],
  ['lines of inline code', '- `for i in range(3):`\n- `print(i)`', 'PARSER_UNAVAILABLE'],
  ['lines of inline code that are right', 'Do this:\n- `startLoop(i, 1, 3)`\n- `x = i`\n- `endLoop()`', ''],
  ['cells of inline code', '| a | `for i in range(3):` |\n| b | `print(i)` |', 'PARSER_UNAVAILABLE'],
  ['lines in elements', '<code>for i in range(3):</code>\n<code>print(i)</code>', 'PARSER_UNAVAILABLE'],
  ['steps', '**Step 1:** for i in range(3):\n**Step 2:** print(i)', 'PARSER_UNAVAILABLE'],
  ['steps that are right', 'Step 1: startLoop(i, 1, 3)\nStep 2: addVar(x, i)\nStep 3: endLoop()', ''],
  ['a prompt with a name', 'avap> for i in range(3):\navap> print(i)', 'PARSER_UNAVAILABLE'],
  ['headings', '### for i in range(3):\n### print(i)', 'PARSER_UNAVAILABLE'],
  ['lines with remarks', 'for i in range(3): – the loop\nprint(i) – the output', 'PARSER_UNAVAILABLE'],
  ['links', '[for i in range(3):](#a)\n[print(i)](#b)', 'PARSER_UNAVAILABLE'],
  ['characters that nobody sees', 'f\u200bor i in ran\u200bge(3):\npri\u200bnt(i)', 'PARSER_UNAVAILABLE'],
  ['escapes', 'get\\_it\\(x\\)\nx \\= getSHA256\\(pw\\)', 'PARSER_UNAVAILABLE'],
  ...[
    'getSHA256\u00a0(pw)',
    'getSHA256\u2009(pw)',
    '**get**SHA256(pw)',
    '*get*SHA256(pw)',
    '~~get~~SHA256(pw)',
    '<b>get</b>SHA256(pw)',
    'get**SHA256**(pw)',
  ].map((line) => [`a name that is written so: ${line}`, `Here:\n${line}`, 'PARSER_UNAVAILABLE']),
  ['names that are written so and right', 'Here:\n**add**Var(y, 2)\nadd<b>Result</b>(y)', ''],
  ['a statement before a lone comment', 'Use `hash = getSHA256(pw)` here<br>// so', 'PARSER_UNAVAILABLE'],
  ['a statement above a lone comment', 'Use `hash = getSHA256(pw)` here\n\n// so', 'PARSER_UNAVAILABLE'],
  ['a break in a string', 'addResult("<br>")\naddVar(a, "| b |")', ''],
  [
    'prose with decoration',
    '- **Note:** the loop (1) is fine.\n- [x] Done\n1 apple\n| Name | Meaning |\n|---|---|\n| file(s) | all of them |\n> Quote: it works<br>and so on',
    '',
  ],
  ['prose', 'AVAP has loops.\n\n- one (1)\n- two(s)\n\nNote: f(x) = 2 is an equation, and V = 3 m is another.', ''],
  ['equations', 'So\n\nv = √(T / μ) = 5 m/s\nE = m c^2\nP(A) = 0.5\n$$x = 1$$', ''],
  ['references in an element', 'Here:\n<pre>x &#61; getSHA256&lpar;pw&#x29;\ny&nbsp;= 1</pre>', 'INVALID_UNRESOLVED'],
  ['references in an element that are right', 'Here:\n<pre>x &#61; hash&lpar;pw&#x29;\ny&nbsp;= 1</pre>', ''],
  ['names of commands', 'Use `addResult` or `addResult()`, and <b>addVar</b>.', ''],
  ['a right statement in a sentence', 'Use `addResult(hash)` to return it.', ''],
  ['statements about a block', `${fence}avap\n${good}\n${fence}\n\nHere getSHA256(pw) would be wrong, and \`x = getSHA256(pw)\` too.`, ''],
])('%s', async (_name, text, told) => {
  expect((await whole(text)).told).toBe(told)
  for (const size of [1, 2, 3, 7, 500]) {
    const result = await streamed(chunksOf(text, size))
    expect(result.told, `${size}`).toBe(told)
    if (told === '') expect(result.shown).toBe(text)
    else expect(result.shown).not.toMatch(/getSHA256|print|<think/)
  }
})

test('a sentence about a statement is shown as soon as a block follows', async () => {
  const chunks = ['Use getSHA256(pw) never, ', 'but:\n\n', `${fence}avap\n${good}\n${fence}\n`, 'Done.']
  const stream = enforceStream({ contract: strict, runner: scripted([{ chunks }]), prompt: '', ports: { parser } })
  const pieces: string[] = []
  for await (const piece of stream) pieces.push(piece)
  expect(pieces[0]).toBe('Use ')
  expect(pieces.length).toBeGreaterThan(2)
})

test.each([
  '<code>Here is it:```avap</code>hash = getSHA256(pw)',
  '<code>Here is it:```avap x</code> = getSHA256(pw)\nbad',
  'Do addVar(```avap) x = getSHA256(pw)\nbad',
  '<code>a</code>```avap x = getSHA256(pw)\nbad',
  'So <code>a</code> ```avap x = getSHA256(pw)\nbad',
  '<code>\na\n</code>```avap x = getSHA256(pw)\nbad',
  '<code>a</code>```avap\nx = getSHA256(pw)\nbad',
  '<code>a</code><b>```avap x = getSHA256(pw)\nbad',
  `${fence}avap\n${good}\n${fence}\nDo addVar(\`\`\`avap ) x = getSHA256(pw)\nbad`,
])('a fence that opens inside of something else is shown only after its verdict: %j', async (text) => {
  const { shown } = await streamed(chunksOf(text, 1))
  expect(text.slice(shown.length)).toContain('```avap')
})

test('choices that share a budget have verdicts of their own', async () => {
  const tally = new Tally()
  const turn = (text: string) =>
    enforce({ contract: contract({ preset: 'avap' }), runner: scripted([text, text]), prompt: '', ports: { parser }, tally })
  const [first, second] = [await turn('x = getSHA256(pw)\ny = getSHA256(pw)'), await turn('z = getSHA256(pw)\ny = getSHA256(pw)')]
  expect([first.attempts, first.validationStatus]).toEqual([2, 'INVALID_UNRESOLVED'])
  expect([second.attempts, second.validationStatus]).toEqual([1, 'PARSER_UNAVAILABLE'])
})

test('pieces are where they say, behind closed elements too, however the text arrives', () => {
  const words = [
    'So ',
    '<pre>',
    '</pre>',
    '<code>',
    '</code>',
    '\n',
    'x = 5',
    ' getSHA256(pw) ',
    '```',
    '`x = getSHA256(pw)`',
    'a < b ',
    '<br>',
    '| ',
    '<td>',
  ]
  fc.assert(
    fc.property(fc.array(fc.constantFrom(...words), { maxLength: 14 }), fc.integer({ min: 1, max: 9 }), (tokens, size) => {
      const text = tokens.join('')
      const scanner = new LooseScanner(0)
      for (const [index, chunk] of chunksOf(text, size).entries()) scanner.push(chunk, index * size)
      scanner.end(text.length)
      // The end of the text ends a line.
      for (const { start, text: code } of scanner.pieces) expect(`${text}\n`.slice(start, start + code.length)).toBe(code)
    }),
    { numRuns: 300 },
  )
})

const long = 200_000
test.each<[string, string, number?]>([
  ['a line that may be code', 'x = '.padEnd(long, 'a b ')],
  ['a fence that stays open', `Use ${fence}`.padEnd(long, 'a`b ')],
  ['backticks', 'Use '.padEnd(long, '`')],
  ['an element', 'Use <pre>'.padEnd(long, 'a < b ')],
  ['elements', 'Use '.padEnd(long, '<pre></pre>')],
  ['emphasis', `${'**'.repeat(190)}\n`.repeat(260), 1],
  ['quotation marks', `${'"'.repeat(380)}\n`.repeat(260), 1],
  ['tags', `${'<b>'.repeat(125)}\n`.repeat(520), 1],
  ['fences of all lengths', Array.from({ length: 620 }, (_, index) => `a${'`'.repeat(index + 3)}`).join('')],
])('%s: a line costs as much as its text in pieces of any size', async (_name, text, small = 4) => {
  const read = (size: number) => {
    const scanner = new LooseScanner(0)
    for (const [index, chunk] of chunksOf(text, size).entries()) scanner.push(chunk, index * size)
    scanner.end(text.length)
    return { found: scanner.pieces.map(({ kind, text: code }) => [kind, code]), lines: scanner.lines }
  }
  expect(await processorMs(() => expect(read(small)).toEqual(read(long)))).toBeLessThan(1500)
})

test('prose after a statement is read in linear time', async () => {
  const text = 'Use getSHA256(pw) '.padEnd(long, 'and so on ')
  const took = await processorMs(async () => {
    expect((await streamed(chunksOf(text, 4))).told).toBe('PARSER_UNAVAILABLE')
  })
  expect(took).toBeLessThan(3000)
})

test('any text has one outcome, and shows nothing that it withholds, however it arrives', { timeout: 600_000 }, async () => {
  const piece = fc.constantFrom(
    ...[
      'Here is it:',
      'So',
      '\n',
      '\n\n',
      '\r\n',
      '    ',
      '> ',
      '- ',
      '1. ',
      ' ',
      '\t',
      'x = 5',
      'E = m c^2',
      'file(s)',
      'a < b',
      '`',
      '``',
    ],
    ...[
      '```',
      '```avap',
      '```py ',
      '~~~',
      '<pre>',
      '</pre>',
      '<code>',
      '</code>',
      '<p',
      '<think>',
      '</think>',
      '*/',
      '{"a": 1}',
      '}',
      'end()',
    ],
    ...[
      'addVar(a, 1)',
      'getSHA256(pw)',
      'hash = getSHA256(pw)',
      '`getSHA256(pw)`',
      'getSHA256',
      '**',
      '*',
      '| ',
      '<br>',
      '<td>',
      '<b>',
      '1 ',
      '[1] ',
      'Step 1: ',
      'avap> ',
      '>>> ',
      '\u200b',
      '\\',
      '"',
      ' – ',
      '### ',
      '(',
      'for i in x:',
      'return',
      '&lt;',
      '# T',
    ],
  )
  await fc.assert(
    fc.asyncProperty(fc.array(piece, { maxLength: 14 }), fc.integer({ min: 1, max: 9 }), async (parts, size) => {
      const text = parts.join('')
      const expected = await whole(text)
      const { shown, ...result } = await streamed(chunksOf(text, size))
      expect(result, text).toEqual(expected)
      if (expected.status === 'valid') expect(shown).toBe(text)
      // What is withheld was not shown: neither wrong code nor a fence before its verdict.
      else if (expected.told !== '') {
        const body = shown.replace(/^\s*<think>.*?<\/think>/s, '')
        // A bracket that never closes calls nothing.
        expect(body, text).not.toMatch(/(?<!\w)getSHA256\([^)\n\r]*\)/)
        for (const { span, info } of meantBlocks(text, 'loose'))
          if (info === '' || info.startsWith('avap')) expect(shown.length <= span.start || shown.length >= span.end, text).toBe(true)
      }
    }),
    { numRuns: 400 },
  )
})

test.each(['|', '| f(1) ', '<p>', 'x(1)<br>', 'The fox is here.<br>'])(
  'a line that %j breaks 20 000 times is read, however it arrives',
  (part) => {
    const text = part.repeat(20_000)
    const linesBy = (size: number) => {
      const scanner = new LooseScanner(0)
      for (let at = 0; at < text.length; at += size) scanner.push(text.slice(at, at + size), at)
      scanner.end(text.length)
      return scanner.lines
    }
    const lines = linesBy(text.length)
    expect(lines.length).toBeGreaterThan(0)
    expect(linesBy(1000)).toEqual(lines)
  },
)

test.each([', getSHA256(x)', ', if(x', '! addVar(x', 'Text.\n\n; getSHA256(x)'])('%j shows no sign before its verdict', async (text) => {
  const rules = contract({ checks: [{ code_syntax: { language: 'avap', anywhere: true } }], retries: 0 })
  expect((await streamed([...text], rules)).shown).toBe(/^Text\.\n\n/.exec(text)?.[0] ?? '')
})
