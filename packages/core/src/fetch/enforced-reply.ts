import { ownFormat } from '../answer/request/answer-request.ts'
import { type Fields, isFields } from '../answer/tool-shapes/fields.ts'
import { forcesCall } from '../answer/tool-shapes/tool-choice.ts'
import type { ComposedParameters } from '../apis/request/composed-parameters.ts'
import type { Api } from '../apis/shared/api.ts'
import { HttpError } from '../apis/shared/http-error.ts'
import { applicable, type Contract } from '../contract/contract.ts'
import { systemClock } from '../contract/ports.ts'
import { requireContract } from '../engine/option-names.ts'
import { parseJson } from '../json/parse-json.ts'
import { requestContext } from '../relay/attempts/request-context.ts'
import { describeError } from '../relay/errors/describe-error.ts'
import { withSoundCalls } from '../relay/sound-calls.ts'
import { streamReply } from '../relay/stream/stream-reply.ts'
import { wholeReply } from '../relay/whole-reply.ts'
import { isAnthropic } from '../runners/anthropic/anthropic-address.ts'
import { isOpenAi } from '../runners/openai/openai-request.ts'
import type { EnforcedApi } from './addresses.ts'
import type { EnforcedFetchOptions, FetchContract, FetchedRequest } from './fetch-options.ts'
import { FetchRequest } from './fetch-request.ts'
import { FetchTransport, type SendBody, secretsIn } from './fetch-transport.ts'
import { ResponseStream } from './response-stream.ts'

const unreadable = 'The body of the request cannot be read as a JSON object, so its answer could not be checked; nothing was sent.'

/** A request to a provider, as a client makes it. */
export interface ClientExchange {
  readonly method: string
  readonly url: string
  readonly headers: Headers
  readonly signal: AbortSignal | undefined
  /** The body as text; empty if it cannot be read. */
  readonly source: string
  /** What the models of the address have refused of what is added here. */
  readonly parameters: ComposedParameters
  /** Sends the request with another body. */
  readonly send: SendBody
}

/** Sends a request, and gives the answer when it keeps the contract; nothing is sent if its body cannot be read. */
export async function enforcedReply(
  contract: FetchContract,
  options: EnforcedFetchOptions,
  api: EnforcedApi,
  exchange: ClientExchange,
): Promise<Response> {
  const body = parseJson(exchange.source)
  if (!isFields(body)) return errorResponse(api, new HttpError(400, unreadable, { code: 'unreadable_request' }), '')
  let request: FetchRequest
  try {
    request = await readRequest(contract, options, api, exchange, body)
  } catch (thrown) {
    if (thrown instanceof HttpError) return errorResponse(api, thrown, '')
    throw thrown
  }
  return new Reply(request, exchange.signal).respond()
}

async function readRequest(given: FetchContract, options: EnforcedFetchOptions, api: EnforcedApi, exchange: ClientExchange, body: Fields) {
  const { url, headers, source, send, parameters } = exchange
  const { stickler, ...asked } = body
  // Some addresses name the model.
  const sent = { ...api.read({ model: 'model', ...asked }, api.wire.api === 'messages'), body }
  const told: FetchedRequest = { api: api.name, url, body }
  const chosen = typeof given === 'function' ? await given(told) : given
  requireContract(chosen)
  const facts = { api: api.name, model: sent.chat.model, ...options.request }
  const contract = await withRequest(applicable(withSoundCalls(chosen), facts), sent.chat)
  const { context: known } = options
  const own = typeof known === 'function' ? await known(told) : known
  const context = {
    ...requestContext(isFields(stickler) ? stickler : undefined, sent.chat, sent.refused === undefined ? undefined : body),
    ...own,
  }
  const { clock = systemClock, today = Date.now, maxResponseBytes = 64 * 1024 * 1024 } = options
  const transport = new FetchTransport(send, secretsIn(headers, url), clock, today, maxResponseBytes)
  const { tokens, money } = contract.policy.budget
  const isOwn = isOpenAi(url) || isAnthropic(url)
  const structuredOutput = options.structuredOutput ?? isOwn
  const wantsUsage = isOpenAi(url) || tokens !== undefined || money !== undefined
  return new FetchRequest({ api, sent, source, told, contract, context, transport, parameters, options, structuredOutput, wantsUsage })
}

