import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { Answer } from '../answer.ts'

/** What the code blocks of a text are, from line to line, and which headings stand outside of them. */
function outline(text: string): { readonly blocks: readonly string[]; readonly headings: readonly string[] } {
  const { codeBlocks, headings } = new Answer(text)
  const lineOf = (offset: number): number => text.slice(0, offset).split('\n').length
  return {
    blocks: codeBlocks.map(({ language, span, closed }) => `${language} ${lineOf(span.start)}-${lineOf(span.end)}${closed ? '' : ' open'}`),
    headings: headings.map((heading) => heading.text),
  }
}

const lines = (...parts: readonly string[]): string => parts.join('\n')

describe('a fence that holds a Markdown document', () => {
  test.each([
    ['holds a block with an info string', ['```markdown', '```js', 'a', '```', '# in', '```', '# out'], ['markdown 1-6'], ['out']],
    ['is tagged md', ['```md', '```js', 'a', '```', '# in', '```', '# out'], ['md 1-6'], ['out']],
    ['is tagged adr', ['```ADR x', '```js', 'a', '```', '# in', '```', '# out'], ['adr 1-6'], ['out']],
    ['holds several', ['```md', '```js', '```', '```sh', '```', '# in', '```', '# out'], ['md 1-7'], ['out']],
    ['holds a document with a block', ['```md', '```md', '```js', '```', '```', '# in', '```', '# out'], ['md 1-7'], ['out']],
    ['holds a block with the line of a fence in it', ['```md', '```js', '```ts', '```', '# in', '```', '# out'], ['md 1-6'], ['out']],
    ['is written with tildes', ['~~~md', '~~~js', '```', '~~~', '# in', '~~~', '# out'], ['md 1-6'], ['out']],
    ['holds a longer fence', ['```md', '````js', '```', '````', '# in', '```', '# out'], ['md 1-6'], ['out']],
    ['holds an indented block', ['```md', '  ```js', '  a', '  ```', '# in', '```', '# out'], ['md 1-6'], ['out']],
    ['holds a block deep in a list', ['```md', '    ```js', '    a', '    ```', '# in', '```', '# out'], ['md 1-6'], ['out']],
    ['holds a block that starts an item', ['```md', '- ```js', '  a', '  ```', '# in', '```', '# out'], ['md 1-6'], ['out']],
    ['holds a bare block that starts an item', ['```md', '1. ```', '   a', '   ```', '# in', '```', '# out'], ['md 1-6'], ['out']],
    ['stands in a list', ['- ```md', '  ```js', '  ```', '  # in', '  ```', '# out'], ['md 1-5'], ['out']],
    ['stands in a quote', ['> ```md', '> ```js', '> ```', '> # in', '> ```', '# out'], ['md 1-5'], ['out']],
    ['ends with its quote', ['> ```md', '> ```js', '# out'], ['md 1-3 open'], ['out']],
    ['holds a bare block behind a blank line', ['```md', 'a', '', '```', 'x', '```', '# in', '```', '# out'], ['md 1-8'], ['out']],
    ['holds a bare block behind a colon', ['```md', 'a:', '```', 'x', '```', '# in', '```', '# out'], ['md 1-7'], ['out']],
    ['holds a bare block behind a heading', ['```md', '# a', '```', 'x', '```', '# in', '```', '# out'], ['md 1-7'], ['out']],
    ['is not closed', ['```md', '```js', '```', '# in'], ['md 1-4 open'], []],
    ['is not closed, nor is the block in it', ['```md', '```js', '# in'], ['md 1-3 open'], []],
    ['ends with an info string', ['```md', 'a', '```js'], ['md 1-3 open'], []],
    // As CommonMark reads it.
    ['ends at a bare fence', ['```md', 'a', '```', '# out', '```', '# in', '```'], ['md 1-3', ' 5-7'], ['out']],
    ['ends with a blank line', ['```md', 'a', '', '```', '', '# out'], ['md 1-4'], ['out']],
    ['ends with a blank line before text', ['```md', 'a', '', '```', 'text', '# out'], ['md 1-4'], ['out']],
    ['ends before another block', ['```md', 'a', '', '```', 'text', '', '```', 'x', '```', '# out'], ['md 1-4', ' 7-9'], ['out']],
    ['ends before text that leads to a block', ['```md', '', '```', 'Run:', '```', 'x', '```', '# out'], ['md 1-3', ' 5-7'], ['out']],
    ['ends before a block with an info string', ['```md', '', '```', 'x', '```js', 'y', '```', '# out'], ['md 1-3', 'js 5-7'], ['out']],
    ['ends before front matter', ['```md', '', '```', 'b', '', '---', 'a: 1', '---', '# out'], ['md 1-3'], ['out']],
    [
      'ends before a marker and a bare block',
      ['```markdown', '# in', '', '```', '<!-- STEP: generate -->', '```', 'x', '```', '# out'],
      ['markdown 1-4', ' 6-8'],
      ['out'],
    ],
    [
      'ends before text, a marker and a bare block',
      ['```md', '', '```', 'Done.', '<!-- STEP: done -->', '```', '# x', '```', '# out'],
      ['md 1-3', ' 6-8'],
      ['out'],
    ],
    ['ends before text and a bare block', ['```md', '', '```', 'Run', '```', 'x', '```', '# out'], ['md 1-3', ' 5-7'], ['out']],
    ['holds a bare block as its last', ['```md', 'a', '', '```', 'x', '```', '```', '# out'], ['md 1-7'], ['out']],
    ['is cut off behind a bare block', ['```md', 'a', '', '```', 'x', '```'], ['md 1-6 open'], []],
    ['is longer than those in it', ['````md', '```js', '```', '# in', '````', '# out'], ['md 1-5'], ['out']],
    ['holds other fences', ['```md', '~~~js', '~~~', '# in', '```', '# out'], ['md 1-5'], ['out']],
    ['holds code in another language', ['```js', '```ts', '```', '# out'], ['js 1-3'], ['out']],
    ['has no language', ['```', '```ts', '```', '# out'], [' 1-3'], ['out']],
  ])('%s', (_name, text, blocks, headings) => {
    for (const ending of ['\n', '\r\n', '\r']) {
      const answer = new Answer(text.join(ending))
      expect(answer.headings.map((heading) => heading.text)).toEqual(headings)
      expect(answer.codeBlocks.map(({ language, closed }) => `${language} ${closed}`)).toEqual(
        blocks.map((block) => `${block.split(' ')[0]} ${!block.endsWith('open')}`),
      )
    }
    expect(outline(lines(...text))).toEqual({ blocks, headings })
  })

  test('gives the document as it is, front matter behind it included', () => {
    const text = lines('```md', '', '```', 'b', '', '---', 'a: 1', '---')
    expect(new Answer(text).frontMatters.map(({ content }) => content)).toEqual(['a: 1'])
    const wrapped = lines('# A', '```js', 'a', '```', '', '```', 'tree', '```', 'b')
    expect(new Answer(`\`\`\`markdown\n${wrapped}\n\`\`\``).codeBlocks.map(({ content }) => content)).toEqual([wrapped])
  })
})

