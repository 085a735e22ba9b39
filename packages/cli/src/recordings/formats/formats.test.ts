import { type Fields, readAnswerRequest } from '@stickler/core/internal'
import { describe, expect, it, test } from 'vitest'
import { recordingFixtures as fixtures } from '../../testing/recording-fixtures.ts'
import { formatsOf } from '../detect.ts'
import { readRecord } from '../open-recordings.ts'
import type { Recording, Unusable } from '../recording.ts'
import { recordFormats } from './index.ts'

const named = (name: string) => {
  const found = recordFormats.find((format) => format.name === name)
  if (found === undefined) throw new Error(name)
  return found
}

const raw = (value: Fields) => ({ line: 1, bytes: 1, value: JSON.parse(JSON.stringify(value)) as Fields })

/** What a fixture lists, from what was read. */
function shown(record: Recording | Unusable): Fields {
  if (!('fields' in record)) return { ...record }
  const { checks: _checks, ...fields } = record.fields
  const { answer } = readAnswerRequest(fields, (param, message) => new Error(`${param} ${message}`))
  return { ...record, text: answer.text, finish: answer.finishReason, calls: answer.toolCalls.map((call) => [call.name, call.arguments]) }
}

describe('each format', () => {
  test.each(fixtures.map((fixture) => [`${fixture.format}: ${fixture.what}`, fixture] as const))('%s', (_, { format, record, reads }) => {
    const written = raw(record)
    expect(formatsOf(written.value).map(({ name }) => name)).toEqual([format])
    expect([...readRecord(written, 'f', named(format))].map(shown)).toMatchObject(reads)
  })

  it('has a fixture', () => {
    expect(new Set(fixtures.map(({ format }) => format))).toEqual(new Set(recordFormats.map(({ name }) => name)))
  })

  it('keeps the question, the tools and the settings of a request', () => {
    const withTools = fixtures.filter(({ record }) => JSON.stringify(record).includes('"parameters"'))
    expect(withTools.length).toBeGreaterThan(4)
    for (const { format, record, reads } of withTools) {
      const [first] = readRecord(raw(record), 'f', named(format))
      if (reads[0]?.reason === undefined) expect(first, format).toMatchObject({ fields: { tools: [{ function: { name: 'weather' } }] } })
    }
  })
})

const junk: readonly unknown[] = [null, 7, '', true, [], {}, [[null]], { a: { b: [{}] } }, '[{']

/** A record with each of its values, to a depth, removed or replaced by something else. */
function* mutations(value: unknown, depth = 0): Generator<unknown> {
  if (depth > 3 || typeof value !== 'object' || value === null) return
  if (Array.isArray(value)) {
    for (const [at, item] of value.entries()) for (const other of [...junk, ...mutations(item, depth + 1)]) yield value.with(at, other)
    return
  }
  for (const [key, inner] of Object.entries(value)) {
    const { [key]: _gone, ...rest } = value as Fields
    yield rest
    for (const other of [...junk, ...mutations(inner, depth + 1)]) yield { ...value, [key]: other }
  }
}

describe('damaged records', () => {
  test.each(fixtures.map((fixture) => [`${fixture.format}: ${fixture.what}`, fixture] as const))('%s', (_, { format, record }) => {
    for (const mutated of mutations(JSON.parse(JSON.stringify(record)))) {
      const written = raw(mutated as Fields)
      const matching = formatsOf(written.value).map(({ name }) => name)
      // Never taken for another format, nor for two.
      expect(
        matching.filter((name) => name !== format),
        JSON.stringify(mutated),
      ).toEqual([])
      for (const one of readRecord(written, 'f', named(format))) {
        // Either an answer that can be read, or a reason.
        if ('fields' in one) shown(one)
        else expect(one.reason).toMatch(/^[a-z]/i)
      }
    }
  })

  it('never takes an arbitrary object for a format', () => {
    for (const value of [
      {},
      { id: 1 },
      { a: 1 },
      { name: 'x', value: 2 },
      { messages: [] },
      { messages: 'x' },
      { response: null },
      { object: 'list', data: [] },
      { type: 'message' },
      { results: { version: 4, results: [] } },
      { text: null },
    ])
      expect(formatsOf(value), JSON.stringify(value)).toEqual([])
  })
})

