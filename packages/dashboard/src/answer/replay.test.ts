import { contract, settle } from '@stickler/core'
import { stepMarker } from '@stickler/presets/helix'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { Certificate, Issue } from '../api/run-types.ts'
import { type Piece, type Replay, replay } from './replay.ts'
import { applied, editsOf } from './rounds.ts'
import { type Segment, segmentsOf } from './segments.ts'

const textOf = (pieces: readonly Piece[], ...kinds: readonly Piece['kind'][]): string =>
  pieces
    .filter(({ kind }) => kinds.includes(kind))
    .map(({ text }) => text)
    .join('')

function expectWhole({ original, final, pieces }: Replay): void {
  expect(textOf(pieces, 'same', 'removed')).toBe(original)
  expect(textOf(pieces, 'same', 'added')).toBe(final)
}

const marked = (issues: readonly Issue[], text: string) => ({ issues: issues.map((issue, id) => ({ ...issue, id })), text })
const issue = (start: number, end: number): Issue => ({ code: 'X', severity: 'error', validator: 'x', message: 'm', span: { start, end } })

const letters = fc.string({ unit: fc.constantFrom('a', 'b', ' ', '\n', '\r', '😀', 'é', '\ud83d'), maxLength: 40 })

/** Texts with rounds of changes, of which each refers to the text after the one before. */
const histories = fc
  .tuple(letters, fc.array(fc.array(fc.tuple(fc.nat(), fc.nat({ max: 6 }), letters, fc.boolean()), { maxLength: 4 }), { maxLength: 4 }))
  .map(([original, rounds]) => {
    const certificates: Certificate[] = []
    let text = original
    for (const [number, round] of rounds.entries()) {
      const own: Certificate[] = []
      let from = 0
      for (const [place, length, after] of round) {
        const start = Math.min(text.length, from + (place % 8))
        const end = Math.min(text.length, start + length)
        if (start === end && start === from && own.length > 0) continue
        own.push({ rule: `rule-${number}`, class: 'lossy', span: { start, end }, before: text.slice(start, end), after })
        from = end
      }
      const next = applied(text, editsOf(own))
      if (next === undefined) throw new Error('the case is wrong')
      certificates.push(...own)
      text = next
    }
    return { original, certificates, final: text }
  })

