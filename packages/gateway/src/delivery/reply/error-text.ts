import { errorsOf, type Outcome } from '@stickler/core'
import { type HttpError, isVerdict } from '@stickler/core/internal/apis'
import type { Target } from '../../requests/target.ts'
import { troubleText } from './localized-errors.ts'

/**
 * What can start a link, an image, code, an entity, a formula or HTML in Markdown, as GitHub and
 * chats render it.
 */
const live = /[`\\<>[\]&$@]|:\/\/|www\.|mailto:|xmpp:/i

/**
 * One line that every Markdown renderer shows as plain words: anything that could be markup is in a
 * code span.
 */
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

/**
 * An error as text, in the contract's language: the preset's lines around the findings, else one
 * sentence.
 */
export function errorText(error: HttpError, outcomes: readonly Outcome[], { contract }: Pick<Target, 'contract'>): string {
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
