import { describe, expect, test } from 'vitest'
import { type AskResult, type AskValidation, askEnvelope, envelopeBytes, giveUpBody } from './envelope.ts'

const empty: AskResult = {
  validation: { ok: true, warnings: [], errors: [] },
  sources: [],
  retry_count: 0,
  provider: 'openai',
  prompt_tokens: 0,
  model: 'm',
  mode: 'strict',
  completion_tokens: 0,
  citations: [],
  cache_hit: false,
  cost_usd: null,
  answer: '',
}
const doubtful: AskValidation = {
  ok: true,
  warnings: [
    { kind: 'mode_fallback', detail: 'lowered' },
    { span: [3, 7], kind: 'out_of_range', detail: 'marker [^9] references source #9 but only 2 sources available' },
  ],
  errors: [{ kind: 'malformed', detail: 'empty marker body' }],
}

/** Every object in a value, however deep. */
function objects(value: unknown): object[] {
  if (typeof value !== 'object' || value === null) return []
  return [...(Array.isArray(value) ? [] : [value]), ...Object.values(value).flatMap(objects)]
}

describe('askEnvelope', () => {
  const full: AskResult = {
    ...empty,
    answer: 'é[^9] b[^1] c[^2]',
    citations: [
      { marker: 1, span: [8, 12] },
      { marker: 9, span: [2, 6] },
      { marker: 2, span: [14, 18] },
    ],
    sources: [
      { urn: 'urn:b', payload: 'B', version: 7n },
      { urn: 'urn:a', payload: 'A' },
    ],
    cost_usd: 0.25,
    validation: doubtful,
  }

  test('the bytes of an empty one', () => {
    expect(envelopeBytes(askEnvelope(empty))).toBe(
      '{"answer":"","cache_hit":false,"citations":[],"completion_tokens":0,"cost_usd":null,"mode":"strict","model":"m","prompt_tokens":0,' +
        '"provider":"openai","retry_count":0,"sources_flat":[],"validation":{"errors":[],"ok":true,"warnings":[]}}',
    )
  })

  test('the bytes of a full one', () => {
    expect(envelopeBytes(askEnvelope(full))).toBe(
      '{"answer":"é[^9] b[^1] c[^2]","cache_hit":false,"citations":[{"marker":1,"source_index":0,"span":[8,12],"urn":"urn:b"},' +
        '{"marker":2,"source_index":1,"span":[14,18],"urn":"urn:a"},{"marker":9,"source_index":8,"span":[2,6],"urn":null}],"completion_tokens":0,"cost_usd":0.25,"mode":"strict","model":"m","prompt_tokens":0,' +
        '"provider":"openai","retry_count":0,"sources_flat":[{"payload":"B","urn":"urn:b"},{"payload":"A","urn":"urn:a"}],' +
        '"validation":{"errors":[{"detail":"empty marker body","kind":"malformed"}],"ok":true,"warnings":[{"detail":"lowered","kind":"mode_fallback"},' +
        '{"detail":"marker [^9] references source #9 but only 2 sources available","kind":"out_of_range","span":[3,7]}]}}',
    )
  })

  test('its own order of keys is alphabetical at every depth', () => {
    const envelope = askEnvelope(full)
    for (const object of objects(envelope)) expect(Object.keys(object)).toEqual(Object.keys(object).sort())
    expect(JSON.stringify(envelope)).toBe(envelopeBytes(envelope))
  })

  test.each([0, -1, 1.5, 3, 4_294_967_295])('marker %d leads to no source', (marker) => {
    expect(askEnvelope({ ...full, citations: [{ marker, span: [0, 4] }] }).citations[0]?.urn).toBeNull()
  })
})

describe('giveUpBody', () => {
  test('keeps the order of keys of the original', () => {
    expect(JSON.stringify(giveUpBody({ ...doubtful, ok: false }))).toBe(
      '{"ok":false,"error":"ASK citation validation failed after retry","validation":{"ok":false,"warnings":[{"kind":"mode_fallback","detail":"lowered"},' +
        '{"kind":"out_of_range","span":[3,7],"detail":"marker [^9] references source #9 but only 2 sources available"}],' +
        '"errors":[{"kind":"malformed","detail":"empty marker body"}]}}',
    )
  })

  test('lists are never left out', () => {
    expect(JSON.stringify(giveUpBody({ errors: [], warnings: [], ok: false }))).toBe(
      '{"ok":false,"error":"ASK citation validation failed after retry","validation":{"ok":false,"warnings":[],"errors":[]}}',
    )
  })
})
