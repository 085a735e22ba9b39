import * as z from 'zod'
import type { Answer } from '../../answer/answer.ts'
import { passagesOf } from '../../answer/inline/passages.ts'
import { LineNumbers } from '../../answer/span.ts'
import { issue } from '../../contract/issue.ts'
import type { Locale } from '../../contract/locale.ts'
import { quote } from '../../contract/quote.ts'
import { defineValidator } from '../../contract/validator.ts'
import { HeldPassages } from '../shared/held-passages.ts'
import { beginning, wordAtEnd, wordBehind } from './beginnings.ts'
import { type LinkRules, linkSign, merged, plainHost, type WrongTarget, wrongTargets } from './judge.ts'
import { removal } from './repair.ts'

const beginnings = { sign: linkSign, pattern: beginning, rest: wordAtEnd, restBehind: wordBehind }

interface LinkMessages {
  instruct(rules: LinkRules): string
  wrong(target: WrongTarget, line: number): string
  readonly hint: string
}

/** So many hosts are listed in the instruction. */
const mostListed = 20

/** What the messages on links say, by language. */
const linkMessages: Readonly<Record<Locale, LinkMessages>> = {
  en: {
    instruct: ({ hosts, schemes }) =>
      `Link only to addresses that begin with ${schemes.map((scheme) => `${scheme}:`).join(', ')}${hosts ? `, and only to these hosts: ${list(hosts)}` : ''}.`,
    wrong: (target, line) =>
      'scheme' in target
        ? `Do not link to ${quote(`${target.scheme}:`)} addresses; line ${line} does.`
        : 'host' in target
          ? `Do not link to the host ${quote(target.host)}; the link in line ${line} is not allowed.`
          : `Link to a whole address; ${quote(target.relative)} in line ${line} has no host.`,
    hint: 'Leave the link out, or name the thing without an address',
  },
  de: {
    instruct: ({ hosts, schemes }) =>
      `Verlinke nur Adressen, die mit ${schemes.map((scheme) => `${scheme}:`).join(', ')} beginnen${hosts ? `, und nur diese Hosts: ${list(hosts)}` : ''}.`,
    wrong: (target, line) =>
      'scheme' in target
        ? `Verlinke keine Adressen mit ${quote(`${target.scheme}:`)}; in Zeile ${line} steht eine.`
        : 'host' in target
          ? `Verlinke den Host ${quote(target.host)} nicht; der Link in Zeile ${line} ist nicht erlaubt.`
          : `Verlinke eine vollständige Adresse; ${quote(target.relative)} in Zeile ${line} hat keinen Host.`,
    hint: 'Lass den Link weg, oder nenne die Sache ohne Adresse',
  },
}

function list(hosts: readonly string[]): string {
  return hosts.length > mostListed ? `${hosts.slice(0, mostListed).join(', ')} …` : hosts.join(', ')
}

const hosts = () =>
  z.array(z.string().refine((host) => plainHost(host) !== undefined, 'must be a host, such as acme.com or *.acme.com')).max(1000)

/** Fails when the answer links to schemes or hosts that are not allowed. */
export const links = defineValidator({
  name: 'links',
  short: 'hosts',
  summary: 'Links lead only to allowed schemes and hosts.',
  get options() {
    return z.strictObject({
      hosts: hosts()
        .min(1)
        .optional()
        .describe('Hosts that links may lead to; `*.acme.com` stands for all hosts below it. Any host when absent.'),
      denied: hosts().default([]).describe('Hosts that links may not lead to, even where `hosts` allows them.'),
      schemes: z
        .array(z.string().regex(/^[a-z][a-z0-9+.-]{0,31}$/, 'must be the name of a scheme in lower case, such as https'))
        .min(1)
        .default(['http', 'https', 'mailto', 'tel'])
        .describe('Schemes that links may have.'),
      relative: z.boolean().default(true).describe('Whether links without a host, such as `/docs`, are allowed; `#part` always is.'),
    })
  },
  repairs: true,
  codes: {
    LINK_NOT_ALLOWED: {
      severity: 'error',
      when: 'A link, an image, a definition, an HTML attribute or a bare address leads to a scheme or host that is not allowed; code does not count.',
      fix: 'Leave the link out; where lossy repairs are allowed, `#` takes the place of its address.',
    },
  },
  instruct: (options, locale) => linkMessages[locale].instruct(rulesOf(options)),
  edits: 'lossy',
  reads: 'all',
  machine: (options) => {
    const rules = rulesOf(options)
    return (reading) => {
      const { hint, wrong: say } = linkMessages[reading.locale]
      const lines = new LineNumbers()
      return new HeldPassages(reading, beginnings, (passage) => {
        for (const { span, wrong } of merged(wrongTargets(passage, rules))) {
          const message = (text: string) => say(wrong, lines.lineAt(text, span.start))
          const found = (text: string) => issue('LINK_NOT_ALLOWED', message(text), { hint, span })
          reading.wrong({ start: span.start, at: span.end, issue: found, repair: 'lossy' })
          if (reading.isEditing) reading.fix(removal(reading, span))
        }
      })
    }
  },
})

interface LinkOptions {
  readonly hosts?: readonly string[] | undefined
  readonly denied: readonly string[]
  readonly schemes: readonly string[]
  readonly relative: boolean
}

function rulesOf({ hosts: allowed, denied, schemes, relative }: LinkOptions): LinkRules {
  const plain = (list: readonly string[]): string[] => list.map((host) => plainHost(host) ?? host)
  return { hosts: allowed && plain(allowed), denied: plain(denied), schemes, relative }
}

/** The hosts that the links of an answer lead to, as the check reads them. */
export function linkHosts(answer: Answer): ReadonlySet<string> {
  const none: LinkRules = { hosts: [], denied: [], schemes: ['http', 'https'], relative: true }
  const all = Array.from(passagesOf(answer, linkSign), (passage) => wrongTargets(passage, none)).flat()
  return new Set(all.flatMap(({ wrong }) => ('host' in wrong ? [wrong.host] : [])))
}
