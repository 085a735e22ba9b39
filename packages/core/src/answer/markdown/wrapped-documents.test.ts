import { Parser } from 'commonmark'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { Answer } from '../answer.ts'

const runs = { numRuns: 1000 }

/** The fenced blocks as the reference implementation of CommonMark sees them. */
function reference(text: string): string[] {
  const blocks: string[] = []
  const walker = new Parser().parse(text).walker()
  for (let step = walker.next(); step; step = walker.next())
    if (step.entering && step.node.type === 'code_block') blocks.push((step.node.literal ?? '').replace(/\n$/, ''))
  return blocks
}

const contents = (text: string): string[] => new Answer(text).codeBlocks.map(({ content }) => content)

const prose = fc.constantFrom('Some words.', '- one\n- two', '| a | b |', 'Two\nlines.', '> quoted', '**Status:** Accepted')
const code = fc.constantFrom('npm i', 'src/\n  a.ts', 'x = 1\n\ny = 2', '┌──┐\n└──┘', '{"a": 1}', '$ ls\n<b>', 'a\n# b\nc')
const heading = fc.constantFrom('# Title', '## Context', '### Deep')
const block = (...infos: string[]) => fc.tuple(fc.constantFrom(...infos), code).map(([info, lines]) => `\`\`\`${info}\n${lines}\n\`\`\``)
const marker = fc.constantFrom('<!-- STEP: generate -->', '<!-- note -->')
const told = fc.constantFrom('That is it.', 'Run', 'Then this', '**Next**', '- a step')

test('a document that is wrapped in a fence is one block, whatever it was put together from', () => {
  // Known parts, apart as authors put them: what is in the wrapper and what is not is not for the reader to guess.
  const part = fc.oneof(
    prose,
    heading,
    block('', '', 'js', 'sh title'),
    fc.tuple(prose, block('')).map(([lead, one]) => `${lead}:\n${one}`),
  )
  const inside = fc.tuple(heading, fc.array(part, { maxLength: 6 })).map(([title, parts]) => [title, ...parts].join('\n\n'))
  const outside = fc.array(fc.oneof(prose, marker), { maxLength: 3 }).map((parts) => parts.map((one) => `\n\n${one}`).join(''))
  fc.assert(
    fc.property(inside, fc.constantFrom('', '\n'), outside, fc.constantFrom('markdown', 'md', 'adr'), (document, space, rest, tag) => {
      expect(contents(`\`\`\`${tag}\n${document}${space}\n\`\`\`${rest}`)).toEqual([`${document}${space}`])
    }),
    runs,
  )
})

test('a document without fences in its wrapper is read as by CommonMark, whatever follows it', () => {
  const inside = fc.array(fc.oneof(prose, heading), { minLength: 1, maxLength: 4 }).map((parts) => parts.join('\n\n'))
  const behind = fc.array(fc.tuple(fc.constantFrom('\n', '\n\n'), fc.oneof(told, marker, block('', '', 'js'))), { maxLength: 5 })
  // A bare fence right behind the wrapper's end would be one fence too many for any reader.
  const rest = behind.filter(([first]) => first?.[1].startsWith('```') !== true || first[0] === '\n\n')
  fc.assert(
    fc.property(inside, fc.constantFrom('', '\n'), rest, (document, space, parts) => {
      const text = `\`\`\`markdown\n${document}${space}\n\`\`\`${parts.map((part) => part.join('')).join('')}\n`
      expect(contents(text)).toEqual(reference(text))
    }),
    runs,
  )
})
