import type { TextSpan } from '../answer/span.ts'
import { type JsonKind, setOwn } from './json-value.ts'
import { colon, comma, isClosing, isOpening, JsonWalker, openObject, quote, readKey } from './json-walker.ts'
import { parseJson } from './parse-json.ts'

/** A value in a JSON text, with its place. */
export interface JsonNode extends TextSpan {
  readonly kind: JsonKind
  readonly value: unknown
  /** What is between the braces of an object, duplicates included. */
  readonly members?: readonly JsonMember[]
  /** What is between the brackets of an array. */
  readonly items?: readonly JsonNode[]
}

/** A key and its value in a JSON text. */
export interface JsonMember {
  readonly key: string
  readonly keyStart: number
  readonly keyEnd: number
  readonly node: JsonNode
}

interface Open {
  readonly start: number
  readonly value: Record<string, unknown> | unknown[]
  readonly members: JsonMember[] | undefined
  readonly items: JsonNode[] | undefined
  key: { readonly key: string; readonly keyStart: number; readonly keyEnd: number } | undefined
}

/** Reads a JSON text that is at `offset` of a larger one into a tree with places; undefined when it is not JSON. Linear, at any depth. */
export function readJsonTree(text: string, offset = 0): JsonNode | undefined {
  // The engine's own parser knows best what is JSON; the walk may then trust the text.
  if (parseJson(text) === undefined) return undefined
  const stack: Open[] = []
  const walker = new JsonWalker(text)
  for (;;) {
    const code = walker.next()
    const top = stack.at(-1)
    const span = { start: walker.start + offset, end: walker.end + offset }
    let done: JsonNode | undefined
    if (code === comma || code === colon) continue
    if (isOpening(code)) stack.push(open(code, span.start))
    else if (isClosing(code)) {
      stack.pop()
      if (top) done = close(top, span.end)
    } else if (code === quote && top?.members && top.key === undefined)
      top.key = { key: readKey(text.slice(walker.start, walker.end)), keyStart: span.start, keyEnd: span.end }
    else {
      const value: unknown = JSON.parse(text.slice(walker.start, walker.end))
      done = { kind: scalarKind(value), ...span, value }
    }
    if (done) {
      const parent = stack.at(-1)
      if (!parent) return done
      add(parent, done)
    }
  }
}

/** The node at a path; of duplicate keys the last counts, as in `JSON.parse`. */
export function nodeAt(tree: JsonNode, path: readonly (string | number)[]): JsonNode | undefined {
  let node: JsonNode | undefined = tree
  for (const segment of path) {
    node = node?.items?.[Number(segment)] ?? node?.members?.findLast(({ key }) => key === String(segment))?.node
  }
  return node
}

function open(code: number, start: number): Open {
  return code === openObject
    ? { start, value: {}, members: [], items: undefined, key: undefined }
    : { start, value: [], members: undefined, items: [], key: undefined }
}

function close({ start, value, members, items }: Open, end: number): JsonNode {
  const span = { start, end, value }
  return members ? { kind: 'object', ...span, members } : { kind: 'array', ...span, items: items ?? [] }
}

function add(parent: Open, node: JsonNode): void {
  if (Array.isArray(parent.value)) {
    parent.value.push(node.value)
    parent.items?.push(node)
  } else if (parent.key) {
    setOwn(parent.value, parent.key.key, node.value)
    parent.members?.push({ ...parent.key, node })
    parent.key = undefined
  }
}

function scalarKind(value: unknown): JsonKind {
  return value === null ? 'null' : (typeof value as JsonKind)
}
