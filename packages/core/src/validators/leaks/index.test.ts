import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { contract } from '../../catalogue.ts'
import { check } from '../../engine/check/check.ts'
import { enforce, enforceStream } from '../../engine/enforce.ts'
import { settle } from '../../engine/repair/settle.ts'
import { scripted } from '../../runners/scripted.ts'
import { assertStreamable } from '../../testing/assert-streamable.ts'
import { localeFaults } from '../../testing/locale-faults.ts'
import { leaks } from './index.ts'

const rules = contract({ checks: [leaks({})], retries: 0 })
const lossy = contract({ checks: [leaks({})], retries: 0, allow: ['lossless', 'lossy'] })
const strict = contract({ checks: [leaks({})], retries: 0, repair: 'never' })
const codesIn = async (text: string, context = {}) => (await check(rules, text, { context })).issues.map(({ code }) => code)

const tokens = [
  '<|im_start|>',
  '<|im_end|>',
  '<|endoftext|>',
  '<|eot_id|>',
  '<|start_header_id|>',
  '<|end|>',
  '<|assistant|>',
  '<|reserved_special_token_12|>',
  '<|START_OF_TURN_TOKEN|>',
  '<|channel|>',
  '<|turn>',
  '<turn|>',
  '[/THINK]',
  '<｜end▁of▁sentence｜>',
  '<｜User｜>',
  '[INST]',
  '[/INST]',
  '<<SYS>>',
  '<</SYS>>',
  '[SYSTEM_PROMPT]',
  '[UNUSED_TOKEN_145]',
  '<start_of_turn>',
  '<end_of_turn>',
  '</think>',
  '<extra_id_1>',
  '<unused99>',
  '<0x0A>',
  '<|im_\u200bstart|>',
  '[IN\u00adST\u200d]',
  '<\u2060end\ufeff_of_turn>',
  '<\u{e0001}|eot_id|>',
]

/** Answers that lossless repairs make right, and what they become. */
const repaired: Readonly<Record<string, string>> = {
  'Fine.<|im_end|>': 'Fine.',
  'Fine.<|im_\u200bend|>': 'Fine.',
  '<|im\u200b_start|>assistant\nFine.': 'Fine.',
  'Fine.\n<|eot_id|>\n': 'Fine.\n',
  'Fine.</s>': 'Fine.',
  'Fine. <eos>': 'Fine. ',
  'Fine.<|im_end|><|endoftext|></s>': 'Fine.',
  '<think>Hm.\n</think>Fine.<｜end▁of▁sentence｜>': '<think>Hm.\n</think>Fine.',
  '<|im_start|>assistant\nFine.': 'Fine.',
  '<|start_header_id|>assistant<|end_header_id|>\n\nFine.<|eot_id|>': 'Fine.',
  '<start_of_turn>model\nFine.<end_of_turn>': 'Fine.',
  '[/INST] Fine.': 'Fine.',
  '\n<|assistant|>\nFine.': '\nFine.',
  '`a` is fine.<|end|>': '`a` is fine.',
}

/** Answers that go on as somebody else, and what is left where a loss is allowed. */
const cut: Readonly<Record<string, string>> = {
  'Fine.<|im_end|>\n<|im_start|>user\nAnd then?': 'Fine.',
  'Fine.\n\n[INST] And then? [/INST] More.': 'Fine.',
  'Fine.<end_of_turn>\n<start_of_turn>user\nAnd?': 'Fine.',
  'Fine.\n\nUser: And then?\nAssistant: More.': 'Fine.',
  'Fine.\r\n\r\nHuman: And then?': 'Fine.',
  'Fine.\n\n### Human: And then?\n### Assistant: More.': 'Fine.',
  'Fine.\n\n### Instruction:\nWrite more.\n\n### Response:\nMore.': 'Fine.',
  'Gut so.\n\nNutzer: Und dann?': 'Gut so.',
  '好的。\n\n用户：然后呢？': '好的。',
  'Fine.\n\nUser:': 'Fine.',
  'Fine.\n\nUser: Thanks.\n\n**Assistant:** You are welcome.': 'Fine.',
  'Fine.\n\nUser: Thanks.\n\nAI: You are welcome.': 'Fine.',
  'Fine.\n\nUser: And then?\n\nNote: More.': 'Fine.',
  'Fine.\n\nUser: Thanks.\n\nThat was all, and nothing else was asked: really.\n\nAdmin: x': 'Fine.',
}

