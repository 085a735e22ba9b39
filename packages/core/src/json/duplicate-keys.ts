import { type JsonNode, readJsonTree } from './json-tree.ts'
import { endOfText, isClosing, isOpening, JsonWalker, quote, readKey } from './json-walker.ts'
import { ordinarySize } from './ordinary-size.ts'
import { sameNode } from './same-node.ts'

/** A key that an object has twice, with different values. */
export interface DuplicateKey {
  readonly key: string
  /** Where the key is, itself included. */
  readonly path: readonly (string | number)[]
  /** The later key, with its quotes. */
  readonly start: number
  readonly end: number
}

/** Enough to describe the problem. */
const mostFound = 20

/** Finds keys of a JSON text that an object has twice with different values, at any depth: readers differ in which one counts. Linear. */
export function findDuplicateKeys(text: string): readonly DuplicateKey[] {
  const tree = hasDuplicateKeys(text) ? readJsonTree(text) : undefined
  if (tree === undefined) return []
  const found: DuplicateKey[] = []
  const open: Place[] = [{ node: tree, step: '', parent: undefined }]
  for (let place = open.pop(); place && found.length < mostFound; place = open.pop()) {
    const { items = [], members = [] } = place.node
    const seen = new Map<string, JsonNode>()
    for (const { key, keyStart, keyEnd, node } of members) {
      const first = seen.get(key)
      if (first === undefined) seen.set(key, node)
      else if (found.length < mostFound && !sameNode(first, node, text))
        found.push({ key, path: [...pathOf(place), key], start: keyStart, end: keyEnd })
    }
    // From the end, so that they are taken in the order of the text.
    for (let index = members.length - 1; index >= 0; index--) push(open, members[index]?.node, members[index]?.key ?? '', place)
    for (let index = items.length - 1; index >= 0; index--) push(open, items[index], index, place)
  }
  return found
}

/** A value that is looked at; its path is put together only when it is needed. */
interface Place {
  readonly node: JsonNode
  readonly step: string | number
  readonly parent: Place | undefined
}

function push(open: Place[], node: JsonNode | undefined, step: string | number, parent: Place): void {
  if (node?.items || node?.members) open.push({ node, step, parent })
}

function pathOf(place: Place): (string | number)[] {
  const path: (string | number)[] = []
  for (let at: Place | undefined = place; at?.parent; at = at.parent) path.push(at.step)
  return path.reverse()
}

/** Whether some object of a JSON text has a duplicate key, whatever the values: readers differ in which one counts. It needs no tree. */
export function hasDuplicateKeys(text: string): boolean {
  if (ordinarySize(text) !== undefined) return false
  const open: (Set<string> | undefined)[] = []
  const walker = new JsonWalker(text)
  for (let code = walker.mark(); code !== endOfText; code = walker.mark()) {
    if (isOpening(code)) open.push(undefined)
    else if (isClosing(code)) open.pop()
    else if (code === quote && walker.isName()) {
      const key = readKey(text.slice(walker.start, walker.end))
      const keys = open[open.length - 1]
      if (keys?.has(key)) return true
      if (keys) keys.add(key)
      else open[open.length - 1] = new Set([key])
    }
  }
  return false
}
