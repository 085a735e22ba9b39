import { describe, expect, test } from 'vitest'
import { contract } from '../../../presets/src/testing/contract.ts'
import type { CheckContext } from '../contract/validator.ts'
import { check } from '../engine/check/check.ts'
import { VerifiedStream } from '../engine/stream/stream.ts'

const context: CheckContext = { locale: 'en', context: {}, ports: {}, signal: new AbortController().signal }
const rules = contract({ checks: ['step_marker', 'adr_structure', 'file_existence', { max_words: { limit: 1e9 } }] })

/** Texts that are hard on scanners, of about a given size. */
const hostile: Record<string, (size: number) => string> = {
  letters: (size) => 'a'.repeat(size),
  'open brackets': (size) => '['.repeat(size),
  'footnote openers': (size) => '[^'.repeat(size / 2),
  'back-ticks': (size) => '`'.repeat(size),
  'rising runs of back-ticks': (size) => Array.from({ length: Math.sqrt(size * 2) }, (_, index) => '`'.repeat(index)).join(' '),
  fences: (size) => '```\n'.repeat(size / 4),
  'documents in documents': (size) => '```markdown\n'.repeat(size / 12),
  'documents in documents, closed': (size) => '```md\n'.repeat(size / 10) + '```\n'.repeat(size / 10),
  'bare fences in a document': (size) => `\`\`\`md\n${'\n```\nx\n```\n'.repeat(size / 11)}`,
  'documents that may not have ended': (size) => `\`\`\`md\n\n\`\`\`\n${'x\n'.repeat(100)}`.repeat(size / 214),
  'documents of falling length': (size) =>
    Array.from({ length: Math.sqrt(size) }, (_, index) => '~'.repeat(Math.sqrt(size) + 2 - index))
      .map((fence) => `${fence}md\n\n${fence}\n`)
      .join(''),
  'list markers in a document': (size) => `\`\`\`md\n${'- '.repeat(size / 2)}`,
  'comment openers': (size) => '<!--'.repeat(size / 4),
  'marker openers': (size) => '<!-- step: '.repeat(size / 11),
  'markers with white space': (size) => `<!-- step:${' '.repeat(240)}`.repeat(size / 250),
  'back-slashes': (size) => '\\'.repeat(size),
  pipes: (size) => '|'.repeat(size),
  quotes: (size) => '>'.repeat(size),
  'quotes over lines': (size) => `${'> '.repeat(500)}a\n`.repeat(size / 1002),
  'nested list on one line': (size) => `${'- '.repeat(size / 2)}x`,
  'nested list and a long tail': (size) => '- '.repeat(size / 4) + ' '.repeat(size / 2),
  'alternating bullets and stars': (size) => '- * '.repeat(size / 8) + '*'.repeat(size / 2),
  'deep list and blank lines': (size) => `${'- '.repeat(1000)}x\n${'\n'.repeat(size - 2000)}`,
  'deep list in a quote and blank quotes': (size) => `> ${'- '.repeat(1000)}x\n${'>\n'.repeat(size / 2)}`,
  'indented list': (size) => Array.from({ length: Math.sqrt(size) }, (_, index) => `${'  '.repeat(index)}- x\n`).join(''),
  entities: (size) => '&#'.repeat(size / 2),
  links: (size) => 'https://'.repeat(size / 8),
  'definitions with open titles': (size) => `${'[a]: b (\n'.repeat(size / 9)}===\n`,
  'tags with attributes': (size) => `<a ${'b '.repeat(size / 2)}`,
  rules: (size) => '---\n'.repeat(size / 4),
  'small front matters': (size) => '---\na: 1\n---\n\n'.repeat(size / 14),
  'yaml fences': (size) => '```yaml\nadr: 1\n```\n'.repeat(size / 19),
  headings: (size) => '## Kontext\n'.repeat(size / 11),
  'white space': (size) => ' '.repeat(size),
  'carriage returns': (size) => '\r'.repeat(size),
  NUL: (size) => '\0'.repeat(size),
  'lone surrogates': (size) => '\ud83d'.repeat(size),
  'hash signs': (size) => `# ${'#'.repeat(size)} x`,
  'open reasoning': (size) => `<think>${'</thin'.repeat(size / 6)}`,
}

async function whole(text: string): Promise<void> {
  expect((await check(rules, text)).unchecked).toEqual([])
}
function streamed(text: string): void {
  const stream = new VerifiedStream(rules, context, { release: 'verified', repairs: true, stops: false })
  for (let at = 0; at < text.length; at += 20) stream.push(text.slice(at, at + 20))
  stream.end()
  expect(stream.text).toBe(text)
}

describe.each([
  ['whole', whole],
  ['streamed', streamed],
] as const)('a hostile answer, %s,', (_name, work) => {
  // A quadratic scanner needs minutes for these, and runs into the limit; how time grows is left to the benchmark.
  test.each(Object.entries(hostile))('%s', { timeout: 20_000 }, async (_kind, make) => {
    await work(make(1_000_000))
  })
})

test('ten megabytes are read', { timeout: 60_000 }, async () => {
  const text = `${'Some prose with `code` and [links](x).\n\n- [ ] item\n\n'.repeat(200_000)}<!-- STEP: done -->`
  expect((await check(rules, text)).issues).toEqual([])
})
