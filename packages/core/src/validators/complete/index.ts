import * as z from 'zod'
import { positionAt } from '../../answer/span.ts'
import { issue } from '../../contract/issue.ts'
import type { Locale } from '../../contract/locale.ts'
import { judgedAtEnd } from '../../contract/machine/at-end.ts'
import { defineValidator } from '../../contract/validator.ts'
import { quoteJson } from '../../schema/evaluate/show.ts'
import { type EndKind, endKinds, findEnd } from './ending.ts'

interface CompleteMessages {
  readonly instruct: string
  found(kind: EndKind, text: string, line: number): string
}

/** What the messages on ends say, by language. */
const completeMessages: Readonly<Record<Locale, CompleteMessages>> = {
  en: {
    instruct: 'Finish every sentence, list and code block; keep the answer short enough for that.',
    found: (kind, text, line) => {
      if (kind === 'fence') return `Finish the code and close its block; the answer ends inside the block that begins in line ${line}.`
      const what = kind === 'list' ? 'an item of a list or a table' : 'a sentence'
      return `Finish the answer; it ends inside ${what}, after ${quoteJson(text)}.`
    },
  },
  de: {
    instruct: 'Beende jeden Satz, jede Liste und jeden Codeblock; halte die Antwort dafür kurz genug.',
    found: (kind, text, line) => {
      if (kind === 'fence')
        return `Beende den Code und schließe seinen Block; die Antwort endet in dem Block, der in Zeile ${line} beginnt.`
      const what = kind === 'list' ? 'einem Eintrag einer Liste oder Tabelle' : 'einem Satz'
      return `Beende die Antwort; sie endet in ${what}, nach ${quoteJson(text)}.`
    },
  },
}

/** Fails when the answer breaks off, whatever the provider says about its end. */
export const complete = defineValidator({
  name: 'complete',
  short: 'kinds',
  summary: 'The answer does not break off inside a sentence, a list or a code block.',
  judges: 'prose',
  get options() {
    return z.strictObject({
      kinds: z
        .array(z.enum(endKinds))
        .min(1)
        .default([...endKinds])
        .describe('What an answer must not end inside of: a sentence, an item of a list or a row of a table, an open code fence.'),
    })
  },
  codes: {
    INCOMPLETE: {
      severity: 'error',
      when: 'The answer ends inside a sentence, an item of a list, a row of a table or an open code fence; no reason of the provider is needed.',
      fix: 'Finish it, or shorten the answer; if answers of your contract end like that, remove the kind from `kinds`.',
    },
  },
  instruct: (_options, locale) => completeMessages[locale].instruct,
  reads: 'all',
  machine:
    ({ kinds }) =>
    (reading) =>
      judgedAtEnd(reading, (answer) => {
        // What comes before a call of a tool may end anywhere.
        const found = answer.isBetween ? undefined : findEnd(answer, kinds)
        if (found === undefined) return []
        const { kind, span } = found
        const { line } = positionAt(answer.text, span.start)
        return [issue('INCOMPLETE', completeMessages[reading.locale].found(kind, answer.text.slice(span.start, span.end), line), { span })]
      }),
})
