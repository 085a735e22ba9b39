/** First lines of code that prose does not begin with. */
const codeStarts: readonly RegExp[] = [
  // A comment, an interpreter, a decorator.
  /^(?:\/\/|\/\*|#!|#include\b|@\w+(?:\(|$)|<\?php)/,
  // A value of JSON.
  /^(?:[{[]$|\{\s*["'}]|\[\s*["'{[\]]|\[\s*-?\d+\s*,)/,
  // An assignment.
  /^[\p{Script=Latin}_$][\p{Script=Latin}\w$.]*(?:\[[^\]]{0,200}\][\w$.]*)?\s?(?::=|[-+*/%]?=(?!=))/u,
  /^(?:const|let|var)\s[^=]*=/,
  // A declaration with its brackets, or what opens a block.
  /^(?:export |public |private |static |async )*(?:function|class|def|func|fn|interface|struct|enum|type)\s[^({<:=]*[({<:=]/,
  /^(?:if|for|while|switch|try|with|match)(?=[\s(:{]).*(?:[:{(]|;\s*(?:then|do))$/,
  // An import.
  /^(?:import|export)\s(?:[\w$.]+;?$|["'{*(]|[\w$.]+\s(?:from|as)\s\S+$)/,
  /^from\s[\w.]+\simport\s/,
  /^package\s[\w.]+(?:;|$)/,
  // SQL in capitals: in small letters it could be a sentence.
  /^(?:SELECT|INSERT INTO|UPDATE|DELETE FROM|CREATE|ALTER|DROP|WITH)\s/,
]

/** How a first line shows a language that is not one of statements, and how a line goes on that may still do so. */
interface OwnStart {
  readonly begins: RegExp
  readonly mayBegin: RegExp
}

const markup: OwnStart = {
  begins: /^<[a-z!?]/i,
  mayBegin: /^<(?:$|[a-z!?])/i,
}

/** A tag that sentences begin with too. */
const inlineTag = /^<(?:a|abbr|b|br|code|em|i|img|kbd|mark|q|s|small|span|strong|sub|sup|u)\b/i

const ownStarts: ReadonlyMap<string, OwnStart> = new Map([
  ['html', markup],
  ['xml', markup],
  [
    'css',
    {
      begins: /^(?:@[a-z]|(?:[.#][\w-]|[:[a-z]|\*(?! \w))[^{}]*\{\s*(?:$|[}/.#@&:]|[\w-]+\s*[:{]))/,
      mayBegin: /^(?:[:[a-z]|@(?:$|[a-z])|[.#](?:$|[\w-])|\*(?! \w|\*))/,
    },
  ],
  [
    'toml',
    {
      begins: /^(?:\[{1,2}[\w."' -]+(?:$|\]\]?\s*(?:$|#))|(?:[\w.-]|"[^"]*"|'[^']*')+\s*=(?!=))/,
      mayBegin: /^(?:\[{1,2}[\w."' -]*(?:$|\])|["']|[\w.-]+(?:["']|\s*(?:$|=)))/,
    },
  ],
])

/** Whether a line that begins so may still turn out to be in a language that is not one of statements. */
export function mayBeginOwn(start: string, language: string): boolean {
  return ownStarts.get(language)?.mayBegin.test(start) ?? false
}

/** Words that occur between names in code. */
const operators = new Set(['and', 'as', 'await', 'else', 'for', 'from', 'if', 'in', 'is', 'lambda', 'new', 'not', 'of', 'or'])

/** So many plain words in a row are a sentence. */
const sentence = 4

/** Whether a text looks like code: its first line does, and there are more lines of code than of prose. */
export function looksLikeCode(body: string, language = ''): boolean {
  if (!beginsLikeCode(body, language)) return false
  const isMarkup = ownStarts.get(language) === markup
  let [code, prose] = [0, 0]
  for (const line of readableLines(body)) {
    // What tags hold may be sentences.
    if (isProseLine(line) && !(isMarkup && (line.startsWith('<') || line.endsWith('>')))) prose++
    else code++
  }
  return prose === 0 || code > prose
}

/** The lines of a text that say whether it is code: all but comments, which may say anything, and blank ones. */
export function* readableLines(body: string): Generator<string> {
  let closer: string | undefined
  for (const raw of body.split(/[\r\n]+/)) {
    const line = raw.trim()
    if (closer !== undefined) {
      if (line.includes(closer)) closer = undefined
      continue
    }
    const opener = /^(?:\/\*|\w?"{3}|\w?'{3})/.exec(line)?.[0]
    if (opener !== undefined) {
      const end = opener === '/*' ? '*/' : opener.slice(-3)
      if (!line.includes(end, opener.length)) closer = end
    } else if (line !== '' && !/^(?:\/\/|#|--)/.test(line)) yield line
  }
}

/** Whether a line reads like a sentence. */
export function isProseLine(line: string): boolean {
  return isSentence(line) || isPhrase(line)
}

/** A line of only words that begins like a sentence. */
function isPhrase(line: string): boolean {
  return /^\p{Lu}\p{Ll}* [\p{L} ,’'-]+[.:!?]?$/u.test(line)
}

/** Whether the first line of a text may begin code; for other texts a stream is held no longer than that. */
export function beginsLikeCode(body: string, language = ''): boolean {
  const line = /\S[^\r\n]*/.exec(body)?.[0].trimEnd() ?? ''
  const own = ownStarts.get(language)
  if (own?.begins.test(line)) return own === markup ? !inlineTag.test(line) || line.endsWith('>') : !isSentence(line)
  return (isCall(line) || codeStarts.some((start) => start.test(line))) && !isSentence(line)
}

/** A call that is the whole line, opens a block or continues in the next line, but not `file(s)`. */
function isCall(line: string): boolean {
  const last = line.at(-1) ?? ''
  const call = ';:{'.includes(last) ? line.slice(0, -1).trimEnd() : line
  return (call.endsWith(')') || !call.includes(')')) && /^[A-Za-z_$][\w$.]*\((?!e?s\))/.test(call)
}

function isSentence(line: string): boolean {
  // Comments and strings may say anything.
  if (/^(?:\/\/|\/\*|#!)/.test(line)) return false
  const bare = line.replace(/"[^"]*"|'[^']*'|`[^`]*`/g, '""')
  if (/[\p{L}\d](?:[.!?]|\)\.)$/u.test(bare)) return true
  let run = 0
  for (const word of bare.replace(/\([^()]*\)/g, '()').split(/\s+/)) {
    run = /^\p{Ll}+[,.]?$/u.test(word) && !operators.has(word) ? run + 1 : 0
    if (run >= sentence) return true
  }
  return false
}
