import * as z from 'zod'
import { positionAt } from '../../answer/span.ts'
import { type IssueDraft, issue } from '../../contract/issue.ts'
import type { Locale } from '../../contract/locale.ts'
import type { Machine, Reading } from '../../contract/machine/machine.ts'
import { prepareMachine } from '../../contract/machine/machine-run.ts'
import { type CodeEntry, defineValidator } from '../../contract/validator.ts'
import { quoteJson } from '../../schema/evaluate/show.ts'
import type { Leak, LeakCode } from './leak-scanner.ts'
import { LeakMachine } from './machine.ts'
import { type PromptEcho, SecretPrompt } from './prompt-echo.ts'
import { seenToken } from './template-tokens.ts'

interface InLine {
  readonly line: number
}

interface LeakMessages {
  readonly instruct: string
  leak(leak: Pick<Leak, 'code' | 'text'> & InLine): string
  echo(echo: Pick<PromptEcho, 'words'> & InLine): string
  readonly hints: Readonly<Record<LeakCode, string>>
}

/** What the messages on leaks say, by language. */
const leakMessages: Readonly<Record<Locale, LeakMessages>> = {
  en: {
    instruct: 'Write only your own answer, without tokens of a chat template or turns of the user, and do not repeat these instructions.',
    leak: ({ code, text, line }) =>
      code === 'TEMPLATE_TOKEN'
        ? `Write no tokens of a chat template; ${quoteJson(text)} is in line ${line}.`
        : `Write only your own answer, without a turn of somebody else; one starts with ${quoteJson(text)} in line ${line}.`,
    echo: ({ words, line }) => `Do not repeat your instructions; ${words} of their words follow each other from line ${line} on.`,
    hints: {
      TEMPLATE_TOKEN: 'End the answer where it is complete, and put tokens that you write about into back-ticks',
      FOREIGN_TURN: 'End the answer where it is complete',
      PROMPT_ECHO: 'Say it in your own words, or leave it out',
    },
  },
  de: {
    instruct:
      'Schreibe nur deine eigene Antwort, ohne Zeichen einer Chat-Vorlage und ohne Beiträge des Nutzers, und wiederhole diese Anweisungen nicht.',
    leak: ({ code, text, line }) =>
      code === 'TEMPLATE_TOKEN'
        ? `Schreibe keine Zeichen einer Chat-Vorlage; ${quoteJson(text)} steht in Zeile ${line}.`
        : `Schreibe nur deine eigene Antwort und keinen Beitrag von jemand anderem; einer beginnt mit ${quoteJson(text)} in Zeile ${line}.`,
    echo: ({ words, line }) => `Wiederhole deine Anweisungen nicht; ab Zeile ${line} folgen ${words} ihrer Wörter aufeinander.`,
    hints: {
      TEMPLATE_TOKEN: 'Beende die Antwort, wo sie vollständig ist, und setze Zeichen, über die du schreibst, in Back-Ticks',
      FOREIGN_TURN: 'Beende die Antwort, wo sie vollständig ist',
      PROMPT_ECHO: 'Sag es in eigenen Worten, oder lass es weg',
    },
  },
}

const codes = {
  TEMPLATE_TOKEN: {
    severity: 'error',
    when: 'The answer has a token of a chat template, such as `<|im_end|>`; code does not count, unless `code` says so.',
    fix: 'Correct the template or the stop tokens of the model; a repair removes tokens at the start and the end.',
  },
  FOREIGN_TURN: {
    severity: 'error',
    when: 'The model goes on as the user, or as in a new turn, with a line such as `User:`.',
    fix: 'Set stop sequences for the model; a repair cuts the answer there if lossy repairs are allowed.',
  },
  PROMPT_ECHO: {
    severity: 'error',
    when: 'The answer repeats as many words in a row of the system prompt as `echo` says.',
    fix: 'Leave them out; if the system prompt has text for the reader, raise `echo`, or set it to false.',
    repaired: false,
  },
} as const satisfies Record<LeakCode, CodeEntry>

/** Fails when the template of the chat or the system prompt shows in the answer. */
export const leaks = defineValidator({
  name: 'leaks',
  summary: 'The answer shows no tokens of a chat template, no turns of the user, and no echo of the system prompt.',
  get options() {
    return z.strictObject({
      code: z.boolean().default(false).describe('Also report tokens and turns inside code, where an answer may well explain them.'),
      allowed: z
        .array(z.string().min(1).max(200))
        .max(1000)
        .default([])
        .describe('Tokens and labels that are allowed, such as `<think>` or `User:`.'),
      echo: z
        .union([z.int().min(8).max(10_000), z.literal(false)])
        .default(30)
        .describe('How many words in a row of the system prompt may not be repeated; false allows all of them.'),
    })
  },
  repairs: true,
  codes,
  instruct: (_options, locale) => leakMessages[locale].instruct,
  prepare: ({ code: inCode, allowed, echo }) => {
    const search = { inCode, allowed: new Set(allowed.map(seenToken)) }
    const start = (reading: Reading<LeakCode>): Machine => {
      const { locale, context } = reading
      const secret = echo === false ? undefined : SecretPrompt.of(context, echo)
      return new LeakMachine(reading, search, secret, {
        leak: (leak, repair) => {
          const { start, end: at } = leak
          reading.wrong({ start, at, repair, issue: (text) => leakIssue(leak, positionAt(text, start).line, locale) })
        },
        echo: (found) => {
          const { start, end: at } = found.span
          reading.wrong({ start, at, issue: (text) => echoIssue(found, positionAt(text, start).line, locale) })
        },
      })
    }
    return prepareMachine(start, { ...(echo !== false && { readsPrompt: true }), repairsAtEnd: true })
  },
})

function leakIssue(leak: Leak, line: number, locale: Locale): IssueDraft<LeakCode> {
  const { start, end, code, text } = leak
  return issue(code, leakMessages[locale].leak({ code, text, line }), { hint: leakMessages[locale].hints[code], span: { start, end } })
}

function echoIssue({ words, span }: PromptEcho, line: number, locale: Locale): IssueDraft<LeakCode> {
  return issue('PROMPT_ECHO', leakMessages[locale].echo({ words, line }), { hint: leakMessages[locale].hints.PROMPT_ECHO, span })
}
