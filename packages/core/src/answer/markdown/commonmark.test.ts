import { Parser } from 'commonmark'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { Answer } from '../answer.ts'
import type { CodeBlock } from '../outline.ts'
import { AnswerReader } from '../reader.ts'
import { positionAt } from '../span.ts'

interface Block {
  readonly kind: 'heading' | 'code'
  readonly line: number
  readonly detail: string
}

/** Headings and fenced blocks as the reference implementation of CommonMark sees them. */
function reference(text: string): Block[] {
  const blocks: Block[] = []
  const walker = new Parser().parse(text).walker()
  for (let step = walker.next(); step; step = walker.next()) {
    const { node, entering } = step
    if (!entering) continue
    const line = node.sourcepos?.[0]?.[0] ?? 0
    if (node.type === 'heading') blocks.push({ kind: 'heading', line, detail: String(node.level) })
    // Indented code has no info string, fenced code at least an empty one.
    if (node.type === 'code_block' && node.info !== null) blocks.push({ kind: 'code', line, detail: node.literal ?? '' })
  }
  return blocks
}

function ours(text: string): Block[] {
  const answer = new Answer(text)
  const headings = answer.headings.map(({ level, span }) => ({
    kind: 'heading' as const,
    line: positionAt(text, span.start).line,
    detail: String(level),
  }))
  const codes = answer.codeBlocks.map(({ content, span }) => ({
    kind: 'code' as const,
    line: positionAt(text, span.start).line,
    detail: content === '' && !text.slice(span.start, span.end).includes('\n\n') ? content : `${content}\n`,
  }))
  return [...headings, ...codes].sort((a, b) => a.line - b.line)
}

const plain = ({ info, span, contentSpan, content, closed, verbatim }: CodeBlock): unknown => ({
  info,
  span,
  contentSpan,
  content,
  closed,
  verbatim,
})

/** Whether a document in a fence may have fences in it, which CommonMark does not know; by what the reference sees. */
function mayNest(text: string): boolean {
  const lines = text.split('\n')
  const walker = new Parser().parse(text).walker()
  for (let step = walker.next(); step; step = walker.next()) {
    const { node, entering } = step
    if (!entering || node.type !== 'code_block' || !/^(?:markdown|md|adr)/.test(node.info ?? '')) continue
    const [, mark = ''] = /(`{3,}|~{3,})/.exec(lines[(node.sourcepos[0][0] ?? 1) - 1] ?? '') ?? []
    const content = (node.literal ?? '').split('\n').slice(0, -1)
    if (content.some((line) => line.includes(mark)) || /^\s*$|:\s*$|^ {0,3}#+\s/.test(content.at(-1) ?? '')) return true
  }
  return false
}

const normal = (blocks: readonly Block[]): unknown =>
  blocks.map(({ kind, line, detail }) => [kind, line, kind === 'code' ? detail.trim() : detail])

const pieces = [
  '',
  '',
  ' ',
  '  ',
  '    ',
  '\t',
  '# a',
  '## b ##',
  '###### f',
  '####### g',
  '#',
  '#x',
  'text',
  'more text',
  '===',
  '---',
  '  ---',
  '- - -',
  '***',
  '* * *',
  '___',
  '```',
  '````',
  '``` js',
  '~~~',
  '~~~~ x',
  '   ```',
  '    ```',
  '```a`b',
  '```markdown',
  '````md',
  '~~~ adr',
  '- ```md',
  '> ',
  '>',
  '> # q',
  '> ```',
  '> text',
  '>text\n===',
  '- ',
  '-',
  '- item',
  '- # h',
  '- ```',
  '  ```',
  '1. one',
  '2) two',
  '10. ten',
  '123456789. x',
  '1234567890. x',
  '+ plus',
  '* star',
  '  - nested',
  '    - deep',
  '   code',
  '      ```',
  '\t- tab',
  '-\ttab',
  '>\ttab',
  '<!-- c',
  '-->',
  '<!-- c -->',
  '<div>',
  '</div>',
  '<pre>',
  '</pre>',
  '<a b="c">',
  '<a',
  '<?php',
  '?>',
  '<!X',
  '<![CDATA[',
  ']]>',
  '<script>',
  '</script>',
  '[foo]: /url',
  '[foo]: /url "title"',
  '[foo]:',
  '/url',
  "'title",
  "title'",
  '[foo]: <> x',
  '[]: x',
  '\\# no',
  '| a | b |',
  '- [ ] todo',
  '- [x] done',
  '`code',
  '`',
  'a\\',
]
const document = fc
  .array(fc.oneof({ weight: 8, arbitrary: fc.constantFrom(...pieces) }, { weight: 1, arbitrary: fc.string({ maxLength: 12 }) }), {
    maxLength: 14,
  })
  .map((lines) => `x\n\n${lines.join('\n')}\n`)
  // Front matter is no CommonMark; NUL and other breaks than LF are read alike but counted differently by the reference.
  .filter((text) => !/[\0\r]/.test(text) && new Answer(text).frontMatters.length === 0)

describe('the block scanner', () => {
  test('agrees with CommonMark on headings and fences', () => {
    fc.assert(
      fc.property(
        document.filter((text) => !mayNest(text)),
        (text) => {
          expect(normal(ours(text))).toEqual(normal(reference(text)))
        },
      ),
      { numRuns: 5000 },
    )
  })

  test('reads the same outline for every chunking', () => {
    const cuts = fc.array(fc.nat({ max: 400 }), { maxLength: 12 })
    fc.assert(
      fc.property(document, fc.constantFrom('\n', '\r\n', '\r'), cuts, (lines, ending, at) => {
        const text = lines.replaceAll('\n', ending)
        const whole = new AnswerReader()
        whole.push(text)
        whole.end()
        const pieces = new AnswerReader()
        let from = 0
        for (const cut of [...at].sort((a, b) => a - b)) {
          const to = Math.max(from, Math.min(cut, text.length))
          pieces.push(text.slice(from, to))
          from = to
        }
        pieces.push(text.slice(from))
        pieces.end()
        expect(pieces.headings).toEqual(whole.headings)
        expect(pieces.codeBlocks.map(plain)).toEqual(whole.codeBlocks.map(plain))
        expect(pieces.listItems).toEqual(whole.listItems)
        expect(pieces.frontMatters).toEqual(whole.frontMatters)
      }),
      { numRuns: 2000 },
    )
  })
})
