import { type Contract, type ContractOptions, enforce, enforceStream, type Message } from '@stickler/core'
import { withSoundCalls } from '@stickler/core/internal'
import type { ChatRequest, ChoiceEvent } from '@stickler/core/internal/apis'
import { type UpstreamCall, UpstreamRunner } from '@stickler/core/internal/relay'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { type ContractByName, contract } from '../../../../presets/src/testing/contract.ts'
import { bodyCostBound, type CostBound, chatCostBound } from './cost-bound.ts'
import { promptTokensOf } from './prompt-tokens.ts'
import { amountsOf } from './reservation.ts'

const schema = {
  type: 'object',
  required: Array.from({ length: 30 }, (_, index) => `a-rather-long-name-of-a-field-${index}`),
  additionalProperties: false,
}
const checks: ContractByName['checks'][] = [
  [{ max_words: { limit: 1 } }],
  [{ json: { schema } }],
  ['step_marker', { adr_structure: { required: true } }],
  [{ citations: { profile: 'reddb', sources: 1 } }],
  [{ citations: { sources: 1, requireCitations: 'paragraph' } }, { max_words: { limit: 2 } }],
]

const contracts = fc
  .record({
    checks: fc.constantFrom(...checks),
    retries: fc.nat({ max: 4 }),
    locale: fc.constantFrom('en' as const, 'de' as const),
    stream: fc.constantFrom('verified' as const, 'hold' as const, 'pass' as const),
    askAgain: fc.constantFrom('continue' as const, 'anew' as const),
    instruct: fc.constantFrom('schema' as const, true, false),
    repair: fc.constantFrom('first' as const, 'never' as const),
  })
  .map((input) => contract(input as ContractOptions))

const piece = fc.oneof(
  fc.string({ unit: 'binary', maxLength: 60 }),
  fc.constantFrom('word ', 'One. Two. ', '[^9] ', '[^x] ', '{"a":', '\n\n', '€€€', '😀', 'claim [^2].\n\n', '<!-- STEP: no -->'),
)
const texts = fc
  .array(fc.tuple(piece, fc.nat({ max: 800 })), { maxLength: 6 })
  .map((parts) => parts.map(([text, count]) => text.repeat(count)).join(''))
const limits = fc.oneof(fc.integer({ min: 1, max: 40 }), fc.integer({ min: 1, max: 20_000 }))
const prompts = fc.array(fc.record({ role: fc.constantFrom('system', 'user', 'assistant'), content: fc.string({ unit: 'binary' }) }), {
  minLength: 1,
})

/** A model that keeps its limit by the estimate that prompts are measured with. */
function within(text: string, limit: number): string {
  let kept = text.slice(0, limit * 3)
  while (Buffer.byteLength(kept) > limit * 3)
    kept = kept.slice(0, Math.min(kept.length - 1, Math.floor((kept.length * limit * 3) / Buffer.byteLength(kept))))
  return kept
}

/** An answer of a model that calls tools instead of writing: with reasoning, and arguments of any kind. */
function callsOf(text: string): ChoiceEvent {
  const parts = text.split(/(?<=\n\n)/)
  const toolCalls = parts.slice(1).map((part, at) => ({ id: `id${at % 9}`, name: part.slice(0, 20), arguments: part }))
  return { type: 'end', toolCalls, refused: false, message: { reasoning_content: parts[0] }, fields: {} }
}

function replying(text: string, offersTools: boolean): UpstreamCall {
  if (offersTools) {
    const ending = async function* (): AsyncGenerator<ChoiceEvent> {
      yield callsOf(text)
    }
    return { choices: [{ [Symbol.asyncIterator]: ending }], head: () => ({}) } as unknown as UpstreamCall
  }
  async function* events(): AsyncGenerator<ChoiceEvent> {
    for (let at = 0; at < text.length; at += 500) yield { type: 'text', text: text.slice(at, at + 500) }
    yield { type: 'end', finishReason: 'stop', toolCalls: [], refused: false, message: {}, fields: {} }
  }
  return { choices: [{ [Symbol.asyncIterator]: events }], head: () => ({}) } as unknown as UpstreamCall
}

async function sentBy(
  rules: Contract,
  prompt: readonly Message[],
  answers: readonly string[],
  isStreamed: boolean,
  offersTools: boolean,
): Promise<(readonly Message[])[]> {
  const sent: (readonly Message[])[] = []
  const start = (messages: readonly Message[]): UpstreamCall => {
    sent.push(messages)
    return replying(answers[(sent.length - 1) % answers.length] ?? '', offersTools)
  }
  const runner = new UpstreamRunner({ price: undefined, start })
  const context = offersTools ? { tools: [{ name: 'f' }] } : {}
  if (isStreamed) for await (const _ of enforceStream({ contract: rules, runner, prompt, context })) void _
  else await enforce({ contract: rules, runner, prompt, context })
  return sent
}