/** The rule, the slow way: the lines of the fences at the margin, each with what it does. */
function slowly(all: readonly string[]): string[] {
  const blocks: string[] = []
  const leads = (line = ''): boolean => line.trim() === '' || line.endsWith(':') || line.startsWith('# ')
  const fenceOf = (line = ''): { readonly mark: string; readonly info: string } | undefined => {
    const [, mark = '', info = ''] = /^(`{3,}|~{3,})(.*)$/.exec(line) ?? []
    return mark === '' ? undefined : { mark, info }
  }
  const rivals = (mark: string, line: string | undefined): boolean => fenceOf(line)?.mark.startsWith(mark) === true
  const closes = (mark: string, line: string | undefined): boolean => rivals(mark, line) && fenceOf(line)?.info === ''
  const isDocument = (info: string): boolean => info === 'markdown' || info === 'adr'
  let past = 0
  /** Where the block that opens at a line ends; the last line when it is not closed. */
  const endOf = (start: number, isOuter: boolean): number => {
    const { mark, info } = fenceOf(all[start]) ?? { mark: '', info: '' }
    let holdsBlock = false
    for (let at = start + 1; at < all.length; at++) {
      if (!closes(mark, all[at])) {
        if (isDocument(info) && rivals(mark, all[at])) {
          at = endOf(at, false)
          holdsBlock ||= at < all.length
        }
        continue
      }
      const next = all.findIndex((line, index) => index > at && rivals(mark, line))
      const between = all.slice(at + 1, next < 0 ? all.length : next)
      const closed =
        between.length > 0 && closes(mark, all[next]) && !leads(all[next - 1]) && !between.some((line) => line.startsWith('<!--'))
      const behind = all[next + 1] ?? ''
      const isBlock = closed && (holdsBlock || behind === '' || behind.startsWith('# ') || rivals(mark, behind))
      if (!isDocument(info) || !isOuter || at < past || !leads(all[at - 1]) || all[at + 1]?.trim() === '') return at
      if (!isBlock) {
        // What has been looked at is not looked at again.
        const comment = between.findIndex((line) => line.startsWith('<!--'))
        past = comment >= 0 ? at + 1 + comment : next < 0 ? all.length : closed ? next + 1 : next
        return at
      }
      at = next
      holdsBlock = true
    }
    return all.length
  }
  for (let at = 0; at < all.length; at++) {
    if (fenceOf(all[at]) === undefined) continue
    const end = endOf(at, true)
    blocks.push(`${at}-${Math.min(end, all.length - 1)}`)
    at = end
  }
  return blocks
}

test('fences in documents are read as by the slow way', () => {
  const line = fc.constantFrom(
    '```markdown',
    '```markdown',
    '```js',
    '```',
    '```',
    '```',
    '````',
    '````adr',
    '~~~',
    '~~~adr',
    '~~~x',
    'text',
    'text',
    '',
    'a:',
    '# h',
    '<!-- c -->',
  )
  fc.assert(
    fc.property(fc.array(line, { maxLength: 16 }), (all) => {
      const text = all.join('\n')
      const lineOf = (offset: number): number => text.slice(0, offset).split('\n').length - 1
      const ours = new Answer(text).codeBlocks.map(
        ({ span, closed }) => `${lineOf(span.start)}-${closed ? lineOf(span.end) : all.length - 1}`,
      )
      expect(ours).toEqual(slowly(all))
    }),
    { numRuns: 3000 },
  )
})
