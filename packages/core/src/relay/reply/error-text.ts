import { contentText } from '../../answer/content.ts'
import { HttpError } from '../../apis/shared/http-error.ts'
import { isVerdict } from '../../apis/shared/verdict-names.ts'
import type { Contract } from '../../contract/contract.ts'
import type { Locale } from '../../contract/locale.ts'
import { errorsOf } from '../../engine/check/report.ts'
import type { Outcome } from '../../engine/outcome.ts'
import type { Message } from '../../engine/runner.ts'
import { isRefusal, upstreamWords } from '../errors/provider-error-names.ts'
import type { RelayTarget } from '../relayed-request.ts'
import { type TroubleWords, troubleWords } from './reply-messages.ts'

/** What can start a link, an image, code, an entity, a formula or HTML in Markdown, as GitHub and chats render it. */
const live = /[`\\<>[\]&$@]|:\/\/|www\.|mailto:|xmpp:/i

/** One line that every Markdown renderer shows as plain words: anything that could be markup is in a code span. */
export function inertMarkdown(text: string): string {
  const line = text.replace(/\s+/g, ' ').trim()
  if (!live.test(line)) return line
  return line
    .split(' ')
    .map((word) => (live.test(word) ? codeSpan(word) : word))
    .join(' ')
}

/** Ends only after the text: its fence is longer than any in it. */
function codeSpan(text: string): string {
  const runs = text.match(/`+/g)
  if (runs === null) return `\`${text}\``
  const fence = '`'.repeat(runs.reduce((longest, { length }) => Math.max(longest, length), 0) + 1)
  return `${fence} ${text} ${fence}`
}

/** An error as text, in the contract's language: the preset's lines around the findings, else one sentence. */
export function errorText(error: HttpError, outcomes: readonly Outcome[], { contract }: Pick<RelayTarget, 'contract'>): string {
  const { locale } = contract.policy
  const bad = outcomes.find(({ delivered }) => !delivered)
  const isChecked = isVerdict(error.details.type ?? '')
  const trouble = isChecked ? error.message : troubleText(error, bad?.failure, locale)
  const around = contract.declared?.errorText?.[locale]
  if (around === undefined) return inertMarkdown(trouble)
  const errors = isChecked && bad !== undefined ? errorsOf(bad) : []
  const found = errors.map(({ code, message }) => `- ${code}: ${inertMarkdown(message)}`)
  const items = found.length > 0 ? found : [`- ${error.details.code ?? String(error.status)}: ${inertMarkdown(trouble)}`]
  // Markdown blocks, so that a chat shows each line separately.
  return [...around.opening, items.join('\n'), ...around.closing].join('\n\n')
}

/** Messages without the errors that were sent as text of the assistant; the model has not said these. */
export function withoutErrors(messages: readonly Message[], { declared }: Pick<Contract, 'declared'>): readonly Message[] {
  if (declared?.errorText === undefined) return messages
  const openings = Object.values(declared.errorText).map(({ opening }) => opening.join('\n\n'))
  const kept = messages.flatMap((message) => {
    const text = message.role === 'assistant' ? contentText(message.content) : ''
    const opening = openings.find((one) => text.includes(one))
    if (opening === undefined) return [message]
    const content = text.slice(0, text.indexOf(opening)).trim()
    return content === '' ? [] : [{ ...message, content }]
  })
  return kept.length === messages.length && kept.every((message, at) => message === messages[at]) ? messages : kept
}

type Failure = NonNullable<Outcome['failure']>

/** What ended a request other than a verdict, in the contract's language; the error itself is in English. */
export function troubleText({ message, details }: HttpError, failure: Failure | undefined, locale: Locale): string {
  if (locale === 'en') return message
  const say = troubleWords[locale]
  const { code } = details
  if (code === 'shutting_down' || code === 'store_full') return say[code]
  if (failure === undefined) return say.other
  if (failure.code === 'circuit_open') return say.circuit_open
  if (failure.kind === 'connection' && failure.isMidway) return say.broken
  return failure.kind === 'http' ? statusText(failure, say) : say[failure.kind]
}

function statusText({ status, body = '' }: Failure, say: TroubleWords): string {
  if (status === undefined) return say.protocol
  if (status === 429) return say.rate_limit
  if (status === 408) return say.timeout
  if (status === 401 || status === 403) return say.auth
  return isRefusal(status) ? say.refused(status, upstreamWords(body)) : say.answered(status)
}

/** A gateway error that can be reported in the contract's language; any other stays as it is. */
export function inLocale(error: unknown, locale: Locale): unknown {
  if (locale === 'en' || !(error instanceof HttpError)) return error
  const { code } = error.details
  if (code !== 'shutting_down' && code !== 'store_full') return error
  return new HttpError(error.status, troubleText(error, undefined, locale), error.details)
}
