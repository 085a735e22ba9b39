import fc from 'fast-check'
import { describe, expect, it, test } from 'vitest'
import { alwaysTellsFinish, finishKindOf, finishReasonIn, isCutShort, readFinishReason, worseFinish } from './finish-reason.ts'
import { type FinishKind, finishWords } from './finish-reason-table.ts'

const rows = Object.entries(finishWords).flatMap(([wire, words]) =>
  Object.entries(words).map(([word, kind]) => [wire, word, kind as FinishKind] as const),
)
const known = new Map<string, FinishKind>(rows.map(([, word, kind]) => [word, kind]))

describe('the table', () => {
  test.each(rows)('%s: %s is %s, as everywhere else', (_wire, word, kind) => {
    expect(word).toMatch(/^[a-z_]+$/)
    expect(known.get(word)).toBe(kind)
    const spellings = [word, word.toUpperCase(), word.replaceAll('_', '-'), word.replaceAll('_', ' '), ` ${word} `, camel(word)]
    expect(spellings.map(finishKindOf)).toEqual(spellings.map(() => kind))
    expect(finishKindOf(`FINISH_REASON_${word.toUpperCase()}`)).toBe(kind)
    expect(finishKindOf(`REASON_${word.toUpperCase()}`)).toBe(kind)
  })

  test.each([
    'other',
    'unknown',
    'unspecified',
    'FINISH_REASON_UNSPECIFIED',
    'OTHER',
    '',
    ' ',
    'stopp',
    '__proto__',
    'constructor',
    'stop\u200b',
    'stop: length',
    'stop:max_tokens',
    'eos:limit',
    'end_turn:length',
    'tool_calls: length',
    'x'.repeat(1e6),
  ])('%.20s is nobody’s word', (word) => {
    expect(finishKindOf(word)).toBeUndefined()
    expect(isCutShort(word)).toBe(false)
  })

  it('knows no word that is not in it', () => {
    const letters = fc.constantFrom(...'abcdefghijklmnopqrstuvwxyz_ABC-: '.split(''))
    fc.assert(
      fc.property(
        fc.oneof(
          fc.string(),
          fc.array(letters, { maxLength: 20 }).map((list) => list.join('')),
        ),
        (word) => {
          const plain = word
            .trim()
            .replace(/([a-z])([A-Z])/g, '$1_$2')
            .toLowerCase()
            .replace(/[\s-]/g, '_')
          const candidates = [
            plain,
            plain.replace(/^(?:finish_reason|stop_reason|reason)_/, ''),
            plain.split(':')[0]?.replace(/_+$/, '') ?? '',
          ]
          if (!candidates.some((one) => known.has(one))) expect(finishKindOf(word)).toBeUndefined()
        },
      ),
      { numRuns: 2000 },
    )
  })

  it('reads the address of Gemini for chat completions', () => {
    expect(finishKindOf('content_filter: RECITATION')).toBe('filter')
    expect(finishKindOf('function_call_filter: MALFORMED_FUNCTION_CALL')).toBe('interrupted')
  })
})

describe('several words in one stream', () => {
  test.each<[string, string | undefined, string | undefined]>([
    ['length', 'stop', 'length'],
    ['content_filter', 'stop', 'content_filter'],
    ['MAX_TOKENS', 'tool_calls', 'MAX_TOKENS'],
    ['length', 'nobody knows', 'length'],
    ['length', 'content_filter', 'content_filter'],
    ['content_filter', 'length', 'content_filter'],
    ['error', 'stop', 'error'],
    ['stop', 'length', 'length'],
    ['stop', 'nobody knows', 'nobody knows'],
    ['stop', 'tool_calls', 'tool_calls'],
    ['not_finished', 'stop', 'stop'],
    ['IN_PROGRESS', 'completed', 'completed'],
  ])('%s and then %s: %s counts', (before, next, counts) => {
    expect(worseFinish(before, next)).toBe(counts)
    expect(worseFinish(before, undefined)).toBe(before)
    expect(worseFinish(undefined, next)).toBe(next)
  })

  it('is never better than its worst word', () => {
    const word = fc.constantFrom(...[...known.keys()].filter((one) => !['not_finished', 'in_progress', 'queued'].includes(one)), 'other')
    fc.assert(
      fc.property(fc.array(word, { minLength: 1 }), (words) => {
        const end = words.reduce<string | undefined>(worseFinish, undefined)
        expect(isCutShort(end)).toBe(words.some(isCutShort))
      }),
    )
  })
})

test('a field that holds no word holds none', () => {
  expect([undefined, null, '', '  ', 'null', 7, {}, ['stop'], true].map(readFinishReason)).toEqual(
    Array.from({ length: 9 }, () => undefined),
  )
  expect(readFinishReason('stop')).toBe('stop')
})

test.each<[string, object, string | undefined]>([
  ['a choice', { finish_reason: 'length' }, 'length'],
  ['a message of Anthropic', { role: 'assistant', content: [], stop_reason: 'max_tokens' }, 'max_tokens'],
  ['a result of the AI SDK', { text: '', finishReason: 'content-filter' }, 'content-filter'],
  ['a message of LangChain', { content: '', response_metadata: { finish_reason: 'length' } }, 'length'],
  ['a message of LangChain from Anthropic', { content: '', response_metadata: { stop_reason: 'pause_turn' } }, 'pause_turn'],
  ['a response', { status: 'incomplete', incomplete_details: { reason: 'max_output_tokens' } }, 'max_output_tokens'],
  ['a response that is complete', { status: 'completed', incomplete_details: null }, 'completed'],
  ['a chunk of Ollama', { message: {}, done: true, done_reason: 'length' }, 'length'],
  ['a status of another kind', { status: 'sent' }, undefined],
  ['nothing', { role: 'assistant', content: '' }, undefined],
])('%s says why it ended', (_name, message, expected) => {
  expect(finishReasonIn(message as Record<string, unknown>)).toBe(expected)
})

test('who always says it', () => {
  expect(['openai', 'OpenAI', 'azure', 'anthropic', 'mistral', 'ollama'].every(alwaysTellsFinish)).toBe(true)
  expect(['huggingface', 'my-lab', 'scripted', '__proto__'].some(alwaysTellsFinish)).toBe(false)
})

function camel(word: string): string {
  return word.replace(/_([a-z])/g, (_match, letter: string) => letter.toUpperCase())
}
