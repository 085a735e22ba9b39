import type { Attempt, Run, ToolCall } from '../../api/run-types.ts'
import { shellWord } from '../../format/shell-word.ts'
import { lacksContext, toolsFor } from './sent-tools.ts'

/** What is known of the gateway that answered. */
interface Place {
  readonly origin: string
  /** Whether requests need a key. */
  readonly hasKeys: boolean
}

/** The attempt whose answer was delivered or given up. */
export function answeringAttempt({ attempts }: Pick<Run, 'attempts'>): Attempt | undefined {
  return attempts.findLast(({ decision }) => decision === 'deliver') ?? attempts.at(-1)
}

/** The text as the model wrote it, without repairs; undefined when it is not kept. */
export function writtenText(run: Run): string | undefined {
  return run.fallback ? undefined : answeringAttempt(run)?.text
}

/** The calls as the model wrote them. */
function writtenCalls(run: Run): readonly ToolCall[] | undefined {
  return run.attempts.length === 0 ? run.toolCalls : answeringAttempt(run)?.toolCalls
}

const endsWithCalls = /^(?:tool_calls?|tool_use|function_call)$/i

/** Why a run whose texts are kept has no answer to judge; undefined when it has one. */
export function whyNoAnswer(run: Run): string | undefined {
  const [calls = [], last] = [writtenCalls(run), answeringAttempt(run)]
  // A part of the calls would be judged as another answer.
  const isPart = calls.some(({ cut, more, arguments: given }) => (cut ?? more) !== undefined || given === '[hidden]')
  if (isPart || (calls.length === 0 && endsWithCalls.test(last?.finishReason ?? '')))
    return 'Not all of its tool calls are kept, so its answer cannot be judged again.'
  return run.status === 'failed' && calls.length === 0 && !(last?.text ?? run.text)
    ? 'It failed, and there is no answer to judge.'
    : undefined
}

/** What is missing in a repeated request; undefined when nothing is known to be missing. */
export function missingTools(run: Run): string | undefined {
  return lacksContext(run) ? 'The tools of the request are not kept, and are missing here.' : undefined
}

/** The request as a command; undefined when its texts are not kept. */
export function curlOf(run: Run, place: Place): string | undefined {
  const body = requestOf(run)
  if (body === undefined) return undefined
  const headers = ["-H 'content-type: application/json'", ...(place.hasKeys ? ['-H "authorization: Bearer $STICKLER_KEY"'] : [])]
  const lines = [`curl ${place.origin}${body.path}`, ...headers, `-d ${shellWord(JSON.stringify(body.json))}`]
  return lines.join(' \\\n  ')
}

function requestOf(run: Run): { readonly path: string; readonly json: Readonly<Record<string, unknown>> } | undefined {
  const { api, model, stream, contract } = run
  if (api === 'check') {
    const text = writtenText(run) ?? run.text
    return text === undefined ? undefined : { path: '/v1/check', json: { contract, text, ...callsOf(run), ...question(run) } }
  }
  const messages = (run.prompt ?? (run.request ? [{ role: 'user', text: run.request }] : [])).map(({ role, text }) => ({
    role,
    content: text,
  }))
  if (messages.length === 0) return undefined
  const streamed = { ...toolsFor(api, run), ...(stream ? { stream } : {}) }
  if (api === 'messages') {
    const system = messages.filter(({ role }) => role === 'system').map(({ content }) => content)
    const others = messages.filter(({ role }) => role !== 'system')
    return {
      path: '/v1/messages',
      json: { model, max_tokens: 1024, ...(system.length > 0 ? { system: system.join('\n\n') } : {}), messages: others, ...streamed },
    }
  }
  if (api === 'responses') return { path: '/v1/responses', json: { model, input: messages, ...streamed } }
  return { path: '/v1/chat/completions', json: { model, messages, ...streamed } }
}

/** The answer as a line for `stickler check --jsonl`; undefined when its text is not kept. */
export function caseOf(run: Run): string | undefined {
  const text = writtenText(run) ?? (run.attempts.length === 0 && run.repairs.length === 0 ? run.text : undefined)
  if (text === undefined || whyNoAnswer(run) !== undefined) return undefined
  const finish = answeringAttempt(run)?.finishReason
  return JSON.stringify({
    id: run.id,
    text,
    ...callsOf(run),
    ...question(run),
    model: run.model,
    ...(finish === undefined ? {} : { finish_reason: finish }),
  })
}

/** The calls of an answer, and the tools and the format of its request, as `stickler check` reads them. */
export interface Asked {
  readonly tool_calls?: readonly ToolCall[] | undefined
  readonly tools?: readonly unknown[] | undefined
  readonly tool_choice?: unknown
  readonly response_format?: unknown
}

/** What is known of the calls and the request of a run. */
export function callsOf(run: Run): Asked {
  const calls = writtenCalls(run)
  const { tools = calls === undefined || lacksContext(run) ? undefined : [] } = toolsFor('chat', run)
  const { toolChoice: tool_choice, responseFormat: response_format } = run.context ?? {}
  return { tool_calls: calls, tools, tool_choice, response_format }
}

function question({ request }: Run): { readonly question?: string } {
  return request === undefined || request === '' ? {} : { question: request }
}
