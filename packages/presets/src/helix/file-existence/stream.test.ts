import { Answer } from '@stickler/core'
import { AnswerReader } from '@stickler/core/internal/validators'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { headersOf } from '../records/metadata-headers.ts'
import { fileExistence } from './index.ts'

const fence = '```'

const header = (modify: string): string => `---\nfiles:\n  modify: ${modify}\n---\n\nText\n`

describe('file_existence on a stream', () => {
  const prepared = fileExistence.definition.prepare({ maxEntries: 1000 })
  const context = { locale: 'en', context: {}, ports: {}, signal: new AbortController().signal } as const

  /** How far the text is safe after each of the chunks. */
  function progress(chunks: readonly string[]): number[] {
    const reader = new AnswerReader()
    const stream = prepared.incremental?.(context)
    let length = 0
    return chunks.map((chunk) => {
      reader.push(chunk)
      length += chunk.length
      return Math.min(length, stream?.push(chunk, reader).safe ?? -1)
    })
  }

  const bad = header('[nothing.ts]')
  const good = header('[]')
  it.each([
    ['text without a header', 'One\n\nTwo', 8],
    ['a header that names files', bad, 0],
    ['text before such a header', `Prose\n\n${bad}`, 7],
    ['a header that names none', good, good.length],
    ['a second header, which names files', `${good}\n${bad}`, good.length + 1],
    ['a header without files', '---\ntitle: x\n---\n\nText', 22],
    ['a header without files and one with', `---\ntitle: x\n---\n\n${bad}`, 18],
    ['a header that is still open', `Prose\n\n---\nfiles:\n  modify: []\n`, 7],
    ['a fence that is still open', `Prose\n\n${fence}yaml\nfiles:\n  modify: []\n`, 7],
    ['a fence of another language', `Prose\n\n${fence}ts\nfiles:`, 19],
    ['a fence that names files', `Prose\n\n${fence}yaml\nfiles:\n  modify: [x]\n${fence}\nMore\n`, 7],
    ['a fence that names none', `Prose\n\n${fence}yaml\nfiles:\n  modify:\n${fence}\nMore\n`, 41],
    ['entries that are not text', header('[1]'), 0],
    ['CR only', 'Prose\r\r---\rfiles:\r  modify: [x]\r---\rText', 7],
  ])('%s', (_, text, safe) => {
    expect(progress([text])).toEqual([safe])
    expect(progress([...text]).at(-1)).toBe(safe)
  })

  const pieces = fc.constantFrom(
    ...[
      '---\n',
      '---\r\n',
      'files:\n',
      '  modify: [x]\n',
      '  modify: []\n',
      '  modify:\n',
      '    - x\n',
      'title: x\n',
      'Prose\n',
      '\n',
      '\r',
      fence,
      'yaml\n',
      '> ',
      '- ',
    ],
    ...[bad, good, `${fence}yaml\n${good}${fence}\n`, `${fence}md\n${bad}${fence}\n`, `${fence}\n`, '<think>', '</think>', '\ufeff'],
  )
  const texts = fc.array(pieces, { maxLength: 14 }).map((parts) => parts.join(''))

  it('never goes back, and never releases what a check finds or a repair touches', () => {
    fc.assert(
      fc.property(texts, fc.array(fc.nat(200)), (text, cuts) => {
        const places = [...new Set([0, ...cuts.filter((cut) => cut < text.length), text.length])].sort((a, b) => a - b)
        const safe = progress(places.slice(1).map((end, index) => text.slice(places[index], end)))
        expect(safe).toEqual([...safe].sort((a, b) => a - b))
        const header = headersOf(new Answer(text)).find(
          ({ yaml }) => yaml.ok && typeof (yaml.value as { files?: unknown } | null)?.files === 'object',
        )
        const modify = header?.yaml.ok ? (header.yaml.value as { files: { modify?: unknown[] } | null }).files?.modify : undefined
        if (header?.sourceSpan && modify?.length) expect(safe.at(-1) ?? 0).toBeLessThanOrEqual(header.span.start)
      }),
      { numRuns: 1000 },
    )
  })

  it('is linear in the text', { timeout: 20_000 }, () => {
    expect(
      progress(Array.from({ length: 100_000 }, (_, index) => (index % 3 === 0 ? '- ' : index % 3 === 1 ? 'word word ' : '\n'))),
    ).toHaveLength(100_000)
    expect(progress([`${fence}yaml\n`, ...Array<string>(100_000).fill('- word\n')])).toHaveLength(100_001)
  })
})
