import { colon, comma, endOfText, isClosing, isOpening, JsonWalker, openList, quote } from './json-walker.ts'

/** The most that a JSON text may hold. */
export interface JsonExtent {
  /** Levels of nesting. */
  readonly depth: number
  /** Members of one object. */
  readonly fields: number
  /** Texts, objects and lists in one list; not in log probabilities, where APIs have them and each token of an answer is one. */
  readonly items: number
  /** Fields and items in all, log probabilities aside. */
  readonly values: number
  /** The same with log probabilities, and all numbers in lists. */
  readonly everything: number
}

/** In which way a JSON text is larger than it may be, found in one pass before anything is built of it; undefined when it is not. What is not JSON has an extent too. */
export function excessOf(text: string, most: JsonExtent): keyof JsonExtent | undefined {
  // Of the objects and lists around the place that is read.
  const counts: number[] = []
  const kinds: boolean[] = []
  /** Where the names of the members end that they are values of. */
  const names: number[] = []
  let depth = 0
  let count = 0
  let isList = false
  let values = 0
  let everything = 0
  /** The depth at which the member is whose value is log probabilities; 0 outside of them. */
  let free = 0
  let name = 0
  const walker = new JsonWalker(text)
  for (let code = walker.next(); code !== endOfText; code = walker.next()) {
    if (code === quote) name = walker.end - 1
    else if (isOpening(code)) {
      if (++depth > most.depth) return 'depth'
    } else if (isClosing(code)) {
      depth--
      if (depth < free) free = 0
      count = counts.pop() ?? 0
      isList = kinds.pop() ?? false
      names.pop()
      continue
    } else if (code === comma) {
      if (++everything > most.everything) return 'everything'
      if (depth === free) free = 0
      continue
    } else if (code !== colon) continue
    const isField = code === colon
    if (isField || isList) {
      if (isField && ++count > most.fields) return 'fields'
      if (!isField && free === 0 && ++count > most.items) return 'items'
      if (free === 0 && ++values > most.values) return 'values'
      if (isField && free === 0 && text.startsWith(probabilities, name + 1 - probabilities.length) && isPlace(text, name, names, kinds))
        free = depth
    }
    if (!isOpening(code)) continue
    if (++everything > most.everything) return 'everything'
    counts.push(count)
    kinds.push(isList)
    names.push(name)
    count = 0
    isList = code === openList
  }
  return undefined
}

const probabilities = 'logprobs"'

/** Where APIs have log probabilities: in replies and chunks of chat completions, and in the texts of responses, their parts, items and events. */
const places: ReadonlySet<string> = new Set([
  'logprobs',
  'prompt_logprobs',
  'choices.*.logprobs',
  'choices.*.prompt_logprobs',
  'part.logprobs',
  'item.content.*.logprobs',
  'output.*.content.*.logprobs',
  'response.output.*.content.*.logprobs',
])
const deepestPlace = 7

/** Whether a member, whose name ends there, is one of them. */
function isPlace(text: string, end: number, names: readonly number[], areInLists: readonly boolean[]): boolean {
  if (names.length > deepestPlace) return false
  const steps = names.map((name, at) => (areInLists[at] ? '*' : nameAt(text, name)))
  // The whole is the value of nothing.
  return places.has([...steps.slice(1), nameAt(text, end)].join('.'))
}

function nameAt(text: string, end: number): string {
  const start = text.lastIndexOf('"', end - 1)
  // A name with an escape is none of them.
  return text.charCodeAt(start - 1) === 0x5c ? '' : text.slice(start + 1, end)
}

/** Whether brackets and braces are nested more than `limit` deep in a JSON text, in one pass, before anything recursive sees it. */
export function isDeeperThan(text: string, limit: number): boolean {
  const walker = new JsonWalker(text)
  let depth = 0
  for (let code = text.length > limit ? walker.mark() : endOfText; code !== endOfText; code = walker.mark()) {
    if (isClosing(code)) depth--
    else if (isOpening(code) && ++depth > limit) return true
  }
  return false
}
