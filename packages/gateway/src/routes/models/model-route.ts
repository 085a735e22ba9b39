import {
  applicable,
  attempting,
  type Fields,
  isFields,
  type MaybePromise,
  requestContract,
  unknownName,
  whenReady,
} from '@stickler/core/internal'
import {
  type Api,
  type ChatRequest,
  type ClientRequest,
  describeApi,
  HttpError,
  heartbeatFrame,
  type RequestTexts,
} from '@stickler/core/internal/apis'
import { inLocale } from '@stickler/core/internal/relay'
import { streamReply } from '../../delivery/stream-reply.ts'
import { wholeReply } from '../../delivery/whole-reply.ts'
import type { Exchange, Route } from '../../front/exchange.ts'
import { openSse, type SseWriter } from '../../front/replies/sse-writer.ts'
import { choicesOf } from '../../requests/budgets/completion-limit.ts'
import { type CostBound, chatCostBound } from '../../requests/budgets/cost-bound.ts'
import { highestPrice } from '../../requests/budgets/highest-price.ts'
import { type ClientContext, contractHeader, readClientContext } from '../../requests/client-context.ts'
import { isPattern } from '../../requests/model-patterns.ts'
import { ModelRequest } from '../../requests/model-request.ts'
import type { HelperModel } from '../../requests/pipeline/helper-calls.ts'
import { pipelineCostBound } from '../../requests/pipeline/pipeline-cost-bound.ts'
import { type PipelineRun, preparePipelineRun, refuseWithoutQuery } from '../../requests/pipeline/pipeline-run.ts'
import type { PipelineTarget } from '../../requests/pipeline/pipeline-target.ts'
import type { RouteDependencies, RouteSettings } from '../../requests/request-ports.ts'
import type { SessionState } from '../../requests/session-states.ts'
import { isNative, type Target } from '../../requests/target.ts'
import { limitMessages } from './limit-messages.ts'
import { refuseOtherPrices } from './priced-fields.ts'

/**
 * The stream of a request that is still being prepared: opened when that takes long, so that the
 * client gets a keep-alive.
 */
class EarlyStream {
  readonly #timer: ReturnType<typeof setTimeout> | undefined
  #opened: SseWriter | undefined

  constructor({ caller, api, sent, settings }: ModelRequest) {
    if (!sent.stream) return
    const { heartbeatMs } = settings
    const { heartbeat = heartbeatFrame } = api
    this.#timer = setTimeout(() => {
      this.#opened = openSse(caller, { heartbeatMs, heartbeat: () => heartbeat })
      void this.#opened.write(heartbeat)
    }, heartbeatMs)
    this.#timer.unref()
  }

  /** Ends the wait; returns the stream if it was opened. */
  take(): SseWriter | undefined {
    clearTimeout(this.#timer)
    return this.#opened
  }
}

/** The route of one API: reads, finds the target, enforces, answers. */
export function modelRoute(api: Api, dependencies: RouteDependencies): Route {
  return {
    method: 'POST',
    path: api.path,
    access: 'call',
    errors: api.errorBody,
    description: () => describeApi(api),
    handler: (exchange) =>
      exchange.json().then((body) => {
        const settings = dependencies.current()
        const end = settings.begin()
        return attempting(
          () => answer(exchange, body, settings, api, dependencies),
          end,
          (error) => {
            end()
            throw error
          },
        )
      }),
  }
}

function answer(exchange: Exchange, body: Fields, settings: RouteSettings, api: Api, dependencies: RouteDependencies): MaybePromise<void> {
  const request = api.read(body, isForAnthropic(body.model, settings))
  const sent = readClientContext(body, exchange.headers, request.chat, request.refused === undefined)
  const target = forRequest(chosenOf(targetOf(request.chat.model, sent, settings), sent), api.name, request.chat, sent)
  if (request.refused !== undefined && !isNative(target, api)) throw request.refused
  refuseOtherPrices(body, target)
  limitMessages(request, target, api, exchange.source)
  if (target.readsOnlyText) refuseOtherParts(body, request.chat.model, api)
  if (target.pipeline !== undefined) refuseWithoutQuery(request.chat, sent.type)
  mayServe(dependencies, target)
  const stored = dependencies.sessionState(sent.session, exchange.identity.key, target.contract)
  return whenReady(stored, (state) => {
    const client = withState(sent, state)
    const asked = new ModelRequest(exchange, api, request, client, target, settings, dependencies)
    // Read now, because the answer will change it; the reply does not wait for it.
    if (target.shadow) asked.shadowState = dependencies.sessionState(sent.session, exchange.identity.key, target.shadow.contract)
    const admission = asked.admit((open) => ({ tokens: costBoundOf(request, target, open), price: highestPriceOf(target) }))
    return whenReady(admission, () => {
      tellIgnored(exchange, client, target)
      return attempting(
        () => reply(asked),
        () => close(asked),
        (error) =>
          whenReady(close(asked), () => {
            throw inLocale(error, target.contract.policy.locale)
          }),
      )
    })
  })
}

function reply(asked: ModelRequest): MaybePromise<void> {
  const { pipeline } = asked.target
  return whenReady(pipeline && prepare(asked, pipeline), (run) => {
    if (run !== undefined) asked.prepare(run)
    return asked.sent.stream ? streamReply(asked) : wholeReply(asked)
  })
}

function close(asked: ModelRequest): MaybePromise<void> {
  // Only for unexpected errors.
  return whenReady(asked.isReserved ? asked.settle(undefined) : undefined, () => asked.close())
}

