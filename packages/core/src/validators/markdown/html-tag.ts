import { readTag, type Tag } from '../../answer/inline/tag.ts'
import { readReference, references } from '../shared/character-reference.ts'

/** What HTML is allowed: none, or none that is active. */
export type HtmlRule = 'none' | 'inert'

/** What is wrong with a tag. */
export type HtmlFault = { readonly kind: 'element' | 'unclosed' } | { readonly kind: 'attribute' | 'address'; readonly attribute: string }

const words = (list: string): ReadonlySet<string> => new Set(list.split(' '))

/** Elements that run, load and change nothing. */
const harmless = words(
  'a abbr address article aside b bdi bdo big blockquote br caption center cite code col colgroup dd del details dfn div dl dt em figcaption figure font footer h1 h2 h3 h4 h5 h6 header hr i img ins kbd li main mark nav ol p pre q rp rt ruby s samp section small span strike strong sub summary sup table tbody td tfoot th thead time tr tt u ul var wbr',
)

/** Attributes that run, load and change nothing, or whose address is looked at. */
const allowed = words(
  'abbr align alt bgcolor border cellpadding cellspacing cite class color colspan datetime dir face headers height href hspace id lang name noshade nowrap open rel reversed role rowspan scope size span src start target title type valign value vspace width',
)
/** Elements that are known to be active, however they are written. */
const active = words('applet base embed form frame iframe input link math meta object script style svg template textarea')

/** What is in every active tag. */
// backtracks: at most 1000 characters, and 9 before a sign
const mayBeActive = new RegExp(`^</?(?:${[...active].join('|')})|on[a-z]+\\s{0,9}=|href|src`, 'i')

const addresses = words('href src cite')
const schemes = words('http https mailto tel')

/** So much of what may be a tag is looked at. */
const mostRead = 1000

/** What is wrong with a tag of a text: only what is known to be harmless passes. */
export function faultOfTag(text: string, { name, attributes, isClosed }: Tag): HtmlFault | undefined {
  if (!harmless.has(name)) return { kind: 'element' }
  for (const { name: attribute, start, end } of attributes) {
    const fault = faultOfAttribute(attribute, text.slice(start, end))
    if (fault) return fault
  }
  return isClosed ? undefined : { kind: 'unclosed' }
}

/** Whether what CommonMark reads as text is active where a renderer leaves it to the browser. */
export function isActiveText(text: string, at: number): boolean {
  const rest = text.slice(at, at + mostRead)
  return rest.includes('>') && mayBeActive.test(rest) && readTag(rest, 0).isClosed && isKnownActive(rest, 0)
}

/** Whether a tag, or the beginning of one, runs, loads or changes something. */
export function isKnownActive(text: string, at: number): boolean {
  const rest = text.slice(at, at + mostRead)
  const { name, attributes } = readTag(rest, 0)
  if (active.has(name)) return true
  return attributes.some(
    ({ name: attribute, start, end }) =>
      /^on[a-z]/.test(attribute) || faultOfAttribute(attribute, rest.slice(start, end))?.kind === 'address',
  )
}

function faultOfAttribute(attribute: string, value: string): HtmlFault | undefined {
  if (!allowed.has(attribute) && !/^aria-[a-z]+$/.test(attribute)) return { kind: 'attribute', attribute }
  return addresses.has(attribute) && !isHarmlessAddress(value) ? { kind: 'address', attribute } : undefined
}

/** Whether an address has no scheme, or a harmless one, however it is written. */
function isHarmlessAddress(value: string): boolean {
  const plain = value.replace(
    references,
    (all: string, ...groups: (string | undefined)[]) => readReference([all, ...groups.slice(0, 3)]) ?? all,
  )
  const shown = plain.replace(/[\p{Cc}\p{Default_Ignorable_Code_Point}\s\ufffd]/gu, '')
  const colon = shown.search(/[:&]/)
  if (colon < 0 || /[/\\?#]/.test(shown.slice(0, colon))) return true
  return schemes.has(shown.slice(0, colon).toLowerCase())
}
