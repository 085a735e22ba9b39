import type { Passage } from '../../answer/inline/passages.ts'
import type { TextSpan } from '../../answer/span.ts'
import type { LinkTarget } from './address.ts'
import { findTargets } from './targets.ts'

/** What links may lead to. */
export interface LinkRules {
  /** Hosts, and with `*.` before them all hosts below; undefined when any will do. */
  readonly hosts: readonly string[] | undefined
  /** Hosts that no link may lead to, in the same words. */
  readonly denied: readonly string[]
  readonly schemes: readonly string[]
  /** Whether links without a host may be used. */
  readonly relative: boolean
}

/** Why a link is wrong. */
export type WrongTarget = { readonly scheme: string } | { readonly host: string } | { readonly relative: string }

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
  // A name of C++ or PHP, such as `std::string`.
  if (/^[a-z][a-z0-9+.-]*::/i.test(address)) return undefined
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
export function plainHost(written: string): string | undefined {
  const [, star = '', name = ''] = /^(\*\.)?(.*)$/s.exec(written) ?? []
  if (!/^[^\s/\\?#@:[\]%*]+$/.test(name)) return undefined
  const host = parse(`https://${name}/`)?.hostname.replace(/\.$/, '')
  return host ? star + host : undefined
}

function isHost(host: string, listed: string): boolean {
  return listed.startsWith('*.') ? host.endsWith(listed.slice(1)) : host === listed
}

/** A place that leads where no link may lead. */
interface WrongLink {
  readonly span: TextSpan
  readonly wrong: WrongTarget
}

/** What signs a passage has that may hold an address. */
export const linkSign = /[<\\]|\]\(|:\S|\/\/|www|&[#a-z]/i

/** All that leads to a wrong place in a passage, in text order. */
export function wrongTargets(passage: Passage, rules: LinkRules): WrongLink[] {
  const all = findTargets(passage).flatMap(({ span: { start, end }, ...target }) => {
    const wrong = judgeTarget(target, rules)
    return wrong === undefined ? [] : [{ span: { start: passage.place(start), end: passage.place(end) }, wrong }]
  })
  return all.sort((a, b) => a.span.start - b.span.start || b.span.end - a.span.end)
}

/** Of links in text order those that overlap as one. */
export function merged(all: readonly WrongLink[]): WrongLink[] {
  const found: WrongLink[] = []
  for (const { span, wrong } of all) {
    const last = found.at(-1)
    if (last === undefined || span.start >= last.span.end) found.push({ span, wrong })
    else if (span.end > last.span.end) found[found.length - 1] = { ...last, span: { start: last.span.start, end: span.end } }
  }
  return found
}
