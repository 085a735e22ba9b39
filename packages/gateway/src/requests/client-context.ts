import type { IncomingHttpHeaders } from 'node:http'
import { closest, isFields } from '@stickler/core/internal'
import { type ChatRequest, HttpError } from '@stickler/core/internal/apis'
import { requestContext } from '@stickler/core/internal/relay'

/**
 * What a client adds to its request for the contract: it can add context for checks, never remove
 * any.
 */
export interface ClientContext {
  readonly session: string | undefined
  /** The Open WebUI task of the request, such as `title_generation`. */
  readonly task: string | undefined
  /** The contract that the client chooses; the route says among which. */
  readonly contract: string | undefined
  /** Tags that the client gives its request; the route says which it may. */
  readonly tags: readonly string[]
  /** Whether to report progress while text is held back. */
  readonly wantsProgress: boolean
  /** The query type that the client sent, for pipelines; not validated. */
  readonly type: unknown
  /** Given to validators, never to a model. */
  readonly context: Readonly<Record<string, unknown>>
  /** Headers that only the server may set; they have no effect. */
  readonly ignored: readonly string[]
}

/** Where a client chooses a contract, on routes that list several. */
export const contractHeader = 'x-stickler-contract'

const known = new Set(['sources', 'context', 'question', 'session', 'progress', 'type', 'transcript', 'expected_sequence', 'tags'])
const knownHeaders = new Set(['x-stickler-session', 'x-stickler-task', 'x-stickler-progress', 'x-stickler-user', 'x-stickler-tags'])
const nothing: Readonly<Record<string, unknown>> = {}
const sessionForm = /^[\w.:@/-]{1,128}$/
const taskForm = /^[a-z_]{1,64}$/

/** Reads the client's context, from the field `stickler` of the body and from headers. */
export function readClientContext(
  body: Readonly<Record<string, unknown>>,
  headers: IncomingHttpHeaders,
  chat: ChatRequest,
  isTranslated = true,
): ClientContext {
  const { stickler } = body
  if (stickler !== undefined && !isFields(stickler)) throw wrong('stickler', 'must be an object')
  const given = stickler ?? nothing
  for (const name in given) if (!known.has(name)) throw unknownField(name)
  const { sources } = given
  const isCount = typeof sources === 'number' && Number.isSafeInteger(sources) && sources >= 0
  if (sources !== undefined && !isCount && !Array.isArray(sources)) throw wrong('stickler.sources', 'must be a list, or how many there are')
  const session = sessionOf(given.session) ?? sessionOf(headers['x-stickler-session']) ?? sessionOf(headers['x-openwebui-chat-id'])
  const task = headers['x-stickler-task']
  const isOpenWebUi = headers['x-openwebui-chat-id'] !== undefined
  return {
    session,
    task: typeof task === 'string' && taskForm.test(task) ? task : undefined,
    contract: textOf(headers[contractHeader]),
    tags: tagsOf(given.tags, headers['x-stickler-tags']),
    wantsProgress: isOpenWebUi || given.progress === true || headers['x-stickler-progress'] === '1',
    type: given.type,
    context: requestContext(stickler, chat, isTranslated ? undefined : body),
    ignored: strangeHeaders(headers),
  }
}

function textOf(header: string | readonly string[] | undefined): string | undefined {
  return header === undefined ? undefined : String(header)
}

function tagsOf(given: unknown, header: string | readonly string[] | undefined): readonly string[] {
  if (given !== undefined && !(Array.isArray(given) && given.every((tag) => typeof tag === 'string')))
    throw wrong('stickler.tags', 'must be a list of names')
  const named =
    header === undefined
      ? noTags
      : String(header)
          .split(',')
          .map((tag) => tag.trim())
  return given === undefined && header === undefined
    ? noTags
    : [...((given as readonly string[] | undefined) ?? []), ...named].filter(Boolean)
}

const noTags: readonly string[] = []

/** A misspelt field would leave out what it is to be checked by; what only the server decides is none. */
function unknownField(name: string): HttpError {
  const shown = name.slice(0, 80)
  const meant = closest(shown, [...known])
  const advice = meant === undefined ? `there are ${[...known].join(', ')}` : `did you mean ${JSON.stringify(meant)}?`
  return new HttpError(400, `unknown field ${JSON.stringify(shown)} in stickler; ${advice}`, { param: `stickler.${shown}` })
}

function wrong(param: string, message: string): HttpError {
  return new HttpError(400, `${param} ${message}`, { param })
}

function strangeHeaders(headers: IncomingHttpHeaders): readonly string[] {
  const names: string[] = []
  for (const name in headers) if (name.startsWith('x-stickler-') && !knownHeaders.has(name)) names.push(name)
  return names
}

/** A session as it is recorded; undefined when its name is invalid. */
export function sessionOf(value: unknown): string | undefined {
  return typeof value === 'string' && sessionForm.test(value) ? value : undefined
}
