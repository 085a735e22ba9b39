import type { NodeTrace } from '@stickler/ask/pipeline'
import type { Certificate, Issue, Unchecked, Usage } from '@stickler/core'
import { runStatuses, settledStatuses } from '@stickler/core/internal'
import type { KeptCall } from './kept-calls.ts'

/** How a value is stored: the type of its column, and the maximum length of a text. */
export type Kind = 'name' | 'sentence' | 'text' | 'whole' | 'real' | 'flag' | 'mark' | 'names' | 'json'

/** One stored value: the name and kind of its column, and its description for the documentation. */
export interface Column<Name extends string = string, K extends Kind = Kind, Value = unknown> {
  readonly column: Name
  readonly kind: K
  readonly says: string
  /** The only values allowed. */
  readonly values?: readonly string[]
  readonly optional?: true
  /** Whether lists of runs leave it out. */
  readonly isDetail?: true
  /** Used only for the type. */
  readonly value?: Value
}

/** Values that form an object, each in its own column. */
export interface Group<Parts = Readonly<Record<string, Column>>, Value = unknown> {
  readonly parts: Parts
  readonly optional?: true
  /** Used only for the type. */
  readonly value?: Value
}

/** A list; lists of runs have only its length. */
export interface List<Name extends string = string, Value = unknown> {
  readonly count: Column<Name, 'whole', number>
  /** The column with the items; without one, the items are rows of another table. */
  readonly packed?: Column
  /** Used only for the type. */
  readonly value?: Value
}

/** The members of a stored object, in the order in which they are shown. */
export type Members = Readonly<Record<string, Column | Group | List>>

const made =
  <K extends Kind, Value>(kind: K) =>
  <Name extends string>(column: Name, says: string): Column<Name, K, Value> => ({ column, kind, says })
const name = made<'name', string>('name')
const sentence = made<'sentence', string>('sentence')
const text = made<'text', string>('text')
const whole = made<'whole', number>('whole')
const real = made<'real', number>('real')
const flag = made<'flag', boolean>('flag')
const names = made<'names', Readonly<Record<string, string>>>('names')
/** Stored only when true. */
const mark = made<'mark', boolean>('mark')

function oneOf<Name extends string, Value extends string>(column: Name, ...values: readonly Value[]): Column<Name, 'name', Value> {
  const shown = values.map((value) => `\`${value}\``)
  return { column, kind: 'name', values, says: `${shown.slice(0, -1).join(', ')} or ${shown.at(-1)}` }
}

/** Gives a value that is stored as JSON its type. */
const of = <Value>(): Value | undefined => undefined

function json<Name extends string, Value>(column: Name, says: string, _value: Value | undefined): Column<Name, 'json', Value> {
  return { column, kind: 'json', says }
}

function list<Name extends string, Item>(count: Name, says: string, _item: Item | undefined): List<Name, readonly Item[]> {
  return { count: whole(count, says) }
}

function group<Parts, Value>(parts: Parts, _value: Value | undefined): Group<Parts, Value> {
  return { parts }
}

const optional = <Of extends object>(member: Of): Of & { readonly optional: true } => ({ ...member, optional: true })
const detail = <Of extends object>(member: Of): Of & { readonly isDetail: true } => ({ ...member, isDetail: true })

type ValueOf<Of> = Of extends { readonly value?: infer Value } ? Exclude<Value, undefined> : never
type OptionalIn<Of> = { [Name in keyof Of]: Of[Name] extends { readonly optional: true } ? Name : never }[keyof Of]
type ObjectOf<Of> = { readonly [Name in keyof Of as Name extends OptionalIn<Of> ? never : Name]: ValueOf<Of[Name]> } & {
  readonly [Name in OptionalIn<Of>]?: ValueOf<Of[Name]>
}

const tokens = {
  promptTokens: whole('prompt_tokens', 'tokens that were sent'),
  completionTokens: whole('completion_tokens', 'tokens that came back'),
  cost: optional(real('cost', 'dollars, where prices are configured')),
  estimated: optional(mark('estimated', 'whether tokens were estimated')),
}

