import * as z from 'zod'
import type { Answer } from '../../answer/answer.ts'
import type { TextSpan } from '../../answer/span.ts'
import { issue } from '../../contract/issue.ts'
import type { Locale } from '../../contract/locale.ts'
import { quote } from '../../contract/quote.ts'
import { defineValidator, type IncrementalCheck, type Progress } from '../../contract/validator.ts'
import type { LinkTarget } from './address.ts'
import { attributes, drawing } from './attributes.ts'
import { findTargets } from './targets.ts'

/** What links may lead to. */
interface LinkRules {
  /** Hosts, and with `*.` before them all hosts below; undefined when any will do. */
  readonly hosts: readonly string[] | undefined
  /** Hosts that no link may lead to, in the same words. */
  readonly denied: readonly string[]
  readonly schemes: readonly string[]
  /** Whether links without a host may be used. */
  readonly relative: boolean
}

/** Why a link is wrong. */
type WrongTarget = { readonly scheme: string } | { readonly host: string } | { readonly relative: string }

const origin = 'https://relative.invalid'
const base = `${origin}/`

/** Judges an address in every way in which it may be read; undefined when it may stay. */
function judgeTarget({ addresses, isSplit }: Omit<LinkTarget, 'span'>, rules: LinkRules): WrongTarget | undefined {
  for (const address of addresses) {
    const wrong = judgeAddress(address, isSplit, rules)
    if (wrong !== undefined) return wrong
  }
  return undefined
}

