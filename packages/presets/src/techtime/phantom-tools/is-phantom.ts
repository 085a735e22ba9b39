import { closeMatches } from '@stickler/core/internal/validators'
import type { Claim } from './claims.ts'
import type { Mention } from './mentions.ts'

/** What makes a word look like a tool. */
export interface ToolLook {
  /** Starts of names that always mean tools. */
  readonly prefixes: readonly string[]
  /** Starts of names that mean tools as a call, or where the text is about tools. */
  readonly weakPrefixes: readonly string[]
  /** Ends of names that are tools as a call. */
  readonly suffixes: readonly string[]
}

/** Starts that ordinary names rarely have. */
export const defaultPrefixes = ['check_', 'get_', 'ping_', 'fetch_', 'diagnose_'] as const

/** Starts that names of tests, variables and files have too: `test_data`, `run_id`, `list_price`. */
export const weakPrefixes = ['test_', 'run_', 'list_', 'scan_', 'query_', 'search_', 'find_', 'lookup_', 'verify_', 'restart_'] as const

/** Ends that ordinary names have too: `exit_status`. */
export const defaultSuffixes = ['_status'] as const

/** A name so close to that of a tool is probably meant as one. */
const closeEnough = 0.8
/** So many names of one answer are compared with the tools. */
const mostCompared = 100

// The text says what the word is, right before or right after it.
const things =
  'functions?|methods?|class(?:es)?|variables?|fields?|columns?|parameters?|params?|arguments?|args?|keys?|propert(?:y|ies)|attributes?|flags?|options?|' +
  'constants?|fixtures?|endpoints?|routes?|tables?|scripts?|files?|modules?|packages?|branch(?:es)?|headers?|settings?|hooks?|' +
  'plug-?ins?|metrics?|lists?|arrays?|objects?|structs?|dict(?:ionar(?:y|ies))?s?|enums?|types?|interfaces?|components?|librar(?:y|ies)|helpers?|macros?|' +
  'procedures?|subroutines?|sensors?|labels?|tags?|events?|counters?|gauges?|index(?:es)?|views?|databases?|schemas?|folders?|director(?:y|ies)|' +
  'identifiers?|placeholders?|registers?|cookies?|topics?|queues?|buckets?|rules?|alerts?|models?|features?|datasets?|integrations?|' +
  'values?|items?|feld(?:er)?|schlüssel|datei(?:en)?|skripte?|' +
  // Spanish, French, Italian and Portuguese
  'funci[oó]n(?:es)?|fonctions?|funzion[ei]|fun(?:ção|ções)|m[eéè]tod[oi]s?|méthodes?|variabil[ei]|vari[aá]ve(?:l|is)|clases?|classi|columnas?|colonnes?|colonn[ae]|' +
  'campos?|champs?|camp[oi]|tablas?|par[aá]metros?|paramètres?|parametr[oi]|archivos?|fichiers?|valor(?:es)?|valeurs?|valor[ei]'
/** German nouns, which may be the last part of a longer one. */
const germanThings =
  'funktion(?:en)?|methoden?|klassen?|variablen?|spalten?|tabellen?|einstellung(?:en)?|metrik(?:en)?|plug-?ins?|listen?|module?n?|objekte?|eigenschaft(?:en)?|' +
  'attribute?|konstanten?|bibliothek(?:en)?|pakete?|komponenten?|sensor(?:en)?|zähler|kennzahl(?:en)?|ordner|verzeichnis(?:se)?|bezeichner|ereignis(?:se)?|' +
  'regeln?|endpunkte?|ansicht(?:en)?|prozedur(?:en)?|makros?|felder|dateien?|skripte?|datenbank(?:en)?|platzhalter|schnittstellen?|items?|werte?s?'
/** Nouns of what is run: they describe a name only as long as nobody claims to have run it. */
const programs =
  'commands?|programs?|utilit(?:y|ies)|services?|units?|befehle?|kommandos?|programme?|dienste?|jobs?|tasks?|timers?|daemons?|aufgaben?'
/** Likewise, though names of tools may end with them. */
const nounsBefore =
  'tests?|tuples?|matri(?:x|ces)|vectors?|data\\s?frames?|images?|histograms?|strings?|numbers?|booleans?|signals?|callbacks?|handlers?|decorators?|users?|' +
  'quer(?:y|ies)|roles?|accounts?|pointers?|iterators?|threads?|nodes?|records?|entr(?:y|ies)|elements?|widgets?|buttons?|forms?|templates?|namespaces?|panels?|' +
  'dashboards?|symbols?|exceptions?|errors?|channels?|streams?'
