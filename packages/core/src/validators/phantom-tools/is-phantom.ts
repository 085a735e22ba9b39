import { closeMatches } from '../../contract/close-match.ts'
import { isClaimed } from './claims.ts'
import type { Mention } from './mentions.ts'

/** What makes a word look like a tool. */
export interface ToolLook {
  /** Starts of names that are tools wherever they stand. */
  readonly prefixes: readonly string[]
  /** Starts of names that are tools as a call, or where the text speaks of tools. */
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

// The text says what the word is, right before or right behind it.
const otherThings =
  'functions?|methods?|class(?:es)?|variables?|fields?|columns?|parameters?|params?|arguments?|args?|keys?|propert(?:y|ies)|attributes?|flags?|options?|' +
  'constants?|fixtures?|endpoints?|routes?|tables?|scripts?|files?|modules?|packages?|branch(?:es)?|headers?|settings?|hooks?|tests?|' +
  'funktion(?:en)?|methoden?|klassen?|variablen?|feld(?:er)?|spalten?|schlüssel|datei(?:en)?|tabellen?|skripte?|einstellung(?:en)?'
// backtracks: the text before a word is cut to its last characters
const otherBefore = new RegExp(`(?:\\b|^)(?:${otherThings}|def|import|from|const|let|var)\\s+$`, 'i')
const otherBehind = new RegExp(`^\\s+(?:${otherThings})\\b`, 'i')
// backtracks: the text before a word is cut to its last characters
const toolBefore = /\b(?:tools?|werkzeuge?|werkzeugs)(?:\s+(?:called|named|namens))?:?\s+$/i
const toolBehind = /^[\s-]+(?:tools?|werkzeuge?)\b/i
const used =
  // backtracks: the text before a word is cut to its last characters
  /\b(?:I|we|I['’]ve|I['’]ll|let me|let['’]s|ich|wir)\s(?:[\w'’]+\s){0,3}?(?:ran|run|running|call(?:ed|ing)?|us(?:e|ed|ing)|execut(?:e|ed|ing)|invok(?:e|ed|ing)|tried|rufe|nutze|verwende|führe)\s+(?:(?:the|a|my|our|tool|das|den|die)\s+){0,2}$/i

const notations = /^\s+(?:naming|names?|notation|style|conventions?|format|case|schreibweise)\b/i
/** What people write for "get started" and the like. */
const idioms = /^(?:get_(?:started|going|involved|ready|help|in_touch)|check_(?:in|out|list|box|mark|sum|point)|ping_pong)s?$/

/** Tells whether a word that is the name of no tool is meant as one. */
export function isPhantom(mention: Mention, look: ToolLook, isClose: (name: string) => boolean): boolean {
  const { name, form, before, after } = mention
  const isTool = toolBefore.test(before) || toolBehind.test(after)
  const claimed = isClaimed(mention)
  const spokenOf = isTool || claimed || used.test(before)
  if (spokenOf && (form !== 'plain' || startsLike(name, look) || isTool)) return true
  if (otherBefore.test(before) || otherBehind.test(after)) return false
  if (claimed) return !notations.test(after) && !name.endsWith('_case')
  if (form !== 'call' && idioms.test(name)) return false
  if (look.prefixes.some((prefix) => name.startsWith(prefix))) return true
  if (form !== 'call') return false
  return startsLike(name, look) || look.suffixes.some((suffix) => name.endsWith(suffix)) || isClose(name)
}

function startsLike(name: string, { prefixes, weakPrefixes: weak }: ToolLook): boolean {
  return prefixes.some((prefix) => name.startsWith(prefix)) || weak.some((prefix) => name.startsWith(prefix))
}

/** Tells names that are close to that of a tool; a text full of other names is not compared to its end. */
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
