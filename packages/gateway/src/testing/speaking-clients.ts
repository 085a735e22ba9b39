import { createParser } from 'eventsource-parser'
import type { TestGateway } from './test-gateway.ts'

/** What a client has seen of an answer, whatever API it used. */
export interface Seen {
  readonly status: number
  readonly text: string
  readonly verdict: string | undefined
  readonly attempts: number | undefined
  /** Code of the error. */
  readonly code: string | undefined
  readonly calls: readonly (readonly [name: string, given: unknown])[]
  readonly finish: string | undefined
}

/** What a client asks. */
export interface Asked {
  readonly model: string
  readonly stream: boolean
  readonly tools?: readonly { readonly function: { readonly name: string; readonly parameters: unknown } }[]
  readonly sources?: number
  readonly prompt?: string
  /** Further fields of the body, in the words of the API. */
  readonly fields?: Readonly<Record<string, unknown>>
}

type Client = (gateway: TestGateway, asked: Asked) => Promise<Seen>
type Json = Record<string, unknown>

const nothing: Omit<Seen, 'status'> = { text: '', verdict: undefined, attempts: undefined, code: undefined, calls: [], finish: undefined }

/** Raw clients of the three APIs: they read exactly what is on the wire. */
export const apis: Readonly<Record<'chat' | 'responses' | 'messages', Client>> = {
  async chat(gateway, { model, stream, tools, sources, prompt = 'Tabs or spaces?', fields }) {
    const body = { model, stream, messages: [{ role: 'user', content: prompt }], ...(tools ? { tools } : {}), ...ours(sources), ...fields }
    const response = await gateway.post('/v1/chat/completions', body)
    if (!response.ok) return refused(response)
    if (!stream) {
      const reply = (await response.json()) as Json
      const [choice] = reply.choices as { message: Json; finish_reason: string }[]
      return {
        ...said(response, reply.stickler),
        text: String(choice?.message.content ?? ''),
        calls: chatCalls(choice?.message.tool_calls),
        finish: choice?.finish_reason,
      }
    }
    let text = ''
    let finish: string | undefined
    let verdict: unknown
    const calls: { name: string; arguments: string }[] = []
    for (const data of await readEvents(response)) {
      if (data.error !== undefined) return { ...nothing, status: 422, code: (data.error as Json).code as string }
      verdict ??= data.stickler
      for (const { delta, finish_reason } of data.choices as { delta: Json; finish_reason: string | null }[]) {
        text += delta.content ?? ''
        finish = finish_reason ?? finish
        for (const { index, function: given } of (delta.tool_calls ?? []) as { index: number; function: Json }[]) {
          calls[index] ??= { name: String(given.name), arguments: '' }
          calls[index].arguments += given.arguments ?? ''
        }
      }
    }
    return { ...said(response, verdict), text, finish, calls: calls.map((one) => [one.name, JSON.parse(one.arguments)]) }
  },

  async responses(gateway, { model, stream, tools, sources, prompt = 'Tabs or spaces?', fields }) {
    const flat = tools?.map(({ function: { name, parameters } }) => ({ type: 'function', name, parameters, strict: false }))
    const response = await gateway.post('/v1/responses', {
      model,
      stream,
      input: prompt,
      ...(flat ? { tools: flat } : {}),
      ...ours(sources),
      ...fields,
    })
    if (!response.ok) return refused(response)
    let reply: Json = {}
    if (!stream) reply = (await response.json()) as Json
    else {
      for (const data of await readEvents(response)) {
        if (data.type === 'error') return { ...nothing, status: 422, code: data.code as string }
        if (data.type === 'response.completed' || data.type === 'response.incomplete') reply = data.response as Json
      }
    }
    const items = reply.output as { type: string; content?: { text: string }[]; name?: string; arguments?: string }[]
    const texts = items.flatMap(({ type, content = [] }) => (type === 'message' ? content.map(({ text }) => text) : []))
    const calls = items.flatMap(({ type, name = '', arguments: given = '' }) =>
      type === 'function_call' ? [[name, JSON.parse(given)] as const] : [],
    )
    return { ...said(response, reply.stickler), text: texts.join(''), calls, finish: reply.status as string }
  },

  async messages(gateway, { model, stream, tools, sources, prompt = 'Tabs or spaces?', fields }) {
    const own = tools?.map(({ function: { name, parameters } }) => ({ name, input_schema: parameters }))
    const body = {
      model,
      stream,
      max_tokens: 100,
      messages: [{ role: 'user', content: prompt }],
      ...(own ? { tools: own } : {}),
      ...ours(sources),
      ...fields,
    }
    const response = await gateway.post('/v1/messages', body)
    if (!response.ok) return refused(response)
    if (!stream) {
      const reply = (await response.json()) as Json
      const blocks = reply.content as { type: string; text?: string; name?: string; input?: unknown }[]
      const calls = blocks.flatMap(({ type, name = '', input }) => (type === 'tool_use' ? [[name, input] as const] : []))
      const text = blocks.map((block) => block.text ?? '').join('')
      return { ...said(response, reply.stickler), text, calls, finish: reply.stop_reason as string }
    }
    let text = ''
    let finish: string | undefined
    let verdict: unknown
    const calls: { name: string; json: string }[] = []
    for (const data of await readEvents(response)) {
      if (data.type === 'error') return { ...nothing, status: 422, code: (data.error as Json).code as string }
      const { type, content_block: block, delta } = data as { type: string; content_block?: Json; delta?: Json }
      if (type === 'content_block_start' && block?.type === 'tool_use') calls.push({ name: String(block.name), json: '' })
      if (delta?.type === 'text_delta') text += delta.text
      const last = calls.at(-1)
      if (delta?.type === 'input_json_delta' && last) last.json += delta.partial_json
      if (type === 'message_delta') {
        finish = delta?.stop_reason as string
        verdict = data.stickler
      }
    }
    return { ...said(response, verdict), text, finish, calls: calls.map(({ name, json }) => [name, JSON.parse(json)]) }
  },
}

/** The data of every event of a stream; `[DONE]` is left out. */
export async function readEvents(response: Response): Promise<Json[]> {
  const events: Json[] = []
  const parser = createParser({
    onEvent: ({ data }) => {
      if (data !== '[DONE]') events.push(JSON.parse(data) as Json)
    },
  })
  const decoder = new TextDecoder()
  for await (const piece of response.body ?? []) parser.feed(decoder.decode(piece as Uint8Array, { stream: true }))
  return events
}

function ours(sources: number | undefined): Json {
  return sources === undefined ? {} : { stickler: { sources } }
}

function chatCalls(calls: unknown): Seen['calls'] {
  return ((calls ?? []) as { function: { name: string; arguments: string } }[]).map(({ function: { name, arguments: given } }) => [
    name,
    JSON.parse(given),
  ])
}

function said(response: Response, verdict: unknown): Seen {
  const { status, attempts } = (verdict ?? {}) as { status?: string; attempts?: number }
  return { ...nothing, status: response.status, verdict: status, attempts }
}

async function refused(response: Response): Promise<Seen> {
  const { error, stickler } = (await response.json()) as { error: Json; stickler?: { issues: { code: string }[] } }
  // Anthropic's errors have no code of their own.
  const code = error.code ?? stickler?.issues?.[0]?.code
  return { ...nothing, status: response.status, ...(typeof code === 'string' ? { code } : {}) }
}