const otherThings = `${things}|${nounsBefore}`
const named =
  '(?:\\s+(?:called|named|known\\s+as|labell?ed|titled|namens|genannt|mit\\s+(?:dem\\s+)?namen|like|such\\s+as|wie|is|are|was|were|ist|sind))?:?'
// backtracks: the text before a word is cut to its last characters
const otherBefore = new RegExp(
  `(?:(?:\\b|^)(?:${otherThings}|def|import|const|let|var)|(?:^|[^\\wäöüß])[\\wäöüß-]*(?:${germanThings}))${named}\\s+\\(?$|` +
    // "a list, which we call …"
    '\\b(?:which|that|die|das|den|der)\\s+(?:we|I|wir|ich)\\s+(?:(?:will|have)\\s+)?(?:call(?:ed)?|named?|nennen?)\\s+$',
  'i',
)
/** What is imported from a name, unless the text says what was learned from it. */
const fromBefore = /\bfrom\s+\(?$/i
/** Likewise, and the names follow: "both functions, …". */
// backtracks: the text before a word is cut to its last characters
const severalBefore = new RegExp(
  `\\b(?:both|two|three|four|five|these|several|beiden?|zwei|drei|vier|diese|mehrere)\\s+(?:[\\wäöüß-]+\\s+)?(?:${otherThings}|[\\wäöüß-]*(?:${germanThings})),\\s+$`,
  'i',
)
const article = '(?:an?|the|one\\s+of\\s+the|eine?s?|der|die|das)\\s+'
// backtracks: the text after a word is cut to its first characters
const otherBehind = new RegExp(
  `^(?:[\\s-]+|,?\\s+(?:is|are|was|were|ist|sind|war)\\s+${article}(?:[\\wäöüß-]+\\s+){0,2}?|(?:,|\\s+[–—-]|\\s+\\()\\s*${article}(?:[\\wäöüß-]+\\s+){0,2}?)` +
    `(?:${otherThings}|[\\wäöüß-]*(?:${germanThings}))(?![\\wäöüß])|` +
    // Where it comes from.
    '^\\s+(?:from|in|of|aus|von)\\s+(?:(?:the|dem|der)\\s+)?[`\\w.-]+\\s+(?:module|package|library|class|file|modul|paket|bibliothek|klasse|datei)(?![\\wäöüß])',
  'i',
)
/** German says what a name is behind it, too: "laut Handbuch ist … ein Plugin". */
const isBefore = /\b(?:ist|sind|war|waren)\s+$/i
// backtracks: the text after a word is cut to its first characters
const thingBehind = new RegExp(`^\\s+eine?s?\\s+(?:[\\wäöüß-]+\\s+){0,2}?[\\wäöüß-]*(?:${otherThings}|${germanThings})(?![\\wäöüß])`, 'i')
/** The text gives the name, of whatever it is, or writes what has it. */
const introduced =
  // backtracks: the text before a word is cut to its last characters
  /\b(?:called|named|known\s+as|labell?ed|titled|dubbed|namens|genannt|mit\s+(?:dem\s+)?namen|heiß(?:t|en)|lautet|(?:defin|implement|declar|renam|refactor|overrid)(?:e[ds]?|s|ing)?|wr(?:ite|iting|ote|itten)|schrieb(?:en)?|(?:definier|implementier|deklarier|schreib)(?:en?|t)|renam(?:e[ds]?|ing)\s+\S+\s+(?:to|as)|(?:call(?:s|ed|ing)?|nam(?:e[ds]?|ing)|nenn(?:en?|t)|nannten?)\s+(?:(?:wir|ich)\s+)?(?:it|this|them|es|sie|ihn|das|diese)|(?:values?|werte?s?)\s+(?:of|for|von|für))[\s:]+(?:the\s+)?$/i
/** Likewise, with what is said behind it: "ein Feld, das … heißt", "where … is the number", "set … to 3". */
const introducedAround: readonly (readonly [before: RegExp, behind: RegExp])[] = [
  [/,\s+(?:die|das|der)\s+$/i, /^\s+(?:heiß(?:t|en)|hieß(?:en)?|genannt\s+(?:wird|werden))(?![\wäöüß])/i],
  [/\b(?:where|let|wobei|sei)\s+$/i, /^\s+(?:is|are|be|denotes?|holds?|contains?|ist|sind|die|der|das)(?![\wäöüß])/i],
  [/\b(?:set|setze|initiali[sz]e)\s+$/i, /^\s+(?:to|auf|with|mit)\s/i],
  // backtracks: the text before a word is cut to its last characters
  [/\b(?:stor|sav|assign|push|append|add|speicher)(?:e[ds]?|s|ed|ing|e?n|t)?\s+(?:\S+\s+){1,4}(?:in|into|to|as)\s+(?:the\s+)?$/i, /^/],
]
/** Software whose own names start like those of tools. */
const products =
  '(?:Nagios|Icinga|Zabbix|Prometheus|Check_?MK|Checkmk|Centreon|Naemon|Munin|PRTG|Sensu|Grafana|Telegraf|Home Assistant|Ansible|Kubernetes|Python|PHP|Ruby|Perl|' +
  'JavaScript|TypeScript|Django|Flask|FastAPI|Rails|Laravel|Symfony|WordPress|Drupal|NumPy|pandas|PyTorch|TensorFlow|SQLAlchemy|PostgreSQL|MySQL)\\d*(?![\\w-])'
// backtracks: the text before a word is cut to its last characters
const ownerBefore = new RegExp(
  `\\b${products}(?:['’]s)?,?[^.!?\\n,;:]*$|` +
    '(?:^|\\s)(?!(?:I|It|We|You|They|He|She|This|That|These|The|Which|There)\\b)[A-Z][\\w.]*\\s+(?:provides|offers|defines|exposes|includes|implements|exports|ships\\s+with)\\s+(?:(?:the|a)\\s+)?$',
)
// backtracks: the text after a word is cut to its first characters
const ownerBehind = new RegExp(`^(?:\\s+[\\wäöüß]+)?\\s+(?:in|from|of|by|for|von|aus|für)\\s+${products}`)
/** The text gives a number for the name, and nothing more. */
const numberBehind =
  // backtracks: the text after a word is cut to its first characters
  /^(?:\s*[:=|][\s*_]*|\s+(?:is|was|equals|ist|war|beträgt|betrug)\s+)[-+~]?\d+(?:[.,]\d+)?(?:\s?(?:%|[a-zµ]{1,4}(?:\/s)?))?(?=\s*(?:$|[,;)|\n]|\.(?!\d)|(?:and|und)\b))/i