/** The members of one stored attempt, in the order of its JSON. */
export const attemptMembers = {
  number: whole('number', 'counts from 1'),
  call: oneOf('call', 'run', 'continue'),
  ms: real('ms', 'duration in milliseconds'),
  finishReason: optional(name('finishReason', 'why the provider ended the answer')),
  usage: optional(group(tokens, of<Usage>())),
  issues: list('issues', 'what the checks found in it', of<Issue>()),
  stoppedAt: optional(whole('stoppedAt', 'where it was stopped, when it was')),
  decision: optional(name('decision', 'what was decided on it; `failed` when the call brought no answer')),
  failure: optional(name('failure', 'kind of failure of a call that brought no answer')),
  resumption: optional(oneOf('resumption', 'resumed', 'forgotten')),
  stderr: optional(
    text('stderr', 'end of what a command wrote to its error stream, without secrets; without texts its size and known faults'),
  ),
  text: optional(text('text', 'only with `store.keepText`')),
  masked: optional(mark('masked', 'whether secrets that checks found were taken out of the text')),
  feedback: optional(text('feedback', 'what the model was told; only with `store.keepText`')),
  toolCalls: optional(json('toolCalls', 'tools that it called, shortened; only with `store.keepText`', of<readonly KeptCall[]>())),
} satisfies Members

/** One attempt of a run. */
export type AttemptRecord = ObjectOf<typeof attemptMembers>

/** One message of a prompt. */
export interface PromptMessage {
  readonly role: string
  readonly text: string
  /** Length of the text when not all of it is kept. */
  readonly cut?: number
  /** How many messages after it are not kept. */
  readonly more?: number
  /** Set when the engine added it, so that no check was given it. */
  readonly added?: true
}

const shadowMembers = {
  contract: name('shadow_contract', "name of the route's shadow contract"),
  status: oneOf('shadow_status', ...settledStatuses),
  liveStatus: name('live_status', 'what the contract of the route made of the same answer, the first one'),
  codes: name('shadow_codes', 'codes that only the shadow contract found, separated by commas'),
  liveCodes: name('live_codes', 'codes that only the contract of the route found, separated by commas'),
} satisfies Readonly<Record<string, Column>>

/** What a shadow contract says about the first answer of a run, and where that differs from the contract of its route. */
export interface ShadowVerdict {
  readonly contract: string
  readonly status: (typeof settledStatuses)[number]
  readonly liveStatus: string
  readonly codes: string
  readonly liveCodes: string
}

/** A verdict that is added to a run after its answer was sent. */
export interface ShadowRecord {
  readonly id: string
  /** Time of the run. */
  readonly at: number
  readonly verdict: ShadowVerdict
}

