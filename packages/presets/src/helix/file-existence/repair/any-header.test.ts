import { applyEdits } from '@stickler/core/internal/validators'
import { readYaml } from '@stickler/core/internal/yaml'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { propose } from '../../../testing/proposed-moves.ts'
import { locate } from '../locate.ts'
import { isSame } from './index.ts'

const fence = '```'

/** One list of files in one of the styles that models write. */
type Written = {
  readonly key: string
  readonly entries: readonly string[]
  readonly style: number
  readonly comments: readonly number[]
  readonly own: boolean
}

const name = fc.oneof(
  fc.constantFrom(
    'old/a',
    'old/b',
    'b',
    './b',
    'c',
    'src/d.ts',
    'e f',
    "it's",
    'g"h',
    'i,j',
    '[k]',
    'l#m',
    'n: o',
    '# p',
    '- q',
    'ü🙂',
    'true',
    '5',
    '~x',
    'dir/y',
    '../z',
    'yes',
    '&r',
    '|s',
    '!t',
    '@u',
    '%v',
    'w\\x',
  ),
  fc.string({
    unit: fc.constantFrom('a', 'b', '/', '.', '-', '_', ' ', '#', ',', ':', '"', "'", '[', '{', 'é', '\\'),
    minLength: 1,
    maxLength: 8,
  }),
)

interface Named {
  readonly files: { readonly modify?: unknown; readonly create?: unknown }
}

function read(source: string): unknown {
  const result = readYaml(source)
  return result.ok ? result.value : undefined
}

const quoted = (entry: string, style: number): string => {
  if (style % 3 === 1) return `'${entry.replaceAll("'", "''")}'`
  // Plain only where that is what YAML reads back.
  const isPlain =
    entry === entry.trim() &&
    [`[${entry}]`, `- ${entry}`].every((source) => isSame(read(source), [entry])) &&
    isSame(read(`a: ${entry}`), { a: entry })
  return style % 3 === 2 && isPlain ? entry : JSON.stringify(entry)
}

function write({ key, entries, style, comments, own }: Written): string[] {
  const texts = entries.map((entry, index) => quoted(entry, style + index + (comments[index] ?? 0)))
  const remark = own ? ' # remark' : ''
  if (style % 4 === 0 && texts.length > 0) {
    const indent = ['  ', '    ', '      '][style % 3]
    return [
      `  ${key}:${remark}`,
      ...texts.flatMap((text, index) => [
        ...((comments[index] ?? 0) % 3 === 1 ? ['    # own line'] : []),
        `${indent}- ${text}${(comments[index] ?? 0) % 2 === 1 ? `  # note ${index}` : ''}`,
      ]),
    ]
  }
  if (style % 4 === 1 && texts.length === 1) return [`  ${key}: ${texts[0]}${remark}`]
  if (style % 4 === 2 && texts.length === 0) return [`  ${key}:${style % 3 === 0 ? ' null' : ''}${remark}`]
  if (style % 4 === 3 && texts.length > 0) return [`  ${key}: [`, ...texts.map((text) => `    ${text},`), `  ]${remark}`]
  return [`  ${key}: [${texts.join(style % 3 === 0 ? ',' : ', ')}]${remark}`]
}

const written = (key: string): fc.Arbitrary<Written> =>
  fc.record({
    key: fc.constant(key),
    entries: fc.array(name, { maxLength: 5 }),
    style: fc.nat(11),
    comments: fc.array(fc.nat(5), { minLength: 5, maxLength: 5 }),
    own: fc.boolean(),
  })

const headers = fc.record({
  modify: written('modify'),
  create: fc.option(written('create'), { nil: undefined }),
  createFirst: fc.boolean(),
  around: fc.tuple(fc.constantFrom('title: x # t', 'tags: [a, b]', '# comment'), fc.constantFrom('status: "y"', '# end', 'z:\n  - 1')),
  between: fc.constantFrom([], ['  # between'], ['  other: 1']),
  lineBreak: fc.constantFrom('\n', '\r\n', '\r'),
  place: fc.constantFrom('start', 'prose', 'fence'),
})

describe('any header', () => {
  it('reads as it did but for the move, line by line', async () => {
    let moves = 0
    await fc.assert(
      fc.asyncProperty(headers, async ({ modify, create, createFirst, around, between, lineBreak, place }) => {
        const lists = [write(modify), ...(create ? [write(create)] : [])]
        if (createFirst) lists.reverse()
        const yaml = [
          'adr_id: 7',
          around[0],
          'files:',
          ...lists.flatMap((list, index) => (index === 0 ? list : [...between, ...list])),
          around[1],
        ].join('\n')
        const block =
          place === 'fence'
            ? `Prose\n\n${fence}yaml\n${yaml}\n${fence}\nEnd\n`
            : `${place === 'prose' ? 'Prose\n\n' : ''}---\n${yaml}\n---\nEnd\n`
        const text = block.replaceAll('\n', lineBreak)

        const certificates = await propose(text)
        const sourceOf = (answer: string): string =>
          answer
            .split(lineBreak)
            .slice(place === 'start' ? 1 : 3, -3)
            .join('\n')
        const before = read(sourceOf(text)) as Named
        expect(certificates.length > 0).toBe(asList(before.files.modify).some(missing))
        if (certificates.length === 0) return
        moves++
        const mended = applyEdits(text, certificates) ?? ''
        const after = read(sourceOf(mended))

        const listed = new Set(asList(before.files.create).map(plain))
        const moved = asList(before.files.modify)
          .filter(missing)
          .filter((entry) => !listed.has(plain(entry)) && listed.add(plain(entry)))
        expect(after).toEqual({
          ...before,
          files: {
            ...before.files,
            modify: asList(before.files.modify).filter((entry) => !missing(entry)),
            ...(moved.length > 0 ? { create: [...asList(before.files.create), ...moved] } : {}),
          },
        })

        // Every comment is still there, and so is every line that names no file that moves.
        const lines = mended.split(lineBreak)
        const involved = (line: string): boolean => /^ *(?:- |modify:|create:|\]|\S.*,$)/.test(line)
        for (const line of text.split(lineBreak)) if (!involved(line)) expect(lines).toContain(line)
        const remarks = (answer: string): string[] =>
          [...answer.matchAll(/# (?:own line|remark|note \d|between|comment|end|t)$/gm)].map(([remark]) => remark).sort()
        expect(remarks(mended.replaceAll('\r', '\n'))).toEqual(remarks(text.replaceAll('\r', '\n')))
        expect(mended.split(lineBreak).join('')).not.toMatch(/[\r\n]/)
        expect(await propose(mended)).toEqual([])
      }),
      { numRuns: 300 },
    )
    expect(moves).toBeGreaterThan(100)
  })
})

function asList(value: unknown): unknown[] {
  if (Array.isArray(value)) return value
  return value === null || value === undefined || (typeof value === 'string' && value.trim() === '') ? [] : [value]
}

function plain(entry: unknown): unknown {
  return typeof entry === 'string' ? (locate(entry) ?? entry) : undefined
}

function missing(entry: unknown): boolean {
  const path = typeof entry === 'string' ? locate(entry) : undefined
  return path !== undefined && path !== '' && !/^(?:old|dir|link)/.test(path)
}