/** Where a model's answers come from; the error for an unknown model suggests the closest name. */
export function targetOf(model: string, { task }: Pick<ClientContext, 'task'>, settings: RouteSettings): Target {
  const found = settings.find(model)
  if (found === undefined) {
    const message = unknownName('model', model, settings.models)
    throw new HttpError(404, message, { type: 'invalid_request_error', param: 'model', code: 'model_not_found' })
  }
  if (task === undefined || !found.exemptTasks.has(task)) return found
  const { pipeline: _pipeline, shadow: _shadow, ...rest } = found
  return { ...rest, contract: settings.unenforced, contractName: '' }
}

/** The target with the contract that the client has chosen among those of its route. */
function chosenOf(target: Target, { contract: name }: Pick<ClientContext, 'contract'>): Target {
  const { contracts, contractName } = target
  if (contracts === undefined || name === undefined || contractName === '') return target
  const chosen = contracts.get(name)
  if (chosen !== undefined) return { ...target, ...chosen }
  const message = unknownName('contract', name, [...contracts.keys()])
  throw new HttpError(400, message, { type: 'invalid_request_error', param: contractHeader, code: 'invalid_parameter' })
}

/** The target with the checks of its contract that apply to a request. A client switches off only what its task is exempt from: it sets only the tags that the route leaves to it. */
function forRequest(target: Target, api: string, chat: ChatRequest, { tags, task }: Pick<ClientContext, 'tags' | 'task'>): Target {
  const refused = tags.find((tag) => !target.clientTags.includes(tag))
  if (refused !== undefined) {
    const message = `clients of this route may not set the tag ${JSON.stringify(refused.slice(0, 80))}`
    throw new HttpError(400, message, { type: 'invalid_request_error', param: 'stickler.tags', code: 'invalid_parameter' })
  }
  // On a route for several models their name is what the client likes, so that the model counts that is really asked.
  const asked = isPattern(target.model) ? (target.places[0]?.model ?? chat.model) : chat.model
  const request = { api, model: asked, task, tags: tags.length === 0 ? target.tags : [...target.tags, ...tags] }
  const contract = requestContract(applicable(target.contract, request), chat)
  const { shadow } = target
  const judge = shadow && requestContract(applicable(shadow.contract, request), chat)
  if (contract === target.contract && judge === shadow?.contract) return target
  return { ...target, contract, ...(shadow && judge && { shadow: { ...shadow, contract: judge } }) }
}

function costBoundOf({ chat, stream, body }: ClientRequest, { contract, pipeline }: Target, open: number): CostBound {
  if (pipeline === undefined) return chatCostBound(chat, { contract, isStreamed: stream }, open, body)
  const { chunks, helpers } = pipeline
  return pipelineCostBound(chatCostBound(chat, { contract: pipeline.costliest, isStreamed: stream }, open), {
    chunks,
    helpers,
    choices: choicesOf(chat),
  })
}

function highestPriceOf({ price, pipeline }: Target): Target['price'] {
  if (pipeline === undefined) return price
  const helpers = Object.values(pipeline.helpers) as HelperModel[]
  return highestPrice([price, ...helpers.map((helper) => helper.price)])
}

/** Runs the pipeline of a route, with keep-alive messages for a client that waits for a stream. */
async function prepare(request: ModelRequest, pipeline: PipelineTarget): Promise<PipelineRun> {
  const early = new EarlyStream(request)
  try {
    const run = await preparePipelineRun(request, pipeline)
    const opened = early.take()
    return opened === undefined ? run : { ...run, opened }
  } catch (error) {
    early.take()?.end()
    throw error
  }
}

/** Adds the session state that the gateway knows; only validators see it. */
function withState(client: ClientContext, state: SessionState | undefined): ClientContext {
  return state === undefined ? client : { ...client, context: { ...client.context, session_state: state } }
}

function isForAnthropic(model: unknown, { find }: RouteSettings): boolean {
  return typeof model === 'string' && find(model)?.isAnthropic === true
}

function mayServe(dependencies: RouteDependencies, { contract }: Target): void {
  try {
    dependencies.mayServe()
  } catch (error) {
    throw inLocale(error, contract.policy.locale)
  }
}

/** Only the server decides these; attempts to change them are logged. */
function tellIgnored(exchange: Exchange, { ignored: strange }: ClientContext, { contracts }: Target): void {
  const ignored = contracts === undefined ? strange : strange.filter((name) => name !== contractHeader)
  if (ignored.length === 0) return
  // Not earlier, because its logger is made on demand.
  exchange.log.warn({ requestId: exchange.requestId, count: ignored.length }, 'a client tried to override server-side settings')
}

type Body = Readonly<Record<string, unknown>>

/**
 * Rejects a body with a part that a text-only model would not see; named as the client wrote it,
 * before anything is started.
 */
export function refuseOtherParts(body: Body, model: string, { texts }: Pick<Api, 'texts'>): void {
  if (texts === undefined) return
  for (const list of texts.lists) {
    const items = body[list]
    if (!Array.isArray(items)) continue
    for (const [index, item] of items.entries()) {
      if (isFields(item)) for (const name of texts.parts) refuseParts(item[name], `${list}[${index}].${name}`, model, texts)
    }
  }
}

function refuseParts(parts: unknown, path: string, model: string, texts: RequestTexts): void {
  if (!Array.isArray(parts)) return
  for (const [index, part] of parts.entries()) {
    if (!isFields(part)) continue
    const at = `${path}[${index}]`
    const { type } = part
    if (typeof type === 'string' && !texts.readable.has(type)) {
      const message = `${at} is of type ${JSON.stringify(type.slice(0, 40))}, but the model ${JSON.stringify(model)} reads only text.`
      throw new HttpError(400, message, { param: at, code: 'unsupported_content' })
    }
    // Tool results have their own parts, one level deep.
    if (type === 'tool_result') refuseParts(part.content, `${at}.content`, model, texts)
  }
}
