import { errorsOf, type Outcome } from '@stickler/core'
import { type HttpError, isVerdict } from '@stickler/core/internal'
import type { Target } from '../../requests/target.ts'
import { inertMarkdown } from './inert-markdown.ts'
import { troubleText } from './trouble-text.ts'

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
