import fc from 'fast-check'
import { expect, test } from 'vitest'
import { contract } from '../../../catalogue.ts'
import type { SyntaxFault, SyntaxParser } from '../../../contract/syntax.ts'
import { check } from '../../../engine/check/check.ts'

/** Finds every `§…§` in the source wrong, at its place in the source. */
const parser: SyntaxParser = {
  async parse(_language, source) {
    const [first, ...others] = [...source.matchAll(/§[^§]*§/g)].map((found): SyntaxFault => {
      const at = (offset: number) => {
        const before = source.slice(0, offset).split('\n')
        return { line: before.length, column: (before.at(-1) ?? '').length + 1 }
      }
      const start = at(found.index)
      const end = at(found.index + found[0].length)
      return { ...start, endLine: end.line, endColumn: end.column, message: found[0].replaceAll('\n', ' ') }
    })
    return first === undefined ? { verdict: 'valid' } : { verdict: 'invalid', trace: [first, ...others] }
  },
}

const words = fc.constantFrom('§a§', '§😀§', 'x', ' ', '  ', '\t', 'y = 1', '世', '>', '- ', '§e\u0301§', '\u2028')
const codeLines = fc.array(
  fc.array(words, { maxLength: 6 }).map((list) => list.join('')),
  { minLength: 1, maxLength: 5 },
)

/** Blocks in lists, quotes and documents, indented in every way, with every line break. */
const documents = fc
  .tuple(
    fc.array(fc.constantFrom('> ', '>', '- ', '1. ', '-\t', '  - ', '>\t'), { maxLength: 3 }),
    fc.constantFrom('', ' ', '  ', '   '),
    codeLines,
    fc.constantFrom('\n', '\r\n', '\r'),
    fc.boolean(),
    fc.constantFrom('', 'Text.\n\n', '<think>§no§</think>\n'),
  )
  .map(([containers, indent, code, lineBreak, inDocument, head]) => {
    const first = containers.join('')
    const rest = containers.map((mark) => (mark.includes('>') ? mark : ' '.repeat(mark.replace('\t', '   ').length))).join('')
    const block = [`${first}${indent}\`\`\`x`, ...code.map((line) => `${rest}${indent}${line}`), `${rest}${indent}\`\`\``]
    const lines = inDocument ? ['````markdown', ...block, '````'] : block
    return head + lines.join(lineBreak)
  })

test('the text at the span of an issue is the faulty text, wherever its block stands', async () => {
  let found = 0
  await fc.assert(
    fc.asyncProperty(documents, async (text) => {
      const { issues } = await check(contract({ checks: ['code_syntax'] }), text, { ports: { parser } })
      for (const { span, message } of issues) {
        found++
        const said = /"(§[^"]*§)"/.exec(message)?.[1]
        expect(text.slice(span?.start, span?.end)).toBe(said)
      }
    }),
    { numRuns: 300 },
  )
  expect(found).toBeGreaterThan(100)
})
