import { describe, expect, it } from 'vitest'
import { applyEdits, changedText } from './apply.ts'

const change = (start: number, before: string, after: string) => ({ start, before, after })

describe('changedText', () => {
  it('makes changes in any order, those that only insert first', () =>
    expect(changedText('abc', [change(2, 'c', 'C'), change(1, 'b', ''), change(1, '', '-')])).toBe('a-C'))

  it('makes those of a part', () => expect(changedText('abcde', [change(2, 'c', 'C')], 1, 4)).toBe('bCd'))

  it.each([
    ['overlap', [change(0, 'ab', 'x'), change(1, 'bc', 'y')]],
    ['are for another text', [change(0, 'b', 'x')]],
    ['end after the part', [change(2, 'cde', 'x')]],
    ['begin before it', [change(0, 'ab', 'x')]],
  ])('makes none that %s', (_case, changes) => expect(changedText('abcde', changes, 1, 4)).toBeUndefined())
})

describe('applyEdits', () => {
  const edit = (start: number, end: number, before: string, after: string) => ({ span: { start, end }, before, after })

  it('makes changes', () => expect(applyEdits('abc', [edit(1, 2, 'b', 'B')])).toBe('aBc'))

  it('makes none whose span is not that of its text', () => expect(applyEdits('abc', [edit(0, 2, 'a', 'x')])).toBeUndefined())
})
