import { SseParser } from '@stickler/core/internal'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { createEventReader } from './event-reader.ts'

describe('events', () => {
  it.each([
    ['nothing', '', [], ''],
    ['a heartbeat', ': \n\n', [], ''],
    ['an id alone', 'id: 7\n\n', [], '7'],
    ['one event', 'retry: 2000\nid: c1\nevent: ready\ndata: {}\n\n', [{ name: 'ready', data: '{}' }], 'c1'],
    ['line breaks of Windows', 'event: a\r\ndata: 1\r\n\r\n', [{ name: 'a', data: '1' }], ''],
    ['several lines of data', 'data:1\ndata: 2\ndata\n\n', [{ name: 'message', data: '1\n2\n' }], ''],
    ['an event that is not over', 'data: 1\n', [], ''],
    ['a name without data', 'event: a\n\ndata: 1\n\n', [{ name: 'message', data: '1' }], ''],
  ])('%s', (_, text, events, id) => {
    const reader = createEventReader()
    expect(reader.push(text)).toEqual(events)
    expect(reader.lastId).toBe(id)
  })

  it('are the same however the text is cut', () => {
    const text = 'id: 1\r\nevent: runs\r\ndata: {"items":[]}\r\n\r\n: \n\ndata: a\ndata: b\n\nid: 2\n\n'
    const whole = createEventReader().push(text)
    expect(whole).toHaveLength(2)
    fc.assert(
      fc.property(fc.array(fc.nat(text.length)), (cuts) => {
        const places = [0, ...cuts.sort((a, b) => a - b), text.length]
        const reader = createEventReader()
        const events = places.flatMap((place, index) => [...reader.push(text.slice(places[index - 1] ?? 0, place))])
        expect([events, reader.lastId]).toEqual([whole, '2'])
      }),
    )
  })

  it('are those that the gateway itself would read', () => {
    const text = fc.string({
      unit: fc.constantFrom('\r', '\n', '\r\n\r\n', '\uFEFF', ':', ' ', 'data', 'data: ', 'event:', 'é', 'x'),
      maxLength: 40,
    })
    fc.assert(
      fc.property(text, fc.array(fc.nat(120)), (source, cuts) => {
        const bytes = new TextEncoder().encode(source)
        const places = [0, ...cuts.filter((cut) => cut < bytes.length).sort((a, b) => a - b), bytes.length]
        const pieces = places.slice(1).map((end, index) => bytes.subarray(places[index], end))
        const reader = createEventReader()
        const decoder = new TextDecoder()
        const parser = new SseParser()
        const expected = pieces.flatMap((piece) => parser.push(piece)).map(({ event, data }) => ({ name: event || 'message', data }))
        expect(pieces.flatMap((piece) => [...reader.push(decoder.decode(piece, { stream: true }))])).toEqual(expected)
      }),
    )
  })

  it('a line without an end is given up', () => {
    const reader = createEventReader('', 10)
    reader.push('data: 1234')
    expect(() => reader.push('5')).toThrow(RangeError)
  })
})