/** The contract with a check of what a request asks for, which is loaded when one may ask for something: most pages need no schemas. */
async function withRequest(contract: Contract, chat: Fields): Promise<Contract> {
  const asks = ownFormat(chat) !== undefined || forcesCall(chat.tool_choice ?? chat.function_call)
  return asks ? (await import('../relay/request-contract.ts')).requestContract(contract, chat) : contract
}

/** The reply to one request: its answer, an error in the words of its API, or what the provider itself said. */
class Reply {
  readonly #request: FetchRequest
  readonly #signal: AbortSignal | undefined
  #stream: ResponseStream | undefined
  readonly #onAbort = (): void => {
    const reason: unknown = this.#signal?.reason
    this.#request.stop.abort(reason)
    this.#stream?.abort(reason)
  }

  constructor(request: FetchRequest, signal: AbortSignal | undefined) {
    this.#request = request
    this.#signal = signal
    if (signal?.aborted) this.#onAbort()
    else signal?.addEventListener('abort', this.#onAbort)
  }

  async respond(): Promise<Response> {
    this.#signal?.throwIfAborted()
    return this.#request.sent.stream ? this.#streamed() : this.#whole()
  }

  async #whole(): Promise<Response> {
    let response: Response | undefined
    try {
      await wholeReply(this.#request, (body, headers) => {
        response = new Response(body, { status: 200, headers: { ...headers, 'content-type': 'application/json' } })
      })
      return response ?? this.#aborted()
    } catch (thrown) {
      return this.#failed(thrown)
    } finally {
      this.#release()
    }
  }

  #streamed(): Promise<Response> {
    return new Promise((resolve, reject) => {
      const open = (headers: Readonly<Record<string, string>>): ResponseStream => {
        const stream = new ResponseStream((reason) => this.#request.stop.abort(reason))
        this.#stream = stream
        resolve(new Response(stream.body, { status: 200, headers: { ...headers, 'content-type': 'text/event-stream; charset=utf-8' } }))
        return stream
      }
      streamReply(this.#request, { open })
        .then(
          () => (this.#stream === undefined ? resolve(this.#aborted()) : undefined),
          (thrown) => {
            if (this.#stream === undefined) resolve(this.#failed(thrown))
            else this.#stream.abort(thrown)
          },
        )
        .catch(reject)
        .finally(() => this.#release())
    })
  }

  /** What the provider itself said is returned as it is, so that clients repeat what they would repeat without us. */
  #failed(thrown: unknown): Response {
    const { crash, api, caller } = this.#request
    if (crash !== undefined) throw crash.thrown
    if (!(thrown instanceof HttpError)) throw thrown
    const ending = this.#request.ending
    if (ending === undefined) return errorResponse(api, thrown, caller.requestId)
    if ('thrown' in ending) throw ending.thrown
    return ending.response
  }

  #aborted(): never {
    throw this.#signal?.reason ?? new DOMException('The request was aborted.', 'AbortError')
  }

  #release(): void {
    this.#signal?.removeEventListener('abort', this.#onAbort)
  }
}

/** An error in the format of an API, as its clients throw it. */
function errorResponse(api: Api, thrown: HttpError, requestId: string): Response {
  const described = describeError(thrown, requestId)
  const { error, headers } = described ?? { error: undefined, headers: {} }
  const body = error === undefined ? {} : api.errorBody(error)
  return new Response(JSON.stringify(body), { status: thrown.status, headers: { ...headers, 'content-type': 'application/json' } })
}
