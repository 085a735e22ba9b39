import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { answeringBody, answeringEvents } from '../../testing/programmable-upstream-answers.ts'
import { startTestGateway, type TestGateway } from '../../testing/test-gateway.ts'
import { type ApiName, ask, errorOf, textOf } from '../../testing/wire.ts'
import { completion, message, output, response, routes, usage } from './testing/short-replies.ts'

let gateway: TestGateway

beforeAll(async () => {
  gateway = await startTestGateway({ yaml: routes(', answerLimit: 64000000') })
})
afterAll(() => gateway.close())

type Json = Readonly<Record<string, unknown>>

/** More than a call can take as arguments. */
const count = 150_000
const many = (make: (at: number) => unknown): unknown[] => Array.from({ length: count }, (_, at) => make(at))
const fields = Object.fromEntries(many((at) => [`f${at}`, at]) as [string, number][])
const citation = (at: number) => ({ type: 'url_citation', url_citation: { url: `https://a.example/${at}`, title: 't' } })

const call = (at: number) => ({ id: `t${at}`, type: 'function', function: { name: 'f', arguments: '{}' } })

const wide: Readonly<Record<ApiName, Readonly<Record<string, () => Json>>>> = {
  chat: {
    'fields at the top': () => completion({}, fields),
    'fields of the message': () => completion(fields),
    'fields of one field': () => completion({ more: fields }),
    annotations: () => completion({ annotations: many(citation) }),
    'empty annotations': () => completion({ annotations: many(() => ({})) }),
    citations: () => completion({}, { citations: many((at) => `https://a.example/${at}`) }),
    choices: () => completion({}, { choices: many((index) => ({ index, message: { content: 'Yes.' }, finish_reason: 'stop' })) }),
    parts: () => completion({ content: many(() => ({ type: 'text', text: '' })) }),
    calls: () => completion({ content: null, tool_calls: many(call) }),
    'arguments that are an object': () =>
      completion({ content: null, tool_calls: [{ id: 't', function: { name: 'f', arguments: fields } }] }),
    probabilities: () =>
      completion(
        {},
        {
          choices: [
            { ...completion({}).choices[0], logprobs: { content: many((at) => ({ token: at, logprob: 0, bytes: [1, 2, 3, 4] })) } },
          ],
        },
      ),
    usage: () => completion({}, { usage: { prompt_tokens: 1, completion_tokens: 1, details: fields } }),
    'an error': () => ({ error: fields }),
  },
  responses: {
    'fields at the top': () => response(fields),
    'fields of an item': () => response({ output: output({}, fields) }),
    annotations: () => response({ output: output({ annotations: many(citation) }) }),
    items: () => response({ output: many(() => output()[0]) }),
    parts: () => response({ output: output({}, { content: many(() => ({ type: 'output_text', text: '', annotations: [] })) }) }),
    calls: () =>
      response({ output: many((at) => ({ type: 'function_call', id: `i${at}`, call_id: `t${at}`, name: 'f', arguments: '{}' })) }),
    sources: () =>
      response({ output: [{ type: 'web_search_call', action: { sources: many(() => ({ url: 'https://a.example' })) } }, ...output()] }),
    thoughts: () => response({ output: [{ type: 'reasoning', summary: many(() => ({ type: 'summary_text', text: 'a' })) }, ...output()] }),
  },
  messages: {
    'fields at the top': () => message({}, fields),
    'fields of a block': () => message(fields),
    citations: () => message({ citations: many(() => ({ url: 'https://a.example' })) }),
    blocks: () => message({}, { content: many(() => ({ type: 'text', text: '' })) }),
    input: () => message({}, { content: [{ type: 'tool_use', id: 't', name: 'f', input: fields }], stop_reason: 'tool_use' }),
    calls: () =>
      message({}, { content: many((at) => ({ type: 'tool_use', id: `t${at}`, name: 'f', input: {} })), stop_reason: 'tool_use' }),
    results: () => message({}, { content: [{ type: 'web_search_tool_result', content: many(() => ({ url: 'https://a.example' })) }] }),
    usage: () => message({}, { usage: { ...usage, ...fields } }),
  },
}

/** The same answer as a stream, in as few events as the API allows. */
function streamed(api: ApiName, whole: Json): readonly object[] {
  if (whole.error !== undefined) return [whole]
  if (api === 'responses') return [{ type: 'response.completed', response: whole }]
  if (api === 'chat') {
    const { choices, ...head } = whole as { choices: readonly Json[] }
    return [{ ...head, object: 'chat.completion.chunk', choices: choices.map(({ message: delta, ...rest }) => ({ ...rest, delta })) }]
  }
  const { content, stop_reason, usage: used, ...head } = whole as { content: readonly Json[]; stop_reason: unknown; usage: unknown }
  return [
    { type: 'message_start', message: { ...head, content: [], usage: used } },
    ...content.flatMap((content_block, index) => [
      { type: 'content_block_start', index, content_block },
      { type: 'content_block_stop', index },
    ]),
    { type: 'message_delta', delta: { stop_reason }, usage: used },
    { type: 'message_stop' },
  ]
}

/** The record of the run with that id of a request. */
async function recordOf(requestId: string | null): Promise<Json> {
  const found = async () => {
    const { items } = (await (await gateway.get('/api/v1/runs?limit=3')).json()) as { items: readonly Json[] }
    return items.find((run) => run.requestId === requestId)
  }
  await expect.poll(found).toBeDefined()
  return (await found()) as Json
}

const ways = (Object.keys(wide) as ApiName[]).flatMap((api) =>
  Object.keys(wide[api]).flatMap((shape) => (['whole', 'streamed'] as const).map((way) => [api, shape, way] as const)),
)

describe('answers that are very wide', () => {
  test.each(ways)('%s: %s, %s', { timeout: 60_000 }, async (api, shape, way) => {
    const body = (wide[api][shape] as () => Json)()
    for (const name of way === 'whole' ? ['plain', 'kept'] : ['kept']) {
      const model = api === 'messages' ? `${name}-messages` : name
      gateway.upstream.enqueue(
        way === 'whole'
          ? answeringBody(body)
          : answeringEvents(streamed(api, body), { done: api === 'chat', framing: { splitEvery: 65_536 } }),
      )
      const reply = await ask(gateway, api, { model, stream: way === 'streamed' })
      const run = await recordOf(reply.headers.get('x-request-id'))
      const error = errorOf(reply)
      expect(run.httpStatus, name).toBe(reply.status)
      expect(run.delivered, name).toBe(error === undefined)
      if (error === undefined) expect(['Yes.', '']).toContain(textOf(api, reply))
      else {
        expect(run, name).toMatchObject({ status: 'failed' })
        expect(error.code ?? error.type, name).not.toMatch(/internal/)
        expect([200, 502], name).toContain(reply.status)
      }
    }
  })
})
