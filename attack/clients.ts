import { type ApiName, dataOf, type WireReply } from '../packages/gateway/src/testing/wire.ts'
import type { Offer } from './generators/scripts.ts'

type Json = Readonly<Record<string, unknown>>
/** The name of a tool, and its arguments as a text, or as a value where the API has only that. */
type SeenCall = readonly [name: string, given: unknown]

/** The fields of a request that offer tools, in the words of an API. */
export function offerFields(api: ApiName, { tools, choice }: Offer): Json {
  const functions = tools?.map((one) => one.function)
  const isWord = choice === 'auto' || choice === 'none'
  const fields = {
    chat: [tools, isWord ? choice : { type: 'function', function: { name: choice } }],
    responses: [
      functions?.map((one) => ({ type: 'function', strict: false, ...one })),
      isWord ? choice : { type: 'function', name: choice },
    ],
    messages: [
      functions?.map(({ name, parameters }) => ({ name, input_schema: parameters })),
      isWord ? { type: choice } : { type: 'tool', name: choice },
    ],
  }[api]
  return { ...(tools === undefined ? {} : { tools: fields[0] }), ...(choice === undefined ? {} : { tool_choice: fields[1] }) }
}

/** The tool calls of an answer, whole or streamed. */
export function callsOf(api: ApiName, reply: WireReply): SeenCall[] {
  const isStream = reply.events.length > 0
  if (api === 'chat') return isStream ? chatDeltas(dataOf(reply)) : chatCalls(reply.json)
  if (api === 'messages') return isStream ? messagesDeltas(dataOf(reply)) : toolUses(reply.json)
  const whole = isStream
    ? dataOf(reply).find(({ response, type }) => response && /completed|incomplete/.test(String(type)))?.response
    : reply.json
  const items = ((whole as Json | undefined)?.output ?? []) as { type: string; name: string; arguments: string }[]
  return items.flatMap((item) => (item.type === 'function_call' ? [[item.name, item.arguments] as const] : []))
}

function chatCalls({ choices }: Json): SeenCall[] {
  const [choice] = (choices ?? []) as { message: { tool_calls?: { function: { name: string; arguments: string } }[] } }[]
  return (choice?.message.tool_calls ?? []).map((call) => [call.function.name, call.function.arguments])
}

function chatDeltas(chunks: readonly Json[]): SeenCall[] {
  const calls: [string, string][] = []
  for (const { choices } of chunks)
    for (const { delta } of (choices ?? []) as { delta: { tool_calls?: { index: number; function: Json }[] } }[])
      for (const { index, function: piece } of delta.tool_calls ?? []) {
        const [name, given] = calls[index] ?? ['', '']
        calls[index] = [name + (piece.name ?? ''), given + (piece.arguments ?? '')]
      }
  return calls
}

function toolUses({ content }: Json): SeenCall[] {
  const blocks = (content ?? []) as { type: string; name: string; input: unknown }[]
  return blocks.flatMap(({ type, name, input }) => (type === 'tool_use' ? [[name, input] as const] : []))
}

function messagesDeltas(events: readonly Json[]): SeenCall[] {
  const calls: [string, string][] = []
  for (const { content_block: block, delta } of events as { content_block?: Json; delta?: Json }[]) {
    if (block?.type === 'tool_use') calls.push([String(block.name), ''])
    const last = calls.at(-1)
    if (delta?.type === 'input_json_delta' && last) last[1] += delta.partial_json
  }
  return calls
}
