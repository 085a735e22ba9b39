import { type Node, Parser } from 'commonmark'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { Answer } from '../../../answer/answer.ts'
import { readTools } from '../../../answer/tool-shapes/tool-definition.ts'
import { turnTextIntoCalls } from './convert.ts'

const tools = readTools([{ name: 'wipe', parameters: { type: 'object' } }]) ?? []
const tag = '<tool_call>{"name": "wipe", "arguments": {}}</tool_call>'
const fence = '```'

const rules = {
  offered: tools,
  isStrict: false,
  aliases: undefined,
  trusts: () => false,
  faultsOf: () => [],
  isError: () => true,
  changesOf: () => [],
}
const becomesCall = (text: string): boolean => [...turnTextIntoCalls(new Answer(text), rules)].length > 0

/** Whether every tag is inline HTML of a paragraph, or starts a block of HTML, right below the document. */
function isAtTopLevel(text: string): boolean {
  const walker = new Parser().parse(text).walker()
  for (let step = walker.next(); step; step = walker.next()) {
    const { node, entering } = step
    if (entering && (node.literal ?? '').includes('<tool_call>') && !isTopLevelTag(node)) return false
  }
  return true
}

function isTopLevelTag(node: Node): boolean {
  if (node.type === 'html_block') return node.parent?.type === 'document' && (node.literal ?? '').startsWith('<tool_call>')
  return node.type === 'html_inline' && node.parent?.type === 'paragraph' && node.parent.parent?.type === 'document'
}

describe('a tag at the end of an answer', () => {
  test.each([
    ['alone', tag],
    ['below white space', `\n \n    ${tag}\r\n`],
    ['twice', `${tag}\n\n${tag} ${tag}`],
    ['below a paragraph', `Let me see, it's 5 o'clock.\n\n${tag}`],
    ['right below words', `Let me see:\r\n${tag}`],
    ['behind words', ` Let me see. ${tag}`],
    ['below pairs of marks', `“Now”, «now», 「now」, 'now' and "now".\n\n${tag}`],
    ['below a list', `1. look\n2. wipe\n\n${tag}`],
    ['below a quote', `> Wipe it.\n\n${tag}`],
    ['below a closed fence', `# Plan\n\n${fence}\nls\n${fence}\n\n${tag}`],
    ['behind reasoning', `<think>"Hm</think>\n${tag}`],
    ['behind reasoning without its start', `Hm.\n</think>\n\n${tag}`],
  ])('%s is a call', (_name, text) => {
    expect(becomesCall(text)).toBe(true)
  })

  test.each([
    ['indented below a heading', `# h\n    ${tag}`],
    ['indented below an underline', `h\n===\n    ${tag}`],
    ['indented below a rule', `a\n\n---\n    ${tag}`],
    ['indented below a fence', `${fence}\nx\n${fence}\n    ${tag}`],
    ['indented by spaces and a tab', `x\n\n  \t${tag}`],
    ['code in a list item', `-     ${tag}`],
    ['a deep quote', `${'- '.repeat(33)}> ${tag}`],
    ...['\u00a0', '\f', '\v', '\u2003', '\ufeff', '\u2028', '\u0085'].map((space): [string, string] => [
      `a quote and a line of ${JSON.stringify(space)}`,
      `> a\n${space}\n${tag}`,
    ]),
    ['an element with < in an attribute', `<pre title="<">\n${tag}`],
    ['a quoting element with < in an attribute', `<blockquote cite="<">\n\n${tag}`],
    ['an element over lines', `Hm <pre\nclass="x">\n\n${tag}`],
    ['an element in entities', `&lt;pre&gt;\n\n${tag}`],
    ['a tag in brackets', `He wrote: [quote]\n\n${tag}`],
    ['a document with fences', `${fence}md\n${fence}js\n${fence}\n${fence}\n\n${tag}`],
    ['a document with bare fences', `${fence}md\n\n${fence}\na\n${fence}\n\n${tag}\n${fence}\n\n${tag}`],
    ['a fence that is open', `~~~ a\n\n${tag}`],
    ['a table', `a | b\n--- | ---\n${tag}`],
    ['a definition', `[^1]:\n${tag}`],
    ['front matter', `---\na: b\n---\n\n${tag}`],
    ['another quoted tag', `\`${tag}\`\n\n${tag}`],
    ...[...'"\'「『＂＇‟‛“”„‚‘‹›«»〝〞﹁｢❝´《'].flatMap((mark): [string, string][] => [
      [`the mark ${mark}`, `It says ${mark}${tag}`],
      [`the mark ${mark} and words`, `It says ${mark}please wipe ${tag}`],
      [`a quotation over a blank line with ${mark}`, `It says ${mark}First.\n\n${tag}`],
      [`a quotation that starts anew with ${mark}`, `It says ${mark}First.\n\n${mark}Then.\n\n${tag}`],
    ]),
    ['a mark of inches before the quotation', `A 5" disk: "\n${tag}`],
  ])('%s is no call', (_name, text) => {
    expect(becomesCall(text)).toBe(false)
  })

  test('many calls on one line are read once', { timeout: 10_000 }, () => {
    expect(becomesCall(tag.repeat(40_000))).toBe(true)
  })

  test('is a call only where CommonMark has it at the top level', () => {
    const token = fc.constantFrom(
      ...['a', 'Now.', ' ', '  ', '    ', '\t', '\n', '\n', '\n', '\n\n', '\n\n', '\r', '\r\n', '\f', '\v', '\u00a0', '\u2003', '\ufeff'],
      ...[
        '> ',
        '>',
        '- ',
        '-',
        '* ',
        '+\t',
        '1. ',
        '2) ',
        '# ',
        '===',
        '---',
        '***',
        '|',
        ':',
        '\\',
        '`',
        '``',
        fence,
        `${fence}js`,
        `\n${fence}md\n${fence}js\n${fence}\n`,
        `\n${fence}md\n`,
        `\n${fence}\n`,
        '~~~',
      ],
      ...['<b>', '</b>', '<pre title="<">', '</pre>', '<!--', '-->', '<?', '<![CDATA[', '<div>', '<', '&lt;', '[', ']', '(', '[a]: ', '!'],
      ...['"', "'", '“', '”', '*', '_', '</think>', tag],
    )
    const runs = 3000
    fc.assert(
      fc.property(fc.array(token, { maxLength: 14 }), fc.constantFrom('', '\n', '\n\n', '\r\n\n'), (tokens, lead) => {
        const text = `${tokens.join('')}${lead}${tag}`
        // An answer of nothing but calls is no document.
        if (text.replaceAll(tag, '').trim() === '') return
        // A byte order mark is no part of an answer's text; commonmark.js takes it for a letter.
        // What comes before the end of reasoning is no part of the document.
        if (becomesCall(text)) expect(isAtTopLevel(text.replace(/^\ufeff|^[\s\S]*?<\/think>/, ''))).toBe(true)
      }),
      { numRuns: runs },
    )
  })
})
