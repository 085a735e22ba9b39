import { quoteJsonAtMost } from '../../schema/evaluate/show.ts'

/** Longer messages of a parser are cut. */
const longestMessage = 200

/** What parsers mark as code in their messages. */
// backtracks: at most 200 characters
const marked = /`[^`]*`|"[^"]*"|(?<![\p{L}\p{N}])'[^']*'|“[^”]*”|‘[^’]*’/gu
/** Words and the punctuation of sentences. */
const plain = /^[\p{L}\p{N}\s.,;:?!()'’/–—-]*$/u
const word = /[\p{L}\p{N}_$]+/gu

/** Words that parsers say of any code: in a message they are the parser's, also where the code has them too. */
const vocabulary: ReadonlySet<string> = new Set(
  (
    'a above access accessor add after alias allow allowed already always an anchor and annotated another any appear are argument arguments around array as assertion assign assigned assignment ' +
    'at attribute augmented back backslash bad bash be before belong between binary block body both brace braces bracket brackets break but by byte call can cannot channel character ' +
    'characters choose class clause close closed closes closing code column comes comma command comment compare complete composite condition constant construct contain contains content continue ' +
    'control correct could create csharp css date decimal declaration declare default defined delimiter deprecated destructuring did digit directive directives document does double either ' +
    'element elements empty enclosing encoding end ends entity escape everything exactly exception exists expect expected expects explicit export exported expression extends file first follow ' +
    'followed follows for found four from function generator generic give has have header here hexadecimal html identifier if import in indent indentation indented index indicator initializer ' +
    'insert inside instantiation instead integer invalid is it item items iterable its java javascript json junk keep key keys keyword last leading left like limit line lines list literal loop ' +
    'made make mapping mark may mean means method middle missing more must name need needs neither new newline next no node none nor not nothing null number numeric object octal of on one only open ' +
    'opened opening opens operand operator optional or order other outside own pair parameter parameters parentheses parenthesis parenthesized parsed parser part partitioning pattern php point ' +
    'position postgresql precedence prefix prefixed property publication put python quantifier quote quoted quotes reached read real redirection regular remove removed rename replace required ' +
    'reserved rest return ruby rule rust schema second section selector separate separated separator sequence sequences should sign simple single slice some something space spaces specified ' +
    'specify spread sql square starred start starts statement still straight strategy string strings switch syntax table tables tabs tag tags takes target template text than that the them then ' +
    'there this tick ties to token tokens toml too trailing tuple type types typescript unary unexpected unknown unpacking unquoted unrecognized unsupported untagged unterminated until use used ' +
    'using valid value values variable version was were what where which while white whole with without word words wrap write wrong xml yaml you your zeros'
  ).split(' '),
)

/**
 * The words of a parser as the end of a sentence: they instruct, so they are not in quotes; what they mark as code is.
 * Where something else of it may come from the code, all of it is in quotes, as data.
 */
export function parserWords(words: string, source: string, language: string): string {
  if (words.length > longestMessage) return `${quotedCode(words)}.`
  if (!isOwn(words, source, language)) {
    // What to do is said before the reason, which alone is quoted.
    const reason = words.indexOf(': ') + 2
    const instruction = words.slice(0, reason).trim()
    return reason > 1 && isOwn(instruction, source, language)
      ? `${spoken(instruction)} ${quotedCode(words.slice(reason).replace(/\.$/, ''))}.`
      : `${quotedCode(words)}.`
  }
  const said = spoken(words)
  return /[.?!…]$/.test(said) ? said : `${said}.`
}

/** Whether everything that is not marked as code is the parser's own. */
function isOwn(words: string, source: string, language: string): boolean {
  const own = words.replace(marked, ' ')
  return plain.test(own) && !hasWordOf(source, own, language)
}

/** Words inside of a sentence, with what they mark as code in quotes. */
function spoken(words: string): string {
  return words
    .trim()
    .replace(marked, (part) => quotedCode(part.slice(1, -1)))
    .replace(/[\s\p{Cc}\p{Cf}]+/gu, ' ')
    .replace(/^[A-Z](?=[a-z'’]* )/, (letter) => letter.toLowerCase())
}

/** Text that holds code, as one bounded string; backslashes are as in the code wherever that cannot end the string. */
export function quotedCode(text: string): string {
  const quoted = quoteJsonAtMost(text, longestMessage)
  return text.includes('"') || text.endsWith('\\') ? quoted : quoted.replaceAll('\\\\', '\\')
}

/** Whether words other than those of parsers, and the name of the language, are in the code too. */
function hasWordOf(source: string, words: string, language: string): boolean {
  const unusual = new Set(
    (words.toLowerCase().match(word) ?? []).filter((one) => one !== language && !vocabulary.has(one) && !/^\d+$/.test(one)),
  )
  if (unusual.size === 0) return false
  for (const [one] of source.toLowerCase().matchAll(word)) if (unusual.has(one)) return true
  return false
}