/** Judges an address as a browser would follow it. */
function judgeAddress(address: string, isSplit: boolean, { hosts, denied, schemes, relative }: LinkRules): WrongTarget | undefined {
  const withoutHost = relative || address.startsWith('#') ? undefined : { relative: address }
  // Nearly always decided without a parser: nothing here could be a scheme or a host.
  if (!/[:\\&]|\/\/|^www\./i.test(address)) return withoutHost
  const url = parse(/^www\./i.test(address) ? `https://${address}` : address)
  if (url === undefined) return { host: address }
  const isAbsolute = /^[a-z][a-z0-9+.-]*:/i.test(address)
  if (isSplit && (isAbsolute || /^[/\\]{2}/.test(address))) return { host: address }
  const scheme = url.protocol.slice(0, -1)
  if (isAbsolute && !schemes.includes(scheme)) return { scheme }
  if (!isAbsolute && url.origin === origin) return withoutHost
  if (url.hostname === '') return undefined
  // A reference that is not known could spell another host.
  if (/^(?:[a-z][a-z0-9+.-]*:)?[/\\]*[^/\\?#]*&[a-z]/i.test(address)) return { host: address }
  const host = url.hostname.replace(/\.$/, '')
  const isListed = (list: readonly string[]): boolean => list.some((one) => isHost(host, one))
  return isListed(denied) || (hosts !== undefined && !isListed(hosts)) ? { host } : undefined
}

function parse(address: string): URL | undefined {
  // Where the page has another scheme, what follows the colon is a host however many slashes there are.
  if (URL.canParse(address)) return new URL(address)
  return URL.canParse(address, base) ? new URL(address, base) : undefined
}

/** A host as browsers write it, with `*.` left as it is; undefined when it is not one. */
function plainHost(written: string): string | undefined {
  const [, star = '', name = ''] = /^(\*\.)?(.*)$/s.exec(written) ?? []
  if (!/^[^\s/\\?#@:[\]%*]+$/.test(name)) return undefined
  const host = parse(`https://${name}/`)?.hostname.replace(/\.$/, '')
  return host ? star + host : undefined
}

function isHost(host: string, listed: string): boolean {
  return listed.startsWith('*.') ? host.endsWith(listed.slice(1)) : host === listed
}

/** A character reference, or the beginning of one, that may spell a letter or sign of an address. */
const reference = '&(?:#|(?:colon|b?sol|period);)'

/** Where an address may begin: what is before it is never part of a link that is judged. */
// backtracks: what is searched has at most 1000 characters and a chunk, and each part at most 40 in a row
const beginning = new RegExp(
  [
    '\\](?:\\(|:)',
    '<[a-z][a-z0-9+.-]{1,31}:',
    drawing.source,
    `\\b(?:${attributes})\\s*=`,
    '[a-z][a-z0-9+.-]{0,31}\\\\?:[/\\\\]',
    '[a-z0-9+.-]{0,40}(?:(?:https?|ftp|wss?|mailto|xmpp)\\\\?:|www\\\\?\\.)',
    '\\\\?/\\\\?/[^\\s/]',
    `[a-z0-9+.:/\\\\-]{0,40}${reference}`,
  ].join('|'),
  'i',
)

/** The end of a text that the next characters may turn into such a place. */
// backtracks: what is searched has at most 1000 characters and a chunk
const unfinished = new RegExp(`(?:\\b(?:${attributes})\\s*|\\]|<?[a-z0-9+.:/\\\\-]{0,40}(?:&[a-z]{0,6})?)$`, 'i')

/** Text that is kept to be looked at again with the next chunk; white space after the name of an attribute has no limit of its own. */
const mostKept = 1000

/** Releases everything before the first address, which may be wrong or may have to be removed. */
export class BeforeLinks implements IncrementalCheck<never> {
  #length = 0
  #kept = ''
  #held: number | undefined

  push(chunk: string): Progress<never> {
    this.#length += chunk.length
    if (this.#held !== undefined) return { safe: this.#held }
    const text = this.#kept + chunk
    const start = this.#length - text.length
    const found = text.search(beginning)
    if (found >= 0) {
      this.#held = start + found
      this.#kept = ''
      return { safe: this.#held }
    }
    this.#kept = text.slice(text.search(unfinished))
    const safe = this.#length - this.#kept.length
    if (this.#kept.length > mostKept) this.#held = safe
    return { safe }
  }
}

interface LinkMessages {
  instruct(rules: LinkRules): string
  wrong(target: WrongTarget): string
  readonly hint: string
}

/** So many hosts are listed in the instruction. */
const mostListed = 20

/** What the messages on links say, by language. */
const linkMessages: Readonly<Record<Locale, LinkMessages>> = {
  en: {
    instruct: ({ hosts, schemes }) =>
      `Link only to addresses that begin with ${schemes.map((scheme) => `${scheme}:`).join(', ')}${hosts ? `, and only to these hosts: ${list(hosts)}` : ''}.`,
    wrong: (target) =>
      'scheme' in target
        ? `Do not link to ${quote(`${target.scheme}:`)} addresses.`
        : 'host' in target
          ? `Do not link to the host ${quote(target.host)}; it is not allowed.`
          : `Link to a whole address; ${quote(target.relative)} has no host.`,
    hint: 'Leave the link out, or name the thing without an address',
  },
  de: {
    instruct: ({ hosts, schemes }) =>
      `Verlinke nur Adressen, die mit ${schemes.map((scheme) => `${scheme}:`).join(', ')} beginnen${hosts ? `, und nur diese Hosts: ${list(hosts)}` : ''}.`,
    wrong: (target) =>
      'scheme' in target
        ? `Verlinke keine Adressen mit ${quote(`${target.scheme}:`)}.`
        : 'host' in target
          ? `Verlinke den Host ${quote(target.host)} nicht; er ist nicht erlaubt.`
          : `Verlinke eine vollständige Adresse; ${quote(target.relative)} hat keinen Host.`,
    hint: 'Lass den Link weg, oder nenne die Sache ohne Adresse',
  },
}

function list(hosts: readonly string[]): string {
  return hosts.length > mostListed ? `${hosts.slice(0, mostListed).join(', ')} …` : hosts.join(', ')
}

/** So many issues say enough of one answer. */
const mostIssues = 50

const hosts = () =>
  z.array(z.string().refine((host) => plainHost(host) !== undefined, 'must be a host, such as acme.com or *.acme.com')).max(1000)

/** Fails when the answer links to schemes or hosts that are not allowed. */
export const links = defineValidator({
  name: 'links',
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
  codes: {
    LINK_NOT_ALLOWED: {
      severity: 'error',
      when: 'A link, an image, a definition, an HTML attribute or a bare address leads to a scheme or host that is not allowed; code does not count.',
      fix: 'Leave the link out; where lossy repairs are allowed, `#` takes the place of its address.',
    },
  },
  instruct: (options, locale) => linkMessages[locale].instruct(rulesOf(options)),
  prepare: (options) => {
    const rules = rulesOf(options)
    return {
      *check(answer, { locale }) {
        for (const { span, wrong } of wrongTargets(answer, rules).slice(0, mostIssues))
          yield issue('LINK_NOT_ALLOWED', linkMessages[locale].wrong(wrong), { hint: linkMessages[locale].hint, span })
      },
      incremental: () => new BeforeLinks(),
      *repair(answer) {
        for (const { span } of wrongTargets(answer, rules))
          yield { rule: 'remove-target', class: 'lossy', span, before: answer.text.slice(span.start, span.end), after: '#' }
      },
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

/** The wrong ones in text order; those that overlap are one. */
function wrongTargets(answer: Answer, rules: LinkRules): { span: TextSpan; readonly wrong: WrongTarget }[] {
  const all = findTargets(answer.text).flatMap(({ span, ...target }) => {
    const wrong = judgeTarget(target, rules)
    return wrong === undefined || answer.inCode(span.start) ? [] : [{ span, wrong }]
  })
  all.sort((a, b) => a.span.start - b.span.start || b.span.end - a.span.end)
  const found: { span: TextSpan; readonly wrong: WrongTarget }[] = []
  for (const { span, wrong } of all) {
    const last = found.at(-1)
    if (last === undefined || span.start >= last.span.end) found.push({ span, wrong })
    else if (span.end > last.span.end) last.span = { start: last.span.start, end: span.end }
  }
  return found
}
