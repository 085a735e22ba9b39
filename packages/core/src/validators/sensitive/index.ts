import * as z from 'zod'
import { userText } from '../../answer/request/user-text.ts'
import { LineNumbers, type TextSpan } from '../../answer/span.ts'
import type { ToolCall } from '../../answer/tool-calls.ts'
import type { Certificate } from '../../contract/certificate.ts'
import { issue } from '../../contract/issue.ts'
import type { Locale } from '../../contract/locale.ts'
import type { StartMachine } from '../../contract/machine/machine.ts'
import { prepareMachine } from '../../contract/machine/machine-run.ts'
import { type CheckContext, defineValidator } from '../../contract/validator.ts'
import { SensitiveFinder } from './finder.ts'
import { placeholders, type SensitiveKind, sensitiveKinds } from './kinds.ts'
import { type Report, SensitiveMachine } from './machine.ts'

interface SensitiveMessages {
  readonly kinds: Readonly<Record<SensitiveKind, readonly [one: string, many: string]>>
  instruct(kinds: readonly SensitiveKind[]): string
  /** Says what was found and where, and never the thing itself. */
  found(kind: SensitiveKind, line: number): string
  /** The same for a tool call, by its number. */
  foundInCall(kind: SensitiveKind, call: number): string
  /** What to write instead, by kind; the same for all others. */
  hint(kind: SensitiveKind): string
}

const english: SensitiveMessages['kinds'] = {
  email: ['the e-mail address', 'e-mail addresses'],
  phone: ['the telephone number', 'telephone numbers'],
  card: ['the card number', 'card numbers'],
  iban: ['the bank account number', 'bank account numbers'],
  ssn: ['the social security number', 'social security numbers'],
  ip: ['the IP address', 'IP addresses'],
  api_key: ['the API key', 'API keys'],
  jwt: ['the web token', 'web tokens'],
  private_key: ['the private key', 'private keys'],
}

const german: SensitiveMessages['kinds'] = {
  email: ['die E-Mail-Adresse', 'E-Mail-Adressen'],
  phone: ['die Telefonnummer', 'Telefonnummern'],
  card: ['die Kartennummer', 'Kartennummern'],
  iban: ['die Kontonummer', 'Kontonummern'],
  ssn: ['die Sozialversicherungsnummer', 'Sozialversicherungsnummern'],
  ip: ['die IP-Adresse', 'IP-Adressen'],
  api_key: ['den API-Schlüssel', 'API-Schlüssel'],
  jwt: ['das Web-Token', 'Web-Tokens'],
  private_key: ['den privaten Schlüssel', 'private Schlüssel'],
}

/** What the messages on sensitive text say, by language. */
const sensitiveMessages: Readonly<Record<Locale, SensitiveMessages>> = {
  en: {
    kinds: english,
    instruct: (kinds) => `Do not write ${list(kinds, english, 'or')}.`,
    found: (kind, line) => `Leave out ${english[kind][0]} in line ${line}.`,
    foundInCall: (kind, call) => `Leave out ${english[kind][0]} in the arguments of tool call ${call}.`,
    hint: (kind) => `Describe it in general terms, or write the placeholder ${placeholders[kind]}`,
  },
  de: {
    kinds: german,
    instruct: (kinds) => `Schreibe keine ${list(kinds, german, 'oder')}.`,
    found: (kind, line) => `Lass ${german[kind][0]} in Zeile ${line} weg.`,
    foundInCall: (kind, call) => `Lass ${german[kind][0]} in den Argumenten von Werkzeugaufruf ${call} weg.`,
    hint: (kind) => `Umschreibe es allgemein oder setze den Platzhalter ${placeholders[kind]} ein`,
  },
}

function list(kinds: readonly SensitiveKind[], words: SensitiveMessages['kinds'], last: string): string {
  const names = kinds.map((kind) => words[kind][1])
  return names.length > 1 ? `${names.slice(0, -1).join(', ')} ${last} ${names.at(-1)}` : (names[0] ?? '')
}