// backtracks: the text before a word is cut to its last characters
const programBefore = new RegExp(`(?:^|[^\\wäöüß])[\\wäöüß-]*(?:${programs})${named}\\s+$`, 'i')
/** What is between names that are listed. */
export const between = /^[\s`"'*_“”„«»]*(?:,|\/|&|and|or|und|oder|sowie|bzw\.|as\s+well\s+as)(?:\s+(?:and|or|und|oder))?[\s`"'*_“”„«»]*$/i
// backtracks: the text before a word is cut to its last characters
const toolBefore = /\b(?:tools?|werkzeuge?|werkzeugs)(?:\s+(?:called|named|namens))?:?\s+$/i
const toolBehind = /^[\s-]+(?:tools?|werkzeuge?)\b/i
const particles = 'in|out|up|off|on|over|along|away|back|by|down|into|through|to|with|together|ahead|around|across|it'
/** What people write for "get started", "get rid of" and the like. */
const idioms = new RegExp(
  `^(?:(?:get|check)_(?:${particles}|started|going|moving|involved|ready|help|rid|lost|well|better|used|stuck|done|even)(?:_(?:it|to|of|with|touch))?|` +
    'check_(?:list|box|mark|sum|point)s?|ping_pong)$',
)
/** Starts and ends of names of actions; of what was only "used", nothing else is taken for a tool. */
const action =
  /^(?:measure|trace|reset|flush|reboot|renew|analy[sz]e)_|_(?:status|reset|reboot|restart|flush|renew|check|scan|trace|lookup|probe)$/
/** Ends of names that hold a value, or a program of the user's own. */
const held = new RegExp(
  '_(?:case|counts?|ids?|names?|versions?|retries|limits?|sizes?|length|timeout|paths?|ur[il]s?|keys?|tokens?|modes?|types?|levels?|rates?|env|dirs?|dates?|' +
    `times?|data|strings?|prices?|values?|thresholds?|factors?|seeds?|scores?|metrics?|suites?|jobs?|app|main|handlers?|callbacks?|tests|${things})$`,
  'i',
)
/** An action and what it is done to: such a name is that of a tool where it was run. */
const acts = /^(?:measure|trace|reset|flush|reboot|renew|analy[sz]e|list|scan|query|search|find|lookup|verify|restart)_/
const actedOn =
  /_(?:routes?|paths?|ur[il]s?|keys?|tokens?|dirs?|director(?:y|ies)|folders?|files?|data|databases?|values?|metrics?|jobs?|tables?|columns?|fields?|index(?:es)?|views?|events?|counters?|sensors?|queues?|topics?|buckets?|cookies?|alerts?|rules?|tags?|labels?|packages?|branch(?:es)?|headers?|settings?|registers?|items?|datasets?|models?|endpoints?)$/
/** Tools whose names look like that of a value. */
const known = /^trace_(?:route|path)6?$/
/** The text goes on with a value of the name, or with what it serves as. */
const valueBehind =
  // backtracks: the text after a word is cut to its first characters
  /^\s*(?:=|:=|as\b|als\b|(?:(?:of|to|version|auf|von)\s+)?v?\d(?!\d*\s*(?:times|x\b|mal)))/i

/** Whether the text calls a word a tool, or something else. */
export function describedAs({ before, after }: Mention, claim: Claim | undefined): 'tool' | 'other' | undefined {
  if (claim === 'denied') return 'other'
  if (toolBefore.test(before) || toolBehind.test(after)) return 'tool'
  if (claim === undefined && fromBefore.test(before)) return 'other'
  if (otherBefore.test(before) || severalBefore.test(before) || otherBehind.test(after)) return 'other'
  if (claim !== undefined) return undefined
  const isOther =
    [introduced, programBefore, ownerBefore].some((said) => said.test(before)) ||
    ownerBehind.test(after) ||
    numberBehind.test(after) ||
    introducedAround.some(([left, right]) => left.test(before) && right.test(after)) ||
    (isBefore.test(before) && thingBehind.test(after))
  return isOther ? 'other' : undefined
}

/** Whether a word that is the name of no tool, and that the text does not describe as anything, is meant as one. */
export function isPhantom(mention: Mention, claim: Claim | undefined, look: ToolLook, isClose: (name: string) => boolean): boolean {
  const { name, form } = mention
  if (form !== 'call' && idioms.test(name)) return false
  if (look.prefixes.some((prefix) => name.startsWith(prefix)) || isClaimedTool(mention, claim, look, isClose)) return true
  if (form !== 'call') return false
  return startsLike(name, look) || endsLike(name, look) || isClose(name)
}

/** Variables, settings and files are "used" as well, so the name has to look like an action unless it was run. */
function isClaimedTool({ name, after }: Mention, claim: Claim | undefined, look: ToolLook, isClose: (name: string) => boolean): boolean {
  if (claim === undefined || !/[a-z]/.test(name) || valueBehind.test(after)) return false
  if (held.test(name) && !known.test(name) && !(claim === 'ran' && acts.test(name) && actedOn.test(name))) return false
  return claim === 'ran' || startsLike(name, look) || endsLike(name, look) || action.test(name) || isClose(name)
}

function endsLike(name: string, { suffixes }: ToolLook): boolean {
  return suffixes.some((suffix) => name.endsWith(suffix))
}

function startsLike(name: string, { prefixes, weakPrefixes: weak }: ToolLook): boolean {
  return prefixes.some((prefix) => name.startsWith(prefix)) || weak.some((prefix) => name.startsWith(prefix))
}

/** Finds names that are close to that of a tool; gives up early on a text full of other names. */
export function closenessTo(tools: readonly string[]): (name: string) => boolean {
  const known = new Map<string, boolean>()
  return (name) => {
    const before = known.get(name)
    if (before !== undefined || known.size >= mostCompared) return before ?? false
    const isClose = closeMatches(name, tools, 1, closeEnough).length > 0
    known.set(name, isClose)
    return isClose
  }
}
