import { errorsOf, type Locale, type Outcome } from '@stickler/core'
import type { Target } from '../enforcement/target.ts'
import type { HttpError } from '../http/http-error.ts'
import { verdictNames } from '../http/verdict-names.ts'
import { inertMarkdown } from './inert-markdown.ts'
import { troubleWords } from './reply-words.ts'

/** An error as text, in the language of the contract: the lines that the preset declares around what was found, else one sentence. */
export function errorText(error: HttpError, outcomes: readonly Outcome[], { contract }: Pick<Target, 'contract'>): string {
  const { locale } = contract.policy
  const bad = outcomes.find(({ delivered }) => !delivered)
  const isVerdict = error.details.type === verdictNames.violated || error.details.type === verdictNames.unchecked
  const trouble = isVerdict ? error.message : troubleText(error, bad, locale)
  const around = contract.declared?.errorText?.[locale]
  if (around === undefined) return inertMarkdown(trouble)
  const errors = isVerdict && bad !== undefined ? errorsOf(bad) : []
  const found = errors.map(({ code, message }) => `- ${code}: ${inertMarkdown(message)}`)
  const items = found.length > 0 ? found : [`- ${error.details.code ?? String(error.status)}: ${inertMarkdown(trouble)}`]
  // Blocks of Markdown, so that a chat shows every line for itself.
  return [...around.opening, items.join('\n'), ...around.closing].join('\n\n')
}

/** What ended the request where that was no verdict: English is what clients are told by the error itself. */
function troubleText({ message, details }: HttpError, bad: Outcome | undefined, locale: Locale): string {
  if (locale === 'en') return message
  const say = troubleWords[locale]
  const { code } = details
  if (code === 'shutting_down' || code === 'store_full') return say[code]
  const { kind, status } = bad?.failure ?? { kind: 'other' as const }
  if (kind === 'http') return status === undefined ? say.protocol : say.answered(status)
  return say[kind]
}