/** Fails when the answer holds addresses, numbers of cards and accounts, keys or tokens; with `redact` they are taken out, on live streams too. */
export const sensitive = defineValidator({
  name: 'sensitive',
  short: 'kinds',
  summary: 'The answer contains no e-mail addresses, telephone, card or account numbers, keys or tokens.',
  get options() {
    return z.strictObject({
      kinds: z
        .array(z.enum(sensitiveKinds))
        .min(1)
        .default(sensitiveKinds.filter((kind) => kind !== 'ip'))
        .describe('Kinds of data to look for; all but `ip` unless they are listed.'),
      allowed: z
        .array(z.string().min(3).max(1000))
        .max(1000)
        .default([])
        .describe('Values that are allowed, such as your own phone number; `@acme.com` allows all addresses of a domain.'),
      allowFromPrompt: z
        .boolean()
        .default(false)
        .describe(
          'Allow what the user wrote, in any form: in the user messages of the prompt, in `context.prompt` or in `context.question`.',
        ),
      placeholders: z
        .enum(['allow', 'reject'])
        .default('allow')
        .describe('Whether values that stand for real ones are allowed, such as `your_email@gmail.com`, `555-0100` and `192.0.2.1`.'),
      redact: z.boolean().default(false).describe('Replace findings with a placeholder such as `[EMAIL]`, which is a lossy repair.'),
      toolCalls: z
        .boolean()
        .default(false)
        .describe('Also search the arguments of tool calls; findings there are never redacted, since a tool would act on the placeholder.'),
    })
  },
  repairs: true,
  codes: {
    SENSITIVE: {
      severity: 'error',
      when: 'The answer contains sensitive data of one of the `kinds`; the message has the kind and the line, or the tool call.',
      fix: 'Remove it; with `redact`, or if the contract allows lossy repairs, it is replaced by a placeholder.',
    },
  },
  instruct: ({ kinds }, locale) => sensitiveMessages[locale].instruct(kinds),
  prepare: ({ kinds, allowed, allowFromPrompt, placeholders: wish, redact, toolCalls: searchesCalls }) => {
    const usual = new SensitiveFinder({ kinds: [...new Set(kinds)], allowed, allowsPlaceholders: wish === 'allow' })
    const finders = new WeakMap<CheckContext['context'], SensitiveFinder>()
    const finderFor = (context: CheckContext['context']): SensitiveFinder => {
      if (!allowFromPrompt) return usual
      const finder = finders.get(context) ?? usual.allowing(userText(context))
      finders.set(context, finder)
      return finder
    }
    const start: StartMachine<'SENSITIVE'> = (reading) => {
      const { found, foundInCall, hint } = sensitiveMessages[reading.locale]
      const finder = finderFor(reading.context)
      const lines = new LineNumbers()
      const reportCalls = (): void => {
        for (const { kind, index } of searchesCalls ? findInCalls(reading.answer?.toolCalls ?? [], finder) : []) {
          const path = ['tool_calls', index, 'arguments']
          const issueOf = () => issue('SENSITIVE', foundInCall(kind, index + 1), { path })
          reading.wrong({ start: 0, at: Number.POSITIVE_INFINITY, issue: issueOf })
        }
      }
      const report: Report = ({ kind, span }, text, numbers) => {
        if (reading.isEditing) reading.fix(redaction(kind, span, numbers.isNumber(text)))
        const message = (answer: string): string => found(kind, lines.lineAt(answer, span.start))
        const issueOf = (answer: string) => issue('SENSITIVE', message(answer), { hint: hint(kind), span })
        reading.wrong({ start: span.start, at: span.end, issue: issueOf, repair: 'lossy' })
      }
      return new SensitiveMachine(finder, report, reportCalls)
    }
    return prepareMachine(start, {
      reads: 'all',
      edits: 'lossy',
      secret: true,
      ...(allowFromPrompt && { readsPrompt: true as const }),
      ...(redact && { allow: ['lossy'] as const, optedIn: true as const }),
    })
  },
})

function redaction(kind: SensitiveKind, span: TextSpan, isNumber: boolean): Omit<Certificate, 'before'> {
  const after = isNumber ? `"${placeholders[kind]}"` : placeholders[kind]
  return { rule: `redact-${kind.replace('_', '-')}`, class: 'lossy', span, after, secret: true }
}

/** The kinds of what is sensitive in the arguments of each tool call. */
function* findInCalls(calls: readonly ToolCall[], finder: SensitiveFinder): Generator<{ kind: SensitiveKind; index: number }> {
  for (const [index, call] of calls.entries()) {
    const kinds = new Set(finder.find(plainArguments(call.arguments)).map(({ kind }) => kind))
    for (const kind of kinds) yield { kind, index }
  }
}

/** The arguments with the escapes of JSON read, which could hide something; as they are when they are not JSON. */
function plainArguments(written: string): string {
  const texts: string[] = []
  try {
    JSON.parse(written, (key, value: unknown) => {
      texts.push(key)
      if (typeof value === 'string') texts.push(value)
      return null
    })
  } catch {}
  // A number keeps its digits as they are written, and keys that are given twice are read once.
  return [written, ...texts].join('\n')
}