describe('certificates are made again', () => {
  it('whatever the rounds, from the text of the attempt', () => {
    fc.assert(
      fc.property(histories, ({ original, certificates, final }) => {
        const made = replay(original, certificates, final)
        expect([made.isExact, made.original, made.final]).toEqual([true, original, final])
        expectWhole(made)
      }),
    )
  })

  it.each([
    [
      'redactions before another repair',
      [{ sensitive: { redact: true } }, stepMarker({})],
      'Mail jane@acme.com and bob@acme.com. Which one?',
    ],
    [
      'three repairs, the second an insertion',
      [{ boilerplate: { remove: true } }, stepMarker({}), { casing: { is: 'upper' } }],
      'Sure, here it is:\n\nNo way.',
    ],
    ['two changes in one round, then an insertion', ['links', stepMarker({})], '[a](javascript:x) and [b](javascript:y)'],
    ['JSON', ['json'], "{'a': 1, b: [True,], 'c': “d” }"],
    ['CRLF and emoji', [stepMarker({})], 'Which\r\none? 😀'],
  ])('of the engine: %s', async (_name, checks, text) => {
    const { repairs, fixed, text: final, status } = await settle(contract({ checks: checks as never, allow: ['lossless', 'lossy'] }), text)
    expect(status).toBe('repaired')
    const kept = repairs.map((one) => (one.secret ? { ...one, before: '[hidden]' } : one))
    const redacted =
      applied(
        text,
        editsOf(repairs.map(({ secret, ...one }) => one)).filter(({ certificate }) => repairs[certificate]?.secret),
      ) ?? text
    for (const written of [redacted, undefined]) {
      const made = replay(written, kept, final)
      expect([made.isExact, made.original.length, made.final]).toEqual([true, text.length, final])
      if (!repairs.some(({ secret }) => secret)) expect(made.original).toBe(text)
      expectWhole(made)
      const drawn = segmentsOf(made.pieces, marked(fixed as readonly Issue[], made.original), marked([], final))
      expect(textOf(drawn, 'same', 'added')).toBe(final)
      for (const [id, { span }] of fixed.entries()) {
        if (span !== undefined)
          expect(
            textOf(
              drawn.filter(({ issues }) => issues.includes(id)),
              'same',
              'removed',
            ),
          ).toBe(made.original.slice(span.start, span.end))
      }
    }
  })

  it('says so when they do not fit, and shows the final text', () => {
    const certificates = [{ rule: 'r', class: 'lossy', span: { start: 0, end: 1 }, before: 'x', after: 'y' }]
    expect(replay('abc', certificates, 'abd')).toEqual({
      ...{ original: 'abc', final: 'abd', isExact: false },
      pieces: [{ kind: 'same', text: 'abd' }],
    })
    expect(replay('abc', [], 'another').isExact).toBe(true)
  })

  it('gives up in bounded time on certificates that fit everywhere and lead nowhere', () => {
    const text = 'a'.repeat(1_000_000)
    const certificates = Array.from({ length: 200 }, (_, at) => ({
      rule: `r${at}`,
      class: 'lossy',
      span: { start: at * 2, end: at * 2 + 1 },
      before: 'a',
      after: 'a',
    }))
    const began = process.cpuUsage()
    expect(replay(text, certificates, `${text}b`).isExact).toBe(false)
    expect(process.cpuUsage(began).user / 1000).toBeLessThan(3000)
  })
})

describe('segments', () => {
  const spans = fc.array(fc.tuple(fc.nat({ max: 50 }), fc.nat({ max: 60 })), { maxLength: 12 })
  const issuesOf = (pairs: readonly (readonly [number, number])[]) => pairs.map(([start, length]) => issue(start, start + length))
  const isCut = (segment: Segment) => /^[\udc00-\udfff]/.test(segment.text)

  it('hold the texts, whatever overlaps, and each issue covers its span', () => {
    fc.assert(
      fc.property(histories, spans, spans, ({ original, certificates, final }, before, after) => {
        const { pieces } = replay(original, certificates, final)
        const [fixed, remaining] = [issuesOf(before), issuesOf(after)]
        const ids = fixed.length
        const drawn = segmentsOf(pieces, marked(fixed, original), {
          issues: remaining.map((one, at) => ({ ...one, id: ids + at })),
          text: final,
        })
        expect(textOf(drawn, 'same', 'removed')).toBe(original)
        expect(textOf(drawn, 'same', 'added')).toBe(final)
        for (const { issues, more } of drawn) expect(more === 0 || issues.length === 4).toBe(true)
      }),
    )
  })

  it('cut no character in two, and mark places without extent', () => {
    const text = 'a😀b'
    const drawn = segmentsOf(
      [{ kind: 'same', text }],
      marked([], text),
      marked([issue(2, 3), issue(4, 4), issue(9, 12), issue(-1, 2), issue(1, 99)], text),
    )
    expect(drawn.some(isCut)).toBe(false)
    expect(drawn.map(({ text: part, issues }) => [part, issues])).toEqual([
      ['a', []],
      ['😀', [0, 4]],
      ['b', [4]],
      ['', [1]],
    ])
  })

  it('take time by size, also where every issue covers everything', () => {
    const text = 'word '.repeat(200_000)
    const issues = Array.from({ length: 200 }, (_, at) => issue(at, text.length - at))
    const began = process.cpuUsage()
    const drawn = segmentsOf([{ kind: 'same', text }], marked([], text), marked(issues, text))
    expect(drawn.length).toBeLessThan(500)
    expect(process.cpuUsage(began).user / 1000).toBeLessThan(500)
  })
})
