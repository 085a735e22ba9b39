import { describe, expect, test } from 'vitest'
import { JsonStream } from './json-stream.ts'

describe('a stream', () => {
  test('shows the value as it grows, and what is not settled', () => {
    const stream = new JsonStream()
    const seen = ['{"na', 'me": "An', 'n", "tags', '": [1', ', "a', 'b"', ']', '}'].map((chunk) => {
      stream.push(chunk)
      return [JSON.stringify(stream.value), stream.openPath.join('.'), stream.finished]
    })
    expect(seen).toEqual([
      ['{}', '', false],
      ['{"name":"An"}', 'name', false],
      // Whether the quote ends the name is not clear before the next key is.
      ['{"name":"Ann"}', 'name', false],
      ['{"name":"Ann","tags":[]}', 'tags', false],
      ['{"name":"Ann","tags":[1,"a"]}', 'tags.1', false],
      ['{"name":"Ann","tags":[1,"ab"]}', 'tags.1', false],
      ['{"name":"Ann","tags":[1,"ab"]}', 'tags.1', false],
      ['{"name":"Ann","tags":[1,"ab"]}', '', true],
    ])
    expect(stream.finish()).toEqual({ ok: true, value: { name: 'Ann', tags: [1, 'ab'] }, edits: [], start: 0, end: 34, cut: 'none' })
  })

  test('has no value before one starts', () => {
    const stream = new JsonStream()
    stream.push(' // soon\n')
    expect(stream.value).toBeUndefined()
    expect(stream.finish()).toMatchObject({ ok: false, reason: 'no JSON value' })
  })

  test('ignores what follows the value, and everything after a refusal', () => {
    const stream = new JsonStream()
    stream.push('[1] and')
    stream.push(' more [2]')
    expect(stream.finish()).toMatchObject({ value: [1], end: 3 })
    const refused = new JsonStream()
    refused.push('{:')
    expect(refused.finished).toBe(true)
    refused.push('}')
    expect(refused.finish()).toMatchObject({ ok: false, at: 1 })
  })

  test('finishes once', () => {
    const stream = new JsonStream({ partial: true })
    stream.push('{"a": "b')
    expect(stream.finish()).toBe(stream.finish())
  })

  test('waits with a quote until it is clear what it is', () => {
    const stream = new JsonStream()
    stream.push('{"a": "He said "yes"')
    expect(stream.value).toEqual({ a: 'He said "yes' })
    stream.push(', and left", "b": 1}')
    expect(stream.finish()).toMatchObject({ value: { a: 'He said "yes", and left', b: 1 } })
  })
})
