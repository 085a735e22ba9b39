import { describe, expect, it } from 'vitest'
import { contract, enforce, type Message } from '../../index.ts'
import { openai } from '../../runners/openai/openai.ts'
import { scripted } from '../../testing/index.ts'
import { json } from '../../validators/json/index.ts'

const schema = {
  type: 'object',
  properties: { city: { type: 'string', minLength: 2 }, days: { type: 'integer' } },
  required: ['city', 'days'],
}
const fenced = `This is the JSON Schema of the answer:\n\`\`\`json\n${JSON.stringify(schema)}\n\`\`\``
const good = '{"city": "Ulm", "days": 2}'

/** The requests of a run whose first answer does not match, with these fields. */
async function ask(body: Readonly<Record<string, unknown>>, rule: ReturnType<typeof contract>) {
  const sent: Readonly<Record<string, unknown>>[] = []
  const fetch: typeof globalThis.fetch = async (_url, init) => {
    const content = sent.push(JSON.parse(String(init?.body))) === 1 ? '{"city": 1}' : good
    return Response.json({ choices: [{ message: { role: 'assistant', content }, finish_reason: 'stop' }] })
  }
  await enforce({ contract: rule, runner: openai({ baseUrl: 'https://api.openai.com/v1', model: 'm', body, fetch }), prompt: 'Plan.' })
  return sent
}

describe('feedback has the schema that the model was never told', () => {
  const silent = (given: object = schema, more: object = {}) =>
    contract({ checks: [json({ schema: given })], retries: 2, instruct: false, ...more })
  const feedbackOf = async (
    rule: ReturnType<typeof contract>,
    answers: Parameters<typeof scripted>[0],
    prompt: string | Message[] = 'Plan.',
  ) => {
    const runner = scripted(answers)
    await enforce({ contract: rule, runner, prompt })
    return runner.calls.slice(1).map((call) => ('feedback' in call ? String(call.feedback) : JSON.stringify(call)))
  }

  it.each([
    ['no JSON', 'A nice trip.', true],
    ['a value that does not match', '{"city": 1}', true],
    ['a syntax error, which needs none', '{"city": }', false],
  ])('after %s', async (_name, answer, has) => {
    const [words = ''] = await feedbackOf(silent(), [answer, good])
    expect(words.includes(`\n${fenced}\n\nPlease repeat`)).toBe(has)
  })

  it('in German, and in front of a prompt that is asked anew', async () => {
    expect(await feedbackOf(silent(schema, { locale: 'de' }), ['Nein.', good])).toEqual([
      expect.stringContaining('Das ist das JSON-Schema der Antwort:\n```json\n{'),
    ])
    expect((await feedbackOf(silent(schema, { askAgain: 'anew' }), ['No.', good]))[0]).toContain('This is the JSON Schema of the answer')
  })

  it('every time, where earlier feedback is left out; once in a session', async () => {
    const count = (all: string[]): number[] => all.map((words) => words.split('JSON Schema of the answer').length - 1)
    expect(count(await feedbackOf(silent(), ['No.', 'Never.', good]))).toEqual([1, 1])
    expect(
      count(
        await feedbackOf(silent(), [
          { text: 'No.', session: 's' },
          { text: 'Never.', session: 's' },
          { text: good, session: 's' },
        ]),
      ),
    ).toEqual([1, 0])
  })

  it.each([
    ['it was told', contract({ checks: [json({ schema })], retries: 1 }), 'Plan.'],
    ['the prompt has it', silent(), `Plan by ${JSON.stringify(schema, null, 2)}.`],
  ])('not when %s', async (_name, rule, prompt) => {
    expect((await feedbackOf(rule, ['No.', good], prompt))[0]).not.toContain('JSON Schema')
  })

  it("when the request had another schema, and not when it had the contract's", async () => {
    for (const [given, has] of [
      [{ type: 'object' }, true],
      [{ $schema: 'https://json-schema.org/draft/2020-12/schema', ...schema }, false],
    ] as const) {
      const own = { type: 'json_schema', json_schema: { name: 'own', schema: given } }
      const rule = contract({ checks: [json({ schema })], retries: 1 })
      const sent = await ask({ response_format: own }, rule)
      expect(sent.map((body) => JSON.stringify(body.messages).includes('minLength'))).toEqual([false, has])
    }
  })

  it('of a large one, the parts that the issues are about', async () => {
    const inner = {
      type: 'object',
      description: 'd'.repeat(500),
      properties: { price: { type: 'number', minimum: 1 } },
      required: ['price'],
    }
    const properties = Object.fromEntries(
      Array.from({ length: 3000 }, (_, at) => [`p${at}`, { type: 'string', description: 'x'.repeat(30) }]),
    )
    const large = {
      type: 'object',
      properties: { ...properties, items: { type: 'array', items: { $ref: '#/$defs/item' } } },
      $defs: { item: inner },
    }
    expect(contract({ checks: [json({ schema: large })] }).validators).toHaveLength(1)
    const [words = ''] = await feedbackOf(contract({ checks: [json({ schema: large })], retries: 1 }), [
      '{"p2999": [1], "items": [{"price": 2}, {"price": "dear"}]}',
      good,
    ])
    expect(words).toContain('```json\n{"p2999":{"type":"string"},"items.1.price":{"type":"number","minimum":1}}\n```')
    const [missing = ''] = await feedbackOf(contract({ checks: [json({ schema: { ...large, required: ['p2999'] } })], retries: 1 }), [
      'No.',
      good,
    ])
    expect(missing).toContain('{"$":{"type":"object","properties":["p2999","p0","p1",')
    expect(Buffer.byteLength(missing)).toBeLessThan(9000)
  })
})
