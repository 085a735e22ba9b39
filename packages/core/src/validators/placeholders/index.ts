import * as z from 'zod'
import { issue } from '../../contract/issue.ts'
import type { Locale } from '../../contract/locale.ts'
import { defineValidator } from '../../contract/validator.ts'
import { quoteJson } from '../../schema/evaluate/show.ts'
import { ProseMatches } from '../shared/prose-matches.ts'
import {
  isOther,
  longestUnfinished,
  type PlaceholderKind,
  placeholderBeginnings,
  placeholderKind,
  placeholderKinds,
  placeholderPattern,
  unfinishedPlaceholder,
} from './kinds.ts'

interface PlaceholderMessages {
  readonly instruct: string
  found(kind: PlaceholderKind, text: string): string
  readonly hint: string
}

/** What the messages on placeholders say, by language. */
const placeholderMessages: Readonly<Record<Locale, PlaceholderMessages>> = {
  en: {
    instruct: 'Leave no placeholders in the answer, such as [Your Name], {topic}, TODO or lorem ipsum.',
    found: (kind, text) =>
      kind === 'todo'
        ? `Write what is still missing; ${quoteJson(text)} marks it as open.`
        : kind === 'lorem'
          ? `Replace the filler text ${quoteJson(text)} with real text.`
          : `Replace the placeholder ${quoteJson(text)} with the text that belongs there.`,
    hint: 'If that is not known, write the sentence without it',
  },
  de: {
    instruct: 'Lass in der Antwort keine Platzhalter stehen, etwa [Ihr Name], {thema}, TODO oder lorem ipsum.',
    found: (kind, text) =>
      kind === 'todo'
        ? `Schreibe, was noch fehlt; ${quoteJson(text)} lässt es offen.`
        : kind === 'lorem'
          ? `Ersetze den Blindtext ${quoteJson(text)} durch echten Text.`
          : `Ersetze den Platzhalter ${quoteJson(text)} durch den Text, der dort hingehört.`,
    hint: 'Fehlt dir die Angabe, schreibe den Satz ohne sie',
  },
}

/** Fails when the answer has a placeholder that somebody would still have to fill in. */
export const placeholders = defineValidator({
  name: 'placeholders',
  short: 'kinds',
  summary: 'The answer leaves no placeholders to fill in.',
  get options() {
    return z.strictObject({
      kinds: z
        .array(z.enum(placeholderKinds))
        .min(1)
        .default([...placeholderKinds])
        .describe('Kinds to look for: `[Your Name]`, `{topic}`, `<insert name>`, TODO and TBD, lorem ipsum.'),
      allowed: z
        .array(z.string().min(2).max(200))
        .max(1000)
        .default([])
        .describe('Placeholders that may stay, as they are written, such as `{order_id}` of your template.'),
      code: z.boolean().default(false).describe('Also search code, where `{name}` is often a variable.'),
    })
  },
  codes: {
    PLACEHOLDER: {
      severity: 'error',
      when: 'The answer has a placeholder, a TODO or filler text; code counts only with `code`.',
      fix: 'Fill it in or leave it out; if it belongs to the answer, list it in `allowed`.',
    },
  },
  instruct: (_options, locale) => placeholderMessages[locale].instruct,
  machine: ({ kinds, allowed, code }) => {
    const fold = (text: string): string => text.toLowerCase()
    const pattern = placeholderPattern(kinds)
    const kept = new Set(allowed.map(fold))
    return (reading) => {
      const { found, hint } = placeholderMessages[reading.locale]
      const seen = new Set<string>()
      return new ProseMatches(reading, {
        pattern,
        begins: placeholderBeginnings,
        unfinished: unfinishedPlaceholder,
        reach: longestUnfinished,
        code,
        judge: (match) => {
          const { span } = match
          const kind = placeholderKind(match)
          if (kind === undefined || kept.has(fold(match.found))) return
          const message = found(kind, match.found)
          // One that is repeated is reported once.
          if (seen.has(message)) return
          seen.add(message)
          reading.wrong({ start: span.start, at: span.end, issue: () => issue('PLACEHOLDER', message, { hint, span }) })
        },
        dismisses: (match) => kept.has(fold(match.found)) || isOther(match),
      })
    }
  },
})
