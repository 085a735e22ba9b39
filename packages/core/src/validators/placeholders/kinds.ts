import { endsQuoted } from '../shared/open-quotation.ts'
import { beginnings, type ProseMatch } from '../shared/prose-matches.ts'

/** The kinds of placeholders. */
export const placeholderKinds = ['bracket', 'brace', 'angle', 'todo', 'lorem'] as const

/** One kind of placeholder. */
export type PlaceholderKind = (typeof placeholderKinds)[number]

/** What placeholders say, in English and German: an answer may be in another language than its contract. */
const words = {
  /** The first word of an instruction to fill something in. */
  fill: 'your|insert|enter|add|include|specify|provide|describe|mention|replace|fill in|dein[erms]?|deine[nrms]?|ihre?[nrms]?|hier',
  /** The last word of such an instruction. */
  filled: 'here|einfügen|eintragen|eingeben|einsetzen|ergänzen',
  /** Whose name, title or address is left out. */
  owner:
    "(?:recipient|sender|student|client|customer|employer|employee|teacher|manager|professor|patient|author|company|parent|candidate|applicant|today|friend|partner|user)['’]s?",
  /** What is left out. */
  what: 'names?|dates?|address|numbers?|position|organi[sz]ation|institution|compan(?:y|ies)|employer|e-?mail|phone|city|state|country|zip|zip code|postal code|code|signature|department|school|university|location|amount|link|url|contact info(?:rmation)?|topic|username|recipient|sender|job title|title|datum|adresse|firma|unternehmen|telefonnummer|ort|plz|straße|betreff|unterschrift|stadt|thema|nachname|vorname|anschrift|empfänger|absender',
}

// backtracks: what is in brackets has at most 120 characters
const instruction = new RegExp(`^(?:${words.fill})[ _-]|[ _](?:${words.filled})$`, 'iu')
// backtracks: what is in brackets has at most 120 characters
const gap = new RegExp(`^(?:(?:[\\p{L}'’-]+[ /,&]+){0,5}(?:${words.what})|${words.owner} [\\p{L}' ’/-]+)$`, 'iu')
const tag = /^(?:(?:insert|enter|your)[ _-]|(?:add|put|replace|fill in|deine?|ihre?|hier) )/i

/** A text that is code although no fence says so. */
const looksLikeCode =
  /;\s*$|[$\\]|[-=]>|==|&&|\|\||=["'{]|[\w\])]\((?!e?s\))|\(\)|<\/?\w|^\s*(?:\w{1,20} )?[\w.[\]]{1,40} ?[-+*/]?= ?(?:\S|$)|^\s*(?:const|let|var|def|if|for|while|case)\b.*[:{=]\s*$|\b(?:import|export|return)\b|\bf["']|^ {4}|^\t/
/** What names a key, a button or a field, and not a gap. */
const control =
  /(?:\b(?:press|click|choose|select|hit|tap|push|open|klicken?|klick|drücken?|drück|wählen?|wähl|tippen?|öffnen?|öffne)(?: sie)?(?: on| the| auf| in)?|[>→+]) ?["'*_]{0,3}$/i

function isBrace({ found, before }: ProseMatch): boolean {
  const [, name = ''] = /^\{{1,2} ?(.*?) ?\}{1,2}$/.exec(found) ?? []
  return /^\p{L}{3}[\p{L}\p{N}_ -]*$/u.test(name) && !/(?:[\p{L}\p{N}\\$_^}\])#%@=]|= )$/u.test(before)
}

const judges: Readonly<Record<PlaceholderKind, (match: ProseMatch) => boolean>> = {
  // Neither a link, an image, a reference, an index nor a check box.
  bracket: ({ found, before, after }) => {
    const text = found.slice(1, -1).trim()
    if (/[\p{L}\p{N}\]\\!^]$/u.test(before) || /^[([:]/.test(after) || !/^[\p{L}'’ _/,.&:-]+$/u.test(text)) return false
    if (control.test(before) && !/^(?:your|insert|dein|ihre?[nrms]?) /i.test(text)) return false
    if (instruction.test(text)) return true
    // An editor puts a word into a quotation: "that [company] shall pay".
    if (/^\p{Ll}/u.test(text) && /(?:^|[\s"“„\]])\p{Ll}*\p{Ll} $/u.test(before) && endsQuoted(before)) return false
    return text.length <= 60 && gap.test(text) && !/^\p{Ll}.* /u.test(text.replace(/^\p{Ll}+['’]s /u, ''))
  },
  // Neither LaTeX, an object, a set nor code.
  brace: (match) => isBrace(match) && !/^(?:[\^_{]|\s*=)/.test(match.after) && !looksLikeCode.test(match.before + match.after),
  angle: ({ found }) => tag.test(found.slice(1)),
  todo: ({ found, before, after }) => {
    if (found === 'TBD') return true
    const isAlone = /^[\s>*#+-]*(?:\d+[.)] )?$/.test(before) && after.trim() === ''
    return isAlone || after.startsWith(':') || (/[[(]$/.test(before) && /^[\])]/.test(after))
  },
  lorem: () => true,
}

const forms: Readonly<Record<PlaceholderKind, string>> = {
  bracket: String.raw`\[(?!(?:TODO|FIXME|TBD)\])[^[\]\r\n]{2,120}\]`,
  brace: String.raw`\{{1,2}[^{}\r\n]{3,60}\}{1,2}`,
  angle: String.raw`<[^<>\r\n]{4,80}>`,
  todo: String.raw`\b(?:TODO|FIXME|TBD)\b`,
  lorem: String.raw`\b[Ll]orem [Ii]psum [Dd]olor\b`,
}

/** The kind of a match of `placeholderPattern`, unless it is something else. */
export function placeholderKind(match: ProseMatch): PlaceholderKind | undefined {
  const kind = { '[': 'bracket', '{': 'brace', '<': 'angle', T: 'todo', F: 'todo', L: 'lorem', l: 'lorem' }[match.found.charAt(0)]
  return kind !== undefined && judges[kind as PlaceholderKind](match) ? (kind as PlaceholderKind) : undefined
}

/** Whether a match is no placeholder whatever follows the next characters; what is code or alone on a line is known only at the end of that. */
export function isOther(match: ProseMatch): boolean {
  if (match.found.startsWith('{')) return !isBrace(match)
  return placeholderKind(match) === undefined && (/^[[<]/.test(match.found) || match.after.trim() !== '')
}

/** What placeholders of these kinds look like. */
export function placeholderPattern(kinds: readonly PlaceholderKind[]): RegExp {
  // backtracks: from one start it reads at most 122 characters
  return new RegExp(kinds.map((kind) => forms[kind]).join('|'), 'g')
}

/** What they begin with. */
export const placeholderBeginnings = beginnings('[{<', 'TFLl')

/** The end of a text that may become one. */
export const unfinishedPlaceholder =
  // backtracks: at most 130 characters
  /(?:\[[^[\]\r\n]{0,120}|\{{1,2}[^{}\r\n]{0,60}|<[^<>\r\n]{0,80}|\b(?:TO?D?O?|TBD?|FI?X?M?E?|[Ll](?:o|or|ore|orem|orem [Ii]?p?s?u?m? ?[Dd]?o?l?o?r?)?))$/

/** The most characters that such an end has. */
export const longestUnfinished = 130