test('reserves at least what the engine sends, whatever contract and answers', { timeout: 60_000 }, async () => {
  await fc.assert(
    fc.asyncProperty(
      contracts,
      prompts,
      fc.array(texts, { minLength: 1, maxLength: 4 }),
      limits,
      fc.boolean(),
      fc.boolean(),
      async (given, messages, drafts, limit, isStreamed, offersTools) => {
        const rules = offersTools ? withSoundCalls(given) : given
        const tools = offersTools ? [{ type: 'function', function: { name: 'f', parameters: {} } }] : []
        const chat = { model: 'm', messages, max_tokens: limit, tools } as unknown as ChatRequest
        const most = chatCostBound(chat, { contract: rules, isStreamed }, 4096)
        const answers = drafts.map((text) => within(text, limit))
        const sent = await sentBy(rules, messages as readonly Message[], answers, isStreamed, offersTools)
        expect(sent.length).toBeLessThanOrEqual(1 + most.retries)
        sent.forEach((one, index) => {
          expect(promptTokensOf({ model: 'm', messages: one })).toBeLessThanOrEqual(index === 0 ? most.first.prompt : most.again.prompt)
        })
      },
    ),
    { numRuns: 60 },
  )
})

const tokensOf = (most: CostBound): number => amountsOf(most, undefined).most.tokens

test('a smaller limit never reserves more, and naming none reserves what naming the assumed limit would', () => {
  fc.assert(
    fc.property(
      contracts,
      fc.integer({ min: 1, max: 20_000 }),
      limits,
      fc.integer({ min: 1, max: 4 }),
      fc.boolean(),
      (rules, open, limit, n, isStreamed) => {
        const reserved = (fields: object) =>
          tokensOf(
            chatCostBound(
              { model: 'm', messages: [{ role: 'user', content: 'Hi' }], n, ...fields } as unknown as ChatRequest,
              { contract: rules, isStreamed },
              open,
            ),
          )
        const named = { max_tokens: Math.min(limit, open) }
        expect(reserved(named)).toBeLessThanOrEqual(reserved({ max_tokens: open }))
        expect(reserved({})).toBe(reserved({ max_tokens: open }))
      },
    ),
  )
})

test('a small limit reserves little', () => {
  const chat = { model: 'm', messages: [{ role: 'user', content: 'Hi' }], max_tokens: 1 } as unknown as ChatRequest
  const rules = contract({ checks: [{ max_words: { limit: 3 } }] })
  expect(tokensOf(chatCostBound(chat, { contract: rules, isStreamed: false }, 4096))).toBeLessThan(4000)
  expect(bodyCostBound({ input: 'Hi' }, 'data', 4096).shrinks.limit).toBeUndefined()
})

test('reserves at least a third of the bytes that are sent, whatever a request holds beside its messages', () => {
  const rules = contract({ checks: [{ max_words: { limit: 3 } }] })
  const values = fc.oneof(
    fc.jsonValue(),
    fc
      .tuple(fc.constantFrom(true, false, null, 0, 1_234_567_890_123, '', '\u0001', '"', [], {}), fc.nat({ max: 3000 }))
      .map(([value, count]) => Array(count).fill(value)),
  )
  fc.assert(
    fc.property(fc.dictionary(fc.constantFrom('tools', 'functions', 'response_format', 'junk', 'prediction', '\n'), values), (fields) => {
      const chat = { ...fields, model: 'm', messages: [{ role: 'user', content: 'Hi' }] } as unknown as ChatRequest
      const sent = Buffer.byteLength(JSON.stringify(chat)) / 3
      expect(chatCostBound(chat, { contract: rules, isStreamed: false }, 4096).first.prompt).toBeGreaterThanOrEqual(sent)
      expect(bodyCostBound(chat, 'answers', 4096).first.prompt).toBeGreaterThanOrEqual(sent)
    }),
    { numRuns: 200 },
  )
})

test('each number of a list may be a token', () => {
  expect(promptTokensOf({ input: Array(1000).fill(7) })).toBeGreaterThanOrEqual(1000)
})

test.each([
  [{ max_tokens: 100_000, max_completion_tokens: 5 }, 100_000],
  [{ max_tokens: 5, max_completion_tokens: 100_000 }, 100_000],
  [{ max_tokens: 5, max_new_tokens: 9000 }, 9000],
  [{ max_tokens: 5, max_output_tokens: '9000' }, 9000],
  [{ max_output_tokens: 5 }, 4096],
  [{ max_tokens: 5, max_answer: 1 }, 5],
  [{ max_tokens: 5, best_of: 4 }, 20],
  [{ max_tokens: 5, n: 2, best_of: 4 }, 20],
  [{ max_tokens: 5, n: 2 }, 10],
])('%j reserves %i tokens of completion', (fields, completion) => {
  const rules = contract({ checks: [{ max_words: { limit: 3 } }] })
  const chat = { model: 'm', messages: [{ role: 'user', content: 'Hi' }], ...fields } as unknown as ChatRequest
  expect(chatCostBound(chat, { contract: rules, isStreamed: false }, 4096).first.completion).toBe(completion)
  expect(bodyCostBound({ model: 'm', prompt: 'Hi', ...fields }, 'answers', 4096).first.completion).toBe(completion)
})
