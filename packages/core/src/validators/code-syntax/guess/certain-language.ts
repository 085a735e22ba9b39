import { isProseLine, readableLines } from '../looks-like-code.ts'
import { cutLine, isSkipped, lineEnd } from './guess-language.ts'
import { isCommand, isShell } from './shell-commands.ts'

/** What shows that code is in a language. */
interface Signs {
  readonly language: string
  /** What only this language has, of lines without strings and comments; each counts once. */
  readonly own: readonly RegExp[]
  /** What it shares with others; each counts once. */
  readonly shared: readonly RegExp[]
  /** What its code never has: other languages, and pseudo-code that resembles it. */
  readonly never: RegExp
  /** Where a comment starts. */
  readonly comment: '#' | '//' | '--'
}

/** So many different signs make a language certain, one of them its own. */
const least = 2

const languages: readonly Signs[] = [
  {
    language: 'python',
    own: [
      /^(?:async )?def \w+\(.*:$/,
      /^class \w+(?:\([\w., =[\]]*\))?:$/,
      /^from [\w.]+ import [\w(*]/,
      /^import [\w.]+ as \w+$/,
      /^(?:elif .*|except(?: .*)?|with .* as \w+):$/,
      /^for \w+(?:, ?\w+)* in (?:range|enumerate|zip)\(.*:$/,
      /\b__(?:name|init|main)__\b/,
    ],
    shared: [/^import [\w.]+(?:, ?[\w.]+)*$/, /^(?:if|while|for) .*:$|^(?:else|try|finally):$/, /\bself\.\w/, /^print\(/],
    never:
      // backtracks: at most 200 characters
      /;$|[\w)]\s*\{$|^\}|&&|\|\||\+\+|[=!]==|=>|<-|\bthen$|\bdo$|\$\w|\?.*:|^(?:else if|for each|for \w+ (?:=|from))\b|^(?:function|procedure|algorithm|input|output|end\w*|begin|let|var|const|local|val|public|private|static|void|int|func|fn|fun|using|package|use|repeat|until|switch|struct|print(?= ))\b(?!\s*[-=(.,)\]:[+*/%])/i,
    comment: '#',
  },
  {
    language: 'javascript',
    own: [
      /\bconsole\.(?:log|error|warn|info|table)\(/,
      /\b(?:document|window|localStorage)\.\w|\bmodule\.exports\b|\brequire\(""\)|\bJSON\.(?:parse|stringify)\(|\bMath\.(?:floor|random|max|min|round)\(/,
      /^import (?:\w+|\{[^}]*\}|\* as \w+|\w+, ?\{[^}]*\}) from ""/,
      /^export (?:default|const|function|class|async)\b/,
      /[=!]==/,
      // backtracks: at most 200 characters
      /\basync (?:function\b|\([^)]*\) ?=>)|\bnew Promise\(/,
    ],
    // backtracks: at most 200 characters
    shared: [/^(?:export )?(?:const|let|var) [\w${[]/, /=> ?[{(\w]|=>$/, /\bfunction\*? ?\w*\([^)]*\) ?\{/, /\breturn\b.*;$/],
    never:
      // backtracks: at most 200 characters
      /^\s*(?:fn|impl|use|pub|mod|func|fun|package|using|namespace|public|private|protected|def|val|elif|echo|end|struct|int|string|float|double|void|bool|char|guard|pragma|contract|mapping|uint\d*|final|print)\b(?!\s*[-=(.:,;)+*/?[])|\)\s*:$|<\?php|^\$\w+ =|:=|[\w\])]->|\blet mut\b|\bnil\b|\bthen$|<(?:!doctype|html|head|body|script|style|meta|link)\b/i,
    comment: '//',
  },
  {
    language: 'java',
    own: [
      /^import (?:static )?javax?\.[\w.*]+;/,
      /\bpublic static void main\(String/,
      /\bSystem\.(?:out|err)\.print/,
      /^@(?:Override|Autowired|Test)\b/,
    ],
    shared: [
      // backtracks: at most 200 characters
      /^(?:(?:public|private|protected|static|final|abstract) )+\w.*[{;]$/,
      // backtracks: at most 200 characters
      /^(?:class|interface|enum) \w+.*\{$/,
      /^package [\w.]+;$/,
      /;$/,
    ],
    never: /^(?:using|namespace|fun|val|def|object|func|let|const|function|#)\b|\bfun \w|\bstring \w|\bConsole\.|\{ get;|\?\.|:=|\$\w/,
    comment: '//',
  },
  {
    language: 'csharp',
    own: [
      /^using (?:static )?System[\w.]*;$/,
      /\bConsole\.(?:Write|Read)/,
      /\bstatic (?:async )?(?:void|int|Task) Main\(/,
      /\{ get; (?:private |protected )?(?:set|init); \}/,
    ],
    shared: [/^namespace [\w.]+/, /^(?:(?:public|private|protected|internal|static) )+\w/, /^using [A-Z][\w.]*;$/, /;$/],
    never: /^(?:import|package|fun|val|def|let|const|function|func|Imports|Dim|Sub)\b|:=|\bString\^|::/,
    comment: '//',
  },
  {
    language: 'go',
    own: [/^func (?:\(\w+ \*?\w+\) )?\w+\(.*\{$/, /\bfmt\.[A-Z]\w+\(/, /\berr != nil\b/],
    shared: [/^package \w+$/, /\w := \S/, /^import (?:\($|"")/],
    never: /;$|=>|\blet\b|\bthen$|^(?:function|class|def|public|private|begin|end)\b/,
    comment: '//',
  },
  {
    language: 'rust',
    own: [/\blet mut \w/, /\b(?:println|vec|format|panic)!/, /^impl(?:<[^>]*>)? \w.*\{$/, /^use (?:std|crate|super)::/],
    // backtracks: at most 200 characters
    shared: [/^(?:pub )?(?:async )?fn \w+.*\{$/, /\blet \w+(?:: .*)? = .*;$/, /^(?:pub )?(?:struct|enum|trait) \w+/],
    never: /^(?:function|class|def|func|public|private|import)\b|\bthen$/,
    comment: '//',
  },
  {
    language: 'sql',
    own: [
      /^(?:SELECT|INSERT INTO|UPDATE \S+ SET|DELETE FROM|CREATE (?:OR REPLACE )?(?:TABLE|VIEW|INDEX|UNIQUE INDEX)|ALTER TABLE|DROP TABLE|WITH \w+ AS)\b/,
    ],
    shared: [/\bFROM [\w."(]/, /\bWHERE \S/, /\b(?:JOIN|GROUP BY|ORDER BY|VALUES|PRIMARY KEY|NOT NULL)\b/, /;$/],
    // Braces are of SPARQL, templates and other languages.
    // backtracks: at most 200 characters
    never: /[{}]|\?\w|=>|==|^(?:def|function|import|print|for|while)\b|\$\w*\(/,
    comment: '--',
  },
]

/** Words that two names are never beside in Python. */
const pythonWords = new Set(
  'and as assert async await break case class continue def del elif else except finally for from global if import in is lambda match nonlocal not or pass raise return try type while with yield'.split(
    ' ',
  ),
)

/** Strings, in straight or curly quotes, and comments. */
const quotedText = {
  // backtracks: at most 200 characters
  '#': /"(?:\\.|[^"\\])*"|'(?:\\.|[^'\\])*'|“[^”]*”|(#.*)/g,
  // backtracks: at most 200 characters
  '//': /"(?:\\.|[^"\\])*"|'(?:\\.|[^'\\])*'|`(?:\\.|[^`\\])*`|“[^”]*”|((?<!:)\/\/.*|\/\*.*?\*\/)/g,
  // backtracks: at most 200 characters
  '--': /"[^"]*"|'[^']*'|“[^”]*”|(--.*)/g,
}

/** Prompts, drawings, formulas, what is left out or still to be filled in: no code of any language. */
// backtracks: at most 200 characters
const notCode = /^(?:>>>|\$ |In \[\d|PS \w:|[A-Z]:\\|[+-] |@@ )|\.{3}(?![\w$([{])|…|^\s*<[^<>]*>$|<[a-z]+(?:[-_ ][a-z]+)+>|[^\p{ASCII}]/iu

/** The language that a block without a tag is certainly written in; undefined for output, listings, pseudo-code, formulas and prose. */
export function certainLanguage(source: string): string | undefined {
  const first = firstLine(source)
  if (first === undefined || !mayBeCertain(first)) return undefined
  if (/^<\?php\b/.test(first)) return 'php'
  // Of C and its relatives, which are not parsed.
  // backtracks: the indentation of a line is read once
  if (/^[ \t]*#[ \t]{0,8}(?:include|define|ifn?def|pragma|import)\b/m.test(source)) return undefined
  if (isShell(source)) return 'bash'
  if (/^[{[]/.test(first)) return isCertainJson(source) ? 'json' : undefined
  const lines = [...readableLines(source)].map((line) => cutLine(line).trim())
  return languages.find((signs) => shows(signs, lines))?.language
}

/** The markup language that a text declares at its start; a comment may come before. */
export function certainMarkup(source: string): 'html' | 'xml' | undefined {
  const start = /^\s*(?:<!--(?:[^-]|-(?!->))*-->\s*)?<(\?xml\s|!doctype html\b|html[\s>])/i.exec(source)?.[1]
  return start === undefined ? undefined : start.startsWith('?') ? 'xml' : 'html'
}

/** Whether a block may be certain, by its first line that is neither blank nor a comment. */
export function mayBeCertain(line: string): boolean {
  if (line.startsWith('#!')) return true
  const bare = line.replace(quotedText['//'], '""')
  return !notCode.test(bare) && !isProseLine(bare) && (hasSign.test(bare) || isCommand(bare))
}

/** What a line of code has: a sign that sentences lack, or the word that it begins with. */
const hasSign =
  /[^\w ,.]|^(?:import|from|package|using|namespace|use|class|interface|public|private|SELECT|INSERT|UPDATE|DELETE|CREATE|ALTER|DROP|WITH)\b/

function firstLine(source: string): string | undefined {
  for (let at = 0; at < source.length; ) {
    const end = lineEnd(source, at)
    const line = cutLine(source.slice(at, end)).trim()
    if (!isSkipped(line)) return line
    at = end + 1
  }
  return undefined
}

/** Whether lines have signs enough of a language, and none that contradicts it. */
function shows({ language, own, shared, never, comment }: Signs, lines: readonly string[]): boolean {
  const found = new Set<RegExp>()
  for (const line of lines) {
    const bare = line.replace(quotedText[comment], (_text, isComment?: string) => (isComment === undefined ? '""' : '')).trim()
    if (bare === '') continue
    if (never.test(bare) || notCode.test(bare) || isProseLine(bare) || (language === 'python' && hasNeighbours(bare))) return false
    for (const sign of own) if (sign.test(bare)) found.add(sign)
    for (const sign of shared) if (sign.test(bare)) found.add(sign)
  }
  return found.size >= least && own.some((sign) => found.has(sign))
}

/** Whether two names follow each other, as only words of a language or of a sentence do. */
function hasNeighbours(line: string): boolean {
  let isAfterName = false
  for (const token of line.match(/[A-Za-z_]\w*|\S/g) ?? []) {
    const isName = /^[A-Za-z_]/.test(token) && !pythonWords.has(token)
    if (isName && isAfterName) return true
    isAfterName = isName
  }
  return false
}

/** Whether a text is JSON but for its commas and brackets: only these may be wrong, as in no other language. */
function isCertainJson(source: string): boolean {
  const bare = source.trim().replace(/"(?:\\[^\r\n]|[^"\\\r\n])*"?/g, '""')
  if (!/[}\]]$/.test(bare) || !/""\s*:/.test(bare)) return false
  if (/[^\s[\]{}:,"\d.eE+-]/.test(bare.replace(/\b(?:true|false|null)\b/g, ''))) return false
  // A trailing comma is right in Python and JavaScript, and a key that is not a string is theirs.
  return !/,\s*[}\]]|[{,]\s*[\d.-]+\s*:|\{\s*[^\s"}]/.test(bare) && isOneValue(bare)
}

/** Whether no bracket closes everything before the end: several values are a listing or a fragment. */
function isOneValue(bare: string): boolean {
  let depth = 0
  for (const { 0: bracket, index } of bare.matchAll(/[{}[\]]/g)) {
    depth += bracket === '{' || bracket === '[' ? 1 : -1
    if (depth === 0 && index < bare.length - 1) return false
  }
  return true
}
