import { responseEvents, type WrittenItem } from '../../packages/core/src/apis/responses/testing/response-events.ts'
import type { Behaviour, UpstreamExchange } from '../../packages/gateway/src/testing/programmable-upstream.ts'
import { answering, answeringBody, answeringEvents } from '../../packages/gateway/src/testing/programmable-upstream-answers.ts'
import { breakingOff, fallingSilent } from '../../packages/gateway/src/testing/programmable-upstream-faults.ts'
import { faultIn } from '../../tools/tests/provider-rules.ts'
import type { ModelAnswer } from './cases.ts'

/** Answers a request in the API that was asked, whole or streamed. */
export function behaviourOf(answer: ModelAnswer): Behaviour {
  return async (exchange) => {
    const path = exchange.request.path.split('?')[0] ?? ''
    const api = path.endsWith('/messages') ? 'messages' : path.endsWith('/responses') ? 'responses' : 'chat'
    const json = exchange.request.json ?? {}
    const fault = faultIn(api, json) ?? (isAskedTwice(json) ? 'roles must alternate between user and assistant' : undefined)
    const behaviour =
      fault !== undefined
        ? answeringBody({ error: { type: 'invalid_request_error', message: fault } }, { status: 400 })
        : answer.error
          ? failing(answer.error, path)
          : path.endsWith('/responses')
            ? inResponses(answer)
            : inOthers(answer, path)
    await behaviour(exchange)
  }
}

/** Whether two turns of the user follow each other, which templates of local models refuse. */
function isAskedTwice({ messages, input }: Readonly<Record<string, unknown>>): boolean {
  const turns = [messages ?? input].flat() as readonly { readonly role?: string }[]
  return turns.some(({ role }, at) => role === 'user' && turns[at - 1]?.role === 'user')
}

function failing({ status, code, headers = {} }: NonNullable<ModelAnswer['error']>, path: string): Behaviour {
  const error = { message: `The provider says ${code}.`, type: code, param: null, code }
  return answeringBody(path.endsWith('/messages') ? { type: 'error', error } : { error }, { status, headers })
}

function inOthers({ text = '', piece, calls, finish, refusal, cutAfter, silentAfter }: ModelAnswer, path: string): Behaviour {
  const isMessages = path.endsWith('/messages')
  const ends = { stop: isMessages ? 'end_turn' : 'stop', length: isMessages ? 'max_tokens' : 'length' }
  const manner = {
    usage: { prompt: 7, completion: 5 },
    ...(piece !== undefined && { chunks: piecesOf(text, piece) }),
    ...(finish && { finishReason: ends[finish] }),
    ...(calls && { toolCalls: calls.map((call, at) => ({ id: `call_${at}`, ...call })) }),
    ...(refusal !== undefined && (isMessages ? { finishReason: 'refusal' } : { refusal })),
  }
  if (silentAfter !== undefined) return fallingSilent(text, silentAfter, manner)
  return cutAfter === undefined ? answering(text, manner) : breakingOff(text, cutAfter, manner)
}

function piecesOf(text: string, size = 8): string[] {
  return Array.from({ length: Math.ceil(text.length / size) }, (_, at) => text.slice(at * size, (at + 1) * size))
}

function inResponses({ text = '', piece, calls = [], finish, refusal, cutAfter, silentAfter }: ModelAnswer): Behaviour {
  const items: WrittenItem[] = text === '' ? [] : [{ text: piecesOf(text, piece) }]
  if (refusal !== undefined) items.push({ refusal: piecesOf(refusal) })
  for (const call of calls) items.push({ call: call.name, arguments: piecesOf(call.arguments, 5) })
  const isCut = finish === 'length'
  const events = responseEvents(items).map((data) => JSON.parse(data) as { type: string; response?: object })
  const last = events.at(-1)
  const afterwards = ({ socket }: UpstreamExchange): void => (silentAfter === undefined ? void socket.resetAndDestroy() : undefined)
  const count = cutAfter ?? silentAfter
  const cut = count === undefined ? {} : { events: count, afterwards }
  if (isCut && last?.response) {
    last.type = 'response.incomplete'
    last.response = { ...last.response, status: 'incomplete', incomplete_details: { reason: 'max_output_tokens' } }
  }
  return async (exchange) => {
    const isStream = exchange.request.json?.stream === true
    await (isStream ? answeringEvents(events, { named: true, done: false, ...cut }) : answeringBody(last?.response ?? {}))(exchange)
  }
}