describe('runs of the gateway', () => {
  const exported = { id: 'r', at: 1, api: 'chat', contract: 'c', attempts: 1, status: 'valid', finish_reason: 'tool_calls' }
  const call = { name: 'f', arguments: '{}' }
  const hiddenCall = { type: 'function', function: { name: 'f', arguments: '[hidden]' } }
  const run = {
    id: 'r',
    requestId: 'q',
    choice: 0,
    contract: 'c',
    status: 'valid',
    context: { tools: [{ name: 'f' }], toolChoice: 'auto' },
  }
  const called = (...toolCalls: readonly object[]) => [{ number: 1, text: '', finishReason: 'tool_calls', toolCalls }]
  const failure = { kind: 'network', message: 'refused' }

  test.each<[string, Fields, string]>([
    ['stickler', { ...exported, text: '' }, 'tool calls not kept'],
    ['stickler', { ...exported, text: '', tool_calls: [] }, 'tool calls not kept'],
    ['stickler', { ...exported, missing: 'tool calls not kept' }, 'tool calls not kept'],
    ['stickler', { ...exported, text: 'I will.', missing: 'request not kept' }, 'request not kept'],
    ['stickler', { ...exported, text: '', tool_calls: [hiddenCall] }, 'secrets hidden'],
    ['stickler', { ...exported, text: '', tool_calls: ['f'] }, 'tool calls not kept'],
    ['stickler', { ...exported, text: '', finish_reason: undefined, status: 'failed' }, 'error'],
    ['stickler', { ...exported, finish_reason: undefined, status: 'failed' }, 'error'],
    ['stickler', { ...exported, finish_reason: 'stop' }, 'text not kept'],
    ['stickler-runs', { ...run, attempts: [], text: '', failure }, 'error'],
    ['stickler-runs', { ...run, attempts: [{ number: 1, failure: 'network' }], failure }, 'error'],
    ['stickler-runs', { ...run, attempts: called() }, 'tool calls not kept'],
    ['stickler-runs', { ...run, attempts: called({ name: 'f', arguments: '{', cut: 9 }) }, 'tool calls not kept'],
    ['stickler-runs', { ...run, attempts: called({ name: 'f', arguments: '{}', more: 1 }) }, 'tool calls not kept'],
    ['stickler-runs', { ...run, attempts: called({ name: 'f', arguments: '[hidden]' }) }, 'secrets hidden'],
    ['stickler-runs', { ...run, attempts: called(call), context: { 'omitted characters': 9 } }, 'request not kept'],
  ])('%s: %j has no answer', (format, record, reason) => {
    const written = raw(record)
    expect(formatsOf(written.value).map(({ name }) => name)).toEqual([format])
    expect([...readRecord(written, 'f', named(format))]).toMatchObject([{ id: 'r', reason }])
  })

  test.each<[string, Fields]>([
    ['stickler', { ...exported, text: '', tool_calls: [call], tools: run.context.tools, tool_choice: 'auto' }],
    ['stickler-runs', { ...run, attempts: called(call) }],
    ['stickler-runs', { ...run, attempts: [], text: '', toolCalls: [call] }],
  ])('%s: calls are read with the tools of their request', (format, record) => {
    const fields = { text: '', tool_calls: [call], tools: [{ name: 'f' }], tool_choice: 'auto' }
    expect([...readRecord(raw(record), 'f', named(format))]).toMatchObject([{ id: 'r', fields }])
  })

  it('an empty text is an answer', () => {
    expect([...readRecord(raw({ ...exported, text: '', finish_reason: 'stop' }), 'f', named('stickler'))]).toMatchObject([
      { fields: { text: '' } },
    ])
  })
})