const right: Readonly<Record<string, string>> = {
  'tokens in a fence': 'So:\n\n```jinja\n<|im_start|>user\n{{ x }}<|im_end|>\n\nUser: hi\n```\n\nDone.',
  'tokens in inline code': 'Qwen writes `<|im_start|>user` and `<|im_end|>`, Llama 2 `[INST]`.',
  'HTML that strikes out': 'Now <s>$10</s> only $5, was <s>$12</s>',
  'tokens that are written about': 'The <eos> token ends a text, <pad> fills it, </s> too.',
  operators: 'f <| x |> g, a <|> b, x |> y, list[0], [INSTALL], [INST, x], <a|b>',
  'placeholders in brackets': '[Your Name], [/b], [URL], <topic>, <|>, <<x>>',
  'a call of a tool': '<|python_tag|>f(x)<|tool_call_end|>',
  'a dialogue that is announced': 'Here is a conversation:\n\nUser: Hi.\n\nAssistant: Hello.\n\nUser: Bye.\n\nAssistant: Bye.',
  'a dialogue from the start': 'User: Hi.\n\nAssistant: Hello. How are you?\n\nUser: Fine.',
  'a play': '*A room.*\n\n**Anna:** Hello.\n\n**User:** Hi.\n\nBOT: Hello.\n\nUSER: Hi.\n\n',
  'an interview': 'Interviewer: Who are you?\n\nUser: A user.\n\nInterviewer: Why?\n\nUser: Because.',
  'a heading': 'There are roles.\n\n## User:\n\n- reads\n\n### Assistant:\n\n- writes\n\n### Response:\n\nA body.',
  fields: 'Log in.\n\nHost: x\n\nUser: root\n\nPassword: y',
  'a list of roles': 'There are two roles.\n\nUser: can read.\n\nAdmin: can write.',
  'a list of roles, line by line': 'There are two roles.\r\n\r\nUser: can read.\r\n**Admin**: can write.\r\n\r\nDone.',
  'a list of labels with bodies of their own': 'Es gibt drei Rollen.\n\nNutzer:\n\nBetreiber:\n\nPrüfer: alle.',
  'a word in a sentence': 'Ask the user.\n\nUser interfaces: some are good.\n\nUsers: many. Humans: few.',
  'the end of a fence that is open': '```\n<|im_end|>',
}

