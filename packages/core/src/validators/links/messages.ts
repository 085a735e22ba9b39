import type { Locale } from '../../contract/locale.ts'
import { quote } from '../../contract/quote.ts'
import type { LinkRules, WrongTarget } from './judge-target.ts'

interface LinkMessages {
  instruct(rules: LinkRules): string
  wrong(target: WrongTarget): string
  readonly hint: string
}

/** So many hosts are listed in the instruction. */
const mostListed = 20

/** What the messages on links say, by language. */
export const linkMessages: Readonly<Record<Locale, LinkMessages>> = {
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
