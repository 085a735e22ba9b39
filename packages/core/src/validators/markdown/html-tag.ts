import { readReference, references } from '../shared/character-reference.ts'

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

/** So much of a tag is read again and again. */
export const mostRead = 1000

/** A tag as a browser reads it. */
interface ReadTag {
  readonly name: string
  readonly end: number
  readonly isClosed: boolean
  /** Whether an attribute runs something. */
  readonly isActive: boolean
  /** What is wrong with it: only what is known to be harmless passes. */
  readonly fault: HtmlFault | undefined
}

/** Reads the tag at an offset, as browsers do. */
export function readTag(text: string, at: number): ReadTag {
  const end = text.length
  const from = text[at + 1] === '/' ? at + 2 : at + 1
  const name = wordAt(text, from, end, /[\s/>]/g)
  const tag = name.toLowerCase()
  let fault: HtmlFault | undefined = harmless.has(tag) ? undefined : { kind: 'element' }
  let isActive = false
  let next = from + name.length
  for (;;) {
    while (next < end && /[\s/]/.test(text[next] as string)) next++
    if (next >= end) return { name: tag, end, isClosed: false, isActive, fault: fault ?? { kind: 'unclosed' } }
    if (text[next] === '>') return { name: tag, end: next + 1, isClosed: true, isActive, fault }
    // An equals sign begins the name of an attribute.
    const attribute = text[next] + wordAt(text, next + 1, end, /[\s/>=]/g)
    const value = valueAt(text, next + attribute.length, end)
    const wrong = faultOfAttribute(attribute.toLowerCase(), value.text)
    isActive ||= wrong?.kind === 'address' || (wrong !== undefined && /^on[a-z]/i.test(attribute))
    fault ??= wrong
    next = value.end
  }
}

/** Whether what CommonMark reads as text is active where a renderer leaves it to the browser. */
export function isActiveText(text: string, at: number): boolean {
  const rest = text.slice(at, at + mostRead)
  if (!rest.includes('>') || !mayBeActive.test(rest)) return false
  const { name, isClosed, isActive } = readTag(rest, 0)
  return isClosed && (isActive || active.has(name))
}

/** Whether a tag, or the beginning of one, runs, loads or changes something. */
export function isKnownActive(text: string, at: number): boolean {
  const { name, isActive } = readTag(text.slice(at, at + mostRead), 0)
  return isActive || active.has(name)
}

/** What begins at an offset up to one of some signs. */
function wordAt(text: string, from: number, end: number, stop: RegExp): string {
  stop.lastIndex = from
  return text.slice(from, Math.min(end, stop.exec(text)?.index ?? end))
}

/** The value of an attribute whose name ends at an offset. */
function valueAt(text: string, from: number, end: number): { readonly text: string; readonly end: number } {
  const skip = (at: number): number => {
    let to = at
    while (to < end && /\s/.test(text[to] as string)) to++
    return to
  }
  const sign = skip(from)
  if (sign >= end || text[sign] !== '=') return { text: '', end: from }
  const start = skip(sign + 1)
  const quote = text[start]
  if (quote !== '"' && quote !== "'") {
    const value = wordAt(text, start, end, /[\s>]/g)
    return { text: value, end: start + value.length }
  }
  const closed = text.indexOf(quote, start + 1)
  return closed < 0 || closed >= end ? { text: text.slice(start + 1, end), end } : { text: text.slice(start + 1, closed), end: closed + 1 }
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