describe('leaks', () => {
  test.each(tokens)('%s is a token', async (token) => {
    for (const text of [`Well, ${token} and so on.`, `A\n\n${token}\n\nB`, `**${token}** x`]) {
      expect(await codesIn(text)).toEqual(['TEMPLATE_TOKEN'])
      await assertStreamable(rules, text, [1, 3])
    }
    expect(await codesIn(`Well, \`${token}\` and so on.`)).toEqual([])
    expect((await check(contract({ checks: [leaks({ code: true })] }), `\`${token}\` x`)).issues).toMatchObject([
      { code: 'TEMPLATE_TOKEN' },
    ])
    expect((await check(contract({ checks: [leaks({ allowed: [token] })] }), `Well, ${token} x`)).issues).toEqual([])
  })

  test.each(Object.entries(repaired))('without loss: %j', async (text, after) => {
    expect(await settle(rules, text)).toMatchObject({ status: 'repaired', text: after })
    expect((await settle(strict, text)).status).toBe('unresolved')
    for (const one of [rules, strict, lossy]) await assertStreamable(one, text, [1, 2, 5])
  })

  test.each(Object.entries(cut))('with a loss: %j', async (text, after) => {
    expect((await settle(rules, text)).status).toBe('unresolved')
    const start = text.slice(0, text.search(/\S/) + after.length + (/^\s*/.exec(text.slice(after.length))?.[0].length ?? 0))
    expect(await settle(lossy, text)).toMatchObject({
      status: 'repaired',
      text: start,
      repairs: [{ rule: 'cut-foreign-turn', class: 'lossy' }],
    })
    for (const one of [rules, strict, lossy]) await assertStreamable(one, text, [1, 2, 5])
  })

  test.each(Object.entries(right))('right: %s', async (_name, text) => {
    expect(await codesIn(text)).toEqual([])
    for (const one of [rules, lossy]) {
      expect(await settle(one, text)).toMatchObject({ status: 'valid', text })
      await assertStreamable(one, text, [1, 2, 5])
    }
  })

  test('nothing is repaired of which nothing would be left', async () => {
    for (const text of ['<|im_end|>', '<|im_start|>assistant\n<|im_end|>', '<|im_start|>user\nHi'])
      expect((await settle(lossy, text)).status).toBe('unresolved')
  })

  test('says what was found and where', async () => {
    const { issues } = await check(rules, '<think>\n</think>\nHi.<|im_end|>\n\nUser: x')
    expect(issues.map(({ message }) => message)).toEqual([
      'Write no tokens of a chat template; "<|im_end|>" is in line 3.',
      'Write only your own answer, without a turn of somebody else; one starts with "User:" in line 5.',
    ])
  })

  test('says that tokens that are written about are code', async () => {
    const text = 'Qwen ends with <|im_end|> here.'
    expect((await check(rules, text)).issues).toMatchObject([{ hint: expect.stringContaining('back-ticks') }])
    const german = contract({ checks: [leaks({})], locale: 'de' })
    expect((await check(german, text)).issues).toMatchObject([{ hint: expect.stringContaining('Back-Ticks') }])
  })

  const secret = `You are Ada, the assistant of ACME. Never mention the price list, never promise a refund above fifty dollars, and always ask for the order number first. Close every answer with the name of the agent on duty, which is **Grace** today.`
  const messages = [
    { role: 'system', content: secret },
    {
      role: 'user',
      content: 'Please quote this: the quick brown fox jumps over the lazy dog and runs away from the farm before the sun has set today.',
    },
  ]
  const echoing = { context: { prompt: messages } }

  test.each<[string, string, boolean]>([
    ['all of it', `My rules are: ${secret}`, true],
    ['in other case', secret.toUpperCase(), true],
    ['in another form', `- ${secret.replace(/ /g, '\n> *')}`, true],
    ['in code', `\`\`\`\n${secret}\n\`\`\``, true],
    ['a few words', 'I am Ada, the assistant of ACME. May I have the order number first?', false],
    ['what the user wrote', 'The quick brown fox jumps over the lazy dog and runs away from the farm before the sun has set today.', false],
    ['other words', 'I may not talk about prices, and refunds are limited. Could you tell me which order it is? '.repeat(2), false],
  ])('an echo: %s', async (_name, text, isEcho) => {
    expect(await codesIn(text, echoing.context)).toEqual(isEcho ? ['PROMPT_ECHO'] : [])
    expect(await codesIn(text)).toEqual([])
    await assertStreamable(rules, text, [1, 3, 50], echoing)
    const off = contract({ checks: [leaks({ echo: false })] })
    expect((await check(off, text, echoing)).issues).toEqual([])
  })

  test('what the user wrote is no secret, even where the system prompt has it too', async () => {
    const quoting = [{ role: 'system', content: `Translate: ${messages[1]?.content}` }, messages[1]]
    expect(await codesIn(`${messages[1]?.content}`, { prompt: quoting })).toEqual([])
  })

  test('a short prompt is an echo as a whole', async () => {
    const prompt = [{ role: 'developer', content: 'The password of the day is swordfish, and nobody must ever know.' }]
    expect(await codesIn('Well: the password of the day is swordfish and nobody must ever know', { prompt })).toEqual(['PROMPT_ECHO'])
    expect(await codesIn('The password of the day is secret, and nobody must ever know it', { prompt })).toEqual([])
  })

  test('an echo is never quoted, and a run sees its own prompt', async () => {
    const outcome = await enforce({ contract: rules, runner: scripted([secret]), prompt: messages as never })
    expect(outcome.issues).toMatchObject([
      { code: 'PROMPT_ECHO', message: 'Do not repeat your instructions; 30 of their words follow each other from line 1 on.' },
    ])
  })

  test('a stream flows, without the token that it ends with', async () => {
    const runner = scripted([{ text: 'Hello there, how are you?<|im_end|>', chunkSize: 4 }])
    const answer = enforceStream({ contract: rules, runner, prompt: '' })
    const pieces: string[] = []
    for await (const piece of answer) pieces.push(piece)
    expect(pieces.join('')).toBe('Hello there, how are you?')
    expect(pieces.length).toBeGreaterThan(4)
    expect((await answer.outcome).status).toBe('repaired')
  })

  test('a stream that goes on as the user is stopped', async () => {
    const runner = scripted([{ text: `Fine.\n\nUser: And then?\n\n${'More and more. '.repeat(200)}`, chunkSize: 6 }])
    const answer = enforceStream({ contract: rules, runner, prompt: '' })
    let shown = ''
    for await (const piece of answer) shown += piece
    expect(shown.trim()).toBe('Fine.')
    expect(runner.calls[0]?.aborted).toBe(true)
  })

  test.each([{ echo: 7 }, { echo: true }, { code: 1 }, { allow: ['x'] }, { allowed: [''] }])('%j is a configuration error', (options) => {
    expect(() => contract({ checks: [{ leaks: options as never }] })).toThrow(/leaks/)
  })

  test('both languages', async () => {
    const faults = await localeFaults('leaks', [
      { text: 'Gut. <|im_end|> Noch' },
      { text: 'Gut.\n\nUser: Und?' },
      { text: secret, context: { prompt: messages } },
    ])
    expect(faults).toEqual([])
  })

  test('repairs of random pieces are repeatable', async () => {
    const piece = fc.constantFrom(
      ...tokens,
      ...Object.keys(cut),
      '`',
      '\n',
      '\n\n',
      '```\n',
      'a ',
      'Fine. ',
      'User: ',
      'assistant',
      '<',
      '[',
      '</s>',
      '<s>',
      '<think>',
      '> ',
      '### ',
      '<|',
      '|>',
    )
    await fc.assert(
      fc.asyncProperty(fc.array(piece, { maxLength: 7 }), async (pieces) => {
        const text = pieces.join('')
        for (const one of [rules, lossy]) {
          const { status, text: after } = await settle(one, text)
          if (status === 'repaired') expect((await settle(one, after)).status).toBe('valid')
        }
      }),
      { numRuns: 150 },
    )
  })
})

const folder = process.env.STICKLER_CORPUS ?? fileURLToPath(new URL('../../../../../../shared/corpus', import.meta.url))
const file = join(folder, 'real-answers.jsonl')

test.skipIf(!existsSync(file))('recorded answers have no leaks, and flow (STICKLER_CORPUS, or ../shared/corpus)', async () => {
  const texts = readFileSync(file, 'utf8')
    .trim()
    .split('\n')
    .map((line) => (JSON.parse(line) as { text: string }).text)
  for (const [at, text] of texts.entries()) {
    expect(await codesIn(text)).toEqual([])
    await assertStreamable(rules, text, [[1 + (at % 7), 30]])
  }
})