/** The members of one stored run; its type, its columns, its form in the API and its JSON schema are made from this table. */
export const runMembers = {
  id: name('id', 'id of the run; sorts by time'),
  requestId: name('request_id', 'the request; several choices share one'),
  choice: whole('choice', 'number of the choice'),
  session: optional(name('session', 'session that the client named')),
  at: whole('at', 'milliseconds since 1970'),
  ms: real('ms', 'duration in milliseconds'),
  firstTextMs: optional(real('first_text_ms', 'milliseconds until the first text of a stream')),
  addedMs: optional(real('added_ms', 'duration less that of the last call of a model')),
  api: name('api', '`chat`, `responses`, `messages`, `ask`, `check`, …'),
  stream: flag('stream', 'whether it was streamed'),
  model: name('model', 'the model that the client requested'),
  upstream: name('upstream', 'the upstream that answered'),
  upstreamModel: name('upstream_model', 'its model'),
  contract: name('contract', 'name of the contract; empty without one'),
  key: name('key_name', 'name of the client key; empty without keys'),
  status: oneOf('status', ...runStatuses),
  reason: name('reason', 'why the run ended'),
  httpStatus: whole('http_status', 'status of the reply'),
  attempts: {
    ...list('attempt_count', 'calls of the model', of<AttemptRecord>()),
    packed: detail(json('attempts', 'attempts with their issues', of<string>())),
  },
  issues: list('issue_count', 'issues that remain', of<Issue>()),
  fixed: list('fixed_count', 'issues that were repaired', of<Issue>()),
  repairs: list('repair_count', 'number of repairs', of<Certificate>()),
  usage: group(tokens, of<Usage>()),
  delivered: optional(flag('delivered', 'whether the client got the text; absent when no model was called')),
  fallback: optional(mark('fallback', "whether the client got the contract's fallback in place of an answer")),
  skipped: optional(name('skipped', 'checks that do not apply to the request, separated by commas')),
  facts: optional(names('facts', 'facts that a preset declares, such as the step')),
  shadow: optional(group(shadowMembers, of<ShadowVerdict>())),
  failure: optional(
    group(
      {
        kind: name('failure_kind', 'kind of failure when the model could not be called'),
        message: sentence('failure_message', 'message, secrets masked'),
        status: optional(whole('failure_status', 'HTTP status of the provider')),
      },
      of<{ readonly kind: string; readonly message: string; readonly status?: number }>(),
    ),
  ),
  unchecked: detail(json('unchecked', 'validators that could not run', of<readonly Unchecked[]>())),
  request: detail(optional(text('request', 'beginning of the question; only with `store.keepText`'))),
  text: detail(optional(text('text', 'the last text; only with `store.keepText`'))),
  toolCalls: detail(
    optional(json('tool_calls', 'tools that the answer calls, shortened; only with `store.keepText`', of<readonly KeptCall[]>())),
  ),
  prompt: detail(
    optional(json('prompt', 'messages as they were sent, shortened; only with `store.keepText`', of<readonly PromptMessage[]>())),
  ),
  context: detail(
    optional(
      json(
        'context',
        'what checks knew of the request beside its messages: format, tools, sources; only with `store.keepText`',
        of<Readonly<Record<string, unknown>>>(),
      ),
    ),
  ),
  timeline: detail(
    optional(text('timeline', 'what a reader of a stream had, and when: milliseconds, characters shown, characters held back, attempt')),
  ),
  pipeline: detail(optional(json('pipeline', 'nodes of a pipeline; queries only with `store.keepText`', of<readonly NodeTrace[]>()))),
} satisfies Members

/** One enforced answer, as it is stored. */
export type RunRecord = ObjectOf<typeof runMembers>

/** A run without its details: lists are replaced by their lengths. */
export type RunSummary = ObjectOf<{
  [Name in keyof typeof runMembers as (typeof runMembers)[Name] extends { readonly isDetail: true }
    ? never
    : Name]: (typeof runMembers)[Name] extends {
    readonly count: infer Count
  }
    ? Count
    : (typeof runMembers)[Name]
}>

type ColumnsIn<Of> = {
  [Name in keyof Of]: Of[Name] extends { readonly parts: infer Parts }
    ? ColumnsIn<Parts> & (Of[Name] extends { readonly optional: true } ? { readonly optional: true } : unknown)
    : Of[Name] extends { readonly count: infer Count }
      ? Count | (Of[Name] extends { readonly packed: infer Packed } ? Packed : never)
      : Of[Name]
}[keyof Of]

/** Every column of a run. */
export type RunColumn = ColumnsIn<typeof runMembers>

/** The routes of runs besides the APIs of models. */
export const ownWays: readonly string[] = ['ask', 'check', 'grpc']

/** The route of a run: the name of an API, or one of `ownWays`. */
export type ApiName = string

/** The ids by which log lines of a run are found. */
export interface RunNames {
  readonly requestId: string
  readonly run: string
  readonly contract: string
  readonly model: string
}

/** One row of the audit of `/ask`, as the library builds it. */
export type AuditRow = Readonly<Record<string, unknown>>

/** Adds the verdicts of shadow contracts to runs. */
export interface ShadowRecorder {
  shadow(record: ShadowRecord): Promise<void>
}

/** Records runs and audit rows; a promise resolves when the end of this process can no longer lose the record. */
export interface Recorder {
  run(record: RunRecord): Promise<void>
  audit(row: AuditRow): Promise<void>
}
