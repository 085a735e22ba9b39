import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { answerTokenFrame, errorFrame, sourcesFrame, type ValidationFrame, validationFrame } from './frames.ts'

const audit: ValidationFrame['audit'] = {
  retry_count: 1,
  provider: 'openai',
  prompt_tokens: 3,
  model: 'm',
  mode: 'lenient',
  cost_usd: null,
  completion_tokens: 2,
  cache_hit: false,
}

/** Reads a stream as the standard of server-sent events says. */
function parse(stream: string): { event: string; data: unknown }[] {
  const events: { event: string; data: unknown }[] = []
  let event = ''
  let data: string[] = []
  const lines = stream.replace(/^\ufeff/, '').split(/\r\n|\r|\n/)
  // What no line end closes is no line.
  for (const line of lines.slice(0, -1)) {
    if (line === '') {
      if (data.length > 0) events.push({ event: event || 'message', data: JSON.parse(data.join('\n')) })
      event = ''
      data = []
      continue
    }
    const [, field = '', value = ''] = /^([^:]*):? ?(.*)$/s.exec(line) ?? []
    if (field === 'event') event = value
    else if (field === 'data') data.push(value)
    else throw new Error(`unexpected field ${JSON.stringify(field)}`)
  }
  return events
}

describe('frames', () => {
  test.each([
    [
      'sources',
      sourcesFrame([{ urn: 'urn:a', payload: 'A', version: 1n }]),
      'event: sources\ndata: {"sources_flat":[{"payload":"A","urn":"urn:a"}]}\n\n',
    ],
    ['no sources', sourcesFrame([]), 'event: sources\ndata: {"sources_flat":[]}\n\n'],
    ['a token', answerTokenFrame('a\r\nb\u2028'), 'event: answer_token\ndata: {"text":"a\\r\\nb\\u2028"}\n\n'],
    [
      'validation',
      validationFrame({ ok: true, warnings: [{ kind: 'malformed', span: [0, 3], detail: 'd' }], errors: [], audit }),
      'event: validation\ndata: {"audit":{"cache_hit":false,"completion_tokens":2,"cost_usd":null,"mode":"lenient","model":"m","prompt_tokens":3,' +
        '"provider":"openai","retry_count":1},"errors":[],"ok":true,"warnings":[{"detail":"d","kind":"malformed","span":[0,3]}]}\n\n',
    ],
    ['an error', errorFrame({ code: 504, message: 'late' }), 'event: error\ndata: {"code":504,"message":"late"}\n\n'],
    [
      'an error with what else is known of it',
      errorFrame({ code: 503, message: 'no', limit: 'timeout_ms', attempts: [{ provider: 'p', code: 'dns', detail: 'd' }] }),
      'event: error\ndata: {"attempts":[{"code":"dns","detail":"d","provider":"p"}],"code":503,"limit":"timeout_ms","message":"no"}\n\n',
    ],
    [
      'an error with validation',
      errorFrame({ code: 422, message: 'no', validation: { ok: false, warnings: [], errors: [{ kind: 'out_of_range', detail: 'd' }] } }),
      'event: error\ndata: {"code":422,"message":"no","validation":{"errors":[{"detail":"d","kind":"out_of_range"}],"ok":false,"warnings":[]}}\n\n',
    ],
  ])('%s', (_, frame, expected) => {
    expect(frame).toBe(expected)
  })

  test('no more than its own members are told', () => {
    const error = { kind: 'malformed' as const, detail: 'd', secret: 1 }
    const validation = { ok: false, warnings: [error], errors: [error], secret: 1 }
    expect(validationFrame({ ...validation, audit: Object.assign({ secret: 1 }, audit) })).not.toContain('secret')
    expect(errorFrame({ code: 422, message: 'no', validation })).not.toContain('secret')
  })

  test('no text starts a field', () => {
    const pieces = [
      '\r',
      '\n',
      '\r\n',
      '\n\n',
      '\u2028',
      '\u2029',
      '\u0085',
      '\ufeff',
      '\0',
      'data:',
      'data: x',
      'event:',
      'event: error',
      'id: 1',
      ': ',
      '"',
      '\\',
      '}',
      'a',
      '😀',
    ]
    const texts = fc.string({ unit: fc.constantFrom(...pieces) })
    fc.assert(
      fc.property(texts, texts, (a, b) => {
        const validation = {
          ok: false,
          warnings: [{ kind: 'mode_fallback' as const, detail: a }],
          errors: [{ kind: 'malformed' as const, detail: b }],
        }
        const named = { ...audit, model: a, provider: b }
        const stream = [
          sourcesFrame([{ urn: a, payload: b }]),
          answerTokenFrame(a),
          answerTokenFrame(b),
          validationFrame({ ...validation, audit: named }),
          errorFrame({ code: 500, message: b, validation }),
        ]
        expect(parse(stream.join(''))).toEqual([
          { event: 'sources', data: { sources_flat: [{ urn: a, payload: b }] } },
          { event: 'answer_token', data: { text: a } },
          { event: 'answer_token', data: { text: b } },
          { event: 'validation', data: { ...validation, audit: named } },
          { event: 'error', data: { code: 500, message: b, validation } },
        ])
      }),
    )
  })
})
